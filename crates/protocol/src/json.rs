//! Reads JSON (RFC 8259) down to the text of each value, and no further; writes strings.
//!
//! An amount has to keep its digits and an unknown field all that it holds, so that most of what a
//! general reader does is not wanted. It also brings what a float is read and written with: a ninth of
//! what a buyer downloaded before the first choice (docs/PERFORMANCE.md). What is read here and what is
//! not is held to `serde_json` by the tests.

/// Why a text is not the JSON that was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{expected} should stand at byte {at}")]
pub(crate) struct JsonError {
    expected: &'static str,
    at: usize,
}

/// The fields of a JSON object, each with the text of its value.
pub(crate) fn object(json: &str) -> Result<Vec<(String, &str)>, JsonError> {
    let mut fields = Vec::new();
    visit(json, &mut |name, value| {
        fields.push((string(name)?, value));
        Ok(())
    })?;
    Ok(fields)
}

/// The text of the value of one field of a JSON object, with nothing else copied. Where the field stands twice, the last
/// one counts.
pub(crate) fn field<'a>(json: &'a str, field: &str) -> Result<Option<&'a str>, JsonError> {
    let mut found = None;
    visit(json, &mut |name, value| {
        let plain = name.get(1..name.len() - 1);
        if plain == Some(field) || (name.contains('\\') && string(name)? == field) {
            found = Some(value);
        }
        Ok(())
    })?;
    Ok(found)
}

/// Shows the fields of a JSON object: the text of each name, in its quotes, and of its value.
fn visit<'a>(
    json: &'a str,
    see: &mut dyn FnMut(&'a str, &'a str) -> Result<(), JsonError>,
) -> Result<(), JsonError> {
    let mut reader = Reader::new(json);
    reader.expect(b'{', "an object")?;
    if !reader.takes(b'}') {
        loop {
            let name = reader.string()?;
            reader.expect(b':', "a colon")?;
            see(name, reader.value()?)?;
            if reader.takes(b'}') {
                break;
            }
            reader.expect(b',', "a comma or the end of the object")?;
        }
    }
    reader.end()
}

/// The texts of the values in a JSON array.
pub(crate) fn array(json: &str) -> Result<Vec<&str>, JsonError> {
    let mut values = Vec::new();
    let mut reader = Reader::new(json);
    reader.expect(b'[', "an array")?;
    if !reader.takes(b']') {
        loop {
            values.push(reader.value()?);
            if reader.takes(b']') {
                break;
            }
            reader.expect(b',', "a comma or the end of the array")?;
        }
    }
    reader.end()?;
    Ok(values)
}

/// What a JSON string says.
pub(crate) fn string(json: &str) -> Result<String, JsonError> {
    let mut reader = Reader::new(json);
    let quoted = reader.string()?;
    reader.end()?;
    let mut rest = quoted.strip_prefix('"').unwrap_or_default();
    rest = rest.strip_suffix('"').unwrap_or_default();
    let mut text = String::with_capacity(rest.len());
    while let Some((plain, escaped)) = rest.split_once('\\') {
        text.push_str(plain);
        let (character, behind) = unescape(escaped).ok_or(JsonError {
            expected: "a character, not half of one,",
            at: json.len() - escaped.len(),
        })?;
        text.push(character);
        rest = behind;
    }
    text.push_str(rest);
    Ok(text)
}

