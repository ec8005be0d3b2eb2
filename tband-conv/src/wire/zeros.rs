//! Finds zero bytes, sixteen bytes at a time: frames end there, so this is the most frequent work of the reader of frames. On
//! x86-64 and in WebAssembly it uses vector instructions, elsewhere those for 64 bits; all have the same result.

/// Bytes that are examined together.
pub const BLOCK: usize = 16;

/// Returns which of the bytes are zero: bit 0 is the first byte.
#[cfg(target_arch = "x86_64")]
#[inline]
pub fn zeros_in(bytes: &[u8; BLOCK]) -> u32 {
    use core::arch::x86_64::{
        _mm_cmpeq_epi8, _mm_movemask_epi8, _mm_set_epi64x, _mm_setzero_si128,
    };
    let [low, high] = words(bytes).map(u64::cast_signed);
    // SAFETY: they need SSE2, which is part of x86-64, and look at no memory.
    let mask = unsafe {
        _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_set_epi64x(high, low), _mm_setzero_si128()))
    };
    mask.cast_unsigned()
}

/// Returns which of the bytes are zero: bit 0 is the first byte.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[inline]
pub fn zeros_in(bytes: &[u8; BLOCK]) -> u32 {
    use core::arch::wasm32::{i8x16_bitmask, i8x16_eq, u64x2, u64x2_splat};
    let [low, high] = words(bytes);
    u32::from(i8x16_bitmask(i8x16_eq(u64x2(low, high), u64x2_splat(0))))
}

/// Returns which of the bytes are zero: bit 0 is the first byte.
#[cfg(not(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128"))))]
#[inline]
pub fn zeros_in(bytes: &[u8; BLOCK]) -> u32 {
    zeros_by_word(bytes)
}

#[cfg(any(
    test,
    not(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128")))
))]
fn zeros_by_word(bytes: &[u8; BLOCK]) -> u32 {
    const LOW_BITS: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let [low, high] = words(bytes).map(|word| {
        // The top bit of each byte that is zero.
        let tops = !(((word & LOW_BITS) + LOW_BITS) | word | LOW_BITS);
        // Brings the top bits of all bytes together in the uppermost one.
        ((tops >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32
    });
    high << 8 | low
}

#[inline]
fn words(bytes: &[u8; BLOCK]) -> [u64; 2] {
    let word = |at| bytes.get(at..).and_then(<[u8]>::first_chunk).copied().unwrap_or_default();
    [0, 8].map(|at| u64::from_le_bytes(word(at)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_searches_find_exactly_the_zeros() {
        for pattern in 0..1 << BLOCK {
            for other in [1, 0x7F, 0x80, 0xFF] {
                let bytes: [u8; BLOCK] =
                    std::array::from_fn(|at| if pattern >> at & 1 == 1 { 0 } else { other });
                assert_eq!(zeros_in(&bytes), pattern, "{bytes:?}");
                assert_eq!(zeros_by_word(&bytes), pattern, "{bytes:?}");
            }
        }
    }
}
