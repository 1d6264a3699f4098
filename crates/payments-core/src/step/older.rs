//! Loading the payments that are older than the loaded ones.

use tender_protocol::PAGE_SIZE;
use tender_protocol::client::{Failure, FailureCode};

use super::newest::{MAX_PAGES, emit_status_changes};
use crate::effect::{Effect, Purpose};
use crate::list::{ListPage, Merged, Position};
use crate::state::{Dashboard, Goal, LoadResult, OlderLoad, OlderPages, Refresh};

/// The list ends after this many pages in a row without a new payment. One is not enough: a service
/// may return its last page for any page past the end, and a growing list moves known payments to
/// the next page.
const PAGES_WITHOUT_NEW: u32 = 2;

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
        // Unreadable records count, because they take up space on the service's pages.
        self.visible().count() + self.list.unreadable() >= (self.page + 2) * PAGE_SIZE
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
        match &mut self.older {
            OlderPages::Queued(_) => self.older = OlderPages::MaybeMore,
            OlderPages::Loading(load) => load.goal = Goal::Stopped,
            OlderPages::MaybeMore
            | OlderPages::Verifying(..)
            | OlderPages::NoMatch(_)
            | OlderPages::AllLoaded
            | OlderPages::Failed(_) => {}
        }
    }

    pub(super) fn load_older(&mut self, goal: Goal, effects: &mut Vec<Effect>) {
        if let Refresh::Loading(_) = self.refresh {
            self.older = OlderPages::Queued(goal);
            return;
        }
        if self.list.has_gap() {
            // The payments in the gap come first.
            self.older = OlderPages::MaybeMore;
            self.show_new();
            self.show_page(0, effects);
            if goal == Goal::NextPage {
                return;
            }
        }
        self.older = OlderPages::Loading(OlderLoad {
            goal,
            pages: 0,
            pages_without_new: 0,
            added: Vec::new(),
        });
        self.fetch_page(self.list.next_page(), Purpose::Older, effects);
    }

    pub(super) fn older_fetched(
        &mut self,
        number: u32,
        page: Result<ListPage, Failure>,
        effects: &mut Vec<Effect>,
    ) {
        let OlderPages::Loading(load) = &self.older else {
            return;
        };
        let mut load = load.clone();
        let page = match page {
            Ok(page) => page,
            // The service's response to a page past the end is not documented. A refusal counts as
            // an empty page.
            Err(failure) if failure.code == FailureCode::RequestRefused => ListPage::default(),
            Err(failure) => return self.loading_failed(&load, failure),
        };
        let is_past_end = page.is_empty();
        let is_partial = page.payments.len() + page.unreadable < PAGE_SIZE;
        let merged = self.list.merge_page(number, page, &Position::End);
        emit_status_changes(&merged, effects);
        load.pages += 1;
        if merged.added.is_empty() {
            load.pages_without_new += 1;
        } else {
            load.pages_without_new = 0;
        }
        let is_found = self.goal_is_reached(load.goal, &merged, is_partial);
        load.added.extend(merged.added);
        let result = if is_past_end || load.pages_without_new >= PAGES_WITHOUT_NEW {
            LoadResult::AllLoaded
        } else if is_found {
            LoadResult::Found
        } else if load.goal == Goal::Stopped || load.pages >= MAX_PAGES {
            LoadResult::NotFound
        } else {
            // After a page without new payments, continue with the page behind it.
            let next = if load.pages_without_new > 0 {
                number.saturating_add(1)
            } else {
                self.list.next_page()
            };
            self.older = OlderPages::Loading(load);
            self.fetch_page(next, Purpose::Older, effects);
            return;
        };
        self.older = OlderPages::Verifying(load, result);
        self.fetch_page(1, Purpose::Verify, effects);
    }

    fn goal_is_reached(&self, goal: Goal, merged: &Merged, is_partial: bool) -> bool {
        let matches = |id: &String| {
            let payment = self.list.get(id);
            payment.is_some_and(|payment| self.filter.matches(payment))
        };
        match goal {
            // A page that is not full is the last one.
            Goal::NextPage => self.next_page_is_full() || (is_partial && !merged.added.is_empty()),
            Goal::Search => merged.added.iter().any(matches),
            Goal::Stopped => false,
        }
    }

    fn loading_failed(&mut self, load: &OlderLoad, failure: Failure) {
        self.list.remove(&load.added);
        self.older = OlderPages::Failed(failure);
    }

    /// Handles page one, which is read again after loading older pages. If it still contains a
    /// confirmed payment, the list has grown by less than one page in the meantime, so no page was
    /// skipped. Otherwise the older pages are loaded again after a refresh.
    pub(super) fn verified(&mut self, page: Result<ListPage, Failure>, effects: &mut Vec<Effect>) {
        let OlderPages::Verifying(load, result) = &self.older else {
            return;
        };
        let (load, result) = (load.clone(), *result);
        let page = match page {
            Ok(page) => page,
            Err(failure) => return self.loading_failed(&load, failure),
        };
        if !self.list.connects_to(&page) {
            self.list.remove(&load.added);
            self.older = OlderPages::Queued(load.goal);
            self.refresh(effects);
            return;
        }
        let merged = self.list.merge_page(1, page, &Position::Start);
        self.hide_new(merged, effects);
        self.list.confirm();
        self.older = match result {
            LoadResult::AllLoaded => OlderPages::AllLoaded,
            LoadResult::Found => OlderPages::MaybeMore,
            LoadResult::NotFound => OlderPages::NoMatch(load.pages),
        };
        if load.goal != Goal::NextPage || !self.show_next_page(effects) {
            self.show_new_if_undisturbed();
            self.fetch_ledger(effects);
        }
    }
}
