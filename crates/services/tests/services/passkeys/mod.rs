//! Passkeys: making them, signing in with them, and everything that is refused.

mod device;

use chrono::TimeDelta;
use domain::{Actor, Code, Error as Refusal, MOST_PASSKEYS, PasskeyRequest};
use services::{
    Client, NewSession, Result, ServerKey, Services, Settings,
    account::{self, MadePasskey, RelyingParty, SetUp, SignedIn},
};

use self::device::{Device, options, with};
use crate::house::{House, PASSWORD, houses, invalid_field, new_account, refused};

fn party() -> RelyingParty {
    RelyingParty::at(device::ORIGIN).unwrap()
}

/// Somebody who is signed in.
struct Owner<'house> {
    house: &'house House,
    actor: Actor,
    email: String,
    client: Client,
}

async fn owner<'house>(house: &'house House, name: &str) -> Owner<'house> {
    let account = new_account(name);
    let email = account.email.clone();
    account::add_user(&house.services, account, false).await.unwrap();
    let client = Client::LOCAL;
    let signed_in =
        crate::house::sign_in(&house.services, &client, &email, PASSWORD.to_owned()).await.unwrap();
    let actor = account::actor_of(&house.services, &signed_in.token).await.unwrap();
    Owner { house, actor, email, client }
}

impl Owner<'_> {
    async fn begin(&self, present: &str) -> Result<PasskeyRequest> {
        let (services, party) = (&self.house.services, party());
        let present = present.to_owned();
        account::begin_passkey(services, &self.actor, &self.client, Some(&party), present).await
    }

    async fn add(&self, name: &str, state: &str, answer: &str) -> Result<SetUp> {
        let (services, party) = (&self.house.services, party());
        let (actor, client) = (&self.actor, &self.client);
        let [name, state, answer] = [name, state, answer].map(str::to_owned);
        let made = MadePasskey { name, state, answer };
        account::add_passkey(services, actor, client, Some(&party), made).await
    }

    /// Makes a passkey in this device.
    async fn make(&self, device: &mut Device) {
        let asked = self.begin(PASSWORD).await.unwrap();
        let made = device.make(&asked);
        self.add("Key", &asked.state, &made).await.unwrap();
    }

    async fn passkeys(&self) -> Vec<domain::OwnPasskey> {
        let own = account::load_own(&self.house.services, &self.actor, None).await.unwrap();
        own.second_factors.passkeys
    }
}

async fn ask(house: &House) -> PasskeyRequest {
    account::begin_passkey_sign_in(&house.services, Some(&party())).await.unwrap()
}

async fn answer(house: &House, state: &str, answer: &str) -> Result<NewSession> {
    let party = party();
    let (services, client) = (&house.services, &Client::LOCAL);
    account::sign_in_with_passkey(services, client, Some(&party), state, answer).await
}

/// Signs in with what this device answers.
async fn sign_in(house: &House, device: &mut Device) -> Result<NewSession> {
    let asked = ask(house).await;
    let said = device.answer(&asked);
    answer(house, &asked.state, &said).await
}

/// What the trail says of events of this kind.
async fn noted(house: &House, event: &str) -> Vec<String> {
    let all = store::outside::audit::Filter::default();
    let rows = store::outside::audit::list(&*house.store, None, &all, 100).await.unwrap();
    rows.into_iter().filter(|row| row.event == event).map(|row| row.detail).collect()
}

fn wrong() -> Refusal {
    Code::UnknownPasskey.because("no account here has this passkey")
}

#[tokio::test]
async fn a_passkey_opens_the_account_that_it_was_made_for_without_a_password() {
    for house in houses().await {
        let (ann, ben) = (owner(&house, "ann").await, owner(&house, "ben").await);
        let (mut hers, mut his) = (Device::new(1), Device::new(2));
        ann.make(&mut hers).await;
        ben.make(&mut his).await;
        for (owner, device) in [(&ann, &mut hers), (&ben, &mut his)] {
            house.pass(TimeDelta::minutes(1));
            let session = sign_in(&house, device).await.unwrap();
            let actor = account::actor_of(&house.services, &session.token).await.unwrap();
            assert_eq!(actor, owner.actor);
            let shown = owner.passkeys().await;
            assert_eq!(shown.len(), 1);
            assert_eq!(shown[0].last_used_at, Some(house.now()));
        }
        assert_eq!(noted(&house, "add passkey").await.len(), 2);
        assert_eq!(noted(&house, "sign in").await.len(), 4);
    }
}

