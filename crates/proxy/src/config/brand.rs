//! What the shop sets for the payment page: its name, logo and colours.

use std::fmt;
use std::fs;
use std::str::FromStr;

use axum::body::Bytes;
use clap::Args;
use tender_checkout::render;
use tender_checkout_core::choice::display_name;

/// The largest logo, in bytes. Buyers on slow networks download it with the page.
const MAX_LOGO: usize = 64 << 10;

/// The lowest contrast of text to its background (WCAG 2.1, success criterion 1.4.3).
const MIN_CONTRAST: f64 = 4.5;

/// What the shop sets for the payment page.
#[derive(Args, Clone, Debug)]
pub struct Brand {
    /// Name of the shop, the heading of the payment page, whose buyers may come by a link in an e-mail
    #[arg(long, id = "shop_name", value_name = "NAME", value_parser = shop_name)]
    pub name: Option<String>,

    /// PNG, JPEG or WebP file with the shop's logo, at most 64 KB, above the name on the payment page, so
    /// it needs `shop_name`. It is read at startup
    #[arg(long, id = "shop_logo", value_name = "PATH")]
    pub logo: Option<Logo>,

    /// Colour of buttons and links on the payment page in the light theme, such as `#0a6b5c`. Its contrast
    /// to white must be 4.5 at least
    #[arg(long, id = "shop_accent", value_name = "COLOUR", value_parser = |text: &str| Colour::readable(text, WHITE))]
    pub accent: Option<Colour>,

    /// The same in the dark theme, whose background is `#15181c`
    #[arg(long, id = "shop_accent_dark", value_name = "COLOUR", value_parser = |text: &str| Colour::readable(text, DARK_SURFACE))]
    pub accent_dark: Option<Colour>,
}

/// What the page shows of it.
impl From<&Brand> for render::Brand {
    fn from(brand: &Brand) -> Self {
        let Brand {
            name,
            logo,
            accent,
            accent_dark,
        } = brand;
        Self {
            name: name.clone(),
            logo: logo.as_ref().map(|logo| format!("v1/{}", logo.name)),
            colours: colours(*accent, *accent_dark),
        }
    }
}

fn shop_name(text: &str) -> Result<String, &'static str> {
    let name = text.trim();
    if name.is_empty() || display_name(name) != name {
        return Err("write at most 60 characters, without control characters");
    }
    Ok(name.to_owned())
}

/// The style sheet with the shop's colours, if there are any.
fn colours(accent: Option<Colour>, accent_dark: Option<Colour>) -> Option<String> {
    let properties = |accent: &str, on_accent: &str| {
        format!(".tender{{--tender-accent:{accent};--tender-on-accent:{on_accent}}}")
    };
    let pair = |colour: Colour| [colour.to_string(), colour.text_on().to_string()];
    let (light, dark) = (accent.map(pair), accent_dark.map(pair));
    if light.is_none() && dark.is_none() {
        return None;
    }
    // The defaults of `crates/element/style/element.css`.
    let [light, on_light] = light.unwrap_or(["#0a6b5c", "#ffffff"].map(str::to_owned));
    let [dark, on_dark] = dark.unwrap_or(["#4fcfb4", "#04231c"].map(str::to_owned));
    let both = properties(
        &format!("light-dark({light},{dark})"),
        &format!("light-dark({on_light},{on_dark})"),
    );
    // Browsers before 2024 lack light-dark(), and show the light theme.
    let light = properties(&light, &on_light);
    Some(format!(
        "{light}@supports(color:light-dark(#fff,#000)){{{both}}}"
    ))
}

/// A logo: a raster image, in which a browser runs nothing.
#[derive(Clone)]
pub struct Logo {
    /// Its name below `/v1/`.
    pub(crate) name: &'static str,
    pub(crate) content: Bytes,
}

impl FromStr for Logo {
    type Err = String;

    /// Reads the file with this path.
    fn from_str(path: &str) -> Result<Self, String> {
        let content = fs::read(path).map_err(|error| format!("{path} can't be read: {error}"))?;
        if content.len() > MAX_LOGO {
            return Err(format!("{path} is larger than {MAX_LOGO} bytes"));
        }
        let name = match content.as_slice() {
            [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => "shop-logo.png",
            [0xff, 0xd8, 0xff, ..] => "shop-logo.jpg",
            [b'R', b'I', b'F', b'F', rest @ ..] if rest.get(4..8) == Some(b"WEBP") => {
                "shop-logo.webp"
            }
            _ => return Err(format!("{path} is not a PNG, JPEG or WebP image")),
        };
        Ok(Self {
            name,
            content: content.into(),
        })
    }
}

/// Shows only the kind of the image.
impl fmt::Debug for Logo {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Logo").field(&self.name).finish()
    }
}

