//! The elements: what is built and served for each.

/// An element. Its loader has a stable name, which is the public address of the element.
pub(crate) struct Artifact {
    /// The package, which wasm-bindgen names its output after.
    pub(crate) package: &'static str,
    /// Where the sources of the loader and its types are.
    pub(crate) sources: &'static str,
    /// The file name of the loader.
    pub(crate) loader: &'static str,
    /// The style sheet, with `@import`s.
    pub(super) style: &'static str,
    /// Whether the style sheet is a file, too, for a form in the HTML of a shop's page.
    pub(super) serves_style: bool,
    /// Where the locale files are, and where they are served.
    pub(super) locales: &'static str,
    pub(super) served_locales: &'static str,
}

pub(crate) const ARTIFACTS: [Artifact; 2] = [
    Artifact {
        package: "tender-checkout",
        sources: "src",
        loader: "checkout.js",
        style: "style/index.css",
        serves_style: true,
        locales: "locales",
        served_locales: "locales",
    },
    Artifact {
        package: "tender-payments",
        sources: "crates/payments/src",
        loader: "payments.js",
        style: "crates/payments/style/index.css",
        serves_style: false,
        locales: "crates/payments/locales",
        served_locales: "locales/payments",
    },
];

impl Artifact {
    /// wasm-bindgen's JavaScript.
    pub(super) fn glue(&self) -> String {
        format!("{}.js", self.package)
    }

    /// The module.
    pub(super) fn wasm(&self) -> String {
        format!("{}_bg.wasm", self.package)
    }

    /// The loader's types.
    pub(crate) fn types(&self) -> String {
        self.loader.replace(".js", ".d.ts")
    }
}
