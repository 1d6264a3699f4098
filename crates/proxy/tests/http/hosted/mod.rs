//! Tests of the payment page that works without JavaScript.

mod address;
mod brand;
pub(crate) mod browser;
mod buy;
mod end;
mod found;
mod refused;
mod test_mode;
mod text_browser;

pub(crate) use self::browser::Browser;
