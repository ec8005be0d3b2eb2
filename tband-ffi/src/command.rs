//! Commands of the host, for `port/tband_commands.c`. Firmware that does not receive links nothing of it.

use core::slice;

use tband_core::Command;

/// A command of the host. See `TBAND_COMMAND_...` for kinds.
#[repr(C)]
pub struct tband_command {
    /// The first of them are given.
    pub arguments: [u32; 6],
    /// By which the answer names it.
    pub number: u16,
    /// Which one.
    pub kind: u8,
    /// How many arguments are given.
    pub count: u8,
}

/// Reads the command in a frame of `len` bytes, without the zero byte after it. False if it is damaged, or none; arguments of
/// `command` may have changed then. Any context; some 100 bytes of stack, and a few instructions a byte.
///
/// # Safety
/// `frame` points to `len` bytes that nothing changes meanwhile, and `command` to one that may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_command_read(
    frame: *const u8,
    len: usize,
    command: *mut tband_command,
) -> bool {
    // SAFETY: the caller's promise.
    let frame = unsafe { slice::from_raw_parts(frame, len) };
    let read = Command::read_into(frame, |place, argument| {
        // SAFETY: `place` is below the length of the array, and the command may be written by the caller's promise.
        unsafe { (&raw mut (*command).arguments).cast::<u32>().add(place).write(argument) }
    });
    let Some((number, kind, count)) = read else { return false };
    // SAFETY: the caller's promise.
    unsafe {
        (&raw mut (*command).number).write(number);
        (&raw mut (*command).kind).write(kind);
        (&raw mut (*command).count).write(count);
    }
    true
}
