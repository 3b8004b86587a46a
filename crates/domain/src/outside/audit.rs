//! What the audit trail can say: one closed list of events, each with the name that it is stored by.

use std::{fmt, str::FromStr};

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};

use crate::{Error, ProjectId, Revision, UserId};

switch! {
    /// Something that the audit trail notes. A name that was stored once never changes.
    AuditEvent {
        // The trail itself: when rows of before were taken into chains, and what nobody was let do,
        // counted.
        BeginChains = "begin chains",
        ChangeSecretKey = "change secret key",
        Refuse = "refuse",

        // Accounts and what opens them.
        SignIn = "sign in",
        RefuseSignIn = "refuse sign-in",
        SignOut = "sign out",
        CreateAccount = "create account",
        AddUser = "add user",
        ResetPassword = "reset password",
        EndSession = "end session",
        SignOutEverywhere = "sign out everywhere",
        EndEverySession = "end every session",
        RestoreBackup = "restore backup",
        ChangePassword = "change password",
        ChangeAddress = "change address",
        CreateResetLink = "create reset link",
        SetUpAuthenticatorApp = "set up authenticator app",
        RemoveAuthenticatorApp = "remove authenticator app",
        MakeRecoveryCodes = "make recovery codes",
        UseRecoveryCode = "use recovery code",
        RemoveSecondFactors = "remove second factors",
        AllowProjects = "allow projects",
        RefuseProjects = "refuse projects",
        ChangeKeys = "change keys",
        /// Somebody wants other mail than before.
        ChangeMail = "change mail",
        DisableAccount = "disable account",
        EnableAccount = "enable account",
        MakeAdministrator = "make administrator",
        MakeOrdinary = "make ordinary",
        DeleteAccount = "delete account",
        MakeAccountAnonymous = "make account anonymous",
        /// Everything of a person was taken away as a file.
        ExportPerson = "export person",
        AddPasskey = "add passkey",
        RemovePasskey = "remove passkey",
        LinkIdentity = "link identity",
        UnlinkIdentity = "unlink identity",
        EndSessionsByProvider = "end sessions by provider",
        AddByDirectory = "add by directory",
        ChangeByDirectory = "change by directory",
        DisableByDirectory = "disable by directory",
        EnableByDirectory = "enable by directory",
        RemoveByDirectory = "remove by directory",
        AddDirectoryGroup = "add directory group",
        ChangeDirectoryGroup = "change directory group",
        RemoveDirectoryGroup = "remove directory group",
        CreateDirectoryToken = "create directory token",
        RevokeDirectoryToken = "revoke directory token",
        CreateToken = "create token",
        UseToken = "use token",
        RevokeToken = "revoke token",

        // A project, its settings and its people.
        CreateProject = "create project",
        CreateDemoProject = "create demo project",
        SaveSettings = "save settings",
        ArchiveProject = "archive project",
        RestoreProject = "restore project",
        DeleteProject = "delete project",
        CreateLabel = "create label",
        SaveLabel = "save label",
        DescribeLabel = "describe label",
        DeleteLabel = "delete label",
        CreateAttribute = "create attribute",
        SaveAttribute = "save attribute",
        SaveReasons = "save reasons",
        SaveSuggestions = "save suggestions",
        MeasureTime = "measure time",
        StartRound = "start round",
        ReleaseAgreement = "release agreement",
        Invite = "invite",
        DeleteInvitation = "delete invitation",
        Join = "join",
        ClaimWork = "claim work",
        RemoveMember = "remove member",
        AddLimit = "add limit",
        RemoveLimit = "remove limit",
        SaveTarget = "save target",
        AddModel = "add model",
        RemoveModel = "remove model",
        SaveModelWork = "save model work",
        AddWebhook = "add webhook",
        ChangeWebhook = "change webhook",
        HideWebhookSecret = "hide webhook secret",
        UseWebhookSecret = "use webhook secret",
        RemoveWebhook = "remove webhook",

        // Documents and who works on them.
        ImportDocuments = "import documents",
        UndoImport = "undo import",
        DeleteDocument = "delete document",
        GiveWorkOut = "give work out",
        UndoWorkGivenOut = "undo work given out",
        PauseWork = "pause work",
        ResumeWork = "resume work",
        OpenPool = "open pool",
        ClosePool = "close pool",
        DrawDocument = "draw document",
        GiveRepeats = "give repeats",
        TakeRepeatsBack = "take repeats back",

        // The work itself.
        SaveSpans = "save spans",
        Submit = "submit",
        Reopen = "reopen",
        RestoreVersion = "restore version",
        FlagDocument = "flag document",
        TakeFlagBack = "take flag back",
        SettleFlag = "settle flag",
        SkipDocument = "skip document",
        TakeDocumentUpAgain = "take document up again",
        SendSkippedDocumentBack = "send skipped document back",
        SendBack = "send copy back",
        Comment = "comment",
        AnswerComment = "answer comment",
        SettleComments = "settle comments",
        ReopenComments = "reopen comments",
        SaveDecisions = "save decisions",
        UndoDecisions = "undo decisions",
        AcceptByRule = "accept by rule",
        SubmitReview = "submit review",
        ReopenReview = "reopen review",
        AskForSecondReviews = "ask for second reviews",
        UndoSecondReviews = "undo second reviews",
        LockGoldStandard = "lock gold standard",

        // What was taken away.
        ExportWork = "export work",
        ExportAgreement = "export agreement",
        ExportReport = "export report",
        ExportStudy = "export study",
        ExportUnits = "export units",
        ExportDisagreements = "export disagreements",
        ExportChoices = "export choices",
        ExportSoftLabels = "export soft labels",
        ExportAudit = "export audit trail",
    }
}

