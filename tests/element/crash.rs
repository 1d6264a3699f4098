//! A module that has crashed: every element shows its fallback, and the module is not called again.

use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::support::frame::{Frame, QUIET_GLUE};
use crate::support::loader::module;
use crate::support::mounted::shows_fallback;
use crate::support::wait::{settled, until};

/// Glue with these functions as globals, each of which calls the module or is called by it:
///
/// - `trap` calls a function of a WebAssembly module that traps;
/// - `call` calls a function that the module calls in turn. Meanwhile the module's stack pointer has another value;
/// - `listen` lets the module dispatch an event to this listener of the page.
const GLUE: &str = "
    // (module (import \"a\" \"b\" (func)) (global (export \"stack\") (mut i32) (i32.const 32))
    //   (func (export \"trap\") unreachable)
    //   (func (export \"call\") (global.set 0 (i32.sub (global.get 0) (i32.const 16))) (call 0)
    //     (global.set 0 (i32.add (global.get 0) (i32.const 16)))))
    const bytes = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 2, 7, 1, 1, 97, 1, 98, 0, 0, 3, 3, 2, 0, 0,
      6, 6, 1, 127, 1, 65, 32, 11, 7, 23, 3, 4, 116, 114, 97, 112, 0, 1, 4, 99, 97, 108, 108, 0, 2,
      5, 115, 116, 97, 99, 107, 3, 0, 10, 24, 2, 3, 0, 0, 11,
      18, 0, 35, 0, 65, 16, 107, 36, 0, 16, 0, 35, 0, 65, 16, 106, 36, 0, 11);
    let callback;
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { a: { b: () => callback() } });
    globalThis.stackPointer = () => exports.stack.value;
    // Without a result, as wasm-bindgen's functions: WebKit leaves a function that returns a call out of the stack.
    globalThis.trap = () => { exports.trap(); };
    globalThis.call = (function_) => {
      callback = function_;
      exports.call();
    };
    globalThis.listen = (listener) => {
      addEventListener('tender-status', listener);
      const event = new Event('tender-status', { bubbles: true });
      call(() => document.querySelector('tender-checkout').dispatchEvent(event));
    };
";

/// A page with two elements, once both are mounted.
async fn open(glue: &str) -> Frame {
    let body = Frame::element("").repeat(2);
    let glue = module(&[GLUE, glue].concat());
    let frame = Frame::open(&Frame::tag(&glue, ""), &body).await;
    until("both are mounted", || frame.mounted() == 2).await;
    frame
}

/// Runs this script as the page would, in a task of its own.
fn run(frame: &Frame, script: &str) {
    let element = frame.document().create_element("script").unwrap();
    let text = format!("setTimeout(() => {{ {script} }})");
    element.set_text_content(Some(&text));
    frame.append(&element);
}

#[wasm_bindgen_test]
async fn after_a_panic_every_element_shows_its_fallback_and_the_module_is_not_called() {
    let frame = open(QUIET_GLUE).await;
    let report: js_sys::Function = frame.global("report").unchecked_into();
    let message = "it went wrong".into();
    report.call1(&JsValue::UNDEFINED, &message).unwrap();
    settled().await;
    assert_eq!(frame.words("dispatched"), ["crashed", "crashed"]);
    assert!(frame.shows_fallbacks());
    let said = "<tender-checkout>: the module crashed: it went wrong";
    assert_eq!(frame.words("said"), [said; 2]);

    run(
        &frame,
        "for (const checkout of document.querySelectorAll('tender-checkout')) {
           checkout.refresh();
           checkout.reset();
           checkout.quantity = '2';
           checkout.theme = 'dark';
         }
         const [first, second] = document.querySelectorAll('tender-checkout');
         second.remove();
         document.body.append(first.cloneNode(true));
         first.remove();",
    );
    // The one that comes after the crash.
    frame.until_dispatched(&["crashed"; 3]).await;
    settled().await;
    assert!(frame.shows_fallbacks());
    assert_eq!((frame.checkouts().len(), frame.mounted()), (1, 2));
    assert_eq!(frame.words("calls"), [""; 0]);
    assert_eq!(frame.words("dispatched"), ["crashed"; 3]);
    assert_eq!(frame.words("said").len(), 3);
}

