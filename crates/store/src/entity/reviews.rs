//! Reviews, what they decide, and the gold standards that come of it.

tables! {
    /// The reviewers' decisions, one for each position.
    decision {
        #[sea_orm(primary_key)] id: i64,
        review_id: i64,
        start_at: i64,
        end_at: i64,
        verdict: String,
        decided_at: DateTimeUtc,
        note: String,
    }

    /// What reviewers decided at once.
    decision_act {
        #[sea_orm(primary_key)] id: i64,
        project_id: i64,
        member_id: i64,
        made_at: DateTimeUtc,
        undone_at: Option<DateTimeUtc>,
    }

    /// What was answered at once about documents, with what stood there before and after.
    decision_act_answer {
        #[sea_orm(primary_key, auto_increment = false)] act_id: i64,
        #[sea_orm(primary_key, auto_increment = false)] document_id: i64,
        #[sea_orm(primary_key, auto_increment = false)] attribute_id: i64,
        before_number: Option<i64>, before_at: Option<DateTimeUtc>,
        after_number: Option<i64>, after_at: Option<DateTimeUtc>,
        left_alone: bool,
    }

    /// The positions of what was decided at once, with what stood there before and after, in JSON.
    decision_act_part {
        #[sea_orm(primary_key, auto_increment = false)] act_id: i64,
        #[sea_orm(primary_key, auto_increment = false)] document_id: i64,
        #[sea_orm(primary_key, auto_increment = false)] start_at: i64,
        #[sea_orm(primary_key, auto_increment = false)] end_at: i64,
        before: Option<String>,
        after: Option<String>,
        left_alone: bool,
    }

    /// What is to be chosen of attributes of the labels that decisions give.
    decision_answer {
        #[sea_orm(primary_key, auto_increment = false)] decision_id: i64,
        #[sea_orm(primary_key, auto_increment = false)] label_id: i64,
        #[sea_orm(primary_key, auto_increment = false)] attribute_id: i64,
        number: i64,
    }

    /// The labels that decisions give.
    decision_label {
        #[sea_orm(primary_key, auto_increment = false)] decision_id: i64,
        #[sea_orm(primary_key, auto_increment = false)] label_id: i64,
    }

    /// Gold standards that were locked.
    gold_version {
        #[sea_orm(primary_key)] id: i64,
        project_id: i64,
        number: i64,
        name: String,
        note: String,
        locked_at: DateTimeUtc,
        locked_by: Option<i64>,
        revision: i64,
        guidelines_version: i64,
        documents: i64,
        positions: i64,
        open: i64,
        sha256: String,
        has_own_ids: bool,
    }

    /// A document of a locked gold standard, with what held in it, in JSON.
    gold_version_document {
        #[sea_orm(primary_key, auto_increment = false)] version_id: i64,
        #[sea_orm(primary_key, auto_increment = false)] document_id: i64,
        name: String,
        positions: String,
        answers: String,
    }

    /// The reviewers' passes over documents.
    review {
        #[sea_orm(primary_key)] id: i64,
        document_id: i64,
        member_id: i64,
        state: String,
        revision: i64,
        saved_at: Option<DateTimeUtc>,
        submitted_at: Option<DateTimeUtc>,
    }

    /// What reviewers answered about documents.
    review_answer {
        #[sea_orm(primary_key, auto_increment = false)] review_id: i64,
        #[sea_orm(primary_key, auto_increment = false)] attribute_id: i64,
        number: i64,
        decided_at: DateTimeUtc,
    }

    /// A document of a sample that is reviewed a second time.
    second_review {
        #[sea_orm(primary_key, auto_increment = false)] act_id: i64,
        #[sea_orm(primary_key, auto_increment = false)] document_id: i64,
    }

    /// Second reviews that were asked for at once.
    second_review_act {
        #[sea_orm(primary_key)] id: i64,
        project_id: i64,
        member_id: i64,
        percent: i64,
        seed: String,
        made_by: Option<i64>,
        made_at: DateTimeUtc,
        undone_at: Option<DateTimeUtc>,
    }
}