#[tokio::test]
async fn a_browser_is_asked_for_a_key_that_says_who_is_there() {
    for house in houses().await {
        let ann = owner(&house, "ann").await;
        let mut device = Device::new(1);
        let first = options(&ann.begin(PASSWORD).await.unwrap());
        assert_eq!(
            first["rp"],
            serde_json::json!({ "id": "concord.example.org", "name": "Concord" })
        );
        assert_eq!(first["user"]["name"], ann.email);
        assert_eq!(first["authenticatorSelection"]["residentKey"], "required");
        assert_eq!(first["authenticatorSelection"]["userVerification"], "required");
        assert_eq!(first["extensions"]["enforceCredentialProtectionPolicy"], false);
        ann.make(&mut device).await;
        let second = options(&ann.begin(PASSWORD).await.unwrap());
        assert_eq!(second["user"]["id"], device.handle, "a person is one person to a device");
        assert_eq!(second["excludeCredentials"].as_array().unwrap().len(), 1);
        let asked = options(&ask(&house).await);
        assert_eq!(asked["userVerification"], "required");
        assert_eq!(asked["rpId"], "concord.example.org");
        assert_eq!(asked["allowCredentials"], serde_json::json!([]), "nobody is named");
        assert_ne!(asked["challenge"], options(&ask(&house).await)["challenge"]);
    }
}

#[tokio::test]
async fn an_answer_is_taken_once() {
    for house in houses().await {
        let ann = owner(&house, "ann").await;
        let mut device = Device { counts: false, ..Device::new(1) };
        let asked = ann.begin(PASSWORD).await.unwrap();
        let made = device.make(&asked);
        ann.add("Key", &asked.state, &made).await.unwrap();
        assert_eq!(invalid_field(ann.add("Key", &asked.state, &made).await), "state");
        let asked = ann.begin(PASSWORD).await.unwrap();
        let made = device.make(&asked);
        let twice = ann.add("Key", &asked.state, &made).await;
        assert_eq!(invalid_field(twice), "answer", "the same passkey for another question");
        assert_eq!(ann.passkeys().await.len(), 1);

        let asked = ask(&house).await;
        let said = device.answer(&asked);
        answer(&house, &asked.state, &said).await.unwrap();
        assert_eq!(invalid_field(answer(&house, &asked.state, &said).await), "state");
        sign_in(&house, &mut device).await.unwrap();
    }
}

#[tokio::test]
async fn an_answer_that_is_not_the_keys_own_for_this_site_and_question_is_refused() {
    for house in houses().await {
        let (ann, ben) = (owner(&house, "ann").await, owner(&house, "ben").await);
        let (mut hers, mut his) = (Device::new(1), Device::new(2));
        ann.make(&mut hers).await;
        ben.make(&mut his).await;
        let others = [
            ("another site's page", Device { origin: "https://evil.example", ..hers.clone() }),
            ("http", Device { origin: "http://concord.example.org", ..hers.clone() }),
            ("another port", Device { origin: "https://concord.example.org:444", ..hers.clone() }),
            (
                "a part of the site",
                Device { origin: "https://a.concord.example.org", ..hers.clone() },
            ),
            ("a key for another site", Device { rp_id: Some("evil.example"), ..hers.clone() }),
            ("nobody was seen", Device { is_verified: false, ..hers.clone() }),
            ("somebody else's name", Device { handle: his.handle.clone(), ..hers.clone() }),
            ("somebody else's key", Device { id: his.id.clone(), ..hers.clone() }),
            ("a key that nobody knows", Device { handle: hers.handle.clone(), ..Device::new(3) }),
        ];
        for (what, mut device) in others {
            assert_eq!(refused(sign_in(&house, &mut device).await), wrong(), "{what}");
            house.pass(TimeDelta::hours(1));
        }
        for (part, at) in [("signature", 40), ("authenticatorData", 33), ("authenticatorData", 36)]
        {
            let asked = ask(&house).await;
            let said = with(&hers.answer(&asked), part, |bytes| bytes[at] ^= 1);
            assert_eq!(refused(answer(&house, &asked.state, &said).await), wrong(), "{part} {at}");
            house.pass(TimeDelta::hours(1));
        }
        let (one, other) = (ask(&house).await, ask(&house).await);
        let said = hers.answer(&one);
        assert_eq!(refused(answer(&house, &other.state, &said).await), wrong());
        house.pass(TimeDelta::hours(1));
        sign_in(&house, &mut hers).await.unwrap();
    }
}

