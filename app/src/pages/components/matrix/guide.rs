//! What each measure is, when it misleads, and who says so: in place, for whoever has to decide.

use domain::{Measure, ScaleChoice};
use leptos::prelude::*;

use super::band::published;
use crate::view::view;

/// A short explanation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Guide {
    pub(crate) what: &'static str,
    pub(crate) misleads: &'static str,
    pub(crate) source: &'static str,
}

/// The three parts of an explanation.
#[component]
pub(crate) fn GuideText(guide: Guide) -> impl IntoView {
    view! {
        <dl class="guide-text">
            <div><dt>"What it is"</dt><dd>{guide.what}</dd></div>
            <div><dt>"When it misleads"</dt><dd>{guide.misleads}</dd></div>
            <div><dt>"Source"</dt><dd>{guide.source}</dd></div>
        </dl>
    }
}

/// The explanation of a measure.
pub(crate) const fn of_measure(measure: Measure) -> Guide {
    match measure {
        Measure::Kappa => Guide {
            what: "How much of the agreement that chance leaves open the two have reached. Chance \
                   is what would happen if both kept their own habits and labelled at random. 1 is \
                   full agreement, 0 no more than chance.",
            misleads: "If one label is far more common than the others, κ can be low although the \
                       two hardly ever differ; compare AC1 and the percentage. It does not punish \
                       two people for using the labels differently often.",
            source: "Cohen, J. (1960). Educational and Psychological Measurement 20(1), 37–46.",
        },
        Measure::Alpha => Guide {
            what: "Like π, with a correction for few positions: could anybody else have done the \
                   same work with the same result? It works for any number of people and with \
                   gaps, so it compares well between projects.",
            misleads: "Like κ it falls when one label is far more common than the others. On very \
                       few positions a single one decides.",
            source: "Krippendorff, K. (2011). Computing Krippendorff’s alpha-reliability. \
                     University of Pennsylvania.",
        },
        Measure::Pi => Guide {
            what: "Like κ, but chance follows how often both together use each label: the two are \
                   taken as interchangeable.",
            misleads: "It is below κ where the two have different habits, which may be what you \
                       want to know. Like κ it falls when one label is far more common.",
            source: "Scott, W. A. (1955). Public Opinion Quarterly 19(3), 321–325.",
        },
        Measure::S => Guide {
            what: "Chance is an even guess among all labels: those of the project’s label set, and \
                   whatever else occurs between the two.",
            misleads: "Adding labels that nobody uses raises it. It is too kind where few of many \
                       labels are really in use.",
            source: "Bennett, E. M., Alpert, R. and Goldstein, A. C. (1954). Public Opinion \
                     Quarterly 18(3), 303–308.",
        },
        Measure::Ac1 => Guide {
            what: "Agreement beyond chance that stays steady where one label is far more common \
                   than the others, because only hard positions are taken to be left to chance.",
            misleads: "It is often much higher than κ, also where the rare labels, which may be \
                       the ones that matter, are unreliable. Unused labels of the label set raise \
                       it a little. Do not choose it only because it is higher.",
            source: "Gwet, K. L. (2008). British Journal of Mathematical and Statistical \
                     Psychology 61(1), 29–48.",
        },
        Measure::Percent => Guide {
            what: "The share of counted positions on which the two said the same. Easy to explain.",
            misleads: "Chance is not taken off: with two labels, guessing already gives a half, \
                       and with one very common label almost everything. Never report it alone.",
            source: "Artstein, R. and Poesio, M. (2008). Computational Linguistics 34(4), 555–596.",
        },
        Measure::F1 => Guide {
            what: "Twice the spans that are exactly the same, position and labels, divided by all \
                   spans of both: how well one would do if the other were the truth. Spans that \
                   only one has count against it, whatever the switch for one-sided positions says.",
            misleads: "A span that is one character longer is as wrong as one that is missing. \
                       While documents are only saved, work not yet done looks like a miss: choose \
                       submitted documents. The scales were not made for it.",
            source: "Hripcsak, G. and Rothschild, A. S. (2005). Journal of the American Medical \
                     Informatics Association 12(3), 296–298.",
        },
    }
}

/// The explanation of a scale.
pub(crate) const fn of_scale(scale: ScaleChoice) -> Guide {
    let source = published(scale).source;
    match scale {
        ScaleChoice::LandisKoch => Guide {
            what: "Six words from poor to almost perfect: the words most papers use.",
            misleads: "Its authors called the bounds arbitrary. Moderate sounds better than it is: \
                       for a gold standard it is usually too little.",
            source,
        },
        ScaleChoice::Krippendorff => Guide {
            what: "A rule for content analysis: from 0.80 on conclusions may rest on the data, \
                   from 0.67 on tentative ones, below that none.",
            misleads: "It was proposed for α. With a measure that is usually higher, such as the \
                       percentage or AC1, it is too easy to pass.",
            source,
        },
        ScaleChoice::RietveldVanHout => Guide {
            what: "Words for the middle of the scale, from 0.20 to 0.60.",
            misleads: "Only that part is quoted, so many values have no word, high ones too; the \
                       two bands overlap in the source.",
            source,
        },
        ScaleChoice::Green => Guide {
            what: "Three degrees: low, fair to good, high.",
            misleads: "Its middle degree is wide: 0.40 and 0.74 are both fair to good.",
            source,
        },
        ScaleChoice::Homogeneity => Guide {
            what: "Bounds for the least share of true agreement, found on work by experts and by \
                   trained students: strict, because it asks what is certain.",
            misleads: "It was made for the lower bound of another interval, of two people who say \
                       yes or no. On the intervals here it is a rule of thumb.",
            source,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_measure_is_explained_with_a_source_of_its_own() {
        let mut sources: Vec<_> = Measure::ALL.iter().map(|&m| of_measure(m).source).collect();
        sources.sort_unstable();
        sources.dedup();
        assert_eq!(sources.len(), Measure::ALL.len());
    }
}