/// A text as a JSON string.
pub(crate) fn quote(text: &str) -> String {
    let mut json = String::with_capacity(text.len() + 2);
    json.push('"');
    for character in text.chars() {
        match character {
            '"' => json.push_str(r#"\""#),
            '\\' => json.push_str(r"\\"),
            '\0'..' ' => {
                json.push_str(r"\u00");
                let code = u32::from(character);
                let digits = [code / 16, code % 16].map(|digit| char::from_digit(digit, 16));
                json.extend(digits.into_iter().flatten());
            }
            _ => json.push(character),
        }
    }
    json.push('"');
    json
}

/// The character that an escape stands for, and what is behind it.
fn unescape(escaped: &str) -> Option<(char, &str)> {
    let (kind, rest) = escaped.split_at_checked(1)?;
    let character = match kind {
        "b" => '\u{8}',
        "f" => '\u{c}',
        "n" => '\n',
        "r" => '\r',
        "t" => '\t',
        "u" => return unescape_unicode(rest),
        _ => kind.chars().next()?,
    };
    Some((character, rest))
}

/// Beyond U+FFFF a character is written as two halves, a surrogate pair.
fn unescape_unicode(digits: &str) -> Option<(char, &str)> {
    let unit = |digits: &str| u16::from_str_radix(digits, 16).ok();
    let (first, rest) = digits.split_at_checked(4)?;
    let first = unit(first)?;
    if let Some(character) = char::from_u32(first.into()) {
        return Some((character, rest));
    }
    let (second, rest) = rest.strip_prefix("\\u")?.split_at_checked(4)?;
    let character = char::decode_utf16([first, unit(second)?]).next()?.ok()?;
    Some((character, rest))
}

/// Goes over a text, byte by byte.
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn error(&self, expected: &'static str) -> JsonError {
        let at = self.at;
        JsonError { expected, at }
    }

    fn skip_while(&mut self, is_skipped: impl Fn(u8) -> bool) {
        while self.peek().is_some_and(&is_skipped) {
            self.at += 1;
        }
    }

    fn skip_space(&mut self) {
        self.skip_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
    }

    fn takes_next(&mut self, byte: u8) -> bool {
        let is_there = self.peek() == Some(byte);
        self.at += usize::from(is_there);
        is_there
    }

    /// Takes this byte, where it comes next but for white space.
    fn takes(&mut self, byte: u8) -> bool {
        self.skip_space();
        self.takes_next(byte)
    }

    fn expect(&mut self, byte: u8, expected: &'static str) -> Result<(), JsonError> {
        if self.takes(byte) {
            Ok(())
        } else {
            Err(self.error(expected))
        }
    }

    fn end(&mut self) -> Result<(), JsonError> {
        self.skip_space();
        match self.peek() {
            Some(_) => Err(self.error("nothing more")),
            None => Ok(()),
        }
    }

    /// The text from `start` to here.
    fn since(&self, start: usize) -> &'a str {
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// The text of the next value. However deep it is nested, nothing here calls itself.
    fn value(&mut self) -> Result<&'a str, JsonError> {
        self.skip_space();
        let start = self.at;
        let mut open = Vec::new();
        loop {
            if let Some(opened) = self.open() {
                if !self.takes(opened.end()) {
                    open.push(opened);
                    self.name(opened)?;
                    continue;
                }
            } else {
                self.scalar()?;
            }
            // A value is complete: either another one follows, or what holds it is complete, too.
            loop {
                let Some(&holder) = open.last() else {
                    return Ok(self.since(start));
                };
                if self.takes(holder.end()) {
                    open.pop();
                } else {
                    self.expect(b',', "a comma or an end")?;
                    self.name(holder)?;
                    break;
                }
            }
        }
    }

    fn open(&mut self) -> Option<Open> {
        if self.takes(b'{') {
            Some(Open::Object)
        } else {
            self.takes(b'[').then_some(Open::Array)
        }
    }

    /// The name of a field, and its colon, where what is open has names.
    fn name(&mut self, open: Open) -> Result<(), JsonError> {
        if open == Open::Object {
            self.string()?;
            self.expect(b':', "a colon")?;
        }
        Ok(())
    }

    fn scalar(&mut self) -> Result<(), JsonError> {
        match self.peek() {
            Some(b'"') => self.string().map(drop),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => {
                let rest = self.text.get(self.at..).unwrap_or_default();
                let words = ["null", "true", "false"];
                let word = words.into_iter().find(|word| rest.starts_with(word));
                self.at += word.ok_or(self.error("a value"))?.len();
                Ok(())
            }
        }
    }

    /// The text of a string, its quotes and escapes included.
    fn string(&mut self) -> Result<&'a str, JsonError> {
        self.skip_space();
        let start = self.at;
        self.expect(b'"', "a string")?;
        loop {
            self.skip_while(|byte| byte >= b' ' && byte != b'"' && byte != b'\\');
            if self.takes_next(b'"') {
                return Ok(self.since(start));
            }
            if !self.takes_next(b'\\') {
                return Err(self.error("the end of the string"));
            }
            let kind = self.peek();
            self.at += 1;
            match kind {
                Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {}
                Some(b'u') => {
                    let start = self.at;
                    self.skip_while(|byte| byte.is_ascii_hexdigit());
                    if self.at < start + 4 {
                        return Err(self.error("a hexadecimal digit"));
                    }
                }
                _ => return Err(self.error("an escape")),
            }
        }
    }

    fn number(&mut self) -> Result<(), JsonError> {
        self.takes_next(b'-');
        if !self.takes_next(b'0') {
            self.digits()?;
        }
        if self.takes_next(b'.') {
            self.digits()?;
        }
        if self.takes_next(b'e') || self.takes_next(b'E') {
            let _ = self.takes_next(b'+') || self.takes_next(b'-');
            self.digits()?;
        }
        Ok(())
    }

    /// At least one digit.
    fn digits(&mut self) -> Result<(), JsonError> {
        let start = self.at;
        self.skip_while(|byte| byte.is_ascii_digit());
        if self.at > start {
            Ok(())
        } else {
            Err(self.error("a digit"))
        }
    }
}

