//! What each measure is, when it misleads, and who says so: in place, for whoever has to decide.

use domain::{Measure, PositionKind, ScaleChoice, Switches};

use super::band::published;
use crate::pages::components::prelude::*;

/// A short explanation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Guide {
    pub(crate) what: &'static str,
    pub(crate) misleads: &'static str,
    pub(crate) source: &'static str,
    /// Where the help has formula, example and when there is no value; of scales, all of them.
    pub(crate) help: &'static str,
}

/// The parts of an explanation.
#[component]
pub(crate) fn GuideText(guide: Guide) -> impl IntoView {
    view! {
        <dl class="guide-text">
            <div><dt>"What it is"</dt><dd>{guide.what}</dd></div>
            <div><dt>"When it misleads"</dt><dd>{guide.misleads}</dd></div>
            <div><dt>"Source"</dt><dd>{guide.source}</dd></div>
            <div><dt>"More"</dt><dd><a href=guide.help>"In the help"</a></dd></div>
        </dl>
    }
}

/// The explanation of the measure of these switches.
pub(crate) const fn of_measure(switches: Switches) -> Guide {
    match switches.measure {
        Measure::Kappa => Guide {
            what: "The share of the agreement beyond chance that the two have reached. Chance \
                    means both keep their own habits and label at random. 1 is full agreement, 0 \
                    no more than chance.",
            misleads: "If one label is far more common, κ can be low although the two hardly \
                        differ; compare AC1 and the percentage. It does not penalise using labels \
                        differently often.",
            source: "Cohen, J. (1960). Educational and Psychological Measurement 20(1), 37–46.",
            help: "/help/measures/two-raters.html#cohens-kappa",
        },
        Measure::Alpha => Guide {
            what: "Like π, corrected for few positions: would anybody else get the same result? \
                    Works for any number of people and with gaps, so it compares well between \
                    projects.",
            misleads: "Falls, like κ, when one label is far more common. With very few \
                        positions, a single one decides.",
            source: "Krippendorff, K. (2011). Computing Krippendorff’s alpha-reliability. \
                     University of Pennsylvania.",
            help: "/help/measures/two-raters.html#krippendorffs-alpha",
        },
        Measure::Pi => Guide {
            what: "Like κ, but chance follows how often both together use each label: the two \
                    are treated as interchangeable.",
            misleads: "Lower than κ where the two have different habits, which may be what you \
                        want to know. Falls, like κ, when one label is far more common.",
            source: "Scott, W. A. (1955). Public Opinion Quarterly 19(3), 321–325.",
            help: "/help/measures/two-raters.html#scotts-pi",
        },
        Measure::S => Guide {
            what: "Chance is an even guess among all labels: the project’s label set, and \
                    whatever else the two used.",
            misleads: "Unused labels raise it. Too generous where few of many labels are in use.",
            source: "Bennett, E. M., Alpert, R. and Goldstein, A. C. (1954). Public Opinion \
                     Quarterly 18(3), 303–308.",
            help: "/help/measures/two-raters.html#bennetts-s",
        },
        Measure::Ac1 => Guide {
            what: "Stays steady when one label is far more common, because only hard positions \
                    are assumed to be left to chance.",
            misleads: "Often much higher than κ, even where rare labels, possibly the ones that \
                        matter, are unreliable. Unused labels raise it a little. Do not choose it \
                        only because it is higher.",
            source: "Gwet, K. L. (2008). British Journal of Mathematical and Statistical \
                     Psychology 61(1), 29–48.",
            help: "/help/measures/two-raters.html#gwets-ac1",
        },
        Measure::WeightedKappa => Guide {
            what: "κ of choices in an order: being two steps apart weighs four times as much as one. \
                    The steps are the numbers that all choices begin with, or else their places.",
            misleads: "Grows with the number of choices, and with how different the rated are. Good \
                        values hide that the two seldom choose exactly the same.",
            source: "Cohen, J. (1968). Psychological Bulletin 70(4), 213–220.",
            help: "/help/measures/scales-and-sets.html#weighted-kappa",
        },
        Measure::AlphaOrdinal => Guide {
            what: "α of choices in an order. How far two are apart is how many answers lie between \
                    them, so that the choices need not be evenly spaced.",
            misleads: "Depends on which choices are common: the same difference weighs more where \
                        many answers are.",
            source: "Krippendorff, K. (2011). Computing Krippendorff’s alpha-reliability (ordinal \
                     data). University of Pennsylvania.",
            help: "/help/measures/scales-and-sets.html#alpha-with-a-distance",
        },
        Measure::AlphaInterval => Guide {
            what: "α of numbers: squared differences, as in the variance. The numbers are those that \
                    all choices begin with, or else their places in the order.",
            misleads: "Takes every step for equally wide. A few large differences decide.",
            source: "Krippendorff, K. (2011). Computing Krippendorff’s alpha-reliability (interval \
                     data). University of Pennsylvania.",
            help: "/help/measures/scales-and-sets.html#alpha-with-a-distance",
        },
        Measure::AlphaRatio => Guide {
            what: "α of numbers with a true zero: what counts is how many times larger one is than the \
                    other.",
            misleads: "Near zero a small difference weighs as much as any. Not for scales whose \
                        zero was chosen freely.",
            source: "Krippendorff, K. (2011). Computing Krippendorff’s alpha-reliability (ratio \
                     data). University of Pennsylvania.",
            help: "/help/measures/scales-and-sets.html#alpha-with-a-distance",
        },
        Measure::AlphaMasi => Guide {
            what: "α of sets of choices: sets with much in common are close, and closest where one \
                    holds the other.",
            misleads: "Large sets are alike by chance. How near is near enough was set by its \
                        author, not measured.",
            source: "Passonneau, R. (2006). Measuring agreement on set-valued items (MASI). LREC \
                     2006, 831–836.",
            help: "/help/measures/scales-and-sets.html#alpha-with-a-distance",
        },
        Measure::Ac2 => Guide {
            what: "AC1 of answers in an order: being two steps apart weighs four times as much as one. \
                    Steady where one answer is far more common.",
            misleads: "Often much higher than κ and α. Numbers that nobody uses raise it.",
            source: "Gwet, K. L. (2014). Handbook of Inter-Rater Reliability, 4th edition.",
            help: "/help/measures/scales-and-sets.html#gwets-ac2",
        },
        Measure::Icc1 => Guide {
            what: "The share of all variance that lies between positions, if each may have had raters \
                    of its own. ICC(1) of one rating.",
            misleads: "Low where positions hardly differ, however close the raters are. Only positions \
                        that everybody rated count.",
            source: "Shrout, P. E. and Fleiss, J. L. (1979). Psychological Bulletin 86(2), 420–428.",
            help: "/help/measures/scales-and-sets.html#intraclass-correlation",
        },
        Measure::IccA1 => Guide {
            what: "The share of all variance that lies between positions; that one rater gives higher \
                    numbers is disagreement. ICC(2,1) of Shrout and Fleiss.",
            misleads: "Low where positions hardly differ, however close the raters are. Only positions \
                        that everybody rated count.",
            source: "McGraw, K. O. and Wong, S. P. (1996). Psychological Methods 1(1), 30–46: absolute \
                     agreement, single rating.",
            help: "/help/measures/scales-and-sets.html#intraclass-correlation",
        },
        Measure::IccC1 => Guide {
            what: "The share of variance that lies between positions, once each rater’s own level is \
                    taken off. ICC(3,1) of Shrout and Fleiss.",
            misleads: "1 where one always gives exactly two more than the other: no measure of saying \
                        the same.",
            source: "McGraw, K. O. and Wong, S. P. (1996). Psychological Methods 1(1), 30–46: \
                     consistency, single rating.",
            help: "/help/measures/scales-and-sets.html#intraclass-correlation",
        },
        Measure::IccK => Guide {
            what: "ICC(1) of the mean of all raters’ numbers.",
            misleads: "Says nothing of one rater alone. Rises with every rater added.",
            source: "Shrout, P. E. and Fleiss, J. L. (1979). Psychological Bulletin 86(2), 420–428: mean \
                     of k ratings.",
            help: "/help/measures/scales-and-sets.html#intraclass-correlation",
        },
        Measure::IccAk => Guide {
            what: "ICC(A,1) of the mean of all raters’ numbers.",
            misleads: "Says nothing of one rater alone. Rises with every rater added.",
            source: "McGraw, K. O. and Wong, S. P. (1996). Psychological Methods 1(1), 30–46: absolute \
                     agreement, mean of k ratings.",
            help: "/help/measures/scales-and-sets.html#intraclass-correlation",
        },
        Measure::IccCk => Guide {
            what: "ICC(C,1) of the mean of all raters’ numbers: the same as Cronbach’s α.",
            misleads: "Says nothing of one rater alone. Rises with every rater added.",
            source: "McGraw, K. O. and Wong, S. P. (1996). Psychological Methods 1(1), 30–46: \
                     consistency, mean of k ratings.",
            help: "/help/measures/scales-and-sets.html#intraclass-correlation",
        },
        Measure::Percent => Guide {
            what: "Share of counted positions with the same answer. Easy to explain.",
            misleads: "Not corrected for chance: with two labels guessing gives a half, with one \
                        very common label almost everything. Never report it alone.",
            source: "Artstein, R. and Poesio, M. (2008). Computational Linguistics 34(4), 555–596.",
            help: "/help/measures/two-raters.html#percentage",
        },
        Measure::F1 => Guide {
            what: what_f1_is(switches.policy.positions()),
            misleads: when_f1_misleads(switches.policy.positions()),
            source: "Hripcsak, G. and Rothschild, A. S. (2005). Journal of the American Medical \
                     Informatics Association 12(3), 296–298.",
            help: "/help/measures/spans.html#f1-of-spans",
        },
    }
}

