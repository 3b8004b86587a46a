//! Who is there, as a directory says it: `/scim/v2`. What a person's own account is, no program is offered.

pub(crate) mod scim;
