//! Commands of the host, for `port/tband_commands.c`. Firmware that does not receive commands links none of this.

use core::slice;

use tband_core::Command;

/// A command of the host. See `TBAND_COMMAND_...` for kinds.
#[repr(C)]
pub struct tband_command {
    /// The arguments; only the first `count` are valid.
    pub arguments: [u32; 6],
    /// Number by which the answer identifies the command.
    pub number: u16,
    /// Kind of the command.
    pub kind: u8,
    /// Number of valid arguments.
    pub count: u8,
}

/// Decodes the command in a frame of `len` bytes, without its terminating zero byte. Returns false if the frame is
/// damaged or not a command; the arguments of `command` may have changed then. Any context; about 100 bytes of stack,
/// and a few instructions per byte.
///
/// # Safety
/// `frame` points to `len` bytes that no other code changes during the call, and `command` to one that may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_lib_command_read(
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
