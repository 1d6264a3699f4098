//! What is said until the buyer has submitted, and where that fails.

tender_client::texts! {
    PayWith = "pay-with", "Pay with";
    Total = "total", "Total";
    AmountIn = "amount-in", "Amount in {symbol}";
    Email = "email", "E-mail";
    Name = "name", "Name";
    Optional = "optional", "optional";
    Pay = "pay", "Pay";
    PayAmount = "pay-amount", "Pay {amount} {symbol}";
    PayIn = "pay-in", "Pay in {symbol}";
    ChooseFirst = "choose-first", "Choose what to pay with. The exact amount comes next.";
    PaySame = "pay-same", "You pay in {other} on {network}. The exact amount comes next.";
    PayEquivalent = "pay-equivalent", "You pay the equivalent of {amount} {symbol} in {other} on {network}. The exact amount comes next.";
    Creating = "creating", "Preparing…";
    Loading = "loading", "Loading the ways to pay…";
    OpenPayment = "open-payment", "Your payment of {amount} {symbol} on {network} still stands. Paying with another token cancels it. If you have already sent the money, go back to that payment.";
    OpenPaymentOutdated = "open-payment-outdated", "The price has changed. Your earlier payment of {amount} {symbol} on {network} is cancelled when you go on: do not send money to it.";
    BackToPayment = "back-to-payment", "Back to the payment";

    ChooseToken = "choose-token", "Choose what to pay with.";
    AmountMissing = "amount-missing", "Enter an amount.";
    AmountInvalid = "amount-invalid", "Enter the amount in digits, like 12.50, without commas or spaces.";
    EmailMissing = "email-missing", "Enter your e-mail address.";
    EmailInvalid = "email-invalid", "Enter your e-mail address, like name@example.com.";
    NameMissing = "name-missing", "Enter your name.";

    NoTokensTitle = "unavailable-title", "Crypto payment is not available right now";
    FailedTitle = "failed-title", "The payment was not started";
    ReplaceFailed = "replace-failed", "Your earlier payment could not be cancelled, so no new one was started. Try again, or go back to it.";
    TryAgain = "try-again", "Try again";
    Back = "back", "Back";
    Unreachable = "unreachable", "We could not reach the payment service. Check your connection, then try again.";
    Timeout = "timeout", "This is taking too long. Try again; you will not be charged twice.";
    ServiceFailed = "service-failed", "The payment service has a problem. Try again in a moment; you will not be charged twice.";
    NoTokens = "no-tokens", "The shop has no way to pay set up here. Please choose another way to pay.";
    OrderRefused = "order-refused", "The shop's order could not be verified. Please contact the shop.";
    OrderExpired = "order-expired", "This order has expired. Load the page again to get a new one.";
    AttemptEnded = "attempt-ended", "This payment was cancelled, maybe in another tab. Go back and choose again.";
    RequestRefused = "request-refused", "The payment service did not accept this payment. Choose another token, or contact the shop.";
}
