//! The frame while the tokens are on their way: the same marks that the loader shows before.

use tender_element::dom::{El, el};

use crate::text::{Text, say};

pub(super) fn skeleton() -> El {
    el("div")
        .class("skeleton")
        .attr("role", "status")
        .attr("aria-busy", "true")
        .attr("aria-label", &say(Text::Loading))
        .attr("tabindex", "-1")
        .children((0..8).map(|_| el("i")))
        .successor()
}
