//! The proxy's payment page (`/pay`): without scripts, and replaced by the live element.

pub(crate) mod accessible;
mod live;
pub(crate) mod page;
