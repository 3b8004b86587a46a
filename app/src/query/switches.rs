//! The switches in addresses: read from and written to query strings.

use std::str::FromStr;

use domain::{Filter, Measure, MemberId, ModelId, ProjectId, StandInFor, Switches, TimeSwitches};
use leptos::prelude::*;
use whatif::Scenario;

use crate::view::view;

/// The switches that a query string names; what it leaves out or misspells is the default.
pub(crate) fn read_switches(get: impl Fn(&str) -> Option<String>) -> Switches {
    let switches = Switches {
        measure: read(&get, "measure").unwrap_or_default(),
        policy: read(&get, "policy").unwrap_or_default(),
        documents: read(&get, "documents").unwrap_or_default(),
        scale: read(&get, "scale").unwrap_or_default(),
        filter: Filter {
            question: read(&get, "question"),
            label: read(&get, "only_label"),
            document: read(&get, "only_document"),
            round: read(&get, "only_round"),
        },
    };
    match switches.filter.question {
        // Choices are compared by exact position.
        Some(_) => switches.of_exact_positions(),
        // Labels have no order.
        None if switches.measure.is_graded() => {
            Switches { measure: Measure::default(), ..switches }
        }
        None => switches,
    }
}

/// All switches, also where they stand on the default: a copied address keeps its meaning. Of
/// the filter, what it names.
pub(crate) fn write_switches(switches: Switches) -> String {
    let Switches { measure, policy, documents, scale, filter } = switches;
    let Filter { question, label, document, round } = filter;
    let query = format!("measure={measure}&policy={policy}&documents={documents}&scale={scale}");
    let named = [
        ("question", question.map(|id| id.0)),
        ("only_label", label.map(|id| id.0)),
        ("only_document", document.map(|id| id.0)),
        ("only_round", round.map(|id| id.0)),
    ];
    let named = named.into_iter().filter_map(|(name, id)| Some(format!("&{name}={}", id?)));
    std::iter::once(query).chain(named).collect()
}

/// The switches as a query string with its question mark, if a query string names them.
pub(crate) fn kept_switches(get: impl Fn(&str) -> Option<String>) -> String {
    let are_named = get("measure").is_some();
    if are_named { format!("?{}", write_switches(read_switches(get))) } else { String::new() }
}

/// The address of the prediction under these switches, of this scenario.
pub(crate) fn what_if_address(
    project: ProjectId,
    switches: Switches,
    scenario: &Scenario,
) -> String {
    let switches = write_switches(switches);
    format!("/projects/{project}/agreement/what-if?{switches}{}", scenario.written())
}

/// The address of the matrix.
pub(crate) fn matrix_address(project: ProjectId, switches: Switches) -> String {
    format!("/projects/{project}/agreement?{}", write_switches(switches))
}

/// The address of the matrix as a file.
pub(crate) fn matrix_file(project: ProjectId, switches: Switches, extension: &str) -> String {
    format!("/api/v1/projects/{project}/agreement.{extension}?{}", write_switches(switches))
}

/// The address of the judgements behind the matrix, or behind one pair of it, as a coding study.
pub(crate) fn study_file(
    project: ProjectId,
    switches: Switches,
    pair: Option<(MemberId, MemberId)>,
) -> String {
    let pair = pair.map(|(first, second)| format!("&first={first}&second={second}"));
    let (switches, pair) = (write_switches(switches), pair.unwrap_or_default());
    format!("/api/v1/projects/{project}/study.csv?{switches}{pair}")
}

/// The address of labelers' spans as a unitizing study.
pub(crate) fn units_file(project: ProjectId, switches: Switches) -> String {
    format!("/api/v1/projects/{project}/units.csv?{}", write_switches(switches))
}

/// The address of a pair.
pub(crate) fn pair_address(
    project: ProjectId,
    first: MemberId,
    second: MemberId,
    switches: Switches,
) -> String {
    format!("/projects/{project}/agreement/{first}/{second}?{}", write_switches(switches))
}

/// The address of a model beside the labelers.
pub(crate) fn stand_in_address(
    project: ProjectId,
    model: ModelId,
    switches: Switches,
    annotators: StandInFor,
) -> String {
    let switches = write_switches(switches);
    format!("/projects/{project}/agreement/models/{model}?annotators={annotators}&{switches}")
}

/// What an address says of a form whose other fields are to change: its parameters but for those
/// that the form asks for itself. Our own parameters need no escapes.
pub(crate) fn hidden_fields(address: &str, asked: &[&str]) -> AnyView {
    let query = address.split_once('?').map_or("", |(_, query)| query);
    let kept = query.split('&').filter_map(|pair| pair.split_once('='));
    kept.filter(|(name, _)| !asked.contains(name))
        .map(|(name, value)| {
            let (name, value) = (name.to_owned(), value.to_owned());
            view! { <input type="hidden" name=name value=value/> }
        })
        .collect_view()
        .into_any()
}

