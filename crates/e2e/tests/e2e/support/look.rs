//! How the browser shows a page: on which screen, and in whose colours.

use serde_json::{Value, json};

/// Colours that a buyer prefers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Theme {
    Light,
    Dark,
    /// A few colours of the system's in place of the page's (Windows' contrast themes).
    Forced,
}

impl Theme {
    pub(crate) const ALL: [Self; 3] = [Self::Light, Self::Dark, Self::Forced];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
            Self::Forced => "forced colours",
        }
    }
}

/// A screen and the preferences of the one before it. Motion is always reduced: what moves would be
/// another picture each time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    /// CSS pixels.
    width: u32,
    /// Pixels of the screen for each of these.
    scale: f64,
    theme: Theme,
}

impl Look {
    pub(crate) const fn screen(width: u32, scale: f64) -> Self {
        Self {
            width,
            scale,
            theme: Theme::Light,
        }
    }

    pub(crate) const fn phone(width: u32) -> Self {
        Self::screen(width, 1.0)
    }

    pub(crate) const fn in_theme(self, theme: Theme) -> Self {
        Self { theme, ..self }
    }

    /// The commands of Chromium's developer tools that make it look like this, at this height.
    pub(super) fn commands(self, height: u32) -> [(&'static str, Value); 3] {
        let (scheme, forced) = match self.theme {
            Theme::Light => ("light", "none"),
            Theme::Dark => ("dark", "none"),
            Theme::Forced => ("light", "active"),
        };
        let features = json!([
            { "name": "prefers-color-scheme", "value": scheme },
            { "name": "forced-colors", "value": forced },
            { "name": "prefers-reduced-motion", "value": "reduce" },
        ]);
        let screen = json!({
            "width": self.width, "height": height, "deviceScaleFactor": self.scale, "mobile": false,
        });
        [
            (
                "Emulation.setEmulatedMedia",
                json!({ "features": features }),
            ),
            ("Emulation.setDeviceMetricsOverride", screen),
            // As on a phone they take no room.
            ("Emulation.setScrollbarsHidden", json!({ "hidden": true })),
        ]
    }
}
