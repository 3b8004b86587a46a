//! The judgements behind the matrix as a coding study, and labelers' spans as a unitizing study,
//! for other programs to measure.

use std::{collections::BTreeSet, sync::Arc};

use domain::{
    Actor, AuditEvent, Code, Error as Refusal, Filter, LabelSet, MemberId, PolicyChoice, ProjectId,
    Range, Rater, Role, Switches, UndefinedReason, base::policy::Action,
};
use formats::{UnitCell, write_study_header, write_study_row, write_unit_row, write_units_header};
use live::{Counting, DocumentWork, NOTHING, Narrowing, UnitizedDocument, Work, comparisons};

use crate::agreement::matrix::steps::category_name;
use crate::{
    Error, Result, Services,
    base::export::{Export, record},
    base::{access::permit, categories::Categories, names::Names},
};

/// Every position that one of the raters judged in the documents that count, with what each of them
/// said. All raters have a column, or two if a pair is given.
///
/// Under the policy `cleaned`, whoever did not judge a position has a missing rating. Under `empty
/// label` they have said ∅ if they have submitted the document; of a position that somebody else
/// alone judged two raters say nothing, so a pair is to be given, or else it is of all labelers at
/// once. So it is of tokens, all of which are in it. Spans are paired by two raters at a time: under
/// `overlap` a pair has to be given, and positions are spans with their partners.
pub async fn study(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    switches: Switches,
    pair: Option<(MemberId, MemberId)>,
) -> Result<Export> {
    let access = permit(&services.store, actor, project, Action::ViewAgreement).await?;
    let names = Names::load(&services.store, project, &access.member).await?;
    let raters = raters(&names, switches.policy, pair)?;
    let labels = Categories::of(&services.store, project, switches).await?;
    let tallies = services.live.read_part(project, Narrowing::of(switches)).await?;
    if let Some((first, second)) = pair
        && tallies.pair(first, second, switches).unpaired > 0
    {
        let why = UndefinedReason::TooManyOverlaps.sentence();
        return Err(Code::Unsuitable.of("policy", why).into());
    }
    let (body, rows) = tokio::task::spawn_blocking(move || {
        let mut body = Vec::new();
        let heads: Vec<_> = raters.iter().map(|rater| rater.name.clone()).collect();
        write_study_header(&mut body, &heads).map_err(Error::broken)?;
        let mut rows = 0;
        for (document, work) in tallies.documents() {
            let of_raters = counted(&raters, work, switches);
            let (counting, tokens) = (tallies.counting(document), tallies.tokens(document));
            for (position, said) in said(&of_raters, (counting, tokens), switches.policy) {
                let names = said
                    .into_iter()
                    .map(|labels_of| Some(category_name(labels_of?, &labels, switches.filter)));
                write_study_row(
                    &mut body,
                    &format!("{document}:{position}"),
                    &names.collect::<Vec<_>>(),
                )
                .map_err(Error::broken)?;
                rows += 1;
            }
        }
        Ok::<_, Error>((body, rows))
    })
    .await
    .map_err(Error::broken)??;
    record(services, &access, project, AuditEvent::ExportStudy, rows).await?;
    Ok(Export {
        file_name: format!("study-{project}.csv"),
        content_type: "text/csv; charset=utf-8",
        body,
        losses: Vec::new(),
    })
}

/// The positions of a document, those of spans with a partner elsewhere by the places of both, with what each of
/// the raters said there; nothing where fewer than two have work.
fn said<'a>(
    of_raters: &[Option<&'a Work>],
    (counting, tokens): (Counting, &[Range]),
    policy: PolicyChoice,
) -> Vec<(String, Vec<Option<&'a LabelSet>>)> {
    let nothing = policy.has_empty().then_some(&NOTHING);
    if let (Counting::Overlapping, [Some(first), Some(second)]) = (counting, of_raters) {
        let pairs = comparisons(first, second, counting).into_iter();
        let said = pairs.map(|pair| {
            let (one, other) = pair.apart.unwrap_or((pair.range, pair.range));
            let place =
                if one == other { place(one) } else { format!("{}/{}", place(one), place(other)) };
            (place, vec![pair.first.or(nothing), pair.second.or(nothing)])
        });
        return said.collect();
    }
    let works = || of_raters.iter().flatten();
    let mut positions: BTreeSet<Range> =
        works().flat_map(|work| work.judgements.keys().copied()).collect();
    if works().count() > 1 {
        positions.extend(tokens);
    }
    let on = |position| {
        let said = |work: Option<&'a Work>| work?.judgements.get(&position).or(nothing);
        (place(position), of_raters.iter().copied().map(said).collect())
    };
    positions.into_iter().map(on).collect()
}