/// What a page follows that loads itself again, as the stream of revisions is asked for it.
pub(crate) fn followed(project: ProjectId, switches: Switches) -> String {
    format!("{project}?{}", write_switches(switches))
}

/// The switches of agreement over time that a query string names; what it leaves out or misspells
/// is the default.
pub(crate) fn read_time_switches(get: impl Fn(&str) -> Option<String>) -> TimeSwitches {
    let default = TimeSwitches::default();
    TimeSwitches {
        subject: read(&get, "subject").unwrap_or(default.subject),
        measure: read(&get, "measure").unwrap_or(default.measure),
        policy: read(&get, "policy").unwrap_or(default.policy),
        documents: read(&get, "documents").unwrap_or(default.documents),
        scale: read(&get, "scale").unwrap_or(default.scale),
        question: read(&get, "question"),
    }
}

/// The address of agreement over time, with all switches.
pub(crate) fn time_address(project: ProjectId, switches: TimeSwitches) -> String {
    let TimeSwitches { subject, measure, policy, documents, scale, question } = switches;
    let question = question.map(|id| format!("&question={id}")).unwrap_or_default();
    format!(
        "/projects/{project}/agreement/trend?subject={subject}&measure={measure}&policy={policy}\
         &documents={documents}&scale={scale}{question}"
    )
}

/// The page that a query string names, from 0; people count from 1, and so does the address.
pub(crate) fn read_page(get: impl Fn(&str) -> Option<String>) -> u64 {
    read::<u64>(&get, "page").unwrap_or(1).saturating_sub(1)
}

pub(crate) fn read<T: FromStr>(get: &impl Fn(&str) -> Option<String>, name: &str) -> Option<T> {
    get(name)?.parse().ok()
}

#[cfg(test)]
pub(crate) mod tests {
    use domain::{AttributeId, Documents, LabelId, PolicyChoice, ScaleChoice};

    use super::*;

    /// Looks up in a query string, as the router does.
    pub(crate) fn get(query: &str) -> impl Fn(&str) -> Option<String> {
        move |name| {
            query
                .split('&')
                .filter_map(|pair| pair.split_once('='))
                .find(|(given, _)| *given == name)
                .map(|(_, value)| value.to_owned())
        }
    }

    #[test]
    fn every_combination_of_switches_survives_the_address() {
        for &measure in Measure::ALL {
            for &policy in PolicyChoice::ALL {
                for &documents in Documents::ALL {
                    for &scale in ScaleChoice::ALL {
                        let label = Some(LabelId(3));
                        let is_exact = PolicyChoice::HEADLINES.contains(&policy);
                        for question in [None, Some(AttributeId(2))] {
                            let filter = Filter { question, label, ..Filter::NONE };
                            let switches = Switches { measure, policy, documents, scale, filter };
                            let read = read_switches(get(&write_switches(switches)));
                            let is_there = match question {
                                None => !measure.is_graded(),
                                Some(_) => is_exact,
                            };
                            assert_eq!(read == switches, is_there, "{switches:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn unknown_and_missing_switches_are_the_default() {
        assert_eq!(read_switches(get("measure=gamma&policy=")), Switches::default());
        let alpha = read_switches(get("measure=alpha"));
        assert_eq!(alpha, Switches { measure: Measure::Alpha, ..Switches::default() });
    }

    #[test]
    fn the_first_page_is_page_one_and_needs_no_mention() {
        assert_eq!(read_page(get("page=1")), 0);
        assert_eq!(read_page(get("page=0")), 0);
        assert_eq!(read_page(get("page=-3")), 0);
        assert_eq!(read_page(get("documents=saved")), 0);
    }

    #[test]
    fn every_combination_of_switches_over_time_survives_the_address() {
        for &subject in domain::TimeSubject::ALL {
            for &measure in domain::SeveralMeasure::ALL {
                for &policy in PolicyChoice::ALL {
                    for &scale in ScaleChoice::ALL {
                        let documents = Documents::Submitted;
                        for question in [None, Some(AttributeId(2))] {
                            let switches = TimeSwitches {
                                subject,
                                measure,
                                policy,
                                documents,
                                scale,
                                question,
                            };
                            let address = time_address(ProjectId(3), switches);
                            let query =
                                address.strip_prefix("/projects/3/agreement/trend?").unwrap();
                            assert_eq!(read_time_switches(get(query)), switches);
                        }
                    }
                }
            }
        }
        assert_eq!(read_time_switches(get("measure=gamma")), TimeSwitches::default());
    }
}
