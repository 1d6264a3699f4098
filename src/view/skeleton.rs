//! The frame while the tokens are on their way: the same marks that the loader shows before.

use leptos::prelude::*;

use super::focus;
use crate::text::{Text, say};

pub(super) fn skeleton() -> impl IntoView {
    view! {
        <div class="skeleton" role="status" aria-busy="true" aria-label=say(Text::Loading)
            tabindex="-1" node_ref=focus::successor()>
            {(0..8).map(|_| view! { <i></i> }).collect::<Vec<_>>()}
        </div>
    }
}
