//! Reading the list: what is new at its head, and what lies behind what was read.

use tender_client::answer::success;
use tender_client::{Failure, FailureCode, FetchResult};

use tender_protocol::PAGE_SIZE;

use crate::book::{Merged, Page, Place};
use crate::effect::{Ask, Effect, HostEvent, Purpose};
use crate::state::{Desk, Goal, Head, Older, Run, Verdict};

/// Pages in a row without anything new after which the list is at its end: a service may answer a page
/// past the end with its last one, and a list that grows pushes what is known onto the next.
const BARREN: u32 = 2;

/// The most pages of one search, and of one look at what is new.
const SEARCH_PAGES: u32 = 50;

/// Reads the answer of the list.
pub(super) fn page(answered: FetchResult) -> Result<Page, Failure> {
    Ok(Page::parse(&success(answered)?)?)
}

impl Desk {
    /// The first page is there.
    pub(super) fn opened(&mut self, page: Page, effects: &mut Vec<Effect>) {
        if page.is_empty() {
            self.older = Older::End;
        }
        self.book.merge(1, page, &Place::Front);
        self.book.settle();
        effects.push(Effect::Tell(HostEvent::Ready(self.book.payments().len())));
        self.ask_what_is_known(effects);
        self.listen(effects);
    }

    /// A page is there, or is not.
    pub(super) fn listed(
        &mut self,
        ask: &Ask,
        page: Result<Page, Failure>,
        effects: &mut Vec<Effect>,
    ) {
        match &ask.purpose {
            Purpose::Open => {}
            Purpose::Head(place) => self.head_read(ask.page, page, place, effects),
            Purpose::Older => self.older_read(ask.page, page, effects),
            Purpose::Check => self.checked(page, effects),
            Purpose::Outcome => self.outcome_read(page, effects),
        }
    }

    /// Looks at what is new, unless that is under way. Older pages, while they are read, end with such a look.
    pub(super) fn look(&mut self, effects: &mut Vec<Effect>) -> bool {
        let is_busy = matches!(self.older, Older::Reading(_) | Older::Checking(..))
            || matches!(self.head, Head::Looking(_));
        if !is_busy {
            self.head = Head::Looking(0);
            self.read(1, Purpose::Head(Place::Front), effects);
        }
        !is_busy
    }

    pub(super) fn read(&self, page: u32, purpose: Purpose, effects: &mut Vec<Effect>) {
        effects.push(Effect::ReadList(Ask {
            key: self.key.clone(),
            page,
            purpose,
        }));
    }

    fn head_read(
        &mut self,
        number: u32,
        page: Result<Page, Failure>,
        place: &Place,
        effects: &mut Vec<Effect>,
    ) {
        let Head::Looking(pages) = self.head else {
            return;
        };
        let page = match page {
            Ok(page) => page,
            Err(failure) => {
                self.older = match std::mem::replace(&mut self.older, Older::Open) {
                    Older::Waiting(_) => Older::Failed(failure.clone()),
                    other => other,
                };
                self.head = Head::Failed(failure);
                return;
            }
        };
        let last = page.payments.last().map(|row| row.transaction_id.clone());
        let is_first = self.book.is_all_loose();
        let merged = self.book.merge(number, page, place);
        // Where nothing was there before, pages that hold nothing new are the end.
        let is_whole = merged.overlaps || (is_first && merged.added.is_empty());
        self.news(merged, effects);
        match last {
            // Nothing known on it: there may be more that is new behind it.
            Some(last) if !is_whole && pages + 1 < SEARCH_PAGES => {
                self.head = Head::Looking(pages + 1);
                self.read(number + 1, Purpose::Head(Place::After(last)), effects);
            }
            Some(last) if !is_whole => {
                self.book.settle_before_gap(last, number);
                self.release();
                self.looked(effects);
            }
            _ => {
                self.book.settle();
                self.looked(effects);
            }
        }
    }

    fn looked(&mut self, effects: &mut Vec<Effect>) {
        self.head = Head::Rest;
        self.ask_what_is_known(effects);
        if let Older::Waiting(goal) = self.older {
            self.read_on(goal, effects);
        }
    }

    /// Takes in what a look, or the stream, has brought: new payments are held back where they would
    /// move a row that someone is at.
    pub(super) fn news(&mut self, merged: Merged, effects: &mut Vec<Effect>) {
        self.hold(merged, effects);
        self.release();
    }

    fn hold(&mut self, merged: Merged, effects: &mut Vec<Effect>) {
        tell_changes(&merged, effects);
        for id in merged.added {
            if let Some(payment) = self.book.get(&id) {
                effects.push(Effect::Tell(HostEvent::Created(Box::new(payment.clone()))));
            }
            self.held.insert(id);
        }
    }

    /// To the next page of what matches; where it is not there yet, or not all of it, it is read.
    pub(super) fn go_older(&mut self, effects: &mut Vec<Effect>) {
        if self.may_read_on() && self.filter.is_empty() && !self.has_next_whole() {
            self.read_on(Goal::Turn, effects);
        } else {
            self.turn_to_next(effects);
        }
    }

