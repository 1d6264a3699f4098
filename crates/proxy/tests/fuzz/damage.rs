//! Random damage to valid inputs.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// Text that parsers often get wrong: delimiters, escapes, signs, exponents, and invalid text.
const WORDS: &[&str] = &[
    "", "\0", "\"", "\\", "\\u0000", "\\ud800", "{", "}", "[", "]", "[[[[[[[[", ":", ",", ".",
    "..", "=", "==", ";", "-", "+", "-0", "0x", "e", "E", "1e9", "00", "0.0", "NaN", "null",
    "true", "\"a\":1,", " ", "\t", "\r\n", "%00", "%", "&", "page=", "Bearer ", "none", "HS512",
    "\u{feff}", "\u{202e}", "é", "💰",
];

/// The limits of number types.
const NUMBERS: &[&str] = &[
    "1e999999999",
    "1e-999999999",
    "4294967295",
    "4294967296",
    "18446744073709551616",
    "0.00000000000000000000000000000000000001",
    "99999999999999999999999999999999999999999999999999999999999999999999",
];

#[derive(Clone, Copy, Debug)]
enum Edit {
    Set(Index, u8),
    Flip(Index, u8),
    Insert(Index, &'static str),
    Remove(Index, usize),
    Repeat(Index, usize),
    Cut(Index),
}

fn edit() -> impl Strategy<Value = Edit> {
    let at = any::<Index>;
    prop_oneof![
        (at(), any::<u8>()).prop_map(|(at, byte)| Edit::Set(at, byte)),
        (at(), 0_u8..8).prop_map(|(at, bit)| Edit::Flip(at, bit)),
        (at(), select([WORDS, NUMBERS].concat())).prop_map(|(at, word)| Edit::Insert(at, word)),
        (at(), 1_usize..16).prop_map(|(at, length)| Edit::Remove(at, length)),
        (at(), 1_usize..64).prop_map(|(at, length)| Edit::Repeat(at, length)),
        at().prop_map(Edit::Cut),
    ]
}

/// A seed with some damage, the start of one seed with the end of another, or random bytes.
pub(super) fn of(seeds: &[&str]) -> impl Strategy<Value = Vec<u8>> {
    let seeds: Vec<Vec<u8>> = seeds.iter().map(|seed| seed.as_bytes().to_vec()).collect();
    let seed = select(seeds);
    let damaged = (seed.clone(), vec(edit(), 0..6))
        .prop_map(|(seed, edits)| edits.into_iter().fold(seed, apply));
    let spliced = (seed.clone(), seed, any::<Index>(), any::<Index>()).prop_map(
        |(head, tail, end, begin)| {
            let (end, begin) = (end.index(head.len() + 1), begin.index(tail.len() + 1));
            [&head[..end], &tail[begin..]].concat()
        },
    );
    prop_oneof![
        16 => damaged,
        3 => spliced,
        1 => vec(any::<u8>(), 0..64),
    ]
}

fn apply(mut bytes: Vec<u8>, edit: Edit) -> Vec<u8> {
    let length = bytes.len();
    let range = |at: Index, many: usize| {
        let begin = at.index(length + 1);
        begin..(begin + many).min(length)
    };
    match edit {
        Edit::Insert(at, word) => {
            let at = at.index(length + 1);
            bytes.splice(at..at, word.bytes());
        }
        Edit::Remove(at, many) => {
            bytes.drain(range(at, many));
        }
        Edit::Repeat(at, many) => {
            let range = range(at, many);
            let again = bytes[range.clone()].to_vec();
            bytes.splice(range.end..range.end, again);
        }
        Edit::Cut(at) => bytes.truncate(at.index(length + 1)),
        Edit::Set(at, byte) if length > 0 => bytes[at.index(length)] = byte,
        Edit::Flip(at, bit) if length > 0 => bytes[at.index(length)] ^= 1 << bit,
        Edit::Set(..) | Edit::Flip(..) => {}
    }
    bytes
}
