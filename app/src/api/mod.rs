//! Server functions, one file a noun: what our own pages ask of the server. Programs use the
//! REST interface. Each finds who is asking and makes one call into `services`.

pub mod accounts;
pub mod administration;
pub mod agreement;
pub mod alerts;
pub mod annotating;
pub mod comments;
pub mod documents;
pub mod flags;
pub mod focus;
pub mod gold;
pub mod history;
pub mod labels;
pub mod members;
pub mod passkeys;
pub mod projects;
pub mod reasons;
pub mod repeats;
pub mod reviewing;
pub mod rounds;
pub mod rules;
pub mod second_factors;
pub mod second_reviews;
pub mod tokens;
pub mod walking;
pub mod webhooks;
pub mod workload;