    /// Whether the next page is full: what is read later moves no row onto it, past someone who has seen it.
    fn has_next_whole(&self) -> bool {
        // What can't be read has its place on a page.
        self.loaded().count() + self.book.unreadable() >= (self.page + 2) * PAGE_SIZE
    }

    fn turn_to_next(&mut self, effects: &mut Vec<Effect>) -> bool {
        let is_there = self.page + 1 < self.pages();
        if is_there {
            self.turn(self.page + 1, effects);
        }
        is_there
    }

    /// Reads on until something is found.
    pub(super) fn search_on(&mut self, effects: &mut Vec<Effect>) {
        if self.may_read_on() && !self.filter.is_empty() {
            self.read_on(Goal::Search, effects);
        }
    }

    fn may_read_on(&self) -> bool {
        matches!(
            self.older,
            Older::Open | Older::Failed(_) | Older::NotFound(_)
        )
    }

    pub(super) fn stop_search(&mut self) {
        match &mut self.older {
            Older::Waiting(_) => self.older = Older::Open,
            Older::Reading(run) => run.goal = Goal::Stop,
            _ => {}
        }
    }

    fn read_on(&mut self, goal: Goal, effects: &mut Vec<Effect>) {
        if let Head::Looking(_) = self.head {
            self.older = Older::Waiting(goal);
            return;
        }
        if self.book.has_gap() {
            // What is older than the new payments is in the gap first.
            self.older = Older::Open;
            self.show_new();
            self.turn(0, effects);
            if goal == Goal::Turn {
                return;
            }
        }
        self.older = Older::Reading(Run {
            goal,
            pages: 0,
            barren: 0,
            added: Vec::new(),
        });
        self.read(self.book.next_page(), Purpose::Older, effects);
    }

    fn older_read(&mut self, number: u32, page: Result<Page, Failure>, effects: &mut Vec<Effect>) {
        let Older::Reading(run) = &self.older else {
            return;
        };
        let mut run = run.clone();
        let page = match page {
            Ok(page) => page,
            // How a service answers a page past the end is not documented; refusing it is an answer.
            Err(failure) if failure.code == FailureCode::RequestRefused => Page::default(),
            Err(failure) => {
                self.book.forget(&run.added);
                self.older = Older::Failed(failure);
                return;
            }
        };
        let is_past_the_end = page.is_empty();
        let is_short = page.payments.len() + page.unreadable < PAGE_SIZE;
        let merged = self.book.merge(number, page, &Place::Back);
        tell_changes(&merged, effects);
        run.pages += 1;
        run.barren = if merged.added.is_empty() {
            run.barren + 1
        } else {
            0
        };
        let is_found = |id: &String| {
            let payment = self.book.get(id);
            payment.is_some_and(|payment| self.filter.matches(payment))
        };
        let is_found = match run.goal {
            // Behind a page that is not full there is nothing, as long as nothing else is known.
            Goal::Turn => self.has_next_whole() || (is_short && !merged.added.is_empty()),
            Goal::Search => merged.added.iter().any(is_found),
            Goal::Stop => false,
        };
        run.added.extend(merged.added);
        let verdict = if is_past_the_end || run.barren >= BARREN {
            Verdict::End
        } else if is_found {
            Verdict::Found
        } else if run.goal == Goal::Stop || run.pages >= SEARCH_PAGES {
            Verdict::NotFound
        } else {
            // A page that held nothing new is not read again at once, but the one behind it.
            let next = if run.barren > 0 {
                number.saturating_add(1)
            } else {
                self.book.next_page()
            };
            self.older = Older::Reading(run);
            self.read(next, Purpose::Older, effects);
            return;
        };
        self.older = Older::Checking(run, verdict);
        self.read(1, Purpose::Check, effects);
    }

    /// Page one, read after the older ones. While it still holds a payment that was there before, the list has
    /// grown by less than a page since, and no page was skipped over. Else they are read again, once what is
    /// new is known.
    fn checked(&mut self, page: Result<Page, Failure>, effects: &mut Vec<Effect>) {
        let Older::Checking(run, verdict) = &self.older else {
            return;
        };
        let (run, verdict) = (run.clone(), *verdict);
        let page = match page {
            Ok(page) => page,
            Err(failure) => {
                self.book.forget(&run.added);
                self.older = Older::Failed(failure);
                return;
            }
        };
        if !self.book.joins(&page) {
            self.book.forget(&run.added);
            self.older = Older::Waiting(run.goal);
            self.look(effects);
            return;
        }
        let merged = self.book.merge(1, page, &Place::Front);
        self.hold(merged, effects);
        self.book.settle();
        self.older = match verdict {
            Verdict::End => Older::End,
            Verdict::Found => Older::Open,
            Verdict::NotFound => Older::NotFound(run.pages),
        };
        if run.goal != Goal::Turn || !self.turn_to_next(effects) {
            self.release();
            self.ask_what_is_known(effects);
        }
    }
}

/// Tells the page of each status that reads otherwise than before.
pub(super) fn tell_changes(merged: &Merged, effects: &mut Vec<Effect>) {
    for (payment, previous) in &merged.changed {
        if payment.status != *previous {
            effects.push(Effect::Tell(HostEvent::Status {
                payment: Box::new(payment.clone()),
                previous: previous.clone(),
            }));
        }
    }
}
