//! How the numbers of a report came about, with their sources.

use domain::{Documents, Measure, PolicyChoice, PositionKind, Switches, base::text::token_rules};
use formats::ReportBlock;
use live::RESAMPLES;

/// The notes on everything that a report under these switches shows.
pub(crate) fn of(switches: Switches) -> Vec<ReportBlock> {
    let texts = [
        measure(switches).to_owned(),
        policy(switches),
        interval(switches),
        together(switches.policy).to_owned(),
    ];
    let constant = [
        "α_U of all labelers: Krippendorff’s α for unitizing (1995; over all labels as in 2004), \
         spans as units on a continuum of characters, on which the documents that every labeler \
         with work has worked on lie end to end in the order of their ids. Counted are spans.",
        "Counts are pooled over documents, and coefficients are computed from the pooled counts, \
         never as a mean of the documents’ or the pairs’ values. A reviewer’s reject is a \
         judgement, written ∅. A value that is not defined is shown as –, with the reason.",
    ];
    let mut blocks: Vec<_> = texts.into_iter().map(ReportBlock::Text).collect();
    blocks.extend(constant.map(|text| ReportBlock::Text(text.to_owned())));
    let sources = SOURCES.iter().map(|source| (*source).to_owned());
    blocks.push(ReportBlock::List(sources.collect()));
    blocks
}

const fn measure(switches: Switches) -> &'static str {
    match switches.measure {
        Measure::Kappa => {
            "Pairs: Cohen’s κ = (p_o − p_e) / (1 − p_e), p_e from each rater’s own use of the \
             categories (Cohen 1960)."
        }
        Measure::Alpha => {
            "Pairs: Krippendorff’s α for nominal data, 1 − D_o / D_e, with its correction for \
             small samples (Krippendorff 2011)."
        }
        Measure::Pi => {
            "Pairs: Scott’s π = (p_o − p_e) / (1 − p_e), p_e from the use of the categories by \
             both together (Scott 1955)."
        }
        Measure::S => {
            "Pairs: Bennett’s S = (p_o − 1/q) / (1 − 1/q), q the number of categories to choose \
             from (Bennett, Alpert and Goldstein 1954)."
        }
        Measure::Ac1 => {
            "Pairs: Gwet’s AC1 = (p_o − p_e) / (1 − p_e), p_e = Σ π_k (1 − π_k) / (q − 1) (Gwet \
             2008)."
        }
        Measure::WeightedKappa => {
            "Pairs: Cohen’s weighted κ = 1 − D_o / D_e by the squared difference of scores (Cohen \
             1968): the numbers that all choices begin with, or else their places in the order."
        }
        Measure::AlphaOrdinal => {
            "Pairs and all labelers: Krippendorff’s α for ordinal data, by the order of the choices (Krippendorff \
             2011)."
        }
        Measure::AlphaInterval => {
            "Pairs and all labelers: Krippendorff’s α for interval data, by the squared difference of scores \
             (Krippendorff 2011): the numbers that all choices begin with, or else their places \
             in the order."
        }
        Measure::AlphaRatio => {
            "Pairs and all labelers: Krippendorff’s α for ratio data, by the squared ratio of \
             difference and sum (Krippendorff 2011)."
        }
        Measure::AlphaMasi => {
            "Pairs and all labelers: Krippendorff’s α of sets of choices, by the distance MASI \
             (Passonneau 2006)."
        }
        Measure::Ac2 => {
            "Pairs and all labelers: Gwet’s AC2 = (p_o − p_e) / (1 − p_e), with quadratic weights \
             of what may be answered (Gwet 2014)."
        }
        Measure::Icc1 | Measure::IccK => {
            "Pairs and all labelers: the one-way intraclass correlation of a rating, ICC(1), or of \
             the mean of all raters, ICC(k), over positions that all have judged \
             (McGraw and Wong 1996)."
        }
        Measure::IccA1 | Measure::IccAk => {
            "Pairs and all labelers: the two-way intraclass correlation for absolute agreement of a \
             rating, ICC(A,1), or of the mean of all raters, ICC(A,k), over positions that all have \
             judged (McGraw and Wong 1996)."
        }
        Measure::IccC1 | Measure::IccCk => {
            "Pairs and all labelers: the two-way intraclass correlation for consistency of a \
             rating, ICC(C,1), or of the mean of all raters, ICC(C,k), over positions that all have \
             judged (McGraw and Wong 1996)."
        }
        Measure::Percent => "Pairs: the share of positions on which both said the same.",
        Measure::F1 => match switches.policy.positions() {
            PositionKind::Exact => {
                "Pairs: F1 of exact spans, 2 · common / (first + second) (van Rijsbergen 1979)."
            }
            PositionKind::Tokens => {
                "Pairs: F1 of tokens with a label, 2 · common / (first + second) (van Rijsbergen \
                 1979)."
            }
            PositionKind::Overlapping => {
                "Pairs: F1 of spans paired by overlap, 2 · pairs with the same labels / (first + \
                 second) (van Rijsbergen 1979)."
            }
        },
    }
}

