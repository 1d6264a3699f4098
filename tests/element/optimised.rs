//! Pages whose optimiser, cache or library changes how the loader is run: combined with other scripts, inlined, evaluated, or
//! with another `fetch`; and a page that is older than the proxy's release.

use wasm_bindgen_test::wasm_bindgen_test;

use crate::support::frame::{BROKEN_GLUE, Frame, QUIET_GLUE};
use crate::support::loader::module;
use crate::support::proxy::{Proxy, Reply};
use crate::support::wait::until;

const MODULE: &str = "GET /v1/app.wasm";

/// The loader as a release has it: the module's file is beside it.
fn loader(glue: &str) -> String {
    Frame::tag(&module(glue), "").replace("data:application/wasm,", "app.wasm")
}

/// Removes what tells the loader its address.
const WITHOUT_ADDRESS: &str =
    "<script>document.querySelector('meta[content$=\"loader.js\"]').remove();</script>";

fn evaluated(script: &str) -> String {
    let code = script
        .trim_start_matches("<script >")
        .trim_end_matches("</script>");
    let code = String::from(js_sys::encode_uri_component(code));
    format!("<script>setTimeout(() => (0, eval)(decodeURIComponent(`{code}`)));</script>")
}

fn combined(script: &str) -> String {
    let code = script
        .trim_start_matches("<script >")
        .trim_end_matches("</script>");
    let code = String::from(js_sys::encode_uri_component(code));
    format!("<script src=\"data:text/javascript,{code}\"></script>")
}

#[wasm_bindgen_test]
async fn a_loader_without_an_address_of_its_own_loads_the_module_from_the_proxy() {
    let tag = loader(QUIET_GLUE);
    for script in [tag.clone(), evaluated(&tag), combined(&tag)] {
        let proxy = Proxy::new();
        let body = Frame::element_of(&proxy, "");
        let frame = Frame::open(&format!("{WITHOUT_ADDRESS}{script}"), &body).await;
        frame.until_mounted().await;
        assert_eq!(proxy.sent(MODULE).len(), 1);
        let said = frame.words("said").join(" ");
        let expected = format!(
            "loader.js has no address here: its files are loaded from {}/v1/",
            proxy.address()
        );
        assert!(said.contains(&expected), "{said}");
    }
}

/// A newer release has taken its place on the server: only the page's HTML can name it.
#[wasm_bindgen_test]
async fn without_the_files_of_its_release_a_page_asks_to_be_reloaded() {
    let proxy = Proxy::new();
    proxy.serve(MODULE, |_| Reply::Answer(404, "Not Found".to_owned()));
    let tag = format!("{WITHOUT_ADDRESS}{}", loader(BROKEN_GLUE));
    let frame = Frame::open(&tag, &Frame::element_of(&proxy, "")).await;
    frame.until_dispatched(&["load-failed"]).await;
    let text = Frame::card(&frame.checkout()).text_content().unwrap();
    assert!(text.ends_with("Reload the page"), "{text}");
    assert!(frame.shows_fallbacks());
    assert!(frame.words("said").join(" ").contains("HTTP 404"));
}

/// The class of what the glue starts from.
const STARTS_FROM: &str = "export default async ({ module_or_path }) => {
    globalThis.given = [Object.prototype.toString.call(await module_or_path)];
};";

#[wasm_bindgen_test]
async fn a_wrapped_response_is_compiled_from_its_bytes() {
    let response = "new Response(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0), { headers: { 'content-type': 'application/wasm' } })";
    let wrapper = "{ get: (target, name) => typeof target[name] === 'function' ? target[name].bind(target) : target[name] }";
    for (response, class) in [
        (response.to_owned(), "[object WebAssembly.Module]"),
        (
            format!("new Proxy({response}, {wrapper})"),
            "[object ArrayBuffer]",
        ),
    ] {
        let fetch = format!("<script>fetch = async () => {response};</script>");
        let glue = QUIET_GLUE.replace("export default async () => {};", STARTS_FROM);
        let head = format!("{fetch}{}", loader(&glue));
        let frame = Frame::open(&head, &Frame::element("")).await;
        until("the module starts", || !frame.words("given").is_empty()).await;
        assert_eq!(frame.words("given"), [class]);
    }
}
