//! Crashes: panics and other ends of the firmware, recorded as its faults are.
//!
//! The program compiles `port/tband_fault_cortex_m.c` or `port/tband_fault_riscv.c` together with the shim. With the feature
//! `panic-handler` this crate has the panic handler, on targets without an operating system. The handler records the panic with its
//! message, file and line, the registers and the task, and then calls `tband_panicked`, a function that you define and that ends
//! the firmware:
//!
//! ```no_run
//! #[unsafe(no_mangle)]
//! extern "C" fn tband_panicked() -> ! {
//!     loop {} // or a reset, or a breakpoint
//! }
//! ```
//!
//! In a custom panic handler, call [`panicked`]:
//!
//! ```no_run
//! # mod handler {
//! fn handle(info: &core::panic::PanicInfo<'_>) -> ! {
//!     tband::crash::panicked(info);
//!     loop {}
//! }
//! # }
//! ```
//!
//! With the post-mortem and the snapshot backend recording then stops, as with the C functions. All functions return.

use core::ffi::CStr;
use core::fmt::Write as _;
use core::panic::PanicInfo;

#[cfg(feature = "enable")]
use tband_format::named::CrashKind;

use crate::Text;

/// Bytes of a file's name, and the NUL. A recording contains at most `tband_configMAX_STR_LEN` of them.
const FILE: usize = 48;
/// Bytes of a message, and the NUL.
const MESSAGE: usize = 97;
/// Bytes of a message in a record.
const PIECE: usize = 16;

/// Records a panic: its message, the file name without folders, and the line. Up to 96 bytes of the message are in records
/// `panic: …` just before, each with 16 bytes. Formatting takes some kilobytes of flash.
///
/// Context: any. Uses about 600 bytes of the current stack.
// In the handler itself: what that calls next must not overwrite the part of the stack that the recording has checksums of.
#[inline(always)]
pub fn panicked(info: &PanicInfo<'_>) {
    record_message(info);
    panicked_silently(info);
}

/// Like [`panicked`], without the message.
///
/// Context: any. Uses about 250 bytes of the current stack.
#[inline(always)]
pub fn panicked_silently(info: &PanicInfo<'_>) {
    let (file, line) = info.location().map_or(("", 0), |it| (it.file(), it.line()));
    record_crash(Some(&file_name(file)), line, if_enabled!(CrashKind::PANIC.0.into(), 0));
}

/// Records the message in parts that each fit into the shortest common string limit.
#[inline(never)]
fn record_message(info: &PanicInfo<'_>) {
    let mut text = Text::<MESSAGE>::new();
    let _ = write!(text, "{}", info.message()); // what does not fit is cut off
    let mut rest = text.as_c_str().to_str().unwrap_or_default();
    while let Some((piece, others)) = rest.split_at_checked(end_of_piece(rest)) {
        if piece.is_empty() {
            return;
        }
        crate::record!("panic: %s", piece);
        rest = others;
    }
}

/// Returns where the first part of a text ends, between characters.
fn end_of_piece(text: &str) -> usize {
    let ends = text.char_indices().map(|(at, char)| at.saturating_add(char.len_utf8()));
    ends.take_while(|end| *end <= PIECE).last().unwrap_or(0)
}

/// Records a failed assertion with its location. Calls `tband_fault_assert`.
///
/// Context: any. Uses about 150 bytes of the current stack.
#[inline(always)]
pub fn assertion_failed(file: &CStr, line: u32) {
    record_crash(Some(file), line, if_enabled!(CrashKind::ASSERT.0.into(), 0));
}

/// Records a stack overflow of a task: for the kernel's hook, with the name that the kernel passes. Calls
/// `tband_fault_stack_overflow`.
#[inline(always)]
pub fn stack_overflow(task_name: &CStr) {
    record_crash(Some(task_name), 0, if_enabled!(CrashKind::STACK_OVERFLOW.0.into(), 0));
}

/// Records that the heap is exhausted, if the firmware ends there. Calls `tband_fault_malloc_failed`.
#[inline(always)]
pub fn allocation_failed() {
    record_crash(None, 0, if_enabled!(CrashKind::MALLOC_FAILED.0.into(), 0));
}

/// Records that the firmware gives up for another reason. Calls `tband_fault_fatal`.
#[inline(always)]
pub fn fatal(why: &CStr) {
    record_crash(Some(why), 0, if_enabled!(CrashKind::OTHER.0.into(), 0));
}

#[inline(always)]
fn record_crash(text: Option<&CStr>, line: u32, kind: u32) {
    #[cfg(feature = "enable")]
    // SAFETY: a text ends with a NUL, and is copied before the call returns.
    unsafe {
        crate::sys::tband_fault_here(text.map_or(core::ptr::null(), CStr::as_ptr), line, kind);
    }
}

/// Returns the last part of a path.
#[inline]
fn file_name(path: &str) -> Text<FILE> {
    Text::from(path.rsplit(['/', '\\']).next().unwrap_or_default())
}

#[cfg(all(feature = "panic-handler", target_os = "none"))]
unsafe extern "C" {
    /// Defined by the program: ends it.
    safe fn tband_panicked() -> !;
}

#[cfg(all(feature = "panic-handler", target_os = "none"))]
#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    panicked(info);
    tband_panicked()
}

#[cfg(test)]
mod tests {
    use super::{end_of_piece, file_name};

    #[test]
    fn messages_are_cut_between_characters() {
        for (text, end) in [
            ("", 0),
            ("short", 5),
            ("exactly sixteen.", 16),
            ("one more than 16.", 16),
            ("fifteen bytes..ä", 15),
            ("😀😀😀😀😀", 16),
        ] {
            assert_eq!(end_of_piece(text), end, "{text}");
        }
    }

    #[test]
    fn files_have_no_folders() {
        for path in ["src/main.rs", "C:\\src\\main.rs", "main.rs", "/a/b/main.rs"] {
            assert_eq!(&*file_name(path), c"main.rs");
        }
        assert_eq!(&*file_name(""), c"");
    }
}
