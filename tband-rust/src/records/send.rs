//! The calls of C that record.

use super::argument::ConvertedArgument;
#[cfg(feature = "enable")]
use super::argument::{TEXT, WORD};
#[cfg(feature = "enable")]
use crate::sys::{tband_record_values, tband_record_words, tband_value};

/// Returns whether records are accepted now: recording is on, or the backend needs no start. Refuses and counts a call from
/// a task without privileges.
#[inline(always)]
#[must_use]
pub fn is_accepting() -> bool {
    if_enabled!(crate::sys::tband_takes_events(), false)
}

/// Records the arguments, with the address of their format.
#[inline(always)]
pub fn send<const LEN: usize, const COUNT: usize>(
    format: &'static [u8; LEN],
    arguments: [ConvertedArgument; COUNT],
) {
    #[cfg(feature = "enable")]
    {
        let format = format.as_ptr().addr() as u32;
        match arguments.as_slice() {
            [one] if one.kind == WORD => tband_record_words(format, 1, one.bits as u32, 0),
            [one, two] if one.kind == WORD && two.kind == WORD => {
                tband_record_words(format, 2, one.bits as u32, two.bits as u32);
            }
            all => {
                let mut kinds = 0;
                let mut values = [tband_value { bits: 0 }; COUNT];
                for (value, argument) in values.iter_mut().zip(all).rev() {
                    kinds = kinds << 4 | argument.kind;
                    if argument.kind == TEXT {
                        value.at = argument.block.at;
                    } else if argument.kind > TEXT {
                        value.at = (&raw const argument.block).cast();
                    } else {
                        value.bits = argument.bits;
                    }
                }
                // SAFETY: there is a value for each kind; texts end with a NUL, memory has the stated length, and both are
                // read before the call returns.
                unsafe { tband_record_values(format, kinds, values.as_ptr()) };
            }
        }
    }
}

/// Puts a format into the recording, unless it is there.
#[cfg(all(feature = "enable", any(feature = "record-dictionary", target_pointer_width = "64")))]
#[inline(always)]
pub fn know<const LEN: usize>(format: &'static [u8; LEN], known: &core::sync::atomic::AtomicU8) {
    use core::sync::atomic::Ordering::Relaxed;
    // If an interrupt comes in between, the format is sent twice, which does no harm.
    if known.load(Relaxed) == 0 {
        known.store(1, Relaxed);
        // SAFETY: it ends with a NUL, and is copied before the call returns.
        unsafe { crate::sys::tband_record_format(format.as_ptr().cast()) };
    }
}
