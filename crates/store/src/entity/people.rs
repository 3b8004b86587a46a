//! People and what opens their accounts, and what comes into the server and leaves it.

tables! {
    /// Requests of programs that were answered, by the key that the program chose.
    answered_request {
        #[sea_orm(primary_key, auto_increment = false)] user_id: i64,
        #[sea_orm(primary_key, auto_increment = false)] key: String,
        fingerprint: String,
        status: Option<i32>,
        headers: Option<String>,
        body: Option<String>,
        created_at: DateTimeUtc,
        has_committed: bool,
    }

    /// Tokens of programs, by their hash.
    api_token {
        #[sea_orm(primary_key)] id: i64,
        user_id: i64,
        name: String,
        token_hash: String,
        scopes: String,
        projects: Option<String>,
        created_at: DateTimeUtc,
        expires_at: DateTimeUtc,
        last_used_at: Option<DateTimeUtc>,
        model_id: Option<i64>,
    }

    /// What was done, chain by chain.
    audit {
        #[sea_orm(primary_key, auto_increment = false)] chain: i64,
        #[sea_orm(primary_key, auto_increment = false)] place: i64,
        at: DateTimeUtc,
        user_id: Option<i64>,
        event: String,
        subject: String,
        detail: String,
        revision: Option<i64>,
        mac: Option<Vec<u8>>,
        note: Option<String>,
        note_mac: Option<Vec<u8>>,
        amended: Option<Vec<u8>>,
    }

    /// The apps that make codes to sign in with.
    authenticator_app {
        #[sea_orm(primary_key, auto_increment = false)] user_id: i64,
        secret: Option<String>,
        confirmed_at: Option<DateTimeUtc>,
        last_step: i64,
        new_secret: Option<String>,
        new_at: Option<DateTimeUtc>,
    }

    /// Browsers that somebody has signed in with, by the hash of their token.
    device {
        #[sea_orm(primary_key, auto_increment = false)] token_hash: String,
        #[sea_orm(primary_key, auto_increment = false)] user_id: i64,
        used_at: DateTimeUtc,
    }

    /// What tells the server by SCIM who is there.
    directory {
        #[sea_orm(primary_key)] id: i64,
        provider: String,
        token_hash: Option<String>,
        created_at: DateTimeUtc,
        last_used_at: Option<DateTimeUtc>,
    }

    /// People whom a directory has put together.
    directory_group {
        #[sea_orm(primary_key)] id: i64,
        directory_id: i64,
        name: String,
        name_key: String,
        external_id: Option<String>,
        created_at: DateTimeUtc,
        changed_at: DateTimeUtc,
    }

    /// Who is in which of these groups.
    directory_member {
        #[sea_orm(primary_key, auto_increment = false)] group_id: i64,
        #[sea_orm(primary_key, auto_increment = false)] user_id: i64,
    }

    /// What a directory says of people.
    directory_user {
        #[sea_orm(primary_key, auto_increment = false)] user_id: i64,
        directory_id: i64,
        user_name: String,
        user_name_key: String,
        external_id: Option<String>,
        display_name: Option<String>,
        formatted_name: Option<String>,
        given_name: Option<String>,
        family_name: Option<String>,
        is_active: bool,
        has_disabled: bool,
        created_at: DateTimeUtc,
        changed_at: DateTimeUtc,
        removed_at: Option<DateTimeUtc>,
    }

    /// Whom providers know people as.
    identity {
        #[sea_orm(primary_key)] id: i64,
        user_id: i64,
        issuer: String,
        subject: String,
        label: String,
        created_at: DateTimeUtc,
        last_used_at: Option<DateTimeUtc>,
        external_id: Option<String>,
    }

    /// Imports of files.
    import {
        #[sea_orm(primary_key)] id: i64,
        project_id: i64,
        made_by: Option<i64>,
        made_at: DateTimeUtc,
        ended_at: Option<DateTimeUtc>,
        state: String,
        import_as: String,
        files: String,
        summary: Option<String>,
        made: Option<String>,
        error: Option<String>,
        decision: Option<String>,
        alive_at: Option<DateTimeUtc>,
    }

    /// The assignments that got work by an import.
    import_assignment {
        #[sea_orm(primary_key, auto_increment = false)] assignment_id: i64,
        import_id: i64,
        revision: i64,
        was_there: bool,
    }

    /// The documents that an import brought.
    import_document {
        #[sea_orm(primary_key, auto_increment = false)] document_id: i64,
        import_id: i64,
    }

    /// Links that let somebody in, by the hash of their token.
    invitation {
        #[sea_orm(primary_key)] id: i64,
        token_hash: String,
        project_id: Option<i64>,
        role: Option<String>,
        email: Option<String>,
        claims_member_id: Option<i64>,
        created_by: Option<i64>,
        created_at: DateTimeUtc,
        expires_at: DateTimeUtc,
        accepted_at: Option<DateTimeUtc>,
        accepted_by: Option<i64>,
    }

    /// Mail that was or is to be sent.
    mail {
        #[sea_orm(primary_key)] id: i64,
        kind: String,
        user_id: Option<i64>,
        address: Option<String>,
        project_id: Option<i64>,
        key: String,
        link: Option<String>,
        created_at: DateTimeUtc,
        attempts: i32,
        next_at: Option<DateTimeUtc>,
        ended_at: Option<DateTimeUtc>,
        outcome: Option<String>,
        problem: Option<String>,
    }

    /// Kinds of mail that somebody does not want.
    mail_refusal {
        #[sea_orm(primary_key, auto_increment = false)] user_id: i64,
        #[sea_orm(primary_key, auto_increment = false)] kind: String,
    }

    /// Passkeys, as the browser's device and the library for them know them.
    passkey {
        #[sea_orm(primary_key)] id: i64,
        user_id: i64,
        credential_id: String,
        user_handle: String,
        static_state: String,
        dynamic_state: String,
        name: String,
        created_at: DateTimeUtc,
        last_used_at: Option<DateTimeUtc>,
    }

    /// Links by which somebody chooses a new password, by the hash of their token.
    password_reset {
        #[sea_orm(primary_key, auto_increment = false)] token_hash: String,
        user_id: i64,
        created_by: Option<i64>,
        created_at: DateTimeUtc,
        expires_at: DateTimeUtc,
    }

    /// Links of that kind that were sent by mail, beside that one.
    sent_reset {
        #[sea_orm(primary_key, auto_increment = false)] token_hash: String,
        user_id: i64,
        created_at: DateTimeUtc,
        expires_at: DateTimeUtc,
    }

    /// The codes by which somebody without their second factor signs in, by their hash.
    recovery_code {
        #[sea_orm(primary_key, auto_increment = false)] user_id: i64,
        #[sea_orm(primary_key, auto_increment = false)] code_hash: String,
        created_at: DateTimeUtc,
        used_at: Option<DateTimeUtc>,
    }

    /// Backups that were restored, until that is noted.
    restored_backup {
        #[sea_orm(primary_key)] id: i64,
        at: DateTimeUtc,
        sessions: i64,
        links: i64,
        tokens: Option<i64>,
    }

    /// Saves that were answered, by the key that their client chose.
    save_key {
        #[sea_orm(primary_key, auto_increment = false)] user_id: i64,
        #[sea_orm(primary_key, auto_increment = false)] key: String,
        fingerprint: String,
        response: String,
        created_at: DateTimeUtc,
    }

    /// Which secret key goes with the database.
    secret_key {
        #[sea_orm(primary_key, auto_increment = false)] id: i32,
        fingerprint: String,
    }

    /// Which database this is, by a random number.
    lineage {
        #[sea_orm(primary_key, auto_increment = false)] id: i32,
        value: i64,
    }

    /// What one of several servers does at a time.
    chore {
        #[sea_orm(primary_key, auto_increment = false)] id: i32,
        claimed_until: DateTimeUtc,
    }

    /// What imports are going to bring, document by document.
    shelf {
        #[sea_orm(primary_key)] id: i64,
        import_id: i64,
        place: i64,
        weight: i64,
        content: String,
    }

    /// Signed-in browsers, by the hash of their token.
    session {
        #[sea_orm(primary_key, auto_increment = false)] token_hash: String,
        user_id: i64,
        created_at: DateTimeUtc,
        last_seen_at: DateTimeUtc,
        expires_at: DateTimeUtc,
        device: String,
        address: String,
        identity_id: Option<i64>,
        provider_session: Option<String>,
        proven_at: Option<DateTimeUtc>,
        has_factor_elsewhere: bool,
    }

    /// Wrong passwords in a row, by the hash of what they were tried at.
    sign_in_failure {
        #[sea_orm(primary_key, auto_increment = false)] subject: String,
        failures: i32,
        locked_until: Option<DateTimeUtc>,
        failed_at: DateTimeUtc,
    }

    /// Challenges that were answered, by their hash.
    used_challenge {
        #[sea_orm(primary_key, auto_increment = false)] challenge_hash: String,
        expires_at: DateTimeUtc,
    }

    /// People with an account.
    user_account {
        #[sea_orm(primary_key)] id: i64,
        email: String,
        name: String,
        password_hash: String,
        may_create_projects: bool,
        created_at: DateTimeUtc,
        keys: String,
        is_placeholder: bool,
        is_administrator: bool,
        disabled_at: Option<DateTimeUtc>,
        erased_at: Option<DateTimeUtc>,
        is_demo: bool,
        second_factor_since: Option<DateTimeUtc>,
    }

    /// Addresses that projects' news is sent to.
    webhook {
        #[sea_orm(primary_key)] id: i64,
        project_id: i64,
        url: String,
        secret: String,
        secret_hidden: bool,
        secret_used_on: Option<Date>,
        events: String,
        paused: bool,
        revision: i64,
        created_at: DateTimeUtc,
        created_by: Option<i64>,
    }

    /// What was or is to be sent to webhooks.
    webhook_delivery {
        #[sea_orm(primary_key)] id: i64,
        webhook_id: i64,
        event: String,
        body: String,
        created_at: DateTimeUtc,
        attempts: i32,
        next_at: Option<DateTimeUtc>,
        delivered_at: Option<DateTimeUtc>,
        status: Option<i32>,
        problem: Option<String>,
    }
}
