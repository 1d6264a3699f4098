use leptos::prelude::*;
use leptos::tachys::reactive_graph::OwnedView;
use leptos::tachys::view::keyed::keyed;
use tender_element::focus::FocusRestoration;
use tender_element::use_i18n;

use crate::driver::use_driver;
use crate::loaded::use_dashboard;

/// A list of strings, each rendered once. It is Leptos' `<For>`, except that a removed item leaves
/// nothing in memory: until an owner is cleaned up, it keeps a pointer to every owner that was ever created under it
/// (`OwnerInner::children` in `reactive_graph` 0.2), so here the owners of the items have no parent.
#[component]
pub(super) fn KeyedList(
    /// The strings.
    keys: Memo<Vec<String>>,
    /// Renders one string.
    children: Callback<String, AnyView>,
) -> AnyView {
    let driver = use_driver();
    let dashboard = use_dashboard();
    let i18n = use_i18n();
    let focus_restoration: FocusRestoration = expect_context();
    let child = move |_, key| {
        let owner = Owner::default();
        let view = owner.with(|| {
            // Without a parent there is no context.
            provide_context(driver);
            provide_context(dashboard);
            provide_context(i18n);
            provide_context(focus_restoration);
            children.run(key)
        });
        (drop::<usize>, OwnedView::new_with_owner(view, owner))
    };
    (move || keyed(keys.get(), String::clone, child)).into_any()
}