#[tokio::test]
async fn a_question_is_good_for_five_minutes_and_for_what_was_asked() {
    for house in houses().await {
        let (ann, ben) = (owner(&house, "ann").await, owner(&house, "ben").await);
        let mut device = Device::new(1);
        ann.make(&mut device).await;

        let asked = ask(&house).await;
        house.pass(TimeDelta::minutes(5));
        let late = device.answer(&asked);
        assert_eq!(invalid_field(answer(&house, &asked.state, &late).await), "state");
        let asked = ask(&house).await;
        house.pass(TimeDelta::seconds(299));
        let said = device.answer(&asked);
        answer(&house, &asked.state, &said).await.unwrap();

        let mut new = Device::new(2);
        let asked = ann.begin(PASSWORD).await.unwrap();
        let made = new.make(&asked);
        assert_eq!(invalid_field(ben.add("Key", &asked.state, &made).await), "state");
        assert_eq!(invalid_field(answer(&house, &asked.state, &made).await), "state");
        let to_sign_in = ask(&house).await;
        assert_eq!(invalid_field(ann.add("Key", &to_sign_in.state, &made).await), "state");
        for nothing in ["", "v1.", "v1.AAAA"] {
            assert_eq!(invalid_field(ann.add("Key", nothing, &made).await), "state");
            assert_eq!(invalid_field(answer(&house, nothing, &made).await), "state");
        }
        house.pass(TimeDelta::minutes(5));
        assert_eq!(invalid_field(ann.add("Key", &asked.state, &made).await), "state");
        assert_eq!(ann.passkeys().await.len(), 1);
    }
}

#[tokio::test]
async fn a_new_passkey_is_for_this_site_and_says_who_is_there() {
    for house in houses().await {
        let ann = owner(&house, "ann").await;
        let plain = Device::new(1);
        for mut device in [
            Device { origin: "https://evil.example", ..plain.clone() },
            Device { rp_id: Some("evil.example"), ..plain.clone() },
            Device { is_verified: false, ..plain.clone() },
        ] {
            let asked = ann.begin(PASSWORD).await.unwrap();
            let made = device.make(&asked);
            assert_eq!(invalid_field(ann.add("Key", &asked.state, &made).await), "answer");
        }
        let asked = ann.begin(PASSWORD).await.unwrap();
        let made = plain.clone().make(&asked);
        for other in ["", "{}", "[", &made[1..], "null"] {
            assert_eq!(invalid_field(ann.add("Key", &asked.state, other).await), "answer");
        }
        assert_eq!(ann.passkeys().await, []);
        ann.add("Key", &asked.state, &made).await.unwrap();
    }
}

#[tokio::test]
async fn a_counter_that_goes_back_is_refused_and_noted() {
    for house in houses().await {
        let ann = owner(&house, "ann").await;
        let mut device = Device::new(1);
        ann.make(&mut device).await;
        let mut assignment = device.clone();
        sign_in(&house, &mut device).await.unwrap();
        sign_in(&house, &mut device).await.unwrap();
        assert_eq!(refused(sign_in(&house, &mut assignment).await), wrong());
        house.services.note_refusals().await.unwrap();
        let [refusal] = noted(&house, "refuse sign-in").await.try_into().unwrap();
        assert!(refusal.contains("the counter of a passkey went back"), "{refusal}");
        sign_in(&house, &mut device).await.unwrap();
    }
}

