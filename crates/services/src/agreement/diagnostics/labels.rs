//! Each label against everything else, as the two raters of a pair gave it.

use agreement::{
    Contingency, Undefined, cohen_kappa,
    diagnostics::Prevalence,
    f1,
    inference::{Binary, Level, TwoSided, homogeneity_interval},
};
use domain::{
    Confidence, Label, LabelCause, LabelChance, LabelId, LabelSet, Measure, NoInterval,
    NoTrueAgreement, OneCategory, Switches, YesNo,
};
use live::{Counted, is_immediate, to_measured};

use crate::base::categories::Categories;

use super::chance::{confidence, diverges};

/// A row for each label of the label set, or for each number that occurs, and one for ∅ where somebody said that.
pub(super) fn of(counted: &Counted, labels: &Categories, switches: Switches) -> Vec<LabelCause> {
    let table = &counted.tally.table;
    let has_formula = is_immediate(Switches { measure: Measure::Kappa, ..switches });
    let cause = |answer, yes_no: &_| cause(answer, (counted, has_formula), yes_no);
    let of_label =
        |label: &Label| cause(OneCategory::Label(label.id), &label_table(table, label.id));
    let says_nothing = table.categories().iter().any(|category| category.is_empty());
    let nothing =
        says_nothing.then(|| cause(OneCategory::Nothing, &yes_no_table(table, LabelSet::is_empty)));
    let occurs = |label: &&Label| {
        labels.are_all_listed() || table.categories().iter().any(|it| it.contains(label.id))
    };
    labels.iter().filter(occurs).map(of_label).chain(nothing).collect()
}

/// The table of "did they give this label?", beside others or not.
pub(crate) fn label_table(table: &Contingency<LabelSet>, label: LabelId) -> Contingency<bool> {
    yes_no_table(table, |labels| labels.contains(label))
}

fn yes_no_table(
    table: &Contingency<LabelSet>,
    is_yes: impl Fn(&LabelSet) -> bool,
) -> Contingency<bool> {
    let mut yes_no = Contingency::new();
    for (first, second, count) in table.cells() {
        yes_no.add_count(is_yes(first), is_yes(second), count);
    }
    yes_no
}

/// `has_formula` says whether κ has its interval by formula; there is no other of each label.
fn cause(
    answer: OneCategory,
    (counted, has_formula): (&Counted, bool),
    table: &Contingency<bool>,
) -> LabelCause {
    let binary = Binary::one_vs_rest(table, &true);
    let kappa = to_measured(counted, Measure::Kappa, cohen_kappa(table));
    let confidence =
        if has_formula { confidence(table) } else { Confidence::None(NoInterval::NoFormula) };
    let chance = Prevalence::of(&binary).ok().map(|prevalence| LabelChance {
        prevalence_index: prevalence.prevalence_index,
        bias_index: prevalence.bias_index,
        pabak: prevalence.pabak,
        ac1: prevalence.ac1,
        diverges: diverges(kappa, confidence, Some(prevalence.ac1)),
    });
    let truth = homogeneity_interval(&binary, Level::P95, TwoSided::AtMostAsLikely);
    LabelCause {
        answer,
        counts: YesNo {
            both: binary.both,
            only_first: binary.only_row,
            only_second: binary.only_column,
            neither: binary.neither,
        },
        kappa,
        confidence,
        positive: f1(table, &true).ok().map(|f1| f1.value),
        chance,
        true_agreement: truth
            .map(|truth| {
                let shares = truth.interval();
                (shares.lower, shares.upper)
            })
            .map_err(|reason| match reason {
                Undefined::TooManyPositions => NoTrueAgreement::TooManyPositions,
                Undefined::BelowChance => NoTrueAgreement::BelowChance,
                // There is no other reason left.
                _ => NoTrueAgreement::NoPositions,
            }),
    }
}
