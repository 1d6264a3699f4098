//! What the buyer reads about a failure.

use tender_checkout_core::FailureCode;

use crate::text::Text;

/// The sentence for a failure.
pub(super) fn failure_text(code: FailureCode) -> Text {
    match code {
        FailureCode::Unreachable => Text::Unreachable,
        FailureCode::Timeout => Text::Timeout,
        FailureCode::ServiceFailed | FailureCode::AnswerUnreadable => Text::ServiceFailed,
        FailureCode::NoTokens => Text::NoTokens,
        FailureCode::OrderRefused | FailureCode::ConfigInvalid => Text::OrderRefused,
        FailureCode::OrderExpired => Text::OrderExpired,
        FailureCode::AttemptEnded => Text::AttemptEnded,
        FailureCode::MayBePaid => Text::MayBePaid,
        FailureCode::PaymentOpen => Text::OpenElsewhere,
        FailureCode::EarlierPaymentOpen => Text::EarlierUnclear,
        FailureCode::RequestRefused => Text::RequestRefused,
        FailureCode::RecordMismatch => Text::RecordMismatch,
    }
}
