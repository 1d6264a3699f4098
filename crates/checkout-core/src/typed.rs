//! What buyers type with an input method, or with the digits of their language.

/// The zero of other decimal digits: Arabic, Persian and Urdu, Hindi.
const ZEROS: [char; 3] = ['\u{660}', '\u{6f0}', '\u{966}'];

/// The text with ASCII in place of full-width characters (Unicode's block "Halfwidth and Fullwidth Forms") and of the digits
/// of other languages.
pub(crate) fn in_ascii(text: &str) -> String {
    text.chars().map(ascii).collect()
}

fn ascii(character: char) -> char {
    match character {
        '\u{ff01}'..='\u{ff5e}' => shifted(character, '\u{ff01}', '!'),
        // The Arabic decimal separator.
        '\u{66b}' => '.',
        _ => {
            let digits = |zero: &char| (*zero..=shifted('9', '0', *zero)).contains(&character);
            let zero = ZEROS.into_iter().find(digits);
            zero.map_or(character, |zero| shifted(character, zero, '0'))
        }
    }
}

/// The character that is as far from `to` as `character` is from `from`.
fn shifted(character: char, from: char, to: char) -> char {
    let distance = u32::from(character) - u32::from(from);
    char::from_u32(u32::from(to) + distance).unwrap_or(character)
}
