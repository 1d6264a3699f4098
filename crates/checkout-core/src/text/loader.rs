//! What the loader says, where there is no module to say it: it has the English of its own.

tender_client::texts! {
    LoadFailedTitle = "load-failed-title", "The checkout could not be loaded";
    LoadFailed = "load-failed", "Check your connection, then try again.";
    Unsupported = "unsupported", "It can't run in this browser. Use another browser, or choose another way to pay.";
    CrashedTitle = "crashed-title", "The checkout stopped working";
    Crashed = "crashed", "Reload the page to go on. A payment that you have started is kept.";
    Reload = "reload", "Reload the page";
}
