//! Loading payments that are older than the loaded ones.

use tender_protocol::client::Failure;

/// Loading payments that are older than the loaded ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OlderPages {
    /// Nothing is being loaded; there may be older payments.
    MaybeMore,
    /// The next ones are being loaded.
    Loading(OlderLoad),
    /// This many pages were searched without a match.
    NoMatch(u32),
    /// All payments are loaded.
    AllLoaded,
    /// The next ones could not be loaded.
    Failed(Failure),
}

/// Why older payments are loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// To show the next page.
    NextPage,
    /// To find a match.
    Search,
    /// None: the merchant has stopped the search, so nothing more is requested.
    Stopped,
}

/// Older payments that are loaded page by page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OlderLoad {
    /// Why they are loaded.
    pub goal: Goal,
    /// The number of pages loaded so far.
    pub pages: u32,
}

impl OlderPages {
    /// Whether older payments are being loaded.
    pub fn is_loading(&self) -> bool {
        matches!(self, Self::Loading(_))
    }

    /// The number of pages that the running search has loaded; `None` if no search is running.
    pub fn searched_pages(&self) -> Option<u32> {
        let Self::Loading(load) = self else {
            return None;
        };
        (load.goal != Goal::NextPage).then_some(load.pages)
    }
}
