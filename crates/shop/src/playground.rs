//! What the playground offers: languages, custom properties, and presets of them.

/// The widget's languages: BCP 47 tag and name.
pub const LANGUAGES: [(&str, &str); 15] = [
    ("ar", "العربية"),
    ("de", "Deutsch"),
    ("en", "English"),
    ("es", "Español"),
    ("fr", "Français"),
    ("he", "עברית"),
    ("hi", "हिन्दी"),
    ("id", "Bahasa Indonesia"),
    ("ja", "日本語"),
    ("ko", "한국어"),
    ("pt", "Português"),
    ("ru", "Русский"),
    ("tr", "Türkçe"),
    ("vi", "Tiếng Việt"),
    ("zh", "中文"),
];

/// The custom properties that are colours, with their defaults in the light theme.
pub const COLOURS: [(&str, &str); 11] = [
    ("--tender-accent", "#0a6b5c"),
    ("--tender-accent-hover", "#085348"),
    ("--tender-on-accent", "#ffffff"),
    ("--tender-surface", "#ffffff"),
    ("--tender-raised", "#f5f7f7"),
    ("--tender-text", "#14181b"),
    ("--tender-muted", "#566068"),
    ("--tender-line", "#dde2e5"),
    ("--tender-control", "#828d95"),
    ("--tender-danger", "#b3261e"),
    ("--tender-caution", "#855300"),
];

/// The other custom properties, with an example.
pub const SIZES: [(&str, &str); 10] = [
    ("--tender-radius", "12px"),
    ("--tender-border-width", "1px"),
    ("--tender-shadow", "0 8px 24px rgb(0 0 0 / 12%)"),
    ("--tender-spacing", "8px"),
    ("--tender-font", "Georgia, serif"),
    ("--tender-font-mono", "monospace"),
    ("--tender-font-size", "16px"),
    ("--tender-font-weight", "400"),
    ("--tender-font-weight-bold", "600"),
    ("--tender-min-height", "676px"),
];

/// Complete themes to start from: the name, and the values by attribute and custom property.
pub const PRESETS: [(&str, &[(&str, &str)]); 3] = [
    (
        "Soft",
        &[
            ("theme", "light"),
            ("--tender-accent", "#4338ca"),
            ("--tender-accent-hover", "#362da6"),
            ("--tender-radius", "20px"),
            ("--tender-shadow", "0 12px 40px rgb(20 24 27 / 16%)"),
            ("--tender-spacing", "10px"),
            ("--tender-min-height", "728px"),
        ],
    ),
    (
        "Sharp",
        &[
            ("theme", "light"),
            ("--tender-accent", "#111111"),
            ("--tender-accent-hover", "#3d3d3d"),
            ("--tender-line", "#111111"),
            ("--tender-control", "#111111"),
            ("--tender-radius", "0px"),
            ("--tender-border-width", "2px"),
            ("--tender-font-weight-bold", "700"),
        ],
    ),
    (
        "Night",
        &[
            ("theme", "dark"),
            ("--tender-surface", "#0b1020"),
            ("--tender-raised", "#141b2f"),
            ("--tender-text", "#e8ecf8"),
            ("--tender-muted", "#9aa5c4"),
            ("--tender-line", "#2a355a"),
            ("--tender-control", "#7180ab"),
            ("--tender-accent", "#8ab4ff"),
            ("--tender-accent-hover", "#a9c8ff"),
            ("--tender-on-accent", "#06122b"),
        ],
    ),
];