/// What leaves the module in an undefined state, besides panics, and the message unless it is that of a trap.
const CRASHES: [(&str, Option<&str>); 4] = [
    ("trap()", None),
    ("queueMicrotask(trap)", None),
    ("Promise.resolve().then(trap)", None),
    (
        "call(() => { throw new TypeError('of the page'); })",
        Some("TypeError: of the page"),
    ),
];

/// Each engine has its own words for a trap; these are Chromium's, Firefox's and `WebKit`'s.
const TRAPS: [&str; 3] = [
    "RuntimeError: unreachable",
    "RuntimeError: unreachable executed",
    "RuntimeError: Unreachable code should not be executed (evaluating 'exports.trap()')",
];

/// What this browser says of a trap.
fn words_of_a_trap(frame: &Frame) -> String {
    let trap: js_sys::Function = frame.global("trap").unchecked_into();
    let error: js_sys::Object = trap
        .call0(&JsValue::UNDEFINED)
        .unwrap_err()
        .unchecked_into();
    let words = String::from(error.to_string());
    assert!(TRAPS.contains(&words.as_str()), "{words}");
    words
}

#[wasm_bindgen_test]
async fn an_exception_that_left_the_module_is_a_crash() {
    for (script, message) in CRASHES {
        let frame = open(QUIET_GLUE).await;
        run(&frame, script);
        frame.until_dispatched(&["crashed", "crashed"]).await;
        assert!(frame.shows_fallbacks(), "{script}");
        let said = frame.words("said");
        let trap = words_of_a_trap(&frame);
        let message = match message {
            None => &trap,
            // `WebKit` hides what passes through a script of a blob, as this test's glue is.
            Some(_) if trap == TRAPS[2] => "null",
            Some(message) => message,
        };
        let expected = format!("<tender-checkout>: the module crashed: {message}");
        assert_eq!(said, [expected.as_str(), &expected], "{script}");
    }
}

#[wasm_bindgen_test]
async fn an_exception_that_the_loader_catches_is_a_crash_too() {
    let broken = QUIET_GLUE.replace(
        "handle[method] = () => { calls.push(method); };",
        "handle[method] = () => { calls.push(method); trap(); };",
    );
    let frame = open(&broken).await;
    frame.checkout().set_attribute("quantity", "2").unwrap();
    frame.until_dispatched(&["crashed", "crashed"]).await;
    assert!(frame.shows_fallbacks());
    assert_eq!(frame.words("calls"), ["set_locale"]);
}

#[wasm_bindgen_test]
async fn a_trap_while_an_element_is_mounted_is_a_crash() {
    let glue = [GLUE, &QUIET_GLUE.replace("mounted.push(host);", "trap();")].concat();
    let frame = Frame::with("", &glue).await;
    frame.until_dispatched(&["crashed"]).await;
    assert!(frame.shows_fallbacks());
}

/// Exceptions of the page that never pass through the module, though it may be in their stack.
const OF_THE_PAGE: [&str; 6] = [
    "throw new Error('of the page')",
    "Promise.reject(new Error('of the page'))",
    "listen(() => { throw new Error('of the page'); })",
    "listen(async () => { throw new Error('of the page'); })",
    // Created in a listener, thrown later.
    "listen(() => {
       const error = new Error('of the page');
       setTimeout(() => { throw error; });
     })",
    "listen(() => {
       const error = new RangeError('of the page');
       Promise.resolve().then(() => { throw error; });
     })",
];

#[wasm_bindgen_test]
async fn an_exception_of_the_page_is_no_crash() {
    for script in OF_THE_PAGE {
        let frame = open(QUIET_GLUE).await;
        run(
            &frame,
            &format!("setTimeout(() => dispatched.push('done')); {script}"),
        );
        frame.until_dispatched(&["done"]).await;
        settled().await;
        assert_eq!(frame.words("dispatched"), ["done"], "{script}");
        assert!(!frame.checkouts().iter().any(shows_fallback), "{script}");
    }
}
