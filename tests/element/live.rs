//! What views follow: values that end with their owner, and who hears that they have changed.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use any_spawner::Executor;
use leptos::prelude::Owner;
use tender_element::dom::follow;
use tender_element::{Kept, Live};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::support::wait::{settled, until};

/// An owner, and what tasks need that follow something under it.
fn owner() -> Owner {
    // An error says that it is there already.
    let _ = Executor::init_wasm_bindgen();
    Owner::new()
}

/// Says when it ends.
struct Ends(Rc<Cell<bool>>);

impl Drop for Ends {
    fn drop(&mut self) {
        self.0.set(true);
    }
}

#[wasm_bindgen_test]
fn a_value_ends_with_its_owner() {
    let owner = owner();
    let has_ended = Rc::new(Cell::new(false));
    let kept = owner.with(|| Kept::new(Ends(Rc::clone(&has_ended))));
    let live = owner.with(|| Live::new(1));
    assert!(kept.get().is_some());
    assert_eq!(live.peek(|value| *value), Some(1));

    owner.cleanup();
    assert!(has_ended.get());
    assert!(kept.get().is_none());
    assert_eq!(live.peek(|value| *value), None);
    assert_eq!(live.replace(2), None);
    // To nobody's harm.
    live.set(3);
    live.track();
    live.notify();
    assert_eq!(live.peek(|value| *value), None);
}

#[wasm_bindgen_test]
fn what_is_in_use_outlives_its_owner() {
    let owner = owner();
    let has_ended = Rc::new(Cell::new(false));
    let kept = owner.with(|| Kept::new(Ends(Rc::clone(&has_ended))));
    let in_use = kept.get();
    owner.cleanup();
    assert!(!has_ended.get());
    drop(in_use);
    assert!(has_ended.get());

    // A reader may end the owner of what it reads.
    let owner = self::owner();
    let live = owner.with(|| Live::new("read"));
    let read = live.read(|value| {
        owner.cleanup();
        assert!(live.peek(|_| ()).is_none());
        *value
    });
    assert_eq!(read, "read");
}

#[wasm_bindgen_test]
fn what_is_read_can_be_read_and_notified_of() {
    let owner = owner();
    let live = owner.with(|| Live::new(1));
    let read = live.read(|outer| {
        live.notify();
        outer + live.get() + live.peek(|value| *value).unwrap()
    });
    assert_eq!(read, 3);
}

#[wasm_bindgen_test]
async fn followers_hear_of_what_is_set_and_not_of_what_is_replaced() {
    let owner = owner();
    let live = owner.with(|| Live::new(1));
    let heard = Rc::new(RefCell::new(Vec::new()));
    owner.with(|| {
        let heard = Rc::clone(&heard);
        follow(Box::new(move || heard.borrow_mut().push(live.get())));
    });
    assert_eq!(live.replace(2), Some(1));
    settled().await;
    assert_eq!(*heard.borrow(), [1]);
    live.notify();
    until("the second is heard", || *heard.borrow() == [1, 2]).await;
    live.set(3);
    until("the third is heard", || *heard.borrow() == [1, 2, 3]).await;

    owner.cleanup();
    live.set(4);
    settled().await;
    assert_eq!(*heard.borrow(), [1, 2, 3]);
}

/// It follows what it has set itself.
#[wasm_bindgen_test]
async fn a_follower_may_set_what_it_follows() {
    let owner = owner();
    let live = owner.with(|| Live::new(1));
    let heard = Rc::new(RefCell::new(Vec::new()));
    owner.with(|| {
        let heard = Rc::clone(&heard);
        follow(Box::new(move || {
            let value = live.get();
            heard.borrow_mut().push(value);
            if value < 3 {
                live.set(value + 1);
            }
        }));
    });
    until("the last is heard", || *heard.borrow() == [1, 2, 3]).await;
    owner.cleanup();
}
