//! Loading the payments that are older than the loaded ones.

use tender_protocol::PAGE_SIZE;
use tender_protocol::client::response::parsed;
use tender_protocol::client::{Failure, FetchResult, HttpResponse};

use super::newest::{MAX_PAGES, emit_status_changes};
use crate::effect::{Effect, Purpose};
use crate::list::{ListPage, Merged};
use crate::state::{Dashboard, Goal, OlderLoad, OlderPages};

impl Dashboard {
    /// Shows the next page of matching payments, and loads it first if it is not complete.
    pub(super) fn older_page_requested(&mut self, effects: &mut Vec<Effect>) {
        if self.can_load_older() && self.is_whole_list() && !self.next_page_is_full() {
            self.load_older(Goal::NextPage, effects);
        } else {
            self.show_next_page(effects);
        }
    }

    /// Whether the next page is full. Payments that are loaded later cannot appear on a full page,
    /// so the merchant does not miss one on a page that they have already seen.
    fn next_page_is_full(&self) -> bool {
        self.visible().count() >= (self.page + 2) * PAGE_SIZE
    }

    fn show_next_page(&mut self, effects: &mut Vec<Effect>) -> bool {
        let exists = self.page + 1 < self.pages();
        if exists {
            self.show_page(self.page + 1, effects);
        }
        exists
    }

    /// Loads older pages until one contains a match.
    pub(super) fn search_older(&mut self, effects: &mut Vec<Effect>) {
        if self.can_load_older() && !self.is_whole_list() {
            self.load_older(Goal::Search, effects);
        }
    }

    fn can_load_older(&self) -> bool {
        matches!(
            self.older,
            OlderPages::MaybeMore | OlderPages::Failed(_) | OlderPages::NoMatch(_)
        )
    }

    pub(super) fn stop_search(&mut self) {
        if let OlderPages::Loading(load) = &mut self.older {
            load.goal = Goal::Stopped;
        }
    }

    fn load_older(&mut self, goal: Goal, effects: &mut Vec<Effect>) {
        self.fetch_older(OlderLoad { goal, pages: 0 }, effects);
    }

    fn fetch_older(&mut self, load: OlderLoad, effects: &mut Vec<Effect>) {
        self.older = OlderPages::Loading(load);
        let last = self.list.last().map(str::to_owned);
        self.fetch_page(last, Purpose::Older, effects);
    }

    pub(super) fn older_fetched(
        &mut self,
        after: Option<&str>,
        result: FetchResult,
        effects: &mut Vec<Effect>,
    ) {
        let OlderPages::Loading(mut load) = self.older else {
            return;
        };
        if self.list.last() != after {
            return;
        }
        if let Ok(HttpResponse { status: 404, .. }) = result {
            // The payment is no longer in the list.
            return self.fetch_page(None, Purpose::Initial, effects);
        }
        let page = match parsed(result, ListPage::parse) {
            Ok(page) => page,
            Err(failure) => {
                self.older = OlderPages::Failed(failure);
                return;
            }
        };
        let merged = self.list.merge_older(page);
        emit_status_changes(&merged, effects);
        load.pages += 1;
        self.older = if self.list.last() == after {
            OlderPages::AllLoaded
        } else if self.goal_is_reached(load.goal, &merged) {
            OlderPages::MaybeMore
        } else if load.goal == Goal::Stopped || load.pages >= MAX_PAGES {
            OlderPages::NoMatch(load.pages)
        } else {
            return self.fetch_older(load, effects);
        };
        if load.goal != Goal::NextPage || !self.show_next_page(effects) {
            self.show_new_if_undisturbed();
            self.fetch_ledger(effects);
        }
    }

    fn goal_is_reached(&self, goal: Goal, merged: &Merged) -> bool {
        let matches = |id: &String| {
            let payment = self.list.get(id);
            payment.is_some_and(|payment| self.filter.matches(payment))
        };
        match goal {
            Goal::NextPage => self.next_page_is_full(),
            Goal::Search => merged.added.iter().any(matches),
            Goal::Stopped => false,
        }
    }

    /// Handles the newest payments, which were requested because older ones can't be read after the loaded ones.
    pub(super) fn initial_fetched(
        &mut self,
        page: Result<ListPage, Failure>,
        effects: &mut Vec<Effect>,
    ) {
        if let OlderPages::Loading(_) = self.older {
            match page {
                Ok(page) => {
                    self.start_again(page, effects);
                    self.fetch_ledger(effects);
                }
                Err(failure) => self.older = OlderPages::Failed(failure),
            }
        }
    }
}
