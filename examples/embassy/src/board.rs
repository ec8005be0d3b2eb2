//! The MPS2 board, and files on the computer by semihosting.

use core::ffi::CStr;
use core::fmt;

use cortex_m::asm::semihosting_syscall;
use cortex_m::interrupt::InterruptNumber;
use cortex_m::peripheral::NVIC;

pub const COUNTS_PER_MS: u32 = 25_000;

/// An interrupt by its number.
#[derive(Clone, Copy)]
pub struct Irq(pub u8);

/// Raised by software only.
pub const DOORBELL: Irq = Irq(20);

// SAFETY: the numbers are those of the board's 32 interrupts.
unsafe impl InterruptNumber for Irq {
    fn number(self) -> u16 {
        self.0.into()
    }
}

/// A larger number is less urgent.
pub fn set_priority(irq: Irq, priority: u8) {
    // SAFETY: no critical section of this program uses priorities.
    unsafe { cortex_m::Peripherals::steal().NVIC.set_priority(irq, priority) };
    NVIC::unpend(irq);
}

const DUALTIMER: *mut u32 = 0x4000_2000 as *mut u32;
/// The counter that the recording uses.
const COUNTER: *const u32 = 0x4002_8018 as *const u32;

/// Starts the log's clock, another one than the recording's.
pub fn start_clock() {
    // SAFETY: registers of the board, which only this module uses: load, then control with 32 bits, free running.
    unsafe {
        DUALTIMER.write_volatile(u32::MAX);
        DUALTIMER.add(2).write_volatile(0x82);
    }
}

/// Counts since the clock's start, 25 a microsecond.
pub fn clock() -> u32 {
    // SAFETY: the register has no effect.
    u32::MAX - unsafe { DUALTIMER.add(1).read_volatile() }
}

/// The time of the recording.
pub fn counter() -> u32 {
    // SAFETY: the register has no effect.
    unsafe { COUNTER.read_volatile() }
}

/// Spends this much time on the core; interrupts do not prolong it.
pub fn work(microseconds: u32) {
    let start = clock();
    while clock().wrapping_sub(start) < microseconds * (COUNTS_PER_MS / 1000) {}
}

fn call(operation: u32, arguments: &[usize]) -> u32 {
    // SAFETY: the callers below pass what the operation reads.
    unsafe { semihosting_syscall(operation, arguments.as_ptr() as u32) }
}

/// A file on the computer.
pub struct File(usize);

impl File {
    pub fn create(name: &CStr) -> Option<Self> {
        let for_bytes = 5;
        let file = call(0x01, &[name.as_ptr() as usize, for_bytes, name.count_bytes()]);
        (file as i32 >= 0).then_some(Self(file as usize))
    }

    pub fn write(&self, bytes: &[u8]) -> bool {
        call(0x05, &[self.0, bytes.as_ptr() as usize, bytes.len()]) == 0
    }

    pub fn close(self) -> bool {
        call(0x02, &[self.0]) == 0
    }
}

/// Prints on the computer's terminal.
pub fn print(bytes: &[u8]) {
    for byte in bytes {
        call(0x03, &[*byte as usize]);
    }
}

/// Ends the emulator with this status.
pub fn exit(status: u32) -> ! {
    let application_exit = 0x20026;
    loop {
        call(0x20, &[application_exit, status as usize]);
    }
}

/// Formatted text on the stack.
pub struct Text<const N: usize> {
    bytes: [u8; N],
    len: usize,
}

impl<const N: usize> Text<N> {
    pub const fn new() -> Self {
        Self { bytes: [0; N], len: 0 }
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

impl<const N: usize> fmt::Write for Text<N> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.len + text.len();
        let room = self.bytes.get_mut(self.len..end).ok_or(fmt::Error)?;
        room.copy_from_slice(text.as_bytes());
        self.len = end;
        Ok(())
    }
}
