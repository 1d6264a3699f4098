//! The keys of the element's texts. The texts are in `crates/payments/locales/`, one file per language.

tender_element::texts! {
    english: "../locales/en.json";

    /// A text of the element. `{name}` in a text is a placeholder.
    pub enum Text {
        Payments = "payments",
        Loading = "loading",
        TestMode = "test-mode",
        Refresh = "refresh",
        TryAgain = "try-again",
        Empty = "empty",
        EmptyHint = "empty-hint",

        KeyTitle = "key-title",
        KeyHint = "key-hint",
        KeyRefused = "key-refused",
        KeyUnfit = "key-unfit",
        KeyOpen = "key-open",
        KeyForget = "key-forget",
        LoggedOut = "logged-out",
        LoggedOutHint = "logged-out-hint",

        Invoice = "invoice",
        Buyer = "buyer",
        Price = "price",
        ToPay = "to-pay",
        UsDollars = "us-dollars",
        Total = "total",
        Status = "status",
        StatePaid = "state-paid",
        StateClosed = "state-closed",
        Date = "date",
        Wallet = "wallet",
        Transaction = "transaction",
        Items = "items",
        Actions = "actions",
        CopyWallet = "copy-wallet",
        CopyTransaction = "copy-transaction",
        NoInvoice = "no-invoice",

        Search = "search",
        SearchHint = "search-hint",
        SearchHintOne = "search-hint-one",
        StatusAll = "status-all",
        Found = "found",
        FoundOne = "found-one",
        NothingFound = "nothing-found",
        NothingFoundOne = "nothing-found-one",
        SearchOlder = "search-older",
        Searching = "searching",
        SearchingOne = "searching-one",
        Stop = "stop",
        SearchedInVain = "searched-in-vain",
        SearchedInVainOne = "searched-in-vain-one",
        SearchedAll = "searched-all",
        Export = "export",

        Pages = "pages",
        Table = "table",
        Page = "page",
        Newer = "newer",
        Older = "older",
        ReadingOlder = "reading-older",
        NewPayments = "new-payments",
        NewPaymentsOne = "new-payments-one",
        Unreadable = "unreadable",
        UnreadableOne = "unreadable-one",

        Select = "select",
        SelectAll = "select-all",
        CancelOne = "cancel-one",
        Cancel = "cancel",
        CancelSelected = "cancel-selected",
        CancelSelectedOne = "cancel-selected-one",
        CancelTitle = "cancel-title",
        CancelTitleMany = "cancel-title-many",
        CancelWarning = "cancel-warning",
        CancelYes = "cancel-yes",
        CancelNo = "cancel-no",
        CancelProgress = "cancel-progress",
        CancelLooking = "cancel-looking",
        CancelDone = "cancel-done",
        CancelChanged = "cancel-changed",
        CancelUnchanged = "cancel-unchanged",
        CancelRefused = "cancel-refused",
        CancelMissing = "cancel-missing",
        CancelRefusedMissing = "cancel-refused-missing",
        CancelUnread = "cancel-unread",
        CancelFailures = "cancel-failures",
        CancelFailuresOne = "cancel-failures-one",
        Close = "close",

        Days = "days",
        DaysHint = "days-hint",
        DaysHintOne = "days-hint-one",
        DaysByPayments = "days-by-payments",
        DaysTable = "days-table",

        Notified = "notified",
        NotNotified = "not-notified",
        Attempts = "attempts",
        Reconciling = "reconciling",
        ReconcilingHint = "reconciling-hint",
        CreateUnanswered = "create-unanswered",
        CancelUnanswered = "cancel-unanswered",
        CreateContradictory = "create-contradictory",
        LateDuplicate = "late-duplicate",
        ReasonUnknown = "reason-unknown",
        Since = "since",
        AndMore = "and-more",

        FailedTitle = "failed-title",
        OlderFailed = "older-failed",
        Unreachable = "unreachable",
        Timeout = "timeout",
        ServiceFailed = "service-failed",
        RequestRefused = "request-refused",

        Reload = "reload",
    }
}

impl Text {
    /// The text for this number of things: some texts have a singular.
    ///
    /// Languages with more plural forms use a wording that needs none, such as "payments: 3".
    #[must_use]
    pub const fn for_count(self, count: usize) -> Self {
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
}
