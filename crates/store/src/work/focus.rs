//! How long people were at their work: whole minutes by pass and day.

use domain::{AssignmentId, MemberId, ProjectId, RepeatId, ReviewId};

use crate::{Db, Error, Tx, base::sql};

/// What was worked on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    Copy(AssignmentId, Option<RepeatId>),
    Review(ReviewId),
}

/// Minutes that somebody reports.
#[derive(Clone, Copy, Debug)]
pub struct Report {
    pub member: MemberId,
    pub subject: Subject,
    pub minutes: u32,
    /// The minute in which the report comes, counted from 1970.
    pub now: i64,
}

const MINUTES_OF_DAY: i64 = 24 * 60;

/// Adds minutes to a day, no more than have passed since the person's last report, one at first,
/// and says how many.
pub async fn add(tx: &Tx, report: Report) -> Result<u64, Error> {
    let Report { member, subject, minutes, now } = report;
    // Whoever reports twice at once waits here for the first report to be in.
    let lock = "UPDATE member SET role = role WHERE id = $1";
    sql::execute(tx, lock, [member.0.into()]).await?;
    let last: Option<(Option<i64>,)> = sql::tuple(
        tx,
        "SELECT MAX(last_minute) FROM focus_day WHERE member_id = $1",
        [member.0.into()],
    )
    .await?;
    let passed = last.and_then(|(last,)| last).map_or(1, |last| now - last);
    let minutes = i64::from(minutes).min(passed);
    if minutes < 1 {
        return Ok(0);
    }
    let (copy, repeat, review) = match subject {
        Subject::Copy(copy, repeat) => (Some(copy.0), repeat.map(|repeat| repeat.0), None),
        Subject::Review(review) => (None, None, Some(review.0)),
    };
    let of_subject = match (copy, repeat, review) {
        (Some(copy), Some(repeat), _) => format!("assignment_id = {copy} AND repeat_id = {repeat}"),
        (Some(copy), None, _) => format!("assignment_id = {copy} AND repeat_id IS NULL"),
        (None, _, review) => format!("review_id = {}", review.unwrap_or_default()),
    };
    let day = now.div_euclid(MINUTES_OF_DAY);
    let update = format!(
        "UPDATE focus_day SET minutes = minutes + $1, last_minute = $2
         WHERE {of_subject} AND member_id = $3 AND day = $4"
    );
    let values = [minutes.into(), now.into(), member.0.into(), day.into()];
    if sql::execute(tx, &update, values).await? == 0 {
        sql::execute(
            tx,
            "INSERT INTO focus_day
                 (member_id, assignment_id, repeat_id, review_id, day, minutes, last_minute)
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
            [
                member.0.into(),
                copy.into(),
                repeat.into(),
                review.into(),
                day.into(),
                minutes.into(),
                now.into(),
            ],
        )
        .await?;
    }
    sql::number(minutes)
}

/// The time that one pass over a document took so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spent {
    pub member: MemberId,
    pub minutes: u64,
    /// The document's length.
    pub characters: u64,
    /// Whether the pass is submitted.
    pub is_finished: bool,
}

/// The times of all passes of a project that are counted: repeats are not.
pub async fn list(db: &impl Db, project: ProjectId) -> Result<Vec<Spent>, Error> {
    read(db, "member.project_id = $1 AND focus_day.repeat_id IS NULL", project.0).await
}

/// The times of the passes that somebody has before them: a repeat in the place of its copy.
pub async fn list_of_member(db: &impl Db, member: MemberId) -> Result<Vec<Spent>, Error> {
    let before_them = "focus_day.member_id = $1 AND (focus_day.repeat_id IS NOT NULL OR NOT EXISTS
        (SELECT 1 FROM repeat WHERE repeat.assignment_id = focus_day.assignment_id))";
    read(db, before_them, member.0).await
}

async fn read(db: &impl Db, wanted: &str, id: i64) -> Result<Vec<Spent>, Error> {
    let select = format!(
        "SELECT focus_day.member_id, CAST(SUM(focus_day.minutes) AS BIGINT), document.characters,
                COALESCE(repeat.state, assignment.state, review.state)
         FROM focus_day
         JOIN member ON member.id = focus_day.member_id
         LEFT JOIN assignment ON assignment.id = focus_day.assignment_id
         LEFT JOIN repeat ON repeat.id = focus_day.repeat_id
         LEFT JOIN review ON review.id = focus_day.review_id
         JOIN document ON document.id = COALESCE(assignment.document_id, review.document_id)
         WHERE {wanted}
         GROUP BY focus_day.member_id, assignment.id, repeat.id, review.id, document.characters,
                  repeat.state, assignment.state, review.state
         ORDER BY focus_day.member_id, document.characters"
    );
    let rows: Vec<(i64, i64, i64, String)> = sql::tuples(db, &select, [id.into()]).await?;
    rows.into_iter()
        .map(|(member, minutes, characters, state)| {
            Ok(Spent {
                member: MemberId(member),
                minutes: sql::number(minutes)?,
                characters: sql::number(characters)?,
                is_finished: state == domain::WorkState::Submitted.name(),
            })
        })
        .collect()
}

/// Whether a project measures time; none if there is no such project.
pub async fn is_measured(db: &impl Db, project: ProjectId) -> Result<Option<bool>, Error> {
    let row: Option<(bool,)> =
        sql::tuple(db, "SELECT measures_time FROM project WHERE id = $1", [project.0.into()])
            .await?;
    Ok(row.map(|(measured,)| measured))
}

/// Has a project measure time, or not.
pub async fn set_measured(tx: &Tx, project: ProjectId, measured: bool) -> Result<(), Error> {
    let update = "UPDATE project SET measures_time = $1 WHERE id = $2";
    sql::execute(tx, update, [measured.into(), project.0.into()]).await?;
    Ok(())
}
