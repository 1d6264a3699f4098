//! Escapes characters that could mislead a reader. Names and invoice numbers come from strangers, and end up in
//! terminals, files and logs.

use std::fmt::Write as _;

/// Escapes characters that a terminal interprets or that could mislead a reader: control
/// characters, characters that change the direction of text (Unicode Standard Annex 9), and
/// invisible characters.
pub fn sanitize(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        if is_unsafe(character) {
            // Writing to a string can't fail.
            let _ = write!(safe, "{}", character.escape_unicode());
        } else {
            safe.push(character);
        }
    }
    safe
}

/// Escapes such characters in JSON, as JSON does. ASCII remains: serde escapes control characters,
/// and line breaks between values are harmless.
pub fn sanitize_json(json: &str) -> String {
    let mut safe = String::with_capacity(json.len());
    for character in json.chars() {
        if character < '\u{7f}' || !is_unsafe(character) {
            safe.push(character);
            continue;
        }
        for unit in character.encode_utf16(&mut [0; 2]) {
            // Writing to a string can't fail.
            let _ = write!(safe, "\\u{unit:04x}");
        }
    }
    safe
}

/// Escapes such characters in CSV, also line breaks within a field. Those between records remain.
pub fn sanitize_csv(csv: &str) -> String {
    let mut safe = String::with_capacity(csv.len());
    let mut quoted = false;
    for character in csv.chars() {
        // A quotation mark within a field is doubled, so it ends the quoted text and starts it again.
        quoted ^= character == '"';
        let ends_record = !quoted && matches!(character, '\r' | '\n');
        if ends_record || !is_unsafe(character) {
            safe.push(character);
        } else {
            // Writing to a string can't fail.
            let _ = write!(safe, "{}", character.escape_unicode());
        }
    }
    safe
}

/// Whether [`sanitize`] escapes this character.
pub fn is_unsafe(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{61c}' | '\u{ad}' | '\u{180e}'
                | '\u{200b}' | '\u{200e}' | '\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsafe_characters_are_escaped() {
        for (text, safe) in [
            ("INV-1042 ü 李雷 👩‍💻", "INV-1042 ü 李雷 👩‍💻"),
            ("\u{1b}[2J\u{7}", r"\u{1b}[2J\u{7}"),
            ("a\r\nb\tc\0", r"a\u{d}\u{a}b\u{9}c\u{0}"),
            ("\u{9b}31m\u{7f}", r"\u{9b}31m\u{7f}"),
            ("gpj.\u{202e}exe\u{2066}", r"gpj.\u{202e}exe\u{2066}"),
            ("a\u{200b}b\u{feff}", r"a\u{200b}b\u{feff}"),
        ] {
            assert_eq!(sanitize(text), safe);
        }
    }

    #[test]
    fn unsafe_characters_are_escaped_in_csv() {
        let csv = "id,name\r\n1,\"a\"\"\rb\u{1b}\"\r\n2,\u{9b}\u{202e}\r\n";
        let safe = "id,name\r\n1,\"a\"\"\\u{d}b\\u{1b}\"\r\n2,\\u{9b}\\u{202e}\r\n";
        assert_eq!(sanitize_csv(csv), safe);
    }

    #[test]
    fn unsafe_characters_are_escaped_in_json() {
        let text = "\u{7f}\u{9b}31m\u{202e}\u{feff}\u{e0041}ü";
        let json = serde_json::to_string(text).unwrap();
        let safe = sanitize_json(&json);
        assert_eq!(safe, r#""\u007f\u009b31m\u202e\ufeff\udb40\udc41ü""#);
        assert_eq!(serde_json::from_str::<String>(&safe).unwrap(), text);
        assert_eq!(sanitize_json("{\n \"a\":\t1}"), "{\n \"a\":\t1}");
    }
}
