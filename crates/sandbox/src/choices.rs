//! The sandbox's own choices, where the service's document says "not shown". They say nothing about
//! the real service, so do not rely on them.
//!
//! | what | the document | the sandbox | configured by |
//! |---|---|---|---|
//! | Authentication | not shown | none; or one required header, else 401 | `--require-header` |
//! | Where the parameters of create are sent | not shown, "a JSON body is the natural reading" | a JSON body | |
//! | `Content-Type` of a request | not shown | ignored | |
//! | HTTP status of a success | not shown | 200 | |
//! | Error responses | not shown | 400, 401, 404, 405, 413 with `{"error": {"code", "message", "field"?}}` ([`Refusal`](crate::Refusal)) | a [`Fault`](crate::Fault) |
//! | A field of another type, an upper-case code in a request | not shown | refused | |
//! | Unknown fields and query parameters | not shown | ignored | |
//! | Amount bounds | not shown | above zero, and no result over 128 digits on either side of the point | |
//! | Maximum lengths | not shown | a body of 2 MB | |
//! | Rate limits | not shown | none | |
//! | Optional fields that were not sent, or blank | not shown whether omitted or null | omitted | |
//! | What `token` and `paymentToken` show | upper case, "e.g. a ticker" | the code in upper case: `USDTT` | |
//! | Exchange rates | not shown | fixed demo prices | |
//! | Rounding of `quantityPay` | "up to 8 fractional digits shown" | up, at the 8th digit; no trailing zeros | |
//! | Digits of `priceUsd` | not shown | 2 to 8, rounded up | |
//! | Format of `wallet` | not shown | an address of the network without an owner; free form for `kxp` | |
//! | Day of `createdAt` | not shown in which time zone | in UTC | |
//! | A second payment for the same `invoiceNumber` | not shown | another payment | |
//! | `itemNumber` "0" before the payer sends anything | not shown | `quantity` is required, and `quantityPay` is computed from it as usual | |
//! | `itemNumber` "0" once the payer has sent an amount | "the invoice value is taken from the amount sent" | `quantityPay` is the sum of what was sent, `quantity` and `priceUsd` are converted from it | [`Controls::send`](crate::Controls::send) |
//! | How received money shows in other payments, or in the status | not shown | not at all | [`Controls::set_status`](crate::Controls::set_status) |
//! | Statuses other than "1" Created | not shown | only the one after cancel | [`Controls::set_status`](crate::Controls::set_status) |
//! | Where `page` is sent | not shown | in the query string | |
//! | First page, and the default of `page` | not shown | 1 | `--first-page` |
//! | A page past the end; below the first, or not a number | not shown | an empty array; 400 | |
//! | Order of payments | "the first page holds the last 20 payments" | the newest first throughout | |
//! | The array in the response of cancel | relation not shown | the payment as it was before the call | |
//! | Status after cancel | not shown | "3" Cancelled, whatever it was before | `--cancelled-status` |
//! | Cancel of an unknown payment | not shown | 404 | |
//! | Cancel of a cancelled payment | not shown | 200, nothing changes | |
//! | Payload of the notification | not shown, "carries the `invoiceNumber`" | `POST` of the payment record as JSON, without a signature | |
//! | Delivery of the notification | not shown | once, in the background, 10 seconds at most, redirects not followed; a failure is logged and has no other effect | |
//! | How the webhook is configured | not shown | at startup or by a control | `--webhook`, [`Controls::set_webhook`](crate::Controls::set_webhook) |
//! | Tokens beyond the accepted codes | "for example a native Ethereum coin code" | `eth`, `usdc`, `usdtb` | [`Controls::replace_tokens`](crate::Controls::replace_tokens) |
//! | Network codes, identifiers, images, and all of KXP's network | not shown | made up, stable | |
//! | A caller that disconnects | not shown | its call is still handled | |