fn place(range: Range) -> String {
    format!("{}-{}", range.start, range.end)
}

/// The columns of a study.
fn raters(
    names: &Names,
    policy: PolicyChoice,
    pair: Option<(MemberId, MemberId)>,
) -> Result<Vec<Rater>> {
    let all = names.raters().iter();
    Ok(match (pair, policy) {
        (Some((first, second)), _) => {
            let rater = |id| names.rater(id).ok_or(Refusal::NotFound);
            vec![rater(first)?, rater(second)?]
        }
        (None, PolicyChoice::Cleaned) => all.cloned().collect(),
        (None, PolicyChoice::EmptyLabel | PolicyChoice::Token) => {
            all.filter(|rater| rater.role == Role::Labeler).cloned().collect()
        }
        (None, PolicyChoice::Overlap) => {
            let why = "spans are paired by two raters at a time: name two";
            return Err(Code::Unsuitable.of("policy", why).into());
        }
    })
}

/// What the raters have on a document, where it counts; nobody's where only one of them has.
fn counted<'a>(
    raters: &[Rater],
    work: &'a DocumentWork,
    switches: Switches,
) -> Vec<Option<&'a Work>> {
    let documents = switches.policy.documents(switches.documents);
    let work_of = |rater: &Rater| work.get(&rater.id).filter(|work| work.counts(documents));
    let mut of_raters: Vec<_> = raters.iter().map(work_of).collect();
    if of_raters.iter().flatten().count() < 2 {
        of_raters.fill(None);
    }
    of_raters
}

/// Labelers' spans in the documents that `α_U` is computed from, as units on one continuum: the
/// documents lie on it end to end. Where it begins and ends is in the file's name, since the text
/// after the last span belongs to it too.
pub async fn units(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    switches: Switches,
) -> Result<Export> {
    let access = permit(&services.store, actor, project, Action::ViewAgreement).await?;
    let names = Names::load(&services.store, project, &access.member).await?;
    let labels = Categories::of(&services.store, project, switches).await?;
    labels.check_units()?;
    let tallies = services.live.read_part(project, Narrowing::exact(switches.filter)).await?;
    let (body, rows, length) = tokio::task::spawn_blocking(move || {
        let unitized = tallies.unitized(switches);
        let mut body = Vec::new();
        write_units_header(&mut body).map_err(Error::broken)?;
        let heads: Vec<_> = unitized.labelers.iter().map(|id| head(&names, *id)).collect();
        let marked: BTreeSet<_> = unitized
            .documents
            .iter()
            .flat_map(UnitizedDocument::units)
            .map(|(labeler, ..)| *labeler)
            .collect();
        for (_, name) in heads.iter().enumerate().filter(|(place, _)| !marked.contains(place)) {
            write_unit_row(&mut body, name, None).map_err(Error::broken)?;
        }
        let mut begin = 0;
        for document in &unitized.documents {
            for &(labeler, range, label) in document.units() {
                let rater = heads.get(labeler).map(String::as_str).unwrap_or_default();
                let label = category_name(&LabelSet::one(label), &labels, Filter::NONE);
                let unit = UnitCell {
                    start: begin + u64::from(range.start),
                    end: begin + u64::from(range.end),
                    label: &label,
                    document: document.document.0,
                };
                write_unit_row(&mut body, rater, Some(unit)).map_err(Error::broken)?;
            }
            begin += u64::from(document.characters);
        }
        Ok::<_, Error>((body, unitized.units(), begin))
    })
    .await
    .map_err(Error::broken)??;
    record(services, &access, project, AuditEvent::ExportUnits, rows).await?;
    Ok(Export {
        file_name: format!("units-{project}-continuum-0-{length}.csv"),
        content_type: "text/csv; charset=utf-8",
        body,
        losses: Vec::new(),
    })
}

/// What a labeler is called where names tell raters apart: two of one name are not one.
fn head(names: &Names, id: MemberId) -> String {
    let name = names.name(id).unwrap_or_default();
    let namesakes = names.raters().iter().filter(|rater| rater.name == name).count();
    if namesakes < 2 { name.to_owned() } else { format!("{name} ({id})") }
}
