//! Which people or groups of a directory are wanted: conditions that its filters are made of.

use domain::UserId;
use sea_orm::sea_query::Func;

use crate::{
    base::prelude::*,
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

    /// What has a text, and how it is compared with others.
    fn text(text: Text) -> (Expr, Fold);
}

/// How a comparison tells large letters from small ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fold {
    /// It does.
    None,
    /// What is there is in small letters.
    Stored,
    /// As the engine does, which for SQLite is in ASCII only: on both sides, so that what is the same stays so.
    Engine,
}

impl Fold {
    /// What a column is compared with.
    fn of(self, text: &str) -> Expr {
        match self {
            Self::None => Expr::val(text),
            Self::Stored => Expr::val(text.to_lowercase()),
            Self::Engine => Func::lower(Expr::val(text)).into(),
        }
    }
}

/// People.
pub(super) struct People;

impl Described for People {
    fn id() -> Expr {
        Expr::col((directory_user::Entity, directory_user::Column::UserId))
    }

    fn text(text: Text) -> (Expr, Fold) {
        use directory_user::{
            Column::{ExternalId, UserNameKey},
            Entity,
        };
        match text {
            Text::UserName => (Expr::col((Entity, UserNameKey)), Fold::Stored),
            Text::ExternalId => (Expr::col((Entity, ExternalId)), Fold::None),
            Text::Email => {
                (Expr::col((user_account::Entity, user_account::Column::Email)), Fold::Stored)
            }
            Text::DisplayName => {
                let name = Expr::col((user_account::Entity, user_account::Column::Name));
                (Func::lower(name).into(), Fold::Engine)
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

    fn text(text: Text) -> (Expr, Fold) {
        use directory_group::{
            Column::{ExternalId, NameKey},
            Entity,
        };
        match text {
            Text::ExternalId => (Expr::col((Entity, ExternalId)), Fold::None),
            // Groups have one name, and no address.
            Text::DisplayName | Text::UserName | Text::Email => {
                (Expr::col((Entity, NameKey)), Fold::Stored)
            }
        }
    }
}

impl Wanted {
    /// How many conditions it is made of, itself among them.
    pub fn conditions(&self) -> usize {
        match self {
            Self::All(each) | Self::Any(each) => {
                1 + each.iter().map(Self::conditions).sum::<usize>()
            }
            Self::Not(inner) => 1 + inner.conditions(),
            Self::Text(..) | Self::Id(_) | Self::Active(_) | Self::Member(_) => 1,
        }
    }

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
    fn on(&self, (column, fold): (Expr, Fold)) -> Expr {
        // What is missing is not equal to anything, and `not` of that holds.
        let column = column.if_null("");
        let part = |from: Expr, length: Expr| -> Expr {
            Func::cust("substr").args([column.clone(), from, length]).into()
        };
        let length = |text: Expr| -> Expr { Func::char_length(text).into() };
        match self {
            Self::Equal(text) => column.eq(fold.of(text)),
            Self::Contains(text) | Self::Begins(text) | Self::Ends(text) if text.is_empty() => {
                true.into()
            }
            // Not `like`, which SQLite does not have tell large letters from small ones.
            Self::Contains(text) => {
                let without =
                    Func::cust("replace").args([column.clone(), fold.of(text), Expr::val("")]);
                column.ne(without)
            }
            Self::Begins(text) => part(Expr::val(1), length(fold.of(text))).eq(fold.of(text)),
            Self::Ends(text) => {
                let own = length(fold.of(text));
                let from = length(column.clone()).sub(own.clone()).add(1);
                // Of what is shorter, this is shorter, too.
                part(from, own).eq(fold.of(text))
            }
            Self::Present => column.ne(""),
        }
    }
}
