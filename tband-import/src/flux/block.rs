//! Compressed blocks.

use std::io::Read as _;

use flate2::read::{GzDecoder, ZlibDecoder};

/// Decompresses bytes to `original` bytes. `None`: they are damaged.
pub fn unpack(mode: u8, bytes: &[u8], original: usize) -> Option<Vec<u8>> {
    let limit = original as u64 + 1;
    let mut content = Vec::new();
    match mode {
        0 => content = lz4_flex::block::decompress(bytes, original).ok()?,
        1 => content = unpack_fastlz(bytes, original)?,
        2 => drop(ZlibDecoder::new(bytes).take(limit).read_to_end(&mut content).ok()?),
        _ => drop(GzDecoder::new(bytes).take(limit).read_to_end(&mut content).ok()?),
    }
    (content.len() == original).then_some(content)
}

/// FastLZ, whose level is in the first byte: 1, or 2 with longer matches and distances.
fn unpack_fastlz(bytes: &[u8], original: usize) -> Option<Vec<u8>> {
    let mut bytes = bytes.iter().copied().map(usize::from);
    let mut content = Vec::with_capacity(original);
    let first = bytes.next()?;
    let has_long = match first >> 5 {
        0 => false,
        1 => true,
        _ => return None,
    };
    let mut control = first & 31;
    loop {
        if control < 32 {
            for _ in 0..=control {
                content.push(u8::try_from(bytes.next()?).ok()?);
            }
        } else {
            let (mut len, mut far) = ((control >> 5) + 2, (control & 31) << 8);
            if len == 9 {
                loop {
                    let more = bytes.next()?;
                    len += more;
                    if !has_long || more != 255 || len > original {
                        break;
                    }
                }
            }
            let near = bytes.next()?;
            far += near;
            if has_long && near == 255 && far == (31 << 8) + 255 {
                far += (bytes.next()? << 8) + bytes.next()?;
            }
            let start = content.len().checked_sub(far + 1)?;
            for at in start..start + len {
                content.push(*content.get(at)?);
            }
        }
        if content.len() > original {
            return None;
        }
        match bytes.next() {
            Some(next) => control = next,
            None => return Some(content),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fastlz_copies_what_was_before() {
        // Two literals, then 3 + 1 bytes from two back, then a literal.
        assert_eq!(unpack(1, &[1, b'a', b'b', 0x40, 1, 0, b'c'], 7).unwrap(), b"abababc");
        // A run of 9 + 5 times the byte before.
        assert_eq!(unpack(1, &[0, b'x', 0xE0, 5, 0], 15).unwrap(), [b'x'; 15]);
        // The same at level 2, with a length of two bytes.
        assert_eq!(unpack(1, &[0x20, b'x', 0xE0, 255, 1, 0], 266).unwrap(), [b'x'; 266]);
        assert_eq!(unpack(1, &[0, b'x', 0x20, 9], 4), None);
        assert_eq!(unpack(1, &[0x60, b'x'], 1), None);
        assert_eq!(unpack(1, &[], 0), None);
    }
}
