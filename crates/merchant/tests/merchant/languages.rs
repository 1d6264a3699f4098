//! The languages of the merchant's element.

use tender_merchant::text::Text;

const LOCALES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../payments/locales");
const LOADER: &str = include_str!("../../../payments/src/payments.js");

#[path = "../../../client/tests/shared/languages.rs"]
mod shared;

use shared::{Said, each};

fn all() -> Vec<Said> {
    each(Text::ALL)
}

fn of_loader() -> Vec<Said> {
    each(Text::OF_LOADER)
}
