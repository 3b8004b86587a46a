//! How long people were at their work: whole minutes by pass and day.

use domain::{AssignmentId, MemberId, ProjectId, RepeatId, ReviewId, WorkState};

use crate::{
    base::prelude::*,
    entity::{
        focus_day::{self, Column as Day, Entity as Days},
        member,
        project::{Column, Entity as Projects},
    },
    project,
};

/// What was worked on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    Assignment(AssignmentId, Option<RepeatId>),
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
    let lock = member::Entity::update_many()
        .col_expr(member::Column::Role, Expr::col(member::Column::Role))
        .filter(member::Column::Id.eq(member.0));
    sql::run(tx, lock).await?;
    let last = Days::find()
        .select_only()
        .column_as(Day::LastMinute.max(), "last")
        .filter(Day::MemberId.eq(member.0));
    let last: Option<Option<i64>> = sql::one(tx, last).await?;
    let passed = last.flatten().map_or(1, |last| now - last);
    let minutes = std::cmp::min(i64::from(minutes), passed);
    if minutes < 1 {
        return Ok(0);
    }
    let (assignment, repeat, review) = match subject {
        Subject::Assignment(assignment, repeat) => {
            (Some(assignment.0), repeat.map(|repeat| repeat.0), None)
        }
        Subject::Review(review) => (None, None, Some(review.0)),
    };
    let is = |column: Day, id: Option<i64>| id.map_or_else(|| column.is_null(), |id| column.eq(id));
    let day = now.div_euclid(MINUTES_OF_DAY);
    let update = Days::update_many()
        .col_expr(Day::Minutes, Expr::col(Day::Minutes).add(minutes))
        .col_expr(Day::LastMinute, now.into())
        .filter(is(Day::AssignmentId, assignment))
        .filter(is(Day::RepeatId, repeat))
        .filter(is(Day::ReviewId, review))
        .filter(Day::MemberId.eq(member.0))
        .filter(Day::Day.eq(day));
    if sql::run(tx, update).await? == 0 {
        let row = focus_day::ActiveModel {
            member_id: Set(member.0),
            assignment_id: Set(assignment),
            repeat_id: Set(repeat),
            review_id: Set(review),
            day: Set(day),
            minutes: Set(minutes),
            last_minute: Set(now),
            ..Default::default()
        };
        sql::run(tx, Days::insert(row)).await?;
    }
    sql::integer(minutes)
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

/// The times of the passes that somebody has before them: a repeat in the place of its assignment.
pub async fn list_of_member(db: &impl Db, member: MemberId) -> Result<Vec<Spent>, Error> {
    let before_them = "focus_day.member_id = $1 AND (focus_day.repeat_id IS NOT NULL OR NOT EXISTS
        (SELECT 1 FROM repeat WHERE repeat.assignment_id = focus_day.assignment_id))";
    read(db, before_them, member.0).await
}

async fn read(db: &impl Db, wanted: &str, id: i64) -> Result<Vec<Spent>, Error> {
    // SQL: sums over joins that may be absent, cast.
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
    let spent = |(member, minutes, characters, state): (_, _, _, WorkState)| {
        let is_finished = state == WorkState::Submitted;
        Spent { member, minutes, characters, is_finished }
    };
    Ok(sql::rows(db, &select, [id.into()]).await?.into_iter().map(spent).collect())
}

/// Whether a project measures time; none if there is no such project.
pub async fn is_measured(db: &impl Db, project: ProjectId) -> Result<Option<bool>, Error> {
    sql::one(db, Projects::find_by_id(project.0).select_only().column(Column::MeasuresTime)).await
}

/// Has a project measure time, or not.
pub async fn set_measured(tx: &Tx, project: ProjectId, measured: bool) -> Result<(), Error> {
    project::set(tx, project, Column::MeasuresTime, measured).await
}
