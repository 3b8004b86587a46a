//! Server functions for what a reviewer decides on the disagreement walk; each leads on to where
//! the walk goes from there. `walk` is the query string of its list.

use domain::{ActId, Choice, LabelId, Pressed, ProjectId, SeenPosition, Why};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

use crate::ApiError;

/// An answer that is made in a form, beside buttons for others.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Made {
    pub ticked: Vec<LabelId>,
    pub written: String,
}

/// Decides on a position: by a button, or with it on the answers that are ticked or the number that is written.
#[server(prefix = "/fn", endpoint = "walking/decide")]
pub async fn decide(
    project: ProjectId,
    walk: String,
    seen: SeenPosition,
    choice: Pressed,
    #[server(default)] made: Made,
    #[server(default)] why: Why,
) -> Result<(), ApiError> {
    use crate::{
        context::{answer, lead_to, request},
        query::{read_decision, walk_on_address},
    };

    let (services, actor) = request()?;
    let choice = answer(choice.choice(made.ticked, made.written))?;
    let command = answer(read_decision(&walk, seen.position, vec![seen], choice, &why))?;
    let walked = answer(services::review::walk::decide(&services, &actor, project, command).await)?;
    lead_to(&walk_on_address(project, &walk, &walked));
    Ok(())
}

/// Decides on those that were chosen of the positions that are like one.
#[server(prefix = "/fn", endpoint = "walking/decide_alike")]
pub async fn decide_alike(
    project: ProjectId,
    walk: String,
    like: SeenPosition,
    seen: Option<Vec<SeenPosition>>,
    choice: Pressed,
    #[server(default)] made: Made,
    #[server(default)] why: Why,
) -> Result<(), ApiError> {
    use crate::{
        context::{answer, lead_to, request},
        query::{read_decision, walk_on_address},
    };

    let (services, actor) = request()?;
    // A form in which nothing is chosen does not name the field.
    let seen = seen.unwrap_or_default();
    let choice = answer(choice.choice(made.ticked, made.written))?;
    let command = answer(read_decision(&walk, like.position, seen, choice, &why))?;
    let walked = answer(services::review::walk::decide(&services, &actor, project, command).await)?;
    lead_to(&walk_on_address(project, &walk, &walked));
    Ok(())
}

/// Decides on positions that differ in their boundaries, all of them at once; what is not chosen stays as
/// it is unless it is to be rejected.
#[server(prefix = "/fn", endpoint = "walking/decide_boundaries")]
pub async fn decide_boundaries(
    project: ProjectId,
    walk: String,
    seen: Vec<SeenPosition>,
    choice: Choice,
    #[server(default)] reject_others: bool,
    #[server(default)] why: Why,
) -> Result<(), ApiError> {
    use crate::{
        context::{answer, lead_to, request},
        query::{read_decision, walk_on_address},
    };

    let (services, actor) = request()?;
    let choice = match choice {
        Choice::Choose(mut chosen) => {
            chosen.reject_others |= reject_others;
            Choice::Choose(chosen)
        }
        other => other,
    };
    let missing = || domain::Code::Missing.of("seen", "choose at least one position");
    let from = answer(seen.first().ok_or_else(missing))?.position;
    let command = answer(read_decision(&walk, from, seen, choice, &why))?;
    let walked = answer(services::review::walk::decide(&services, &actor, project, command).await)?;
    lead_to(&walk_on_address(project, &walk, &walked));
    Ok(())
}

/// Undoes what was decided at once.
#[server(prefix = "/fn", endpoint = "walking/undo")]
pub async fn undo(project: ProjectId, walk: String, act: ActId) -> Result<(), ApiError> {
    use crate::{
        context::{answer, lead_to, request},
        query::walk_on_address,
    };

    let (services, actor) = request()?;
    let walked = answer(services::review::walk::undo(&services, &actor, project, act).await)?;
    lead_to(&walk_on_address(project, &walk, &walked));
    Ok(())
}
