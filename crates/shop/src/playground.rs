//! What the playground offers: languages and custom properties.

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
pub const COLOURS: [(&str, &str); 10] = [
    ("--tender-accent", "#0a6b5c"),
    ("--tender-on-accent", "#ffffff"),
    ("--tender-surface", "#ffffff"),
    ("--tender-raised", "#f5f7f7"),
    ("--tender-text", "#14181b"),
    ("--tender-muted", "#566068"),
    ("--tender-line", "#dde2e5"),
    ("--tender-control", "#87929a"),
    ("--tender-danger", "#b3261e"),
    ("--tender-caution", "#855300"),
];

/// The other custom properties, with an example.
pub const SIZES: [(&str, &str); 5] = [
    ("--tender-radius", "12px"),
    ("--tender-font", "Georgia, serif"),
    ("--tender-font-mono", "monospace"),
    ("--tender-font-size", "16px"),
    ("--tender-min-height", "676px"),
];
