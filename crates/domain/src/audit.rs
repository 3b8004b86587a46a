//! What the audit trail can say: one closed list of events, each with the name that it is stored by.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::{Error, switch::switch};

switch! {
    /// Something that the audit trail notes. A name that was stored once never changes.
    AuditEvent {
        // Accounts and what opens them.
        SignIn = "sign in",
        SignOut = "sign out",
        CreateAccount = "create account",
        AddUser = "add user",
        ResetPassword = "reset password",
        RefuseSignIn = "refuse sign-in",
        EndSession = "end session",
        SignOutEverywhere = "sign out everywhere",
        EndEverySession = "end every session",
        ChangePassword = "change password",
        ChangeAddress = "change address",
        CreateResetLink = "create reset link",
        AllowProjects = "allow projects",
        RefuseProjects = "refuse projects",
        ChangeKeys = "change keys",
        DisableAccount = "disable account",
        EnableAccount = "enable account",
        MakeAdministrator = "make administrator",
        MakeOrdinary = "make ordinary",
        DeleteAccount = "delete account",
        MakeAccountAnonymous = "make account anonymous",
        CreateToken = "create token",
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
        AddWebhook = "add webhook",
        ChangeWebhook = "change webhook",
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
        SendCopyBack = "send copy back",
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
                | Self::ExportWork
                | Self::ExportAgreement
                | Self::ExportReport
                | Self::ExportStudy
                | Self::ExportUnits
                | Self::ExportDisagreements
                | Self::ExportChoices
        )
    }
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
