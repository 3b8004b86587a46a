//! Who may come in, and by what.

pub mod administration;
pub mod devices;
pub mod invitations;
pub mod passkeys;
pub mod password_resets;
pub mod second_factors;
pub mod sessions;
pub mod sign_in_failures;
pub mod tokens;
pub mod used_challenges;
pub mod users;
