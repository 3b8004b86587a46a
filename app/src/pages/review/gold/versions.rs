//! The versions that were locked, and locking another one.

use domain::{GoldCompare, GoldVersion, ProjectId};

use crate::{api::review::gold::LockGold, pages::components::prelude::*};

/// The dialog that locks a version.
const DIALOG: &str = "lock-gold";

#[component]
pub(super) fn Versions(
    project: ProjectId,
    versions: Vec<GoldVersion>,
    /// Whether the viewer may lock one.
    manages: bool,
    /// How many positions are open now.
    open: u64,
) -> impl IntoView {
    let newest = versions.first().map(|version| version.number);
    let lock = manages.then(|| {
        view! {
            <OpenDialog dialog=DIALOG.to_owned() class="primary">"Lock a version…"</OpenDialog>
        }
    });
    let dialog = manages.then(|| view! { <Lock project newest open/> });
    let now = files(&format!("/api/v1/projects/{project}/gold"), "current");
    let table = if versions.is_empty() {
        view! { <p class="empty">"No locked versions. Lock one before you train or publish: it never changes."</p> }
    } else {
        let rows: Vec<_> = versions.into_iter().map(|version| row(project, version)).collect();
        view! {
            <Table label="Locked versions" class="rows versions">
                <caption class="visually-hidden">"Locked versions of the gold standard, latest first"</caption>
                {heads([
                    Text("Version"), Text("Locked"), Number("Gold"), Number("Open then"),
                    Number("Documents"), Text("Guidelines"), Text("SHA-256 of JSON Lines"),
                    Text("Files"), Text("Compare"),
                ])}
                <tbody>{rows}</tbody>
            </Table>
        }
    };
    view! {
        <section class="stack" id="versions" aria-labelledby="versions-title">
            <div class="row spread">
                <h2 id="versions-title">"Versions"</h2>
                {lock}
            </div>
            <p class="row"><span class="soft">"Export current: "</span>{now}</p>
            {table}
            {dialog}
        </section>
    }
}

/// Links to a gold standard in every format.
fn files(base: &str, of: &str) -> AnyView {
    let links = [("jsonl", "JSON Lines"), ("conll", "CoNLL-2003")].map(|(extension, name)| {
        let label = format!("{name}, {of}");
        view! { <a href=format!("{base}.{extension}") download="" aria-label=label>{name}</a> }
    });
    view! { <span class="row">{links.into_iter().collect_view()}</span> }
}

fn row(project: ProjectId, version: GoldVersion) -> AnyView {
    let GoldVersion {
        number,
        name,
        note,
        locked_at,
        locked_by,
        guidelines_version,
        documents,
        positions,
        open,
        sha256,
        ..
    } = version;
    let by = locked_by.map(|name| view! { <br/><bdi>{name}</bdi> });
    let note = (!note.is_empty()).then(|| view! { <span class="why" dir="auto">{note}</span> });
    let compare = |from, to| {
        query::comparison_address(project, &GoldCompare { from, to, kind: None, page: 0 })
    };
    let now = compare(Some(number), None);
    let before = (number > 1).then(|| {
        let address = compare(Some(number - 1), Some(number));
        view! { <a href=address aria-label=format!("Compare version {number} with version {}", number - 1)>{format!("with {}", number - 1)}</a> }
    });
    let files = files(
        &format!("/api/v1/projects/{project}/gold-versions/{number}/gold"),
        &format!("version {number}"),
    );
    let guidelines = format!("/projects/{project}/settings/guidelines/{guidelines_version}");
    view! {
        <tr>
            <th scope="row"><span class="number">{number}</span>" · "<bdi>{name}</bdi>{note}</th>
            <td class="time"><Moment at=locked_at/>{by}</td>
            <td class="number">{display::thousands(positions)}</td>
            <td class="number">{display::thousands(open)}</td>
            <td class="number">{display::thousands(documents)}</td>
            <td><a href=guidelines>{format!("version {guidelines_version}")}</a></td>
            <td><code class="hash">{sha256}</code></td>
            <td>{files}</td>
            <td>
                <span class="row">
                    <a href=now aria-label=format!("Compare version {number} with current")>"with current"</a>
                    {before}
                </span>
            </td>
        </tr>
    }
}

/// Asks for a name, and says what will be locked.
#[component]
fn Lock(project: ProjectId, newest: Option<i64>, open: u64) -> impl IntoView {
    let (lock, refused) = form_action::<LockGold>();
    let is_refused = refused.is_some();
    let number = newest.unwrap_or(0) + 1;
    let open = match open {
        0 => "No open positions.".to_owned(),
        1 => "1 open position will be missing.".to_owned(),
        n => format!("{} open positions will be missing.", display::thousands(n)),
    };
    view! {
        <PlainDialog id=DIALOG.to_owned() title=format!("Lock version {number}") open=is_refused>
            <p>
                "Keeps the current gold standard with sources and a hash. It can never be changed or deleted, nor can its documents. "
                {open}
            </p>
            <ActionForm action=lock attr:class="stack">
                <input type="hidden" name="project" value=project.to_string()/>
                <Problem refusal=refused.clone() fields=&["name", "note"]/>
                <Field form="lock" name="name" label="Name" longest=60 refusal=refused.clone()/>
                <Field form="lock" name="note" label="Purpose" longest=500 required=false refusal=refused/>
                <div class="row dialog-actions">
                    <CloseDialog dialog=DIALOG.to_owned()/>
                    <button class="primary">"Lock version"</button>
                </div>
            </ActionForm>
        </PlainDialog>
    }
}
