//! The address of accepting by a rule.

use domain::{AcceptRule, ActId, ProjectId};

/// The address of a rule's preview, after an act if there was one.
pub(crate) fn rule_address(
    project: ProjectId,
    rule: AcceptRule,
    page: u64,
    act: Option<ActId>,
) -> String {
    let parameters = [
        rule.at_least.map(|least| format!("at_least={least}")),
        rule.label.map(|label| format!("label={label}")),
        (page > 0).then(|| format!("page={}", page.saturating_add(1))),
        act.map(|act| format!("act={act}")),
    ];
    let parameters: Vec<_> = parameters.into_iter().flatten().collect();
    let question = if parameters.is_empty() { "" } else { "?" };
    format!("/projects/{project}/review/rules{question}{}", parameters.join("&"))
}

#[cfg(test)]
mod tests {
    use domain::LabelId;

    use super::*;

    #[test]
    fn a_rule_has_an_address() {
        let project = ProjectId(3);
        let unanimous = AcceptRule::default();
        assert_eq!(rule_address(project, unanimous, 0, None), "/projects/3/review/rules");
        let rule = AcceptRule { at_least: Some(2), label: Some(LabelId(5)) };
        assert_eq!(
            rule_address(project, rule, 1, Some(ActId(9))),
            "/projects/3/review/rules?at_least=2&label=5&page=2&act=9"
        );
    }
}
