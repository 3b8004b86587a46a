//! Server functions, one file a noun: what our own pages ask of the server. Programs use the
//! REST interface. Each finds who is asking and makes one call into `services`.

pub mod account;
pub mod agreement;
pub mod document;
pub mod outside;
pub mod project;
pub mod review;
pub mod work;
pub mod workload;