const fn what_f1_is(kind: PositionKind) -> &'static str {
    match kind {
        PositionKind::Exact => {
            "Twice the identical spans (position and labels), divided by all spans of both: how \
             well one does if the other is the truth. Spans of only one always count against it."
        }
        PositionKind::Tokens => {
            "Twice the tokens with the same labels, divided by all labeled tokens of both: how well \
             one does if the other is the truth."
        }
        PositionKind::Overlapping => {
            "Twice the pairs of overlapping spans with the same labels, divided by all spans of \
             both: how well one does if the other is the truth. Spans without a partner count \
             against it."
        }
    }
}

const fn when_f1_misleads(kind: PositionKind) -> &'static str {
    match kind {
        PositionKind::Exact => {
            "One extra character is as wrong as a missing span. In drafts, unfinished work looks \
             like a miss: choose “Submitted only”. The scales were not made for F1."
        }
        PositionKind::Tokens => {
            "Long spans weigh more than short ones. The scales were not made for F1."
        }
        PositionKind::Overlapping => {
            "One common character is as good as the same place. The scales were not made for F1."
        }
    }
}

/// Where the help has the scales.
const SCALES: &str = "/help/measures/certainty.html#is-it-good";

/// The explanation of a scale.
pub(crate) const fn of_scale(scale: ScaleChoice) -> Guide {
    let source = published(scale).source;
    match scale {
        ScaleChoice::LandisKoch => Guide {
            what: "Six words from poor to almost perfect; most papers use them.",
            misleads: "Its authors called the bounds arbitrary. “Moderate” sounds better than it \
                        is: usually too little for a gold standard.",
            source,
            help: SCALES,
        },
        ScaleChoice::Krippendorff => Guide {
            what: "A rule for content analysis: 0.80 and above for conclusions, 0.67 and above \
                    for tentative ones, below that none.",
            misleads: "Proposed for α. Too easy to pass with usually higher measures such as the \
                        percentage or AC1.",
            source,
            help: SCALES,
        },
        ScaleChoice::RietveldVanHout => Guide {
            what: "Words for the middle of the scale, 0.20 to 0.60.",
            misleads: "Only that part is quoted, so many values, high ones too, have no word. \
                        The two bands overlap in the source.",
            source,
            help: SCALES,
        },
        ScaleChoice::Green => Guide {
            what: "Three degrees: low, fair to good, high.",
            misleads: "A wide middle: 0.40 and 0.74 are both fair to good.",
            source,
            help: SCALES,
        },
        ScaleChoice::Homogeneity => Guide {
            what: "Bounds for the least share of true agreement, from work by experts and \
                    trained students. Strict: it asks what is certain.",
            misleads: "Made for the lower bound of a different interval, for two people and yes \
                        or no. A rule of thumb here.",
            source,
            help: SCALES,
        },
    }
}

#[cfg(test)]
mod tests {
    use domain::PolicyChoice;

    use super::*;

    #[test]
    fn f1_is_explained_as_it_is_counted() {
        let of = |policy| {
            of_measure(Switches { measure: Measure::F1, policy, ..Switches::default() }).what
        };
        assert!(of(PolicyChoice::EmptyLabel).contains("identical spans"));
        assert!(of(PolicyChoice::Token).contains("tokens with the same labels"));
        assert!(of(PolicyChoice::Overlap).contains("pairs of overlapping spans"));
    }

    #[test]
    fn every_measure_is_explained_with_a_source_of_its_own() {
        let of = |&measure: &Measure| of_measure(Switches { measure, ..Switches::default() });
        let mut sources: Vec<_> = Measure::ALL.iter().map(|measure| of(measure).source).collect();
        sources.sort_unstable();
        sources.dedup();
        assert_eq!(sources.len(), Measure::ALL.len());
    }
}
