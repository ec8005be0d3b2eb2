//! Encodings as the format's description has them, by other code than the crate's.

/// A varint: seven bits a byte, the lowest first, and a bit for "more follow".
pub fn varint(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}
