//! Which refusal it is, for programs: a name that never changes, and the HTTP status that goes with it.

use serde::Serialize;

/// Declares the codes under their statuses, each with when it is answered.
macro_rules! codes {
    ($($status:literal { $($(#[doc = $when:literal])+ $code:ident,)+ })+) => {
        /// Which refusal it is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
        #[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
        #[serde(rename_all = "kebab-case")]
        pub enum Code {
            $($($(#[doc = $when])+ $code,)+)+
        }

        impl Code {
            /// All there are, by their status.
            pub const ALL: &[Self] = &[$($(Self::$code,)+)+];

            /// The HTTP status that says the same.
            pub const fn status(self) -> u16 {
                match self {
                    $($(Self::$code)|+ => $status,)+
                }
            }

            /// When something is refused with it.
            pub const fn when(self) -> &'static str {
                match self {
                    $($(Self::$code => concat!($($when),+).trim_ascii(),)+)+
                }
            }
        }
    };
}

codes! {
    400 {
        /// The request cannot be read.
        MalformedRequest,
        /// The request comes with a session and with a token.
        TwoCredentials,
    }
    401 {
        /// Nobody is signed in, or the session has ended.
        SignInRequired,
        /// The e-mail address and the password do not match.
        WrongCredentials,
        /// The token is mistyped, revoked or expired.
        InvalidToken,
    }
    403 {
        /// Not for this person; the words say why.
        Denied,
        /// Not with one's role in the project.
        RoleRequired,
        /// Not with the scopes of the token.
        ScopeRequired,
        /// The project is open to accounts with a second factor only.
        SecondFactorRequired,
        /// This is for people to do, not for programs.
        PeopleOnly,
        /// Nobody does this to their own account.
        OwnAccount,
        /// The people of the demo stay as they are.
        DemoAccount,
        /// Somebody else is signed in now.
        OtherPerson,
        /// The passkey opens no account here.
        UnknownPasskey,
        /// Whom the provider names has no account here.
        UnknownIdentity,
        /// The provider has not verified an e-mail address of somebody's.
        UnverifiedAddress,
        /// What the provider says of somebody does not hold.
        IdentityRefused,
        /// The request comes from a page of another site.
        ForeignOrigin,
    }
    404 {
        /// There is no such thing, or it is not for this person to know of.
        NotFound,
    }
    405 {
        /// This is not what can be done here.
        MethodNotAllowed,
    }
    408 {
        /// The request came too slowly.
        TooSlow,
    }
    409 {
        /// Not as things stand; the words say why.
        Conflict,
        /// The request with this key is being carried out, or was broken off.
        RequestUnderWay,
        /// It was changed since it was looked at.
        ChangedMeanwhile,
        /// It has been undone already.
        AlreadyUndone,
        /// There is nothing to undo.
        NothingToUndo,
        /// It was answered or taken back already.
        AlreadyAnswered,
        /// It is submitted already.
        AlreadySubmitted,
        /// It is not submitted.
        NotSubmitted,
        /// It is submitted: reopen it first.
        Submitted,
        /// A document that was given back is being done a second time.
        RepeatUnderWay,
        /// The project is archived.
        Archived,
        /// It was cancelled.
        Cancelled,
        /// The server stopped before it was done.
        Interrupted,
        /// It is certain to be done, and could not be ended yet.
        Unfinished,
        /// Other things hang on it.
        InUse,
        /// It is the last one, and there has to be one.
        LastOne,
        /// One is a member of the project already.
        AlreadyMember,
        /// It belongs to a member with another role, or who was one before.
        OtherMembership,
        /// Both people have work on the same document.
        BothHaveWork,
        /// The account is disabled.
        AccountDisabled,
        /// There is no second factor yet.
        NoSecondFactor,
        /// It took too long, or was done already.
        Expired,
        /// It is not offered here at present.
        NotOffered,
        /// It is paused.
        Paused,
        /// As many are open as may be at a time.
        TooManyOpen,
        /// Nothing is left.
        NothingLeft,
        /// There is nothing to do it with.
        NothingToDo,
        /// There are as many as there may be.
        LimitReached,
        /// Another one has this name, address or key.
        Taken,
        /// One's second reviews have to be ended first.
        SecondReviewsOpen,
    }
    410 {
        /// It was carried out, and its answer was not kept.
        AnswerGone,
    }
    412 {
        /// It has moved on since the revision in `If-Match`.
        RevisionMovedOn,
    }
    413 {
        /// The request is too large.
        TooLarge,
    }
    415 {
        /// The body is of another kind than is read here.
        UnsupportedBody,
    }
    421 {
        /// The site does not go by this name.
        ForeignHost,
    }
    422 {
        /// Something that was sent is wrong; the words say what.
        Invalid,
        /// Something is missing.
        Missing,
        /// It is not written as it has to be.
        Malformed,
        /// It is none of those that there are.
        Unknown,
        /// It is too short.
        TooShort,
        /// It is too long.
        TooLong,
        /// These are too many.
        TooMany,
        /// It is too small or too large.
        OutOfRange,
        /// It is named twice.
        NamedTwice,
        /// It does not go with the rest.
        Unsuitable,
        /// The password is easy to guess.
        WeakPassword,
        /// A password, code or name that was to be typed is another one.
        WrongProof,
        /// Spans are not as the project's rules for labels want them.
        RulesBroken,
        /// The key was used for another request.
        KeyReused,
        /// Files have errors, which are listed.
        InvalidFiles,
    }
    428 {
        /// `If-Match` is missing.
        RevisionRequired,
    }
    429 {
        /// Too many tries to sign in.
        TooManyAttempts,
        /// Too many requests.
        TooManyRequests,
        /// Too much at the same time.
        TooMuchAtOnce,
    }
    500 {
        /// It broke; the incident number leads to the log.
        Internal,
    }
    503 {
        /// Too many people ask at this moment.
        Busy,
        /// The answer took too long; it may still be carried out.
        TookTooLong,
        /// The server has no storage space left; reading still works.
        StorageFull,
        /// The database cannot be reached or written at this moment; nothing was changed.
        DatabaseUnavailable,
        /// The database failed while it stored the change, which may be there or not.
        OutcomeUnknown,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_code_has_a_name_of_its_own_a_refusing_status_and_words() {
        let names: BTreeSet<_> =
            Code::ALL.iter().map(|code| serde_json::to_string(code).unwrap()).collect();
        assert_eq!(names.len(), Code::ALL.len());
        for code in Code::ALL {
            assert!((400..600).contains(&code.status()), "{code:?}");
            assert!(code.when().ends_with('.'), "{code:?}");
        }
    }
}
