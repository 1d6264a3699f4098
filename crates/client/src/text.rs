//! Texts: each with its key, its English, and its places to fill in.

/// A text of a closed set: see [`texts!`](crate::texts).
pub trait Wording: Copy + 'static {
    /// The name of the text in a file of texts.
    fn key(self) -> &'static str;

    /// The text in English.
    fn english(self) -> &'static str;
}

/// Makes the enum of everything that an element says. `{name}` marks a place that is filled in.
///
/// English is built in; files hold the other languages, by the same keys.
#[macro_export]
macro_rules! texts {
    ($($name:ident = $key:literal, $english:literal;)*) => {
        /// Everything that the element says. `{name}` marks a place that is filled in.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Text {
            $(#[doc = $english] $name,)*
        }

        impl Text {
            /// The name of the text in a file of texts.
            #[must_use]
            pub const fn key(self) -> &'static str {
                match self { $(Self::$name => $key,)* }
            }

            /// The text in English.
            #[must_use]
            pub const fn english(self) -> &'static str {
                match self { $(Self::$name => $english,)* }
            }

            /// Every text.
            pub const ALL: &[Self] = &[$(Self::$name),*];
        }

        impl $crate::Wording for Text {
            fn key(self) -> &'static str {
                Self::key(self)
            }

            fn english(self) -> &'static str {
                Self::english(self)
            }
        }
    };
}

/// The text with its places filled in; a place that has no value stays empty.
#[must_use]
pub fn fill(text: &str, values: &[(&str, &str)]) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let (name, after) = after.split_once('}').unwrap_or((after, ""));
        let value = values.iter().find(|(place, _)| *place == name);
        out.push_str(value.map_or("", |(_, value)| value));
        rest = after;
    }
    out.push_str(rest);
    out
}