#[tokio::test]
async fn whoever_is_kept_out_is_told_what_everybody_is() {
    for house in houses().await {
        let ann = owner(&house, "ann").await;
        let mut device = Device::new(1);
        ann.make(&mut device).await;
        let id = ann.actor.person().unwrap().id;
        let disable = async |since| {
            let tx = house.store.begin().await.unwrap();
            store::account::administration::set_disabled(&tx, id, since).await.unwrap();
            tx.commit().await.unwrap();
        };
        disable(Some(house.now())).await;
        assert_eq!(refused(sign_in(&house, &mut device).await), wrong());
        disable(None).await;
        sign_in(&house, &mut device).await.unwrap();

        let [passkey] = ann.passkeys().await.try_into().unwrap();
        let remove = async |present: &str| {
            let (actor, client, present) = (&ann.actor, &ann.client, present.to_owned());
            let id = passkey.id;
            account::remove_passkey(&house.services, actor, client, id, present).await
        };
        assert_eq!(invalid_field(remove("wrong password").await), "present");
        remove(PASSWORD).await.unwrap();
        assert_eq!(refused(remove(PASSWORD).await), Refusal::NotFound);
        assert_eq!(refused(sign_in(&house, &mut device).await), wrong());
        assert_eq!(noted(&house, "remove passkey").await.len(), 1);

        let mut other = Device::new(2);
        ann.make(&mut other).await;
        let tx = house.store.begin().await.unwrap();
        store::account::administration::delete(&tx, id).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(refused(sign_in(&house, &mut other).await), wrong());
    }
}

#[tokio::test]
async fn nobody_removes_the_passkey_of_another() {
    for house in houses().await {
        let (ann, ben) = (owner(&house, "ann").await, owner(&house, "ben").await);
        let mut device = Device::new(1);
        ann.make(&mut device).await;
        let [passkey] = ann.passkeys().await.try_into().unwrap();
        let (services, client) = (&house.services, &ben.client);
        let present = PASSWORD.to_owned();
        let removed =
            account::remove_passkey(services, &ben.actor, client, passkey.id, present).await;
        assert_eq!(refused(removed), Refusal::NotFound);
        sign_in(&house, &mut device).await.unwrap();
    }
}

#[tokio::test]
async fn a_passkey_is_made_by_its_owner_with_the_password_at_a_site_with_a_name() {
    for house in houses().await {
        let ann = owner(&house, "ann").await;
        assert_eq!(invalid_field(ann.begin("wrong password").await), "present");
        let services = &house.services;
        let begin = async |actor: &Actor, party: Option<&RelyingParty>| {
            let present = PASSWORD.to_owned();
            account::begin_passkey(services, actor, &ann.client, party, present).await
        };
        assert_eq!(
            refused(begin(&Actor::Anonymous, Some(&party())).await),
            Refusal::SignInRequired
        );
        assert!(matches!(refused(begin(&ann.actor, None).await), Refusal::Conflict(_)));
        let none = account::begin_passkey_sign_in(services, None).await;
        assert!(matches!(refused(none), Refusal::Conflict(_)));

        let too_many = u8::try_from(MOST_PASSKEYS).unwrap();
        for seed in 1..=too_many {
            ann.make(&mut Device::new(seed)).await;
        }
        assert_eq!(invalid_field(ann.begin(PASSWORD).await), "name");
        assert_eq!(ann.passkeys().await.len(), MOST_PASSKEYS);
    }
}

#[tokio::test]
async fn tries_from_one_place_are_limited_and_a_known_browser_is_not_kept_out() {
    for house in houses().await {
        let ann = owner(&house, "ann").await;
        let mut device = Device::new(1);
        ann.make(&mut device).await;
        let known = Client {
            device: Some(sign_in(&house, &mut device).await.unwrap().device),
            ..Client::LOCAL
        };
        let mut thief = Device { is_verified: false, ..device.clone() };
        let mut last = wrong();
        for _ in 0..10 {
            last = refused(sign_in(&house, &mut thief).await);
        }
        assert!(matches!(last, Refusal::TooManyAttempts { .. }));
        let asked = ask(&house).await;
        let said = device.answer(&asked);
        let (services, party) = (&house.services, party());
        let signed_in =
            account::sign_in_with_passkey(services, &known, Some(&party), &asked.state, &said);
        signed_in.await.unwrap();
    }
}

