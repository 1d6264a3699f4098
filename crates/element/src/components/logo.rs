use leptos::prelude::*;

/// The logo of a token or a wallet. Without an image, or when it can't be loaded, the first letter of the name is shown.
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
    let content = move || match src.get() {
        Some(src_url) => view! {
            <img
                alt=""
                loading="lazy"
                decoding="async"
                referrerpolicy="no-referrer"
                width=size
                height=size
                on:error=move |_| src.set(None)
                src=src_url
            />
        }
        .into_any(),
        None => initial.clone().into_any(),
    };
    view! { <span class="logo" aria-hidden="true">{content}</span> }.into_any()
}
