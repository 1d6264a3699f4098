use leptos::prelude::*;

/// A cell of a payment's row.
#[component]
pub(super) fn Cell(
    /// Whether a phone leaves it to the dialog with the details.
    #[prop(optional)]
    is_detail: bool,
    children: Children,
) -> AnyView {
    view! {
        <td role="cell" class:detail=is_detail>
            <div>{children()}</div>
        </td>
    }
    .into_any()
}
