//! What is said: each text with its key, its English, and its places to fill in.
//!
//! English is built in; the files in `crates/payments/locales/` hold the other languages, by the same keys.

tender_client::texts! {
    Payments = "payments", "Payments";
    Loading = "loading", "Loading the payments…";
    Refresh = "refresh", "Refresh";
    TryAgain = "try-again", "Try again";
    Empty = "empty", "No payments yet";
    EmptyHint = "empty-hint", "A payment appears here as soon as a buyer has chosen how to pay.";

    KeyTitle = "key-title", "Merchant key";
    KeyHint = "key-hint", "It is kept for this tab only, and sent to your proxy and nowhere else.";
    KeyRefused = "key-refused", "The proxy did not accept this key. Check it, or sign in to the shop again.";
    KeyUnfit = "key-unfit", "Enter the key as the proxy's operator gave it: without spaces.";
    KeyOpen = "key-open", "Show the payments";
    KeyForget = "key-forget", "Forget the key";
    LoggedOut = "logged-out", "Your login has ended";
    LoggedOutHint = "logged-out-hint", "Reload the page to log in to the shop again.";

    Invoice = "invoice", "Invoice";
    Buyer = "buyer", "Buyer";
    Price = "price", "Price";
    ToPay = "to-pay", "To pay";
    UsDollars = "us-dollars", "US dollars";
    Status = "status", "Status";
    Date = "date", "Date";
    Wallet = "wallet", "Wallet";
    Transaction = "transaction", "Transaction ID";
    Items = "items", "Items";
    Actions = "actions", "Actions";
    CopyWallet = "copy-wallet", "Copy the wallet of {invoice}";
    CopyTransaction = "copy-transaction", "Copy the transaction ID of {invoice}";
    Copied = "copied", "Copied";
    CopyFailed = "copy-failed", "Select it to copy";
    NoInvoice = "no-invoice", "without an invoice number";

    Search = "search", "Search";
    SearchHint = "search-hint", "Searches the {count} payments that are loaded.";
    SearchHintOne = "search-hint-one", "Searches the one payment that is loaded.";
    StatusAll = "status-all", "All statuses";
    Found = "found", "{found} of {count} loaded payments";
    FoundOne = "found-one", "The one payment that is loaded matches.";
    NothingFound = "nothing-found", "None of the {count} loaded payments matches.";
    NothingFoundOne = "nothing-found-one", "The one payment that is loaded does not match.";
    SearchOlder = "search-older", "Search older payments";
    Searching = "searching", "Searched {pages} more pages…";
    SearchingOne = "searching-one", "Searched one more page…";
    Stop = "stop", "Stop";
    SearchedInVain = "searched-in-vain", "Searched {pages} more pages without a match.";
    SearchedInVainOne = "searched-in-vain-one", "Searched one more page without a match.";
    SearchedAll = "searched-all", "All payments are loaded.";
    Export = "export", "Export {count} as CSV";

    Pages = "pages", "Pages";
    Table = "table", "Table of payments";
    Page = "page", "Page {page}";
    Newer = "newer", "Newer";
    Older = "older", "Older";
    ReadingOlder = "reading-older", "Loading older payments…";
    NewPayments = "new-payments", "Show {count} new";
    NewPaymentsOne = "new-payments-one", "Show the new payment";
    Unreadable = "unreadable", "{count} records can't be read and are not shown.";
    UnreadableOne = "unreadable-one", "One record can't be read and is not shown.";

    Select = "select", "Select {invoice}";
    SelectAll = "select-all", "Select all on this page";
    CancelOne = "cancel-one", "Cancel {invoice}";
    Cancel = "cancel", "Cancel";
    CancelSelected = "cancel-selected", "Cancel {count} selected";
    CancelSelectedOne = "cancel-selected-one", "Cancel the selected payment";
    CancelTitle = "cancel-title", "Cancel this payment?";
    CancelTitleMany = "cancel-title-many", "Cancel these {count} payments?";
    CancelWarning = "cancel-warning", "A buyer who has sent money already has sent it all the same: cancelling does not check the wallet, and nobody is notified.";
    CancelYes = "cancel-yes", "Yes, cancel";
    CancelNo = "cancel-no", "Keep";
    CancelProgress = "cancel-progress", "Cancelling {done} of {count}…";
    CancelLooking = "cancel-looking", "Reading the list again…";
    CancelDone = "cancel-done", "What the list says now";
    CancelChanged = "cancel-changed", "The list now says: {status}";
    CancelUnchanged = "cancel-unchanged", "The request was taken, but the list still says: {status}";
    CancelRefused = "cancel-refused", "Not taken: {reason} The list says: {status}";
    CancelMissing = "cancel-missing", "It is no longer in the list.";
    CancelRefusedMissing = "cancel-refused-missing", "Not taken: {reason} It is not in the list where it was.";
    CancelUnread = "cancel-unread", "The list could not be read: nobody knows what became of it. Refresh in a moment.";
    CancelFailures = "cancel-failures", "{count} of {all} were not taken.";
    CancelFailuresOne = "cancel-failures-one", "One of {all} was not taken.";
    Close = "close", "Close";

    Days = "days", "The last days";
    DaysHint = "days-hint", "Drawn from the {count} payments that are loaded: older days may be incomplete.";
    DaysHintOne = "days-hint-one", "Drawn from the one payment that is loaded: older days may be incomplete.";
    DaysByPayments = "days-by-payments", "Payments";
    DaysTable = "days-table", "As a table";

    Notified = "notified", "Notified {when}";
    NotNotified = "not-notified", "No notification yet";
    Attempts = "attempts", "{count} attempts";
    Reconciling = "reconciling", "Orders whose outcome is not known yet";
    ReconcilingHint = "reconciling-hint", "An answer of the payment service was lost. The proxy goes on asking by itself.";
    CreateUnanswered = "create-unanswered", "It is not known whether the payment was created.";
    CancelUnanswered = "cancel-unanswered", "It is not known whether the payment was cancelled.";
    ReasonUnknown = "reason-unknown", "The outcome is not known.";
    Since = "since", "Since {when}";
    AndMore = "and-more", "There are more of them.";

    FailedTitle = "failed-title", "The payments can't be shown";
    OlderFailed = "older-failed", "Older payments could not be loaded.";
    Unreachable = "unreachable", "The proxy can't be reached. Check your connection, then try again.";
    Timeout = "timeout", "The proxy takes too long to answer. Try again in a moment.";
    ServiceFailed = "service-failed", "The payment service has a problem. Try again in a moment.";
    RequestRefused = "request-refused", "The proxy does not give the list to this page. Ask who runs it.";

    LoadFailedTitle = "load-failed-title", "The payments could not be loaded";
    LoadFailed = "load-failed", "Check your connection, then try again.";
    Unsupported = "unsupported", "They can't be shown in this browser. Use another browser.";
    CrashedTitle = "crashed-title", "The list of payments stopped working";
    Crashed = "crashed", "Reload the page to go on. No payment is changed by that.";
    Reload = "reload", "Reload the page";
}

impl Text {
    /// What is said of so many: of one it is another text.
    ///
    /// A language that has forms for other numbers, too, says those so that none of them is needed: "payments: 3".
    #[must_use]
    pub const fn of(self, count: usize) -> Self {
        match self {
            _ if count != 1 => self,
            Self::SearchHint => Self::SearchHintOne,
            Self::Found => Self::FoundOne,
            Self::NothingFound => Self::NothingFoundOne,
            Self::Searching => Self::SearchingOne,
            Self::SearchedInVain => Self::SearchedInVainOne,
            Self::NewPayments => Self::NewPaymentsOne,
            Self::Unreadable => Self::UnreadableOne,
            Self::CancelSelected => Self::CancelSelectedOne,
            Self::CancelTitleMany => Self::CancelTitle,
            Self::CancelFailures => Self::CancelFailuresOne,
            Self::DaysHint => Self::DaysHintOne,
            text => text,
        }
    }

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
