//! The transitions while the list is shown: pages, filter, selection, and showing new payments.

use tender_protocol::client::FetchResult;
use tender_protocol::client::response::parsed;

use crate::csv;
use crate::effect::{Effect, HostEvent, Purpose, Request};
use crate::event::Event;
use crate::list::ListPage;
use crate::state::{Dashboard, LinkDialog, OlderPages};

impl Dashboard {
    /// Handles the events that only apply while the list is shown.
    pub(super) fn handle(&mut self, event: Event, effects: &mut Vec<Effect>) {
        match event {
            Event::DeliveriesDue => self.fetch_deliveries(effects),
            Event::DetailsRequested(id) => self.details_requested(id, effects),
            Event::ResendRequested(id) => self.resend_requested(id, effects),
            Event::OrderActionRequested(action) => self.order_action_requested(action),
            Event::OrderActionDismissed => self.order_action_dismissed(),
            Event::OrderActionConfirmed => self.order_action_confirmed(effects),
            Event::DetailsClosed => self.close_details(effects),
            Event::LinkRequested => self.link_requested(),
            Event::LinkSubmitted(input) => self.link_submitted(input, effects),
            Event::LinkClosed => self.link = LinkDialog::Closed,
            Event::StreamOpened => self.stream_opened(),
            Event::StreamMessage {
                event,
                data,
                last_event_id,
            } => self.stream_message(&event, &data, last_event_id, effects),
            Event::StreamDisconnected => self.stream_disconnected(effects),
            Event::StreamUnsupported => self.stream_unsupported(effects),
            Event::PollDue => self.poll_due(effects),
            Event::VisibilityChanged(true) => self.page_visible(effects),
            Event::VisibilityChanged(false) => self.page_hidden(effects),
            Event::NewerPageRequested => self.show_page(self.page.saturating_sub(1), effects),
            Event::OlderPageRequested => self.older_page_requested(effects),
            Event::FilterChanged(filter) => {
                self.filter = filter;
                self.filter_changed(effects);
            }
            Event::SortChanged(sort) => {
                self.sort = sort;
                self.filter_changed(effects);
            }
            Event::SearchOlderRequested => self.search_older(effects),
            Event::SearchStopped => self.stop_search(),
            Event::InteractionChanged(is_interacting) => {
                self.is_interacting = is_interacting;
                self.show_new_if_undisturbed();
            }
            Event::ShowNewRequested => {
                self.show_new();
                self.show_page(0, effects);
            }
            Event::SelectionChanged(id, is_selected) => self.select(id, is_selected),
            Event::SelectAllChanged(is_selected) => self.select_all(is_selected),
            Event::CancelRequested(ids) => self.cancel_requested(&ids),
            Event::CancelSelectedRequested => {
                let ids = self.selection().map(|row| row.transaction_id.clone());
                self.cancel_requested(&ids.collect::<Vec<_>>());
            }
            Event::CancellationClosed => self.close_cancellation(),
            Event::CancelConfirmed => self.cancel_confirmed(effects),
            Event::ExportRequested(decimals) => {
                let content = csv::write(self.sorted(), decimals);
                let content = format!("{}{content}", csv::BYTE_ORDER_MARK);
                effects.push(Effect::OfferCsv(content));
            }
            // `step` handles these in every state.
            Event::Started(_)
            | Event::RequestFinished(..)
            | Event::KeySubmitted(_)
            | Event::KeyForgotten
            | Event::RefreshRequested
            | Event::ReloadRequested => {}
        }
    }

    /// Shows the first page that was loaded.
    pub(super) fn first_page_loaded(&mut self, page: ListPage, effects: &mut Vec<Effect>) {
        self.open_list(page);
        effects.push(Effect::Emit(HostEvent::Ready(self.list.payments().len())));
        self.fetch_ledger(effects);
        self.fetch_deliveries(effects);
        self.subscribe(effects);
    }

    /// Sends a request with the dashboard's key.
    pub(super) fn send(&self, request: Request, effects: &mut Vec<Effect>) {
        effects.push(Effect::Send(self.key.clone(), request));
    }

    /// Requests a part of the list.
    pub(super) fn fetch_page(
        &self,
        after: Option<String>,
        purpose: Purpose,
        effects: &mut Vec<Effect>,
    ) {
        self.send(Request::List { after, purpose }, effects);
    }

    /// Handles the response to a request.
    pub(super) fn request_finished(
        &mut self,
        request: Request,
        result: FetchResult,
        effects: &mut Vec<Effect>,
    ) {
        match request {
            Request::List { after, purpose } => {
                let after = after.as_deref();
                let page = |result| parsed(result, ListPage::parse);
                match purpose {
                    Purpose::Initial => self.initial_fetched(page(result), effects),
                    Purpose::Newest => self.newest_fetched(after, page(result), effects),
                    Purpose::Older => self.older_fetched(after, result, effects),
                    Purpose::CancelStatus => self.cancel_status_fetched(page(result), effects),
                }
            }
            Request::Cancel(id) => self.cancel_finished(&id, result, effects),
            Request::Ledger(_) => self.ledger_fetched(result),
            Request::Deliveries(None) => self.latest_fetched(result),
            Request::Deliveries(Some(id)) => self.details_fetched(&id, result, effects),
            Request::Resend(id) => self.resend_finished(&id, result, effects),
            Request::ChangeOrder(id, action) => {
                self.order_action_finished(&id, action, result, effects);
            }
            Request::SignOrder(order) => self.order_signed(order, result),
        }
    }

    /// Shows another page of the matching payments.
    pub(super) fn show_page(&mut self, page: usize, effects: &mut Vec<Effect>) {
        self.page = page.min(self.pages() - 1);
        self.selected.clear();
        self.show_new_if_undisturbed();
        self.fetch_ledger(effects);
    }

    fn filter_changed(&mut self, effects: &mut Vec<Effect>) {
        if matches!(self.older, OlderPages::NoMatch(_)) {
            self.older = OlderPages::MaybeMore;
        }
        self.show_page(0, effects);
    }

    fn select(&mut self, id: String, is_selected: bool) {
        if !is_selected {
            self.selected.remove(&id);
        } else if self.selectable().any(|row| row.transaction_id == id) {
            self.selected.insert(id);
        }
    }

    fn select_all(&mut self, is_selected: bool) {
        let ids = self.selectable().map(|row| row.transaction_id.clone());
        self.selected = ids.filter(|_| is_selected).collect();
    }

    /// Shows the hidden payments, unless that would move a row that the merchant is using.
    pub(super) fn show_new_if_undisturbed(&mut self) {
        if !self.is_interacting && self.page == 0 {
            self.show_new();
        }
    }

    /// Shows the hidden payments.
    pub(super) fn show_new(&mut self) {
        self.hidden.clear();
    }
}