#[tokio::test]
async fn a_passkey_is_a_second_factor_until_the_last_is_removed() {
    for house in houses().await {
        let ann = owner(&house, "ann").await;
        let mut device = Device::new(1);
        let by_password = async || {
            let password = PASSWORD.to_owned();
            let client = &ann.client;
            account::sign_in(&house.services, client, &ann.email, password).await.unwrap()
        };
        assert!(by_password().await.session().is_some());
        let asked = ann.begin(PASSWORD).await.unwrap();
        let made = device.make(&asked);
        let added = ann.add("Key", &asked.state, &made).await.unwrap();
        assert_eq!(added.recovery_codes.len(), 10);
        assert!(added.session.is_none());
        let SignedIn::Further(step) = by_password().await else { panic!("a second step") };
        let halfway = Client { step: Some(step.token), ..Client::LOCAL };
        let missing = account::load_step(&house.services, &halfway).await.unwrap();
        assert!(missing.has_passkey && !missing.has_app && !missing.sets_up);
        sign_in(&house, &mut device).await.unwrap();

        let mut second = Device::new(2);
        ann.make(&mut second).await;
        for (left, is_enough) in [(1, false), (0, true)] {
            let id = ann.passkeys().await[0].id;
            let (actor, client, present) = (&ann.actor, &ann.client, PASSWORD.to_owned());
            let removed =
                account::remove_passkey(&house.services, actor, client, id, present).await;
            removed.unwrap();
            assert_eq!(ann.passkeys().await.len(), left);
            assert_eq!(by_password().await.session().is_some(), is_enough);
        }
        ann.make(&mut device).await;
        account::remove_second_factors_of(&house.services, &ann.email).await.unwrap();
        assert!(by_password().await.session().is_some());
        assert_eq!(refused(sign_in(&house, &mut device).await), wrong());
    }
}

#[tokio::test]
async fn a_strict_server_lets_somebody_in_with_the_passkey_that_they_make() {
    for house in houses().await {
        let settings = Settings { requires_second_factor: true, ..Settings::default() };
        let (key, clock) = (ServerKey::from([7; 32]), house.clock());
        let services = Services::with(house.store.clone(), clock, None, key, settings);
        let account = new_account("ann");
        let email = account.email.clone();
        account::add_user(&services, account, false).await.unwrap();
        let signed_in =
            account::sign_in(&services, &Client::LOCAL, &email, PASSWORD.to_owned()).await;
        let SignedIn::Further(step) = signed_in.unwrap() else { panic!("a second step") };
        let halfway = Client { step: Some(step.token), ..Client::LOCAL };
        let (nobody, party, mut device) = (Actor::Anonymous, party(), Device::new(1));
        let asked =
            account::begin_passkey(&services, &nobody, &halfway, Some(&party), String::new());
        let asked = asked.await.unwrap();
        let made =
            MadePasskey { name: String::new(), answer: device.make(&asked), state: asked.state };
        let added =
            account::add_passkey(&services, &nobody, &halfway, Some(&party), made).await.unwrap();
        let session = added.session.unwrap().token;
        let ann = account::actor_of(&services, &session).await.unwrap();
        let own = account::load_own(&services, &ann, Some(&session)).await.unwrap();
        let [passkey] = own.second_factors.passkeys.try_into().unwrap();
        assert_eq!(passkey.name, "Passkey");

        let again =
            account::begin_passkey(&services, &nobody, &halfway, Some(&party), String::new());
        assert_eq!(refused(again.await), Refusal::SignInRequired, "with one, it is used first");
        let present = PASSWORD.to_owned();
        let client = Client { session: Some(session), ..Client::LOCAL };
        let last = account::remove_passkey(&services, &ann, &client, passkey.id, present).await;
        assert!(matches!(refused(last), Refusal::Conflict(_)));
    }
}
