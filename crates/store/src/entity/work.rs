//! Projects, and the work in them but its reviews.

tables! {
    /// The alerts that limits have raised.
    alert {
        #[sea_orm(primary_key)] id: i64,
        rule_id: i64,
        first_id: Option<i64>,
        second_id: Option<i64>,
        fired_at: DateTimeUtc,
        cleared_at: Option<DateTimeUtc>,
        value: f64,
        lower: f64,
        n: i64,
        revision: i64,
    }

    /// Limits on agreement.
    alert_rule {
        #[sea_orm(primary_key)] id: i64,
        project_id: i64,
        subject: String,
        measure: String,
        policy: String,
        documents: String,
        limit_value: f64,
        minimum_n: i64,
        evaluated: i64,
        created_at: DateTimeUtc,
        created_by: Option<i64>,
    }

    /// The labelers' assignments.
    assignment {
        #[sea_orm(primary_key)] id: i64,
        document_id: i64,
        member_id: i64,
        state: String,
        revision: i64,
        saved_at: Option<DateTimeUtc>,
        submitted_at: Option<DateTimeUtc>,
        due_at: Option<DateTimeUtc>,
    }

    /// What can be chosen on spans with a label, or on documents.
    attribute {
        #[sea_orm(primary_key)] id: i64,
        label_id: i64,
        name: String,
        required: bool,
        offered: bool,
        answers: String,
        least: Option<i64>,
        step: Option<i64>,
        steps: Option<i64>,
        decimals: Option<i64>,
        least_means: String,
        greatest_means: String,
    }

    /// The choices of attributes; one without a place is not offered any more.
    attribute_choice {
        #[sea_orm(primary_key, auto_increment = false)] attribute_id: i64,
        #[sea_orm(primary_key, auto_increment = false)] number: i64,
        name: String,
        place: Option<i64>,
    }

    /// The comments of threads.
    comment {
        #[sea_orm(primary_key)] id: i64,
        thread_id: i64,
        member_id: i64,
        words: String,
        written_at: DateTimeUtc,
    }

    /// What is written about places in documents.
    comment_thread {
        #[sea_orm(primary_key)] id: i64,
        document_id: i64,
        member_id: i64,
        start_at: Option<i64>,
        end_at: Option<i64>,
        moved_at: DateTimeUtc,
        settled_at: Option<DateTimeUtc>,
        released_settled_at: Option<DateTimeUtc>,
    }

    /// Flags and skips of labelers.
    assignment_flag {
        #[sea_orm(primary_key, auto_increment = false)] document_id: i64,
        #[sea_orm(primary_key, auto_increment = false)] member_id: i64,
        #[sea_orm(primary_key, auto_increment = false)] kind: String,
        reason: String,
        note: String,
        raised_at: DateTimeUtc,
    }

    /// What assignments came back with.
    assignment_note {
        #[sea_orm(primary_key, auto_increment = false)] document_id: i64,
        #[sea_orm(primary_key, auto_increment = false)] member_id: i64,
        note: String,
        written_by: Option<i64>,
        role: String,
        written_at: DateTimeUtc,
    }

    /// What every save of an assignment changed.
    assignment_version {
        #[sea_orm(primary_key)] id: i64,
        assignment_id: i64,
        repeat_id: Option<i64>,
        revision: i64,
        made_at: DateTimeUtc,
        made_by: Option<i64>,
        kind: String,
        restored: Option<i64>,
        state: String,
        removed: i64,
        added: i64,
        delta: String,
    }

    /// Documents with their texts.
    document {
        #[sea_orm(primary_key)] id: i64,
        project_id: i64,
        external_id: Option<String>,
        name: String,
        text: String,
        characters: i64,
        sha256: String,
        overlap: Option<i64>,
        created_at: DateTimeUtc,
        round_id: Option<i64>,
    }

    /// How long somebody was at a pass on a day. Days are counted from 1970-01-01, and so are minutes.
    focus_day {
        #[sea_orm(primary_key)] id: i64,
        member_id: i64,
        assignment_id: Option<i64>,
        repeat_id: Option<i64>,
        review_id: Option<i64>,
        day: i64,
        minutes: i64,
        last_minute: i64,
    }

    /// Labels that were deleted, for the versions of assignments that had them.
    former_label {
        #[sea_orm(primary_key, auto_increment = false)] id: i64,
        project_id: i64,
        name: String,
        colour: i32,
    }

    /// The guidelines of a project as they were, version by version.
    guideline_version {
        #[sea_orm(primary_key)] id: i64,
        project_id: i64,
        number: i64,
        text: String,
        note: String,
        author_id: Option<i64>,
        created_at: DateTimeUtc,
    }

    /// The projects' label sets.
    label {
        #[sea_orm(primary_key)] id: i64,
        project_id: i64,
        name: String,
        colour: i32,
        hotkey: Option<String>,
        place: i64,
        group_name: String,
        description: String,
        crosses_own: bool,
        crosses_others: bool,
        nests_anywhere: bool,
        is_document: bool,
    }

    /// The labels within which spans with a label may lie.
    label_nesting {
        #[sea_orm(primary_key, auto_increment = false)] label_id: i64,
        #[sea_orm(primary_key, auto_increment = false)] outer_id: i64,
    }

    /// Members of projects, removed ones included.
    member {
        #[sea_orm(primary_key)] id: i64,
        project_id: i64,
        user_id: i64,
        role: String,
        created_at: DateTimeUtc,
        removed_at: Option<DateTimeUtc>,
        paused_at: Option<DateTimeUtc>,
    }

    /// What is counted of a labeler with others, as far as it is shown and as far as it waits.
    own_count {
        #[sea_orm(primary_key, auto_increment = false)] member_id: i64,
        counts: String,
    }

    /// Work that a revision of its project has moved.
    feed {
        #[sea_orm(primary_key, auto_increment = false)] project_id: i64,
        #[sea_orm(primary_key, auto_increment = false)] revision: i64,
        #[sea_orm(primary_key, auto_increment = false)] document_id: i64,
        #[sea_orm(primary_key, auto_increment = false)] member_id: i64,
    }

    /// A document that was counted of a labeler with somebody else: it is not counted again.
    own_pair {
        #[sea_orm(primary_key, auto_increment = false)] member_id: i64,
        #[sea_orm(primary_key, auto_increment = false)] other_id: i64,
        #[sea_orm(primary_key, auto_increment = false)] document_id: i64,
    }

    /// What labelers are shown of their own agreement, frozen at the release.
    own_release {
        #[sea_orm(primary_key, auto_increment = false)] project_id: i64,
        #[sea_orm(primary_key, auto_increment = false)] member_id: i64,
        payload: String,
        released_at: DateTimeUtc,
    }

    /// Pools that labelers draw from.
    pool {
        #[sea_orm(primary_key, auto_increment = false)] project_id: i64,
        overlap: i64,
        cap: i64,
        days: i64,
        drawn: i64,
    }

    /// Projects and their settings.
    project {
        #[sea_orm(primary_key)] id: i64,
        name: String,
        guidelines: String,
        guidelines_version: i64,
        release_level: String,
        reviewers_see_names: bool,
        reviewers_see_consensus: bool,
        revision: i64,
        released_at: Option<DateTimeUtc>,
        created_at: DateTimeUtc,
        archived_at: Option<DateTimeUtc>,
        requires_second_factor: bool,
        decision_reasons: Option<String>,
        measures_time: bool,
        suggests_agreed: bool,
        shields_agreed: bool,
        shields_imported: bool,
    }

    /// The labelers' second passes over what they have submitted.
    repeat {
        #[sea_orm(primary_key)] id: i64,
        batch_id: i64,
        assignment_id: i64,
        state: String,
        revision: i64,
        saved_at: Option<DateTimeUtc>,
    }

    /// Repeats that were given at once.
    repeat_batch {
        #[sea_orm(primary_key)] id: i64,
        project_id: i64,
        documents: i64,
        days: i64,
        seed: String,
        given_at: DateTimeUtc,
        given_by: Option<i64>,
    }

    /// The spans of the labelers' second passes.
    repeat_span {
        #[sea_orm(primary_key)] id: i64,
        repeat_id: i64,
        start_at: i64,
        end_at: i64,
        label_id: i64,
    }

    /// The rounds of a project.
    round {
        #[sea_orm(primary_key)] id: i64,
        project_id: i64,
        number: i64,
        title: String,
        note: String,
        guidelines_version: i64,
        started_at: DateTimeUtc,
        started_by: Option<i64>,
    }

    /// The spans on the labelers' assignments.
    span {
        #[sea_orm(primary_key)] id: i64,
        assignment_id: i64,
        start_at: i64,
        end_at: i64,
        label_id: i64,
    }

    /// Spans that came with an imported document.
    suggestion {
        #[sea_orm(primary_key)] id: i64,
        document_id: i64,
        start_at: i64,
        end_at: i64,
        label_id: i64,
    }

    /// The targets of projects.
    target {
        #[sea_orm(primary_key, auto_increment = false)] project_id: i64,
        measure: String,
        policy: String,
        basis: String,
        at_least: f64,
    }

    /// What was given out at once.
    workload_act {
        #[sea_orm(primary_key)] id: i64,
        project_id: i64,
        made_by: Option<i64>,
        made_at: DateTimeUtc,
        undone_at: Option<DateTimeUtc>,
        ask: String,
        seed: Option<String>,
    }

    /// An assignment that was given, taken or dated at once with others: before and after.
    workload_act_part {
        #[sea_orm(primary_key, auto_increment = false)] act_id: i64,
        #[sea_orm(primary_key, auto_increment = false)] document_id: i64,
        #[sea_orm(primary_key, auto_increment = false)] member_id: i64,
        was_there: bool,
        is_there: bool,
        was_due: Option<DateTimeUtc>,
        is_due: Option<DateTimeUtc>,
        left_alone: bool,
    }
}
