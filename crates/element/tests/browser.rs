//! What needs a browser, without an element: async tasks end with the element, and leave nothing behind when they end before;
//! the module's stack pointer shows whether an exception has left the module.
#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, reason = "tests may panic")]

use std::cell::Cell;
use std::hint::black_box;
use std::rc::Rc;

use js_sys::{Function, Promise};
use leptos::prelude::Owner;
use tender_element::Tasks;
use tender_element::panic::stack_pointer;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

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

#[wasm_bindgen(
    inline_js = "export const throwError = () => { throw new Error(\"of the page\"); };"
)]
extern "C" {
    #[wasm_bindgen(js_name = throwError)]
    fn throw_error();
}

/// Whether the stack pointer is another one after the page has called this function of the module.
fn changes_stack_pointer(function: impl FnMut() + 'static) -> bool {
    let function = Closure::<dyn FnMut()>::new(function);
    let read = Closure::<dyn FnMut() -> usize>::new(stack_pointer);
    let page = Function::new_with_args(
        "run, read",
        "const before = read(); try { run(); } catch {} return read() !== before;",
    );
    let result = page.call2(&JsValue::UNDEFINED, function.as_ref(), read.as_ref());
    function.forget(); // it may not have returned
    result.unwrap().is_truthy()
}

#[wasm_bindgen_test]
fn an_exception_that_leaves_the_module_changes_the_stack_pointer() {
    assert!(!changes_stack_pointer(|| {
        black_box([0_u8; 64]);
    }));
    assert!(changes_stack_pointer(|| {
        let mut local = [0_u8; 64];
        black_box(&mut local);
        throw_error();
        black_box(&mut local);
    }));
}
