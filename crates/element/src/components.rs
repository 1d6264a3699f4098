//! Components that both elements use.
#![expect(
    unreachable_pub,
    reason = "`#[component]` uses the visibility for an inner function, too"
)]

mod alert;
mod copy_button;
mod dynamic_text;
mod icons;
mod locale_root;
mod logo;
mod skeleton;
mod test_mode;

pub use self::alert::Alert;
pub use self::copy_button::CopyButton;
pub use self::dynamic_text::{DynamicText, dynamic_text, first_text};
pub use self::icons::{CheckIcon, ClockIcon, ClosedIcon, CopyIcon, ExternalIcon, WarningIcon};
pub use self::locale_root::LocaleRoot;
pub use self::logo::Logo;
pub use self::skeleton::Skeleton;
pub use self::test_mode::TestModeBanner;
