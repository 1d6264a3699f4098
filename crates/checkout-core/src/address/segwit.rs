//! Segregated-witness addresses of Bitcoin (BIP-173, BIP-350): `bc1...`.

/// The characters for 5-bit values, in the order of their values (BIP-173, "Bech32").
const SYMBOLS: &[u8; 32] = b"qpzry9x8gf2tvdw0s3jn54khce6mua7l";

/// The contribution of the prefix `bc` to the checksum: the high bits of its letters, a zero, the low bits.
const PREFIX: [u8; 5] = [3, 3, 0, 2, 3];

/// The generator of the checksum (BIP-173, "Checksum").
const GENERATOR: [u32; 5] = [
    0x3b6a_57b2,
    0x2650_8e6d,
    0x1ea1_19fa,
    0x3d42_33dd,
    0x2a14_62b3,
];

/// The expected checksum: version 0 (bech32), and later versions (bech32m).
const BECH32: u32 = 1;
const BECH32M: u32 = 0x2bc8_30a3;

/// Whether `text` is a segregated-witness address on the main network, with a program other than zero.
pub(super) fn is_valid(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let has_one_case = text == lower || text == text.to_ascii_uppercase();
    let Some(values) = lower.strip_prefix("bc1").and_then(values) else {
        return false;
    };
    let [version, program @ .., _, _, _, _, _, _] = values.as_slice() else {
        return false;
    };
    let is_zero = program.iter().all(|value| *value == 0);
    let checksum = checksum(PREFIX.iter().chain(&values));
    // The length of the program limits the whole address, so BIP-173's limit of 90 characters needs no check.
    has_one_case
        && !is_zero
        && match (version, bytes(program)) {
            (0, Some(20 | 32)) => checksum == BECH32,
            (1..=16, Some(2..=40)) => checksum == BECH32M,
            _ => false,
        }
}

fn values(symbols: &str) -> Option<Vec<u8>> {
    let value = |symbol| {
        let position = SYMBOLS.iter().position(|known| *known == symbol)?;
        u8::try_from(position).ok()
    };
    symbols.bytes().map(value).collect()
}

/// The number of bytes in these 5-bit values. The remaining bits must be zero, and fewer than five.
fn bytes(values: &[u8]) -> Option<usize> {
    let bits = values.len() * 5;
    let left_over = bits % 8;
    let last = values.last().copied().unwrap_or_default();
    let is_padding = left_over < 5 && last.trailing_zeros() as usize >= left_over;
    is_padding.then_some(bits / 8)
}

fn checksum<'a>(values: impl Iterator<Item = &'a u8>) -> u32 {
    values.fold(1, |checksum, value| {
        let top = checksum >> 25;
        let next = ((checksum & 0x01ff_ffff) << 5) ^ u32::from(*value);
        let is_set = |bit: usize| (top >> bit) & 1 == 1;
        let generators = GENERATOR.iter().enumerate();
        generators
            .filter(|(bit, _)| is_set(*bit))
            .fold(next, |next, (_, generator)| next ^ generator)
    })
}
