//! A button that copies one value.

use leptos::prelude::*;
use tender_element::copying::{self, Said};

use crate::text::{Text, say};

/// `label` names what is copied; `value` is what the clipboard gets, digit for digit.
pub(super) fn copy_button(label: String, value: String) -> impl IntoView {
    let said = Said {
        copied: say(Text::Copied),
        failed: say(Text::CopyFailed),
    };
    copying::copy_button(label, value, said)
}
