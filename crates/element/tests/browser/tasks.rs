//! Async tasks end with the element, and leave nothing behind when they end before.

use std::cell::Cell;
use std::rc::Rc;

use js_sys::Promise;
use leptos::prelude::Owner;
use tender_element::Tasks;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::wasm_bindgen_test;

/// Lets all tasks run that wait for nothing.
async fn turn() {
    for _ in 0..4 {
        let _ = JsFuture::from(Promise::resolve(&JsValue::UNDEFINED)).await;
    }
}

/// An element that is open for days sends thousands of requests.
#[wasm_bindgen_test]
async fn ten_thousand_tasks_leave_nothing_with_the_owner() {
    let owner = Owner::new();
    let tasks = owner.with(Tasks::new);
    // The owner's clean-ups and values.
    let before = format!("{owner:?}");
    let finished = Rc::new(Cell::new(0));
    for _ in 0..10_000 {
        let finished = Rc::clone(&finished);
        owner.with(|| tasks.spawn(async move { finished.set(finished.get() + 1) }));
    }
    assert_eq!(tasks.count(), 10_000);
    turn().await;
    assert_eq!(finished.get(), 10_000);
    assert_eq!(tasks.count(), 0);
    assert_eq!(format!("{owner:?}"), before);
}

#[wasm_bindgen_test]
async fn a_task_ends_with_the_owner() {
    let owner = Owner::new();
    let tasks = owner.with(Tasks::new);
    let held = Rc::new(());
    let mut resolve = None;
    let promise = Promise::new(&mut |function, _| resolve = Some(function));
    let result = Rc::new(Cell::new(false));
    let (task_holds, set_result) = (Rc::clone(&held), Rc::clone(&result));
    tasks.spawn(async move {
        let _ = JsFuture::from(promise).await;
        set_result.set(true);
        drop(task_holds);
    });
    turn().await;
    assert_eq!(Rc::strong_count(&held), 2);

    owner.cleanup();
    turn().await;
    assert_eq!(Rc::strong_count(&held), 1, "the task is dropped");
    resolve.unwrap().call0(&JsValue::UNDEFINED).unwrap();
    turn().await;
    assert!(!result.get());
    // Without effect.
    tasks.spawn(async { unreachable!("the owner is gone") });
    turn().await;
}
