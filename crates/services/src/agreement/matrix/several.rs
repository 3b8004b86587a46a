//! All labelers at once: the measures of several raters, under the switches of the matrix.

use domain::{
    Confidence, GradedRow, Measured, NoInterval, Rater, Role, SeveralMeasure, SeveralRow,
    SeveralView, Switches, saturating,
};
use live::{
    Answering, LabelChoices, LabelersGraded, Subject, Tallies, labelers_graded, labelers_measured,
};

use crate::agreement::by_role;

/// The table under the matrix; none where there are no two labelers. `exact` are the tallies of the same part
/// by exact position, of which the units of `α_U` are.
pub(crate) fn several(
    (question, tallies, exact): (&dyn Answering, &Tallies, &Tallies),
    raters: &[Rater],
    (switches, labels): (Switches, &LabelChoices),
) -> Option<SeveralView> {
    let labelers = by_role(raters, Role::Labeler).count();
    if labelers < 2 {
        return None;
    }
    let counted = tallies.several(switches);
    let row = |&measure| several_row((question, tallies), switches, measure);
    Some(SeveralView {
        labelers: saturating::<u64>(labelers),
        n: counted.tally.items(),
        documents: counted.documents,
        rows: SeveralMeasure::ALL.iter().map(row).collect(),
        graded: graded_row((question, tallies), switches, labels),
        unitizing: question.units(exact),
    })
}

/// The measure of the switches of all labelers at once, where it is graded and not of pairs alone.
pub(super) fn graded_row(
    (question, tallies): (&dyn Answering, &Tallies),
    switches: Switches,
    labels: &LabelChoices,
) -> Option<GradedRow> {
    let LabelersGraded { measured, confidence, n, documents } =
        labelers_graded(tallies, switches, labels)?;
    let confidence = match (measured, confidence, documents) {
        (Measured::Undefined(_), ..) => Confidence::None(NoInterval::NoValue),
        (_, Some(by_formula), _) => by_formula,
        (_, None, 0 | 1) => Confidence::None(NoInterval::OneDocument),
        _ => question.answer(tallies, Subject::LabelersGraded),
    };
    Some(GradedRow { measure: switches.measure, measured, confidence, n })
}

/// One measure of all labelers at once.
pub(crate) fn several_row(
    (question, tallies): (&dyn Answering, &Tallies),
    switches: Switches,
    measure: SeveralMeasure,
) -> SeveralRow {
    let counted = tallies.several(switches);
    let measured = labelers_measured(tallies, switches, measure);
    let confidence = match (measured, counted.documents) {
        (Measured::Undefined(_), _) => Confidence::None(NoInterval::NoValue),
        (_, 0 | 1) => Confidence::None(NoInterval::OneDocument),
        _ => question.answer(tallies, Subject::Labelers(measure)),
    };
    SeveralRow { measure, measured, confidence }
}
