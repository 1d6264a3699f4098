use leptos::prelude::*;

use crate::localization::use_localization;
use crate::text::Text;

/// A cell with the name of its column, which is shown on a phone.
#[component]
pub(super) fn Cell(
    column: Text,
    /// Whether a phone shows it only with the details.
    #[prop(optional)]
    is_detail: bool,
    children: Children,
) -> AnyView {
    let locale = use_localization();
    view! {
        <td role="cell" class:detail=is_detail>
            <span class="label" aria-hidden="true">{locale.t(column)}</span>
            <div>{children()}</div>
        </td>
    }
    .into_any()
}
