//! Which people or groups of a directory are wanted: conditions that its filters are made of.

use domain::UserId;
use sea_orm::sea_query::{Func, LikeExpr};

use crate::{
    base::{prelude::*, sql::containing},
    entity::{directory_group, directory_member, directory_user, user_account},
};

/// Something that is said of a person or a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Text {
    /// What a person signs in with in the directory.
    UserName,
    /// The address of a person's account.
    Email,
    /// What a person or a group is called.
    DisplayName,
    /// What the directory knows it by.
    ExternalId,
}

/// How a text is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    Equal(String),
    Contains(String),
    Begins(String),
    Ends(String),
    /// There is one.
    Present,
}

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    All(Vec<Wanted>),
    Any(Vec<Wanted>),
    Not(Box<Wanted>),
    Text(Text, Comparison),
    /// The person or group with this id; none for what is no id.
    Id(Option<i64>),
    /// Accounts that may be signed in with, or that may not.
    Active(bool),
    /// Groups that this person is in; none for who is nobody.
    Member(Option<UserId>),
}

/// What a table has for what is said of people or of groups.
pub(super) trait Described {
    /// The column with an id.
    fn id() -> Expr;

    /// What has a text, and what it is compared with, where a comparison does not tell large and small
    /// letters apart.
    fn text(text: Text) -> (Expr, bool);
}

/// People.
pub(super) struct People;

impl Described for People {
    fn id() -> Expr {
        Expr::col((directory_user::Entity, directory_user::Column::UserId))
    }

    fn text(text: Text) -> (Expr, bool) {
        use directory_user::{
            Column::{ExternalId, UserNameKey},
            Entity,
        };
        match text {
            Text::UserName => (Expr::col((Entity, UserNameKey)), true),
            Text::ExternalId => (Expr::col((Entity, ExternalId)), false),
            Text::Email => (Expr::col((user_account::Entity, user_account::Column::Email)), true),
            Text::DisplayName => {
                let name = Expr::col((user_account::Entity, user_account::Column::Name));
                (Func::lower(name).into(), true)
            }
        }
    }
}

/// Groups.
pub(super) struct Groups;

impl Described for Groups {
    fn id() -> Expr {
        Expr::col((directory_group::Entity, directory_group::Column::Id))
    }

    fn text(text: Text) -> (Expr, bool) {
        use directory_group::{
            Column::{ExternalId, NameKey},
            Entity,
        };
        match text {
            Text::ExternalId => (Expr::col((Entity, ExternalId)), false),
            // Groups have one name, and no address.
            Text::DisplayName | Text::UserName | Text::Email => {
                (Expr::col((Entity, NameKey)), true)
            }
        }
    }
}

impl Wanted {
    /// The condition on a table.
    pub(super) fn on<T: Described>(&self) -> Expr {
        match self {
            Self::All(each) => {
                each.iter().map(Self::on::<T>).reduce(ExprTrait::and).unwrap_or_else(|| true.into())
            }
            Self::Any(each) => {
                each.iter().map(Self::on::<T>).reduce(ExprTrait::or).unwrap_or_else(|| false.into())
            }
            Self::Not(inner) => inner.on::<T>().not(),
            Self::Text(text, comparison) => comparison.on(T::text(*text)),
            Self::Id(Some(id)) => T::id().eq(*id),
            Self::Active(is_active) => {
                let disabled_at = (user_account::Entity, user_account::Column::DisabledAt);
                let disabled_at = Expr::col(disabled_at);
                if *is_active { disabled_at.is_null() } else { disabled_at.is_not_null() }
            }
            Self::Member(Some(user)) => {
                let theirs = directory_member::Entity::find()
                    .select_only()
                    .column(directory_member::Column::GroupId)
                    .filter(directory_member::Column::UserId.eq(user.0));
                T::id().in_subquery(theirs.into_query())
            }
            Self::Id(None) | Self::Member(None) => false.into(),
        }
    }
}

impl Comparison {
    fn on(&self, (column, is_folded): (Expr, bool)) -> Expr {
        let folded = |text: &String| if is_folded { text.to_lowercase() } else { text.clone() };
        // What is missing is not equal to anything, and `not` of that holds.
        let column = || column.clone().if_null("");
        let like = |pattern: String| column().like(LikeExpr::new(pattern).escape('!'));
        match self {
            Self::Equal(text) => column().eq(folded(text)),
            Self::Contains(text) => like(containing(&folded(text))),
            Self::Begins(text) => like(containing(&folded(text)).split_off(1)),
            Self::Ends(text) => like(without_last(containing(&folded(text)))),
            Self::Present => column().ne(""),
        }
    }
}

/// A pattern without the `%` at its end.
fn without_last(mut pattern: String) -> String {
    pattern.pop();
    pattern
}
