//! Takes comments and needless white space out of a stylesheet.
//!
//! Deliberately less than a minifier does: the text is compressed afterwards, and what remains should read
//! in a browser's inspector as it was written. Strings, `url()` and escapes are copied as they are; a space stays
//! wherever it may carry meaning: between a selector's parts, around `+` in `calc()`, after `)`.

use std::iter::Peekable;
use std::str::Chars;

/// What begins and never ends.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CssError {
    #[error("a comment is not closed")]
    Comment,

    #[error("a string is not closed: {0}")]
    Text(String),

    #[error("a url( is not closed")]
    Url,
}

pub(crate) fn squeeze(css: &str) -> Result<String, CssError> {
    let mut squeezer = Squeezer {
        rest: css.chars().peekable(),
        out: String::new(),
        space: false,
    };
    while let Some(c) = squeezer.rest.next() {
        match c {
            '/' if squeezer.rest.peek() == Some(&'*') => squeezer.comment()?,
            '"' | '\'' => squeezer.string(c)?,
            '\\' => squeezer.escape(),
            c if c.is_ascii_whitespace() => squeezer.space = true,
            '(' if squeezer.at_url() => squeezer.url()?,
            c => squeezer.put(c),
        }
    }
    Ok(squeezer.out)
}

struct Squeezer<'a> {
    rest: Peekable<Chars<'a>>,
    out: String,
    /// White space was read and not yet written.
    space: bool,
}

impl Squeezer<'_> {
    /// Writes a character, with one space before it if there was any and it may carry meaning.
    fn put(&mut self, c: char) {
        if self.space && !self.drops_space_before(c) {
            self.out.push(' ');
        }
        self.space = false;
        self.out.push(c);
    }

    fn drops_space_before(&self, next: char) -> bool {
        match (self.out.chars().next_back(), next) {
            // `--empty: ;` is a declaration of nothing, not a missing value.
            (Some(':'), ';' | '}') => false,
            (None | Some('{' | '}' | ';' | ',' | '(' | ':'), _)
            | (_, '{' | '}' | ';' | ',' | ')') => true,
            _ => false,
        }
    }

    /// A comment next to white space or punctuation is nothing. Elsewhere it keeps two words apart without
    /// being a space (`a/**/.b` is not `a .b`), and an empty one stays.
    fn comment(&mut self) -> Result<(), CssError> {
        self.rest.next();
        let mut previous = None;
        loop {
            match self.rest.next() {
                None => return Err(CssError::Comment),
                Some('/') if previous == Some('*') => break,
                c => previous = c,
            }
        }
        let before = self.out.chars().next_back();
        let after = self.rest.peek().copied();
        let separates = |c: char| c.is_ascii_whitespace() || "{};,:()".contains(c);
        if !self.space && !before.is_none_or(separates) && !after.is_none_or(separates) {
            self.out.push_str("/**/");
        }
        Ok(())
    }

    fn string(&mut self, quote: char) -> Result<(), CssError> {
        self.put(quote);
        let start = self.out.len();
        while let Some(c) = self.rest.next() {
            self.out.push(c);
            match c {
                '\\' => self.out.extend(self.rest.next()),
                c if c == quote => return Ok(()),
                '\n' => break,
                _ => {}
            }
        }
        Err(CssError::Text(
            self.out.get(start..).unwrap_or_default().to_owned(),
        ))
    }

    /// `\` and a character, or up to six hexadecimal digits and the white space that ends them.
    fn escape(&mut self) {
        self.put('\\');
        let mut digits = 0;
        while let Some(digit) = self.rest.next_if(|c| digits < 6 && c.is_ascii_hexdigit()) {
            self.out.push(digit);
            digits += 1;
        }
        let last = if digits == 0 {
            self.rest.next()
        } else {
            self.rest.next_if(char::is_ascii_whitespace)
        };
        self.out.extend(last);
    }

    /// At the `(` of a `url(` whose content is not quoted: there, only `)` ends it.
    fn at_url(&mut self) -> bool {
        let named_url = self
            .out
            .len()
            .checked_sub(3)
            .and_then(|start| self.out.get(start..))
            .is_some_and(|name| name.eq_ignore_ascii_case("url"));
        !self.space && named_url && !matches!(self.rest.peek(), Some('"' | '\''))
    }

    fn url(&mut self) -> Result<(), CssError> {
        self.put('(');
        for c in self.rest.by_ref() {
            self.out.push(c);
            if c == ')' {
                return Ok(());
            }
        }
        Err(CssError::Url)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squeezed(css: &str) -> String {
        squeeze(css).unwrap()
    }

    #[test]
    fn drops_comments_and_white_space_between_rules_and_declarations() {
        assert_eq!(
            squeezed(
                "/* card */\n:host {\n  color : red;\n  margin: 0 auto;\n}\n\n@media (width < 20em) {\n  a, b { top: 0 }\n}\n"
            ),
            ":host{color :red;margin:0 auto;}@media (width < 20em){a,b{top:0}}"
        );
    }

    #[test]
    fn keeps_strings_as_they_are() {
        for css in [
            r#"a{content:"  /* no comment */ ; }  "}"#,
            r"a{content:'it\'s  {'}",
            r#"a{grid-template-areas:"a  b" "c  d"}"#,
        ] {
            assert_eq!(squeezed(css), css);
        }
    }

    #[test]
    fn keeps_the_spaces_that_calc_needs() {
        assert_eq!(
            squeezed("a { width: calc( 100% - ( 2px + var(--gap, ) ) ) }"),
            "a{width:calc(100% - (2px + var(--gap,)))}"
        );
    }

    #[test]
    fn keeps_the_spaces_between_parts_of_a_selector_and_of_a_value() {
        assert_eq!(
            squeezed(":is(a, b)  c ,\n d :hover > e { inset: var(--x)  1px !important }"),
            ":is(a,b) c,d :hover > e{inset:var(--x) 1px !important}"
        );
    }

    #[test]
    fn keeps_what_a_condition_needs() {
        assert_eq!(
            squeezed("@media  not (hover) and (width) {}"),
            "@media not (hover) and (width){}"
        );
    }

    #[test]
    fn keeps_urls_and_escapes() {
        for css in [
            "a{src:url(data:,/*x*/;y=%20)}",
            r".a\:b{}",
            r".\31  b{}",
            r"a\ b{}",
        ] {
            assert_eq!(squeezed(css), css);
        }
    }

    #[test]
    fn a_comment_between_two_words_still_parts_them() {
        assert_eq!(squeezed("a/* x */.b{top:0/**/ 1px}"), "a/**/.b{top:0 1px}");
    }

    #[test]
    fn an_empty_custom_property_keeps_its_space() {
        assert_eq!(squeezed("a { --on: ; --off: 1 }"), "a{--on: ;--off:1}");
    }

    #[test]
    fn an_open_comment_string_or_url_is_an_error() {
        assert_eq!(squeeze("a{} /* b"), Err(CssError::Comment));
        assert_eq!(squeeze("/*/"), Err(CssError::Comment));
        assert_eq!(
            squeeze("a{content:\"b}\n"),
            Err(CssError::Text("b}\n".to_owned()))
        );
        assert_eq!(squeeze("a{src:url(b}"), Err(CssError::Url));
    }
}
