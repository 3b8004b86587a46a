//! What people, categories and times are called.

pub(crate) mod moment;
pub(crate) mod naming;
pub(crate) mod time_spent;
