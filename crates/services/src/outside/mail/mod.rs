//! Mail: what people are written of, when it is sent, and who wants it.

mod client;
mod connection;
mod deliver;
mod letter;
mod letters;
mod log;
mod settings;
mod trial;
mod unsubscribe;
mod week;

pub(crate) use deliver::deliver_regularly;
pub use deliver::{deliver_due, summarize_due};
pub use log::load_log;
pub use settings::{MailServer, MailSettings, Sender};
pub use trial::send_test;
pub use unsubscribe::{choose, load_choices, load_subscription, unsubscribe};
