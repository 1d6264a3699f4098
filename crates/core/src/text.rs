//! What is said: each text with its key, its English, and its places to fill in.
//!
//! English is built in; the files in `locales/` hold the other languages, by the same keys.

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

    Payment = "payment", "Payment";
    SendExactly = "send-exactly", "Send exactly";
    Amount = "amount", "Amount";
    OnNetwork = "on-network", "on {network}";
    InUsDollars = "in-us-dollars", "{amount} US dollars";
    ToWallet = "to-wallet", "To this wallet on {network}";
    OnlyThis = "only-this", "Send only {symbol}, and only on {network}. Anything else may be lost.";
    Rounded = "rounded", "The price is {asked} {symbol}. {symbol} has {decimals} decimal places, so the amount to send is rounded up.";
    CopyAmount = "copy-amount", "Copy amount";
    CopyWallet = "copy-wallet", "Copy wallet address on {network}";
    Copied = "copied", "Copied";
    CopyFailed = "copy-failed", "Select it to copy";
    Status = "status", "Status";
    Invoice = "invoice", "Invoice";
    Price = "price", "Price";
    Date = "date", "Date";
    AlreadySent = "already-sent", "Already sent it?";
    PasteHash = "paste-hash", "Transaction hash";
    PasteHashHint = "paste-hash-hint", "Paste the transaction hash from your wallet to see it in the explorer.";
    HashInvalid = "hash-invalid", "That is not a transaction hash on {network}. It has 64 letters and digits, without spaces.";
    HashInvalidPrefixed = "hash-invalid-prefixed", "That is not a transaction hash on {network}. It begins with 0x and has 64 more letters and digits.";
    YouSent = "you-sent", "You have sent a transaction. There is nothing more to pay; the status will follow.";
    StatusMoved = "status-moved", "The status has changed. If you have already sent the money, do not send it again.";
    Explorer = "explorer", "Open {host}";
    ExplorerTransaction = "explorer-transaction", "See the transaction on {host}";

    QrCode = "qr-code", "QR code";
    QrCodeOfAddress = "qr-code-of-address", "QR code: the wallet address on {network}";
    QrCodeWithAmount = "qr-code-with-amount", "QR code: the wallet address on {network}, and the amount";
    ScanAddress = "scan-address", "Scan with your wallet app, then enter the exact amount.";
    ScanWithAmount = "scan-with-amount", "Scan with your wallet app. The code holds the amount, too.";
    WithAmount = "with-amount", "With amount";
    OpenWallet = "open-wallet", "Open in wallet app";
    CautionCoin = "caution-coin", "Some wallet apps overlook the network in this code. Send only if your app shows exactly {amount} {symbol}, this address and {network}.";
    CautionToken = "caution-token", "Many wallet apps would send to the token's contract instead, and the money would be lost. Send only if your app shows exactly {amount} {symbol}, this address and {network}.";

    PayFromWallet = "pay-from-wallet", "Pay with {wallet}";
    PayFromYourWallet = "pay-from-your-wallet", "Pay with your wallet";
    WalletAsked = "wallet-asked", "Your wallet shows the payment. Confirm it there.";
    WalletBusy = "wallet-busy", "Your wallet has another request open. Answer that one first.";
    WalletNoAccount = "wallet-no-account", "Your wallet did not connect. Unlock it, then try again.";
    WalletWrongNetwork = "wallet-wrong-network", "Your wallet is on another network. Choose {network} in it, then try again.";
    WalletUnclear = "wallet-unclear", "Your wallet did not confirm the payment. See in your wallet whether it was sent before you try again.";
    UseAnother = "use-another", "Use another token";

    Cancel = "cancel", "Cancel payment";
    CancelSure = "cancel-sure", "Cancel this payment? If you have already sent money, do not cancel.";
    CancelYes = "cancel-yes", "Yes, cancel";
    CancelNo = "cancel-no", "Keep it";
    CancelSending = "cancel-sending", "Cancelling…";
    CancelRefused = "cancel-refused", "The payment was not cancelled: it still stands.";
    CancelUnclear = "cancel-unclear", "We could not confirm that the payment was cancelled. Try to cancel it again before you send money.";
    Cancelled = "cancelled", "Payment cancelled";
    CancelledHint = "cancelled-hint", "Do not send money to the wallet of this payment any more. Nothing was charged by this page.";
    StartAgain = "start-again", "Choose again";

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

    LoadFailedTitle = "load-failed-title", "The checkout could not be loaded";
    LoadFailed = "load-failed", "Check your connection, then try again.";
    Unsupported = "unsupported", "It can't run in this browser. Use another browser, or choose another way to pay.";
    CrashedTitle = "crashed-title", "The checkout stopped working";
    Crashed = "crashed", "Reload the page to go on. A payment that you have started is kept.";
    Reload = "reload", "Reload the page";
}

impl Text {
    /// What the loader says, where there is no module to say it: it has the English of its own.
    pub const OF_LOADER: &[Self] = &[
        Self::LoadFailedTitle,
        Self::LoadFailed,
        Self::Unsupported,
        Self::CrashedTitle,
        Self::Crashed,
        Self::TryAgain,
        Self::Reload,
    ];
}
