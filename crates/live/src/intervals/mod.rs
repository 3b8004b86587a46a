//! Intervals that take longer than a request may: resampled one after the other on a thread that
//! may block, remembered, and told to those who look when they are there.

mod at_once;
mod confidence;
mod question;
mod resample;
mod subject;
mod units;
mod wanted;

pub use at_once::AtOnce;
pub use confidence::{confidence_by_formula, interval, is_immediate};
pub use question::{Interest, Question, Settling};
pub(crate) use resample::resample_tables;
pub use resample::{RESAMPLES, resample_counted, resample_many, seed};
pub use subject::{Answering, Subject};
pub(crate) use wanted::Intervals;
