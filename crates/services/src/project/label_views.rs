//! Labels as those who use them see them: by group, with what they mean, and what was chosen in words.

use std::{collections::BTreeMap, iter, mem};

use domain::{Fact, Label, LabelDetail, LabelId, MemberId, Range};

use crate::{Result, project::guidelines::MarkdownRenderer};

/// The labels of a group together: groups in the order of their first labels, labels in theirs.
pub(crate) fn grouped(labels: Vec<Label>, details: &[LabelDetail]) -> Vec<Label> {
    let group = |id: LabelId| {
        details.iter().find(|detail| detail.id == id).map_or("", |detail| detail.group.as_str())
    };
    let mut firsts: Vec<&str> = Vec::new();
    for label in &labels {
        if !firsts.contains(&group(label.id)) {
            firsts.push(group(label.id));
        }
    }
    let place = |label: &Label| firsts.iter().position(|first| *first == group(label.id));
    let mut labels = labels;
    labels.sort_by_key(place);
    labels
}

/// The guidelines as safe HTML, and so the description of each label.
pub(crate) async fn render_details(
    markdown: &MarkdownRenderer,
    guidelines: String,
    mut details: Vec<LabelDetail>,
) -> Result<(String, Vec<LabelDetail>)> {
    let descriptions = details.iter_mut().map(|detail| mem::take(&mut detail.description));
    let texts = iter::once(guidelines).chain(descriptions).collect();
    let mut html = markdown.render_all(texts).await?.into_iter();
    let guidelines = html.next().as_deref().unwrap_or_default().to_owned();
    for (detail, html) in details.iter_mut().zip(html) {
        html.as_ref().clone_into(&mut detail.description);
    }
    Ok((guidelines, details))
}

/// The guidelines as safe HTML, and after them what is said of the labels.
pub(crate) async fn guidelines_with_labels(
    markdown: &MarkdownRenderer,
    guidelines: String,
    labels: &[Label],
    details: &[LabelDetail],
) -> Result<String> {
    let described: Vec<_> = labels
        .iter()
        .filter_map(|label| {
            let detail = details.iter().find(|detail| detail.id == label.id)?;
            (!detail.description.is_empty()).then_some((&label.name, &detail.description))
        })
        .collect();
    let descriptions = described.iter().map(|(_, description)| (*description).clone());
    let texts = iter::once(guidelines).chain(descriptions).collect();
    let mut rendered = markdown.render_all(texts).await?.into_iter();
    let mut html = rendered.next().as_deref().unwrap_or_default().to_owned();
    if !described.is_empty() {
        html.push_str("<h2>Labels</h2>\n");
    }
    for ((name, _), description) in described.iter().zip(rendered) {
        html.push_str("<h3><bdi>");
        html.push_str(&ammonia::clean_text(name));
        html.push_str("</bdi></h3>\n");
        html.push_str(&description);
    }
    Ok(html)
}

/// What labelers chose, by labeler and position, in words: "PER: Gender female, Number one".
pub(crate) fn choices_in_words(
    chosen: &[(MemberId, Fact)],
    labels: &[Label],
    details: &[LabelDetail],
) -> Vec<(MemberId, Range, String)> {
    let mut answers: BTreeMap<(MemberId, Range), BTreeMap<LabelId, Vec<String>>> = BTreeMap::new();
    for (member, fact) in chosen {
        let Some((name, choice)) = named(fact, details) else { continue };
        let of_position = answers.entry((*member, fact.span.range)).or_default();
        of_position.entry(fact.span.label).or_default().push(format!("{name} {choice}"));
    }
    let label = |id| labels.iter().find(|label| label.id == id).map_or("?", |it| it.name.as_str());
    let words = |of_labels: BTreeMap<LabelId, Vec<String>>| {
        let of_label = |(id, answers): (LabelId, Vec<String>)| match id {
            LabelId::DOCUMENT => answers.join(", "),
            _ => format!("{}: {}", label(id), answers.join(", ")),
        };
        of_labels.into_iter().map(of_label).collect::<Vec<_>>().join("; ")
    };
    answers.into_iter().map(|((member, range), it)| (member, range, words(it))).collect()
}

/// The names of an attribute and of what was chosen of it.
pub(crate) fn named<'a>(fact: &Fact, details: &'a [LabelDetail]) -> Option<(&'a str, String)> {
    let choice = fact.choice?;
    let detail = details.iter().find(|detail| detail.id == fact.span.label)?;
    let attribute = detail.attributes.iter().find(|it| it.id == choice.attribute)?;
    Some((&attribute.name, attribute.words(choice.answer)?))
}

#[cfg(test)]
mod tests {
    use domain::NewLabel;

    use super::*;

    #[test]
    fn labels_of_a_group_stand_together_in_the_order_of_the_label_set() {
        let groups = ["", "Places", "", "People", "Places"];
        let details: Vec<_> = (1..)
            .zip(groups)
            .map(|(id, group)| LabelDetail {
                id: LabelId(id),
                group: group.to_owned(),
                ..LabelDetail::default()
            })
            .collect();
        let labels = details
            .iter()
            .map(|detail| {
                let NewLabel { name, colour, hotkey } = NewLabel::numbered("L", 0);
                Label { id: detail.id, name, colour, hotkey }
            })
            .collect();
        let ids: Vec<_> = grouped(labels, &details).iter().map(|label| label.id.0).collect();
        assert_eq!(ids, [1, 3, 2, 5, 4]);
    }
}
