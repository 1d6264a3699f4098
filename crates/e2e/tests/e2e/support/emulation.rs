//! Screens and user preferences to emulate.

use serde_json::json;

use super::browser::Browser;

/// The colour scheme that the user prefers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Theme {
    Light,
    Dark,
    /// Forced colours (contrast themes in Windows).
    Forced,
    /// Printed.
    Print,
}

impl Theme {
    /// Those of screens.
    pub(crate) const ALL: [Self; 3] = [Self::Light, Self::Dark, Self::Forced];
}

/// A screen and the user's preferences. Motion is always reduced, so that screenshots are reproducible.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Emulation {
    /// Size in CSS pixels.
    width: u32,
    /// Device pixels per CSS pixel.
    scale: f64,
    theme: Theme,
}

impl Emulation {
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
}

impl Browser {
    /// Emulates a touch screen.
    pub(crate) async fn is_touched(&self, enabled: bool) {
        let touch = json!({ "enabled": enabled });
        self.send("Emulation.setTouchEmulationEnabled", touch).await;
    }

    /// Emulates media features of the user's preferences, on a screen.
    pub(crate) async fn prefers(&self, features: &[(&str, &str)]) {
        self.emulate_media("", features).await;
    }

    async fn emulate_media(&self, media: &str, features: &[(&str, &str)]) {
        let features = features.iter();
        let features = features.map(|(name, value)| json!({ "name": name, "value": value }));
        let features: Vec<_> = features.collect();
        let media = json!({ "media": media, "features": features });
        self.send("Emulation.setEmulatedMedia", media).await;
    }

    /// Emulates this screen and these preferences.
    pub(crate) async fn emulate_screen(&self, screen: Emulation) {
        self.emulate(screen, 800).await;
        self.is_drawn().await;
    }

    /// The same, with a screen as high as the page, for a screenshot of the whole page.
    pub(crate) async fn emulate_whole_page(&self, screen: Emulation) {
        self.emulate(screen, 800).await;
        let height = "return document.documentElement.scrollHeight";
        self.emulate(screen, self.run(height, []).await).await;
        self.is_drawn().await;
    }

    async fn emulate(&self, screen: Emulation, height: u32) {
        let (scheme, forced) = match screen.theme {
            Theme::Light | Theme::Print => ("light", "none"),
            Theme::Dark => ("dark", "none"),
            Theme::Forced => ("light", "active"),
        };
        let media = if screen.theme == Theme::Print {
            "print"
        } else {
            ""
        };
        let features = [
            ("prefers-color-scheme", scheme),
            ("forced-colors", forced),
            ("prefers-reduced-motion", "reduce"),
        ];
        self.emulate_media(media, &features).await;
        let metrics = json!({
            "width": screen.width, "height": height, "deviceScaleFactor": screen.scale, "mobile": false,
        });
        self.send("Emulation.setDeviceMetricsOverride", metrics)
            .await;
        // Overlay scrollbars, as on a phone.
        let hidden = json!({ "hidden": true });
        self.send("Emulation.setScrollbarsHidden", hidden).await;
    }
}
