//! What every column says of a person: the one list by which everything of somebody is exported, and by which
//! it is erased. Tests hold it against the schema: a new column has to be put in a class.

/// What becomes of a table's rows that are somebody's, once that person is erased.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// They go.
    Deleted,
    /// They stay as those of nobody in particular.
    Nameless,
}

/// A table in classes; each lists columns with spaces between.
#[derive(Clone, Copy, Debug)]
pub struct Classes {
    pub table: &'static str,
    /// The columns by which a row is somebody's: those of their account, or of a row that is theirs. Without
    /// any, rows are nobody's.
    pub whose: &'static str,
    pub fate: Fate,
    /// What is exported.
    pub told: &'static str,
    /// Ids that are exported as numbers of the file's own, as they are given out in a row for everybody.
    pub numbered: &'static str,
    /// What is not: secrets and what is made of them, and what would tell of other people or of how much they
    /// have done.
    pub kept_back: &'static str,
    /// What says nothing of any person by itself.
    pub plain: &'static str,
}

impl Classes {
    /// The columns of a list.
    pub fn columns(list: &'static str) -> impl Iterator<Item = &'static str> {
        list.split_whitespace()
    }
}

/// Declares tables, whose rows are somebody's by certain columns, or nobody's.
macro_rules! classes {
    ($($table:ident $(of [$($whose:ident)+] $fate:ident)? {
        $(told: [$($told:ident)*])? $(numbered: [$($numbered:ident)*])?
        $(kept_back: [$($kept:ident)*])? $(plain: [$($plain:ident)*])?
    })+) => {
        &[$(Classes {
            table: stringify!($table),
            whose: concat!($($(stringify!($whose), " "),+)?),
            fate: classes!(@ $($fate)?),
            told: concat!($($(stringify!($told), " "),*)?),
            numbered: concat!($($(stringify!($numbered), " "),*)?),
            kept_back: concat!($($(stringify!($kept), " "),*)?),
            plain: concat!($($(stringify!($plain), " "),*)?),
        }),+]
    };
    (@ Deleted) => { Fate::Deleted };
    (@ $($other:ident)?) => { Fate::Nameless };
}

/// All tables but the one of the migrations, in the order of the alphabet.
///
/// Ids are told where their owner meets them anyway, in addresses. Of the others, which would tell how much
/// everybody does, those are numbered that hold rows together.
pub const CLASSES: &[Classes] = classes! {
    alert { kept_back: [first_id second_id]
        plain: [id rule_id fired_at cleared_at value lower n revision] }
    alert_rule of [created_by] Nameless {
        told: [project_id subject measure policy documents limit_value minimum_n created_at]
        plain: [id evaluated] }
    answered_request of [user_id] Deleted { told: [created_at status]
        kept_back: [key fingerprint headers body has_committed] }
    api_token of [user_id] Deleted {
        told: [name scopes projects model_id created_at expires_at last_used_at]
        kept_back: [id token_hash] }
    assignment of [member_id] Nameless {
        told: [id document_id state revision saved_at submitted_at due_at] }
    assignment_flag of [member_id] Nameless { told: [document_id kind reason note raised_at] }
    assignment_note of [member_id written_by] Nameless {
        told: [document_id note role written_at] }
    assignment_version of [assignment_id] Nameless {
        told: [assignment_id revision made_at kind restored state removed added delta]
        numbered: [repeat_id] kept_back: [id made_by] }
    attribute { plain: [id label_id name required offered answers least step steps decimals
        least_means greatest_means] }
    attribute_choice { plain: [attribute_id number name place] }
    audit of [user_id] Nameless { told: [chain at event subject detail note]
        kept_back: [place revision mac note_mac amended] }
    authenticator_app of [user_id] Deleted { told: [confirmed_at new_at]
        kept_back: [secret last_step new_secret] }
    chore { plain: [id claimed_until] }
    comment of [member_id] Nameless { told: [words written_at] numbered: [thread_id]
        kept_back: [id] }
    comment_thread of [member_id] Nameless { told: [document_id start_at end_at] numbered: [id]
        kept_back: [moved_at settled_at released_settled_at] }
    decision of [review_id] Nameless {
        told: [start_at end_at verdict decided_at note] numbered: [id review_id] }
    decision_act of [member_id] Nameless { told: [project_id made_at undone_at] numbered: [id] }
    decision_act_answer of [act_id] Nameless { told: [document_id attribute_id before_number before_at
        after_number after_at left_alone] numbered: [act_id] }
    decision_act_part of [act_id] Nameless {
        told: [document_id start_at end_at before after left_alone] numbered: [act_id] }
    decision_answer of [decision_id] Nameless { told: [label_id attribute_id number]
        numbered: [decision_id] }
    decision_label of [decision_id] Nameless { told: [label_id] numbered: [decision_id] }
    device of [user_id] Deleted { told: [used_at] kept_back: [token_hash] }
    directory { kept_back: [token_hash] plain: [id provider created_at last_used_at] }
    directory_group { plain: [id directory_id name name_key external_id created_at changed_at] }
    directory_member of [user_id] Deleted { told: [group_id] }
    directory_user of [user_id] Deleted {
        told: [user_name external_id display_name formatted_name given_name family_name
            is_active has_disabled created_at changed_at removed_at]
        kept_back: [directory_id user_name_key] }
    document { plain: [id project_id external_id name text characters sha256 overlap created_at
        round_id] }
    document_choice of [assignment_id] Nameless { told: [assignment_id attribute_id number] }
    feed { kept_back: [member_id] plain: [project_id revision document_id] }
    focus_day of [member_id] Nameless { told: [assignment_id day minutes]
        numbered: [repeat_id review_id] kept_back: [id last_minute] }
    former_label { plain: [id project_id name colour] }
    gold_version of [locked_by] Nameless { told: [project_id number name note locked_at]
        plain: [id revision guidelines_version documents positions open sha256 has_own_ids] }
    gold_version_document { kept_back: [positions answers] plain: [version_id document_id name] }
    guideline_version of [author_id] Nameless { told: [project_id number text note created_at]
        plain: [id] }
    identity of [user_id] Deleted { told: [issuer subject external_id label created_at last_used_at]
        kept_back: [id] }
    import of [made_by] Nameless {
        told: [project_id made_at ended_at state import_as files summary error]
        kept_back: [made decision] plain: [id alive_at] }
    import_assignment { plain: [assignment_id import_id revision was_there] }
    import_document { plain: [document_id import_id] }
    invitation of [accepted_by] Nameless { told: [project_id role email created_at accepted_at]
        kept_back: [id token_hash created_by claims_member_id] plain: [expires_at] }
    label { plain: [id project_id name colour hotkey place group_name description crosses_own
        crosses_others nests_anywhere is_document] }
    label_nesting { plain: [label_id outer_id] }
    lineage { plain: [id value] }
    mail of [user_id] Deleted {
        told: [kind address project_id created_at attempts ended_at outcome problem]
        kept_back: [id key link] plain: [next_at] }
    mail_refusal of [user_id] Deleted { told: [kind] }
    member of [user_id] Nameless { told: [project_id role created_at removed_at paused_at]
        kept_back: [id] }
    model { plain: [id project_id name version prompt_hash made_on revision created_at] }
    model_choice { plain: [model_id document_id start_at end_at attribute_id number] }
    model_span { plain: [model_id document_id start_at end_at label_id] }
    model_work { plain: [model_id document_id saved_at import_id] }
    own_count of [member_id] Nameless { kept_back: [counts] }
    own_pair of [member_id] Nameless { kept_back: [other_id document_id] }
    own_release of [member_id] Nameless { told: [project_id payload released_at] }
    passkey of [user_id] Deleted { told: [name created_at last_used_at]
        kept_back: [id credential_id user_handle static_state dynamic_state] }
    password_reset of [user_id] Deleted { told: [created_at expires_at]
        kept_back: [token_hash created_by] }
    pool { plain: [project_id overlap cap days drawn] }
    project { plain: [id name guidelines guidelines_version release_level reviewers_see_names
        reviewers_see_consensus
        revision released_at created_at archived_at requires_second_factor decision_reasons
        measures_time suggests_agreed shields_agreed shields_imported] }
    recovery_code of [user_id] Deleted { told: [created_at used_at] kept_back: [code_hash] }
    repeat of [assignment_id] Nameless { told: [assignment_id state revision saved_at]
        numbered: [id] kept_back: [batch_id] }
    repeat_batch of [given_by] Nameless { told: [project_id documents days given_at]
        kept_back: [id seed] }
    repeat_document_choice of [repeat_id] Nameless { told: [attribute_id number]
        numbered: [repeat_id] }
    repeat_span of [repeat_id] Nameless { told: [start_at end_at label_id]
        numbered: [repeat_id] kept_back: [id] }
    repeat_span_choice of [repeat_id] Nameless {
        told: [start_at end_at label_id attribute_id number] numbered: [repeat_id] }
    restored_backup { plain: [id at sessions links tokens] }
    review of [member_id] Nameless {
        told: [document_id state revision saved_at submitted_at] numbered: [id] }
    review_answer of [review_id] Nameless { told: [attribute_id number decided_at]
        numbered: [review_id] }
    round of [started_by] Nameless { told: [project_id number title note started_at]
        plain: [id guidelines_version] }
    save_key of [user_id] Deleted { told: [created_at] kept_back: [key fingerprint response] }
    second_review of [act_id] Nameless { told: [document_id] numbered: [act_id] }
    second_review_act of [member_id made_by] Nameless {
        told: [project_id percent made_at undone_at] numbered: [id] kept_back: [seed] }
    secret_key { plain: [id fingerprint] }
    sent_reset of [user_id] Deleted { told: [created_at expires_at] kept_back: [token_hash] }
    session of [user_id] Deleted {
        told: [created_at last_seen_at expires_at device address proven_at has_factor_elsewhere]
        kept_back: [token_hash identity_id provider_session] }
    shelf { kept_back: [content] plain: [id import_id place weight] }
    sign_in_failure { kept_back: [subject] plain: [failures locked_until failed_at] }
    span of [assignment_id] Nameless { told: [assignment_id start_at end_at label_id]
        kept_back: [id] }
    span_choice of [assignment_id] Nameless {
        told: [assignment_id start_at end_at label_id attribute_id number] }
    suggestion { plain: [id document_id start_at end_at label_id] }
    target { plain: [project_id measure policy basis at_least] }
    used_challenge { plain: [challenge_hash expires_at] }
    user_account of [id] Nameless {
        told: [email name created_at keys may_create_projects is_administrator disabled_at
            second_factor_since is_demo is_placeholder]
        kept_back: [password_hash] plain: [erased_at] }
    webhook of [created_by] Nameless { told: [project_id events paused created_at]
        kept_back: [url secret] plain: [id secret_hidden revision secret_used_on] }
    webhook_delivery { kept_back: [body] plain: [id webhook_id event created_at attempts next_at
        delivered_at status problem] }
    workload_act of [made_by] Nameless { told: [project_id made_at undone_at ask]
        kept_back: [id seed] }
    workload_act_part of [member_id] Nameless {
        told: [document_id was_there is_there was_due is_due] kept_back: [act_id left_alone] }
};
