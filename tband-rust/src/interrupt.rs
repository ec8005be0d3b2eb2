//! Interrupts.

use core::ffi::CStr;
use core::marker::PhantomData;

use tband_format::{Event, Str};

use crate::number::numbered;
use crate::record;

numbered! {
    /// An interrupt, by a number that the program chooses: best that of its exception or its line.
    Interrupt, "interrupt"
}

impl Interrupt {
    /// For [`name`](Self::name) only: the main program of firmware without an RTOS, whose default name is
    /// "main". Equals `TBAND_MAIN_PROGRAM`.
    pub const MAIN_PROGRAM: Self = Self(tband_format::registry::MAIN_PROGRAM);

    /// Names the interrupt. Call it once, at any time: names are metadata, which is kept for recordings that
    /// start later. Calls `tband_isr_name`.
    #[inline]
    pub fn name(self, name: &CStr) {
        record::name(&Event::IsrName { isr_id: 0, name: Str(b"") }, self.0, name);
    }

    /// Marks the core as inside this interrupt until the guard is dropped. Use it in the first line of the
    /// handler: all events from here on are attributed to the interrupt. Calls `tband_isr_enter`, and
    /// `tband_isr_exit` at the end.
    #[inline]
    pub fn enter(self) -> InterruptGuard {
        record::number(&Event::IsrEnter { isr_id: 0 }, self.0);
        InterruptGuard {
            interrupt: self,
            #[cfg(feature = "embassy")]
            outer: crate::embassy::note_reported(),
            stays_in_handler: PhantomData,
        }
    }
}

/// The core is in an [`Interrupt`]; it leaves when this is dropped.
#[derive(Debug)]
#[must_use = "the interrupt ends when this is dropped: let _interrupt = ..."]
pub struct InterruptGuard {
    interrupt: Interrupt,
    /// The handler that this one has interrupted, see `embassy::note_reported`.
    #[cfg(feature = "embassy")]
    outer: u32,
    /// Neither `Send` nor `Sync`.
    stays_in_handler: PhantomData<*const ()>,
}

impl Drop for InterruptGuard {
    #[inline]
    fn drop(&mut self) {
        record::number(&Event::IsrExit { isr_id: 0 }, self.interrupt.0);
        #[cfg(feature = "embassy")]
        crate::embassy::restore_reported(self.outer);
    }
}
