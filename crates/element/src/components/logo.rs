use leptos::prelude::*;

/// The logo of a token or a wallet. Without an image, or when it can't be loaded, the first letter of the name is shown. The
/// style sheet draws it: as a text it would look like a part of the name without one.
#[component]
pub fn Logo(
    /// The name of the token or wallet.
    #[prop(into)]
    name: String,
    /// The image's URL.
    src: Option<String>,
    /// Width and height in pixels.
    size: &'static str,
) -> AnyView {
    let mut initial = name;
    initial.truncate(initial.chars().next().map_or(0, char::len_utf8));
    let src = RwSignal::new(src);
    view! {
        <span class="logo" aria-hidden="true" data-initial=initial>
            {move || src.get().map(|url| view! {
                <img
                    alt=""
                    loading="lazy"
                    decoding="async"
                    referrerpolicy="no-referrer"
                    width=size
                    height=size
                    on:error=move |_| src.set(None)
                    src=url
                />
            }.into_any())}
        </span>
    }
    .into_any()
}
