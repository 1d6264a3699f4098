//! What is said of a payment. It comes with the later part of the module.

tender_client::texts! {
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
}
