//! Mail: what was sent, for administrators; what one wants, and wanting no more of it.

mod choices;
mod log;
mod unsubscribe;

pub(crate) use choices::MailChoicesPage;
pub(crate) use log::MailPage;
pub(crate) use unsubscribe::UnsubscribePage;