/// What has begun and not ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Object,
    Array,
}

impl Open {
    fn end(self) -> u8 {
        match self {
            Self::Object => b'}',
            Self::Array => b']',
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::value::RawValue;

    use super::*;

    /// What `serde_json` makes of the same text.
    fn expected(json: &str) -> Option<Vec<(String, String)>> {
        struct Fields(Vec<(String, String)>);
        impl<'de> serde::Deserialize<'de> for Fields {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                struct Visitor;
                impl<'de> serde::de::Visitor<'de> for Visitor {
                    type Value = Fields;
                    fn expecting(
                        &self,
                        formatter: &mut std::fmt::Formatter<'_>,
                    ) -> std::fmt::Result {
                        formatter.write_str("an object")
                    }
                    fn visit_map<A: serde::de::MapAccess<'de>>(
                        self,
                        mut map: A,
                    ) -> Result<Fields, A::Error> {
                        let mut fields = Vec::new();
                        while let Some((name, value)) = map.next_entry::<String, &RawValue>()? {
                            fields.push((name, value.get().to_owned()));
                        }
                        Ok(Fields(fields))
                    }
                }
                from.deserialize_map(Visitor)
            }
        }
        serde_json::from_str::<Fields>(json)
            .ok()
            .map(|fields| fields.0)
    }

    fn read(json: &str) -> Option<Vec<(String, String)>> {
        let fields = object(json).ok()?;
        let owned = |(name, value): (String, &str)| (name, value.to_owned());
        Some(fields.into_iter().map(owned).collect())
    }

    /// JSON, and what is nearly JSON.
    fn nearly_json() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            Just("{"),
            Just("}"),
            Just("["),
            Just("]"),
            Just(":"),
            Just(","),
            Just(" "),
            Just("\"a\""),
            Just("\"\\u0061\\ud83d\\ude42é\\n\""),
            Just("\"\\ud83d\""),
            Just("\"\\x\""),
            Just("\"\\u12\""),
            Just("\"\u{1}\""),
            Just("\""),
            Just("null"),
            Just("true"),
            Just("nul"),
            Just("0"),
            Just("01"),
            Just("-"),
            Just("-0.50"),
            Just("1."),
            Just(".5"),
            Just("1e"),
            Just("12E+07"),
            Just("\"a\":"),
            Just("\"\\u0061\":2,"),
            Just("\"b\":1,"),
            Just("[1,"),
            Just("\n"),
            Just("\u{a0}"),
        ];
        let pieces = prop::collection::vec(piece, 0..12);
        pieces.prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        #[test]
        fn reads_what_serde_json_reads(inside in nearly_json()) {
            for json in [format!("{{\"k\":{inside}}}"), format!("{{{inside}}}"), inside] {
                let expected = expected(&json);
                prop_assert_eq!(read(&json), expected.clone(), "{}", json);
                for name in ["a", "k"] {
                    let fields = expected.as_ref().map(|fields| fields.iter().rev());
                    let value = fields.map(|mut fields| fields.find(|(key, _)| key == name));
                    let value = value.map(|found| found.map(|(_, value)| value.as_str()));
                    prop_assert_eq!(field(&json, name).ok(), value, "{}", &json);
                }
                let texts = serde_json::from_str::<Vec<&RawValue>>(&json).ok();
                let texts = texts.map(|texts| texts.into_iter().map(RawValue::get).collect());
                prop_assert_eq!(array(&json).ok(), texts, "{}", &json);
                prop_assert_eq!(string(&json).ok(), serde_json::from_str(&json).ok(), "{}", &json);
            }
        }

        #[test]
        fn reads_every_string_that_serde_json_writes(text in any::<String>()) {
            let json = serde_json::to_string(&text).unwrap();
            prop_assert_eq!(string(&json), Ok(text.clone()));
            prop_assert_eq!(serde_json::from_str(&quote(&text)).ok(), Some(text));
        }
    }

    #[test]
    fn an_error_says_where() {
        let error = object(r#"{"a": 1 "b": 2}"#).unwrap_err();
        let said = "a comma or the end of the object should stand at byte 8";
        assert_eq!(error.to_string(), said);
    }
}