const fn together(policy: PolicyChoice) -> &'static str {
    match policy.positions() {
        PositionKind::Exact => {
            "Values of all labelers together: Fleiss’ κ with gaps after Gwet, Krippendorff’s α \
             for nominal data, and the mean share of agreeing pairs by position. Positions that \
             one alone judged are left out, except with the empty label."
        }
        PositionKind::Tokens => {
            "Values of all labelers together: Fleiss’ κ, Krippendorff’s α for nominal data, and \
             the mean share of agreeing pairs by token."
        }
        PositionKind::Overlapping => {
            "Spans are paired by two raters at a time, so there are no values of all labelers \
             together but α_U: none by label, by document or over time."
        }
    }
}

fn policy(switches: Switches) -> String {
    let positions = match (switches.measure, switches.policy) {
        (_, PolicyChoice::Token) => &format!(
            "Each token of a document is a position, punctuation too, with the labels of all spans \
             that touch it, or ∅. Tokens: {}.",
            token_rules()
        ),
        (_, PolicyChoice::Overlap) => {
            "Spans of the two are paired one to one: what both marked exactly, and of the rest \
             so that the pairs have the most text in common; among such ways, with the smallest \
             squared distances between starts and between ends. Spans without a partner count \
             with the category ∅ for the other; a reviewer’s reject is no span."
        }
        (Measure::F1, _) => "Spans of only one of the two count against F1.",
        (_, PolicyChoice::Cleaned) => "Positions that only one of the two judged are left out.",
        (_, PolicyChoice::EmptyLabel) => {
            "Positions that only one of the two judged count with the category ∅ for the other."
        }
    };
    let documents = match switches.counted_documents() {
        Documents::Saved => "Documents count as soon as both have saved work on them.",
        Documents::Submitted => "Documents count once both have submitted them.",
    };
    format!("{positions} {documents}")
}

fn interval(switches: Switches) -> String {
    match switches.policy.positions() {
        PositionKind::Exact if switches.measure == Measure::Kappa => {
            "Intervals of pairs: 95 %, by the standard error of Fleiss, Cohen and \
                           Everitt (1969); those of all labelers and of rounds and days by \
                           resampling whole documents."
                .to_owned()
        }
        _ if switches.measure.is_correlation() => format!(
            "Intervals: 95 %; of answers about documents from the quantiles of F (McGraw and Wong \
             1996), of pairs on spans percentiles of {RESAMPLES} resamples of whole documents, \
             since positions of one document are alike (Efron and Tibshirani 1993)."
        ),
        _ => format!(
            "Intervals: 95 %, percentiles of {RESAMPLES} resamples of whole documents, since \
             positions of one document are alike (Efron and Tibshirani 1993)."
        ),
    }
}

const SOURCES: [&str; 16] = [
    "Bennett, E. M., Alpert, R., & Goldstein, A. C. (1954). Communications through limited-response questioning. Public Opinion Quarterly 18(3).",
    "Cohen, J. (1960). A coefficient of agreement for nominal scales. Educational and Psychological Measurement 20(1).",
    "Cohen, J. (1968). Weighted kappa: nominal scale agreement with provision for scaled disagreement or partial credit. Psychological Bulletin 70(4).",
    "Efron, B., & Tibshirani, R. J. (1993). An Introduction to the Bootstrap. Chapman & Hall.",
    "Fleiss, J. L., Cohen, J., & Everitt, B. S. (1969). Large sample standard errors of kappa and weighted kappa. Psychological Bulletin 72(5).",
    "Krippendorff, K. (1995). On the reliability of unitizing continuous data. Sociological Methodology 25.",
    "Krippendorff, K. (2004). Content Analysis, 2nd edition, section 11.6. Sage.",
    "Fleiss, J. L. (1971). Measuring nominal scale agreement among many raters. Psychological Bulletin 76(5).",
    "Gwet, K. L. (2008). Computing inter-rater reliability and its variance in the presence of high agreement. British Journal of Mathematical and Statistical Psychology 61(1).",
    "Gwet, K. L. (2014). Handbook of Inter-Rater Reliability (4th ed.). Advanced Analytics.",
    "Krippendorff, K. (2011). Computing Krippendorff’s alpha-reliability. University of Pennsylvania.",
    "Landis, J. R., & Koch, G. G. (1977). The measurement of observer agreement for categorical data. Biometrics 33(1).",
    "McGraw, K. O., & Wong, S. P. (1996). Forming inferences about some intraclass correlation coefficients. Psychological Methods 1(1).",
    "Passonneau, R. (2006). Measuring agreement on set-valued items (MASI) for semantic and pragmatic annotation. LREC 2006.",
    "Scott, W. A. (1955). Reliability of content analysis: The case of nominal scale coding. Public Opinion Quarterly 19(3).",
    "van Rijsbergen, C. J. (1979). Information Retrieval (2nd ed.). Butterworths.",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_source_that_is_named_is_listed() {
        let listed = SOURCES.join(" ");
        for &measure in Measure::ALL {
            for &policy in PolicyChoice::ALL {
                let switches = Switches { measure, policy, ..Switches::default() };
                for block in of(switches) {
                    let ReportBlock::Text(text) = block else { continue };
                    let years = text.split(|c: char| !c.is_ascii_digit()).filter(|y| y.len() == 4);
                    for year in years.filter(|year| *year != "1000") {
                        assert!(listed.contains(&format!("({year})")), "{year} in {text}");
                    }
                }
            }
        }
    }
}
