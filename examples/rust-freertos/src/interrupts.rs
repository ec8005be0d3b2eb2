//! The interrupts of the example. The POSIX port has one, the tick, and runs its hook in a signal
//! handler: no memory, no locks, no output here, only `FromISR` functions, atomics and tband. Every few
//! ticks the UART's interrupt nests in it.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use freertos_rust::InterruptContext;
use tband::Interrupt;

use crate::application::OBJECTS;

const TICK: Interrupt = Interrupt::new(1);
const UART: Interrupt = Interrupt::new(2);

/// Ticks from one byte of the UART to the next.
const UART_PERIOD: u32 = 3;

/// Actions of the interrupts, for the check.
pub static TICKS: AtomicU32 = AtomicU32::new(0);
pub static UARTS: AtomicU32 = AtomicU32::new(0);
pub static BYTES_SENT: AtomicU32 = AtomicU32::new(0);

pub fn name() {
    TICK.name(c"tick");
    UART.name(c"UART");
}

/// Called by the kernel from its tick interrupt (`configUSE_TICK_HOOK`).
#[unsafe(no_mangle)]
extern "C" fn vApplicationTickHook() {
    let _interrupt = TICK.enter();
    let tick = TICKS.fetch_add(1, Relaxed);
    if tick.is_multiple_of(UART_PERIOD) {
        uart(tick as u8);
    }
}

fn uart(byte: u8) {
    let _interrupt = UART.enter();
    UARTS.fetch_add(1, Relaxed);
    let mut context = InterruptContext::new();
    if let Some(objects) = OBJECTS.get()
        && objects.line.send_from_isr(&mut context, byte).is_ok()
    {
        BYTES_SENT.fetch_add(1, Relaxed);
    }
    // Dropping the context would switch tasks here; the kernel does so at the end of the tick.
    std::mem::forget(context);
}