impl AuditEvent {
    /// Whether something has been changed for it in its project. The others happen to an archived
    /// project, too.
    pub const fn is_change(self) -> bool {
        !matches!(
            self,
            Self::ArchiveProject
                | Self::RestoreProject
                | Self::BeginChains
                | Self::Refuse
                | Self::UseToken
                | Self::UseWebhookSecret
                | Self::ExportWork
                | Self::ExportAgreement
                | Self::ExportReport
                | Self::ExportStudy
                | Self::ExportUnits
                | Self::ExportDisagreements
                | Self::ExportChoices
                | Self::ExportSoftLabels
                | Self::ExportAudit
                | Self::ExportPerson
        )
    }

    /// The fields of its detail that are words of people or tell where somebody is. They are noted
    /// beside the chain, from where they can be erased.
    pub const fn personal(self) -> &'static [&'static str] {
        match self {
            Self::RefuseSignIn => &["from"],
            Self::AddWebhook | Self::ChangeWebhook => &["url"],
            Self::SaveSettings
            | Self::CreateLabel
            | Self::SaveLabel
            | Self::DeleteLabel
            | Self::DeleteDocument
            | Self::CreateAttribute
            | Self::SaveAttribute
            | Self::LockGoldStandard => &["name"],
            Self::AddModel | Self::RemoveModel => &["name", "version", "prompt_hash"],
            Self::DescribeLabel => &["group"],
            Self::SaveReasons => &["reasons"],
            _ => &[],
        }
    }
}

/// Which rows of a trail are looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AuditQuery {
    /// Done by this person.
    pub who: Option<UserId>,
    pub event: Option<AuditEvent>,
    /// The first day, in UTC.
    pub since: Option<NaiveDate>,
    /// The last day, in UTC.
    pub until: Option<NaiveDate>,
    /// Those that stand before this place.
    pub before: Option<i64>,
}

/// A part of a trail, the latest row first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditView {
    /// Whose trail it is; none for the server's own.
    pub project: Option<ProjectId>,
    pub query: AuditQuery,
    pub rows: Vec<AuditRow>,
    /// Whether earlier rows follow.
    pub goes_on: bool,
    /// Everybody who has done something in the trail, by name.
    pub people: Vec<(UserId, String)>,
}

/// Something that was noted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditRow {
    /// Where it stands in its trail, counted from 1.
    pub place: i64,
    pub at: DateTime<Utc>,
    pub user: Option<UserId>,
    /// What this person is called now; none if they are gone.
    pub by: Option<String>,
    /// The event's name, as it is stored.
    pub event: String,
    /// What it was done to.
    pub subject: String,
    /// What this is called now, if it is a person who is still there.
    pub about: Option<String>,
    /// More about it: a JSON object, as it is stored.
    pub detail: String,
    /// What is personal about it: a JSON object.
    pub note: Option<String>,
    /// Whether there was something personal about it that was erased.
    pub is_erased: bool,
    /// The project's revision that it led to.
    pub revision: Option<Revision>,
}

/// The end of a trail at a moment, as it is told to the outside: a tail that is cut off later is
/// missed by it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AuditHead {
    pub at: DateTime<Utc>,
    /// Whose trail it is; none for the server's own.
    pub project: Option<ProjectId>,
    /// The last row's place.
    pub place: i64,
    /// The last row's signature, in hexadecimal digits.
    pub mac: String,
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_event_has_a_name_of_its_own_and_is_found_by_it() {
        let names: BTreeSet<_> = AuditEvent::ALL.iter().map(|event| event.name()).collect();
        assert_eq!(names.len(), AuditEvent::ALL.len());
        for &event in AuditEvent::ALL {
            assert_eq!(event.name().parse(), Ok(event));
        }
    }

    #[test]
    fn what_is_no_event_is_refused() {
        for text in ["", "Sign in", "signin", "sign in "] {
            assert!(matches!(text.parse::<AuditEvent>(), Err(Error::Invalid { .. })), "{text:?}");
        }
    }
}
