//! Characters that can't be seen, or that change how others are shown.

/// Whether `character` changes the direction of text (Unicode UAX #9, section 2) or is a control
/// character. Such characters can make `TDSU` look like `USDT`. Joiners, which some scripts need, are
/// not included.
pub(crate) fn is_control(character: char) -> bool {
    let is_direction = matches!(
        character,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    is_direction || (character.is_control() && !character.is_whitespace())
}

/// Whether `character` is a control, is invisible (Unicode's `Default_Ignorable_Code_Point`), or is
/// white space other than the plain space.
pub(crate) fn is_invisible(character: char) -> bool {
    let is_ignorable = matches!(
        character,
        '\u{ad}'
            | '\u{34f}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200d}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    );
    let is_space = character.is_whitespace() && character != ' ';
    is_control(character) || is_ignorable || is_space
}
