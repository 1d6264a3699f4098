//! Loading payments that are older than the loaded ones.

use tender_protocol::client::Failure;

/// Loading payments that are older than the loaded ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OlderPages {
    /// Nothing is being loaded; there may be older pages.
    MaybeMore,
    /// Pages will be loaded as soon as the running refresh has finished.
    Queued(Goal),
    /// The next page is being loaded.
    Loading(OlderLoad),
    /// The pages are loaded. Page one is being read again to verify that none was skipped.
    Verifying(OlderLoad, LoadResult),
    /// This many pages were searched without a match.
    NoMatch(u32),
    /// All payments are loaded.
    AllLoaded,
    /// The next page could not be loaded.
    Failed(Failure),
}

/// Why older pages are loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// To show the next page.
    NextPage,
    /// To find a match.
    Search,
    /// None: the merchant has stopped the search, so no further page is requested.
    Stopped,
}

/// Older pages that are loaded one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OlderLoad {
    /// Why they are loaded.
    pub goal: Goal,
    /// The number of pages loaded so far.
    pub pages: u32,
    /// The number of pages in a row that contained no new payment.
    pub pages_without_new: u32,
    /// The `transactionId`s of the payments that were added.
    pub added: Vec<String>,
}

/// The result of loading older pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadResult {
    /// The goal was reached.
    Found,
    /// The goal was not reached, and there may be more pages.
    NotFound,
    /// There are no more pages.
    AllLoaded,
}

impl OlderPages {
    /// Whether older pages are being loaded, or will be.
    pub fn is_loading(&self) -> bool {
        matches!(
            self,
            Self::Queued(_) | Self::Loading(_) | Self::Verifying(..)
        )
    }

    /// The number of pages that the running search has loaded; `None` if no search is running.
    pub fn searched_pages(&self) -> Option<u32> {
        let (Self::Loading(load) | Self::Verifying(load, _)) = self else {
            return None;
        };
        (load.goal != Goal::NextPage).then_some(load.pages)
    }
}
