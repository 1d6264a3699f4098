//! A button that copies one value.

use tender_element::copying::{self, Said};
use tender_element::dom::El;

use crate::text::payment::Text;
use crate::text::say;

/// `label` names what is copied; `value` is what the clipboard gets, digit for digit.
pub(super) fn copy_button(label: &str, value: String) -> El {
    let said = Said {
        copied: say(Text::Copied),
        failed: say(Text::CopyFailed),
    };
    copying::copy_button(label, value, said)
}
