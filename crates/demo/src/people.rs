//! The demo's people.

use chrono::{DateTime, Utc};
use domain::{DemoSignIn, UserId};
use rand::Rng;
use services::{
    Error, Result,
    account::passwords::{NOBODYS, Passwords},
};
use store::Store;

/// The demo's people, by what they do.
pub(super) struct People {
    pub(super) manager: UserId,
    pub(super) labelers: Vec<UserId>,
    pub(super) reviewer: UserId,
}

const MANAGER_NAME: &str = "Manager";
const MANAGER: [&str; 3] = ["manager@demo.example", MANAGER_NAME, "manages both projects"];
const REVIEWER: [&str; 3] = ["reviewer@demo.example", "Reviewer", "reviews both projects"];
const LABELERS: [[&str; 3]; 6] = [
    ["labeler-a@demo.example", "Labeler A", "labels in both projects"],
    ["labeler-b@demo.example", "Labeler B", "labels in both projects"],
    ["labeler-c@demo.example", "Labeler C", "labels the classics, nearly done"],
    ["labeler-d@demo.example", "Labeler D", "labels the classics, nearly done"],
    ["labeler-e@demo.example", "Labeler E", "labels the classics, half-way"],
    ["labeler-f@demo.example", "Labeler F", "labels the classics, fast and careless"],
];

/// What passwords are made of: no letters or digits that look like others.
const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// Creates the people who are missing, and gives all of them passwords of this run.
pub(super) async fn prepare(
    store: &Store,
    now: DateTime<Utc>,
) -> Result<(People, Vec<DemoSignIn>)> {
    let passwords = Passwords::default();
    let all = [MANAGER].into_iter().chain(LABELERS).chain([REVIEWER]);
    let sign_ins: Vec<DemoSignIn> = all
        .map(|[email, name, description]| DemoSignIn {
            email: email.to_owned(),
            password: password(),
            name: name.to_owned(),
            description: description.to_owned(),
        })
        .collect();
    let hashes = sign_ins.iter().map(|sign_in| passwords.hash(sign_in.password.clone()));
    let hashes = futures::future::try_join_all(hashes).await?;

    let tx = store.begin().await?;
    let mut users = Vec::with_capacity(sign_ins.len());
    for (sign_in, hash) in sign_ins.iter().zip(&hashes) {
        let known = store::account::users::find_by_email(&tx, &sign_in.email).await?;
        if let Some(known) = known {
            store::account::users::set_password(&tx, known.user.id, hash).await?;
            users.push(known.user.id);
        } else {
            let manages = sign_in.name == MANAGER_NAME;
            let (email, name) = (&sign_in.email, &sign_in.name);
            users.push(store::account::users::create(&tx, email, name, hash, manages, now).await?);
        }
    }
    store::account::users::set_demo(&tx, &users).await?;
    tx.commit().await?;
    let people = match users.as_slice() {
        [manager, labelers @ .., reviewer] => {
            People { manager: *manager, labelers: labelers.to_vec(), reviewer: *reviewer }
        }
        _ => return Err(Error::broken("the demo has no people")),
    };
    Ok((people, sign_ins))
}

/// Creates labelers until there are so many; nobody can sign in as one of those.
pub(super) async fn add_labelers(
    store: &Store,
    people: &mut People,
    wanted: usize,
    now: DateTime<Utc>,
) -> Result<()> {
    let tx = store.begin().await?;
    for number in people.labelers.len() + 1..=wanted {
        let email = format!("labeler-{number}@demo.example");
        let known = store::account::users::find_by_email(&tx, &email).await?;
        let id = if let Some(known) = known {
            known.user.id
        } else {
            let name = format!("Labeler {number}");
            store::account::users::create(&tx, &email, &name, NOBODYS, false, now).await?
        };
        people.labelers.push(id);
    }
    store::account::users::set_demo(&tx, &people.labelers).await?;
    Ok(tx.commit().await?)
}

/// Gives the demo's people passwords that nobody has, and ends what their old ones have opened.
pub(super) async fn lock(store: &Store) -> Result<()> {
    let tx = store.begin().await?;
    store::account::users::lock_demo(&tx, NOBODYS).await?;
    Ok(tx.commit().await?)
}

/// Sixteen random characters, 80 bits, in groups that can be typed.
fn password() -> String {
    let mut random = rand::rng();
    let groups: Vec<String> = std::iter::repeat_with(|| {
        std::iter::repeat_with(|| {
            let index = random.random_range(0..ALPHABET.len());
            ALPHABET.get(index).copied().map_or('a', char::from)
        })
        .take(4)
        .collect()
    })
    .take(4)
    .collect();
    groups.join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_long_legible_and_never_the_same() {
        let (first, second) = (password(), password());
        assert_ne!(first, second);
        assert_eq!(first.len(), 19);
        assert!(first.split('-').all(|group| group.len() == 4), "{first}");
        domain::check_password(&first, "manager@demo.example").unwrap();
    }
}
