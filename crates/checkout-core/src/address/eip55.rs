//! Addresses on EVM chains: `0x` and 20 bytes, with a checksum encoded in upper and lower case (EIP-55).

/// Whether `text` is an address other than zero. An address in mixed case must have a valid checksum (EIP-55). An address in one case
/// has no checksum.
pub(super) fn is_valid(text: &str) -> bool {
    let Some(digits) = text.strip_prefix("0x") else {
        return false;
    };
    let is_hexadecimal = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let is_zero = digits.bytes().all(|digit| digit == b'0');
    if digits.len() != 40 || !is_hexadecimal || is_zero {
        return false;
    }
    let lower = digits.to_ascii_lowercase();
    digits == lower || digits == digits.to_ascii_uppercase() || has_checksum(digits, &lower)
}

/// A letter is in upper case if the hash digit at its position is 8 or more.
fn has_checksum(digits: &str, lower: &str) -> bool {
    let hash = keccak_256(lower);
    let hash = hash.iter().flat_map(|byte| [byte >> 4, byte & 0xf]);
    digits
        .bytes()
        .zip(hash)
        .all(|(digit, hash)| digit.is_ascii_digit() || digit.is_ascii_uppercase() == (hash >= 8))
}

/// The first bytes of the hash of 40 digits; each lane of the state has eight.
///
/// The input fits in one block: five lanes, followed by the first padding bit, and the last padding bit at the end of
/// the block of 136 bytes. A general hash function would be five times as large.
fn keccak_256(digits: &str) -> [u8; 24] {
    let mut lanes = [0; 25];
    let (words, _) = digits.as_bytes().as_chunks();
    for (lane, word) in lanes.iter_mut().zip(words) {
        *lane = u64::from_le_bytes(*word);
    }
    lanes[5] = 1;
    lanes[16] = 1 << 63;
    keccak::f1600(&mut lanes);
    let mut hash = [0; 24];
    let (words, _) = hash.as_chunks_mut();
    for (word, lane) in words.iter_mut().zip(lanes) {
        *word = lane.to_le_bytes();
    }
    hash
}