/// A colour, written as `#0a6b5c`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour([u8; 3]);

const BLACK: Colour = Colour([0, 0, 0]);
const WHITE: Colour = Colour([0xff, 0xff, 0xff]);
/// The background of the card in the dark theme.
const DARK_SURFACE: Colour = Colour([0x15, 0x18, 0x1c]);

impl Colour {
    /// A colour that is easy to read on this surface.
    fn readable(text: &str, surface: Self) -> Result<Self, String> {
        let colour: Self = text.parse()?;
        let contrast = colour.contrast(surface);
        if contrast < MIN_CONTRAST {
            return Err(format!(
                "its contrast to the background {surface} is {contrast:.1}, and buyers need {MIN_CONTRAST} to read it"
            ));
        }
        Ok(colour)
    }

    /// Black or white, whichever is easier to read on this colour.
    pub(crate) fn text_on(self) -> Self {
        if self.contrast(WHITE) >= self.contrast(BLACK) {
            WHITE
        } else {
            BLACK
        }
    }

    /// WCAG 2.1, "contrast ratio".
    fn contrast(self, other: Self) -> f64 {
        let (one, other) = (self.luminance() + 0.05, other.luminance() + 0.05);
        one.max(other) / one.min(other)
    }

    /// WCAG 2.1, "relative luminance".
    fn luminance(self) -> f64 {
        let [red, green, blue] = self.0.map(|value| {
            let value = f64::from(value) / 255.0;
            if value <= 0.04045 {
                value / 12.92
            } else {
                ((value + 0.055) / 1.055).powf(2.4)
            }
        });
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
}

impl FromStr for Colour {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut bytes = [0; 3];
        let digits = text.strip_prefix('#').unwrap_or_default();
        hex::decode_to_slice(digits, &mut bytes)
            .map_err(|_| "write a colour as # and six hexadecimal digits, such as #0a6b5c")?;
        Ok(Self(bytes))
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "#{}", hex::encode(self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pairs are those of WCAG's and other tools' examples: black on white has 21, #767676 on white 4.54.
    #[test]
    fn contrast_is_that_of_wcag() {
        let contrast = |text: &str| text.parse::<Colour>().unwrap().contrast(WHITE);
        assert!((contrast("#000000") - 21.0).abs() < 0.001);
        assert!((contrast("#767676") - 4.54).abs() < 0.005);
        assert!(Colour::readable("#767676", WHITE).is_ok());
        assert!(Colour::readable("#777777", WHITE).is_err());
        assert!(Colour::readable("#777777", DARK_SURFACE).is_err());
    }

    #[test]
    fn a_logo_is_a_small_raster_image() {
        let folder = tempfile::tempdir().unwrap();
        let logo = |content: &[u8]| {
            let path = folder.path().join("logo");
            fs::write(&path, content).unwrap();
            let logo = path.to_str().unwrap().parse::<Logo>();
            logo.map(|logo| logo.name)
        };
        assert_eq!(logo(b"\x89PNG\r\n\x1a\n..."), Ok("shop-logo.png"));
        assert_eq!(logo(b"\xff\xd8\xff\xe0..."), Ok("shop-logo.jpg"));
        assert_eq!(logo(b"RIFF....WEBPVP8 "), Ok("shop-logo.webp"));
        let large = [b"\xff\xd8\xff".to_vec(), vec![0; MAX_LOGO]].concat();
        for refused in [
            &b"<svg xmlns='http://www.w3.org/2000/svg'/>"[..],
            b"GIF89a",
            b"",
            &large,
        ] {
            assert!(logo(refused).is_err());
        }
        assert!("/nowhere/logo.png".parse::<Logo>().is_err());
    }

    #[test]
    fn a_colour_is_six_digits() {
        assert_eq!("#0A6b5c".parse::<Colour>().unwrap().to_string(), "#0a6b5c");
        for text in ["", "#", "0a6b5c", "#0a6b5", "#0a6b5cc", "red", "#0a6b5c;}"] {
            assert!(text.parse::<Colour>().is_err(), "{text}");
        }
        let text_on = |text: &str| text.parse::<Colour>().unwrap().text_on();
        assert_eq!([text_on("#0a6b5c"), text_on("#4fcfb4")], [WHITE, BLACK]);
    }
}
