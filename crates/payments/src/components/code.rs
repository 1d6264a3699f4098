use leptos::prelude::*;
use tender_element::components::{CopyButton, dynamic_text};

/// The number of characters of a long code that are shown at its start and at its end.
const SHOWN: usize = 4;

/// A wallet address or `transactionId`, with a button that copies it. Of a long one, the start and the end are shown; a
/// selection and a screen reader get all of it.
#[component]
pub(super) fn Code(
    value: Signal<String>,
    copy_label: Signal<String>,
    /// What the code is, for the tooltip.
    #[prop(optional, into)]
    hint: String,
) -> AnyView {
    let part = move |part: fn(Parts) -> String| {
        Signal::derive(move || value.with(|value| part(Parts::of(value))))
    };
    let title = move || {
        let value = value.get();
        if hint.is_empty() {
            value
        } else {
            format!("{value}\n{hint}")
        }
    };
    view! {
        <span class="code">
            <bdi dir="ltr" translate="no" title=title>
                <span use:dynamic_text=part(|parts| parts.start)></span>
                <span class="middle" use:dynamic_text=part(|parts| parts.middle)></span>
                <span use:dynamic_text=part(|parts| parts.end)></span>
            </bdi>
            <CopyButton label=copy_label value=value/>
        </span>
    }
    .into_any()
}

/// The parts of a code. Only a long one has a middle.
struct Parts {
    start: String,
    middle: String,
    end: String,
}

impl Parts {
    fn of(code: &str) -> Self {
        let count = code.chars().count();
        let [start, end] = if count > 3 * SHOWN {
            [SHOWN, count - SHOWN]
        } else {
            [count, count]
        };
        let part = |skipped: usize, to: usize| code.chars().skip(skipped).take(to - skipped);
        Self {
            start: part(0, start).collect(),
            middle: part(start, end).collect(),
            end: part(end, count).collect(),
        }
    }
}
