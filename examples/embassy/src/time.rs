//! The time of embassy: SysTick, every millisecond.

use core::cell::{Cell, RefCell};
use core::task::Waker;

use cortex_m::Peripherals;
use cortex_m::peripheral::syst::SystClkSource;
use cortex_m_rt::exception;
use critical_section::Mutex;
use embassy_time_driver::Driver;
use tband::Interrupt;

use crate::board;

const SYSTICK: Interrupt = Interrupt::new(15);
/// Tasks that wait for a time.
const WAITING: usize = 8;

/// A time, and the task that waits for it.
type Alarm = (u64, Waker);

struct SysTick {
    now: Mutex<Cell<u64>>,
    waiting: Mutex<RefCell<[Option<Alarm>; WAITING]>>,
}

embassy_time_driver::time_driver_impl!(static DRIVER: SysTick = SysTick {
    now: Mutex::new(Cell::new(0)),
    waiting: Mutex::new(RefCell::new([const { None }; WAITING])),
});

impl Driver for SysTick {
    fn now(&self) -> u64 {
        critical_section::with(|section| self.now.borrow(section).get())
    }

    fn schedule_wake(&self, at: u64, waker: &Waker) {
        critical_section::with(|section| {
            let mut waiting = self.waiting.borrow_ref_mut(section);
            let same = |it: &Option<Alarm>| {
                it.as_ref().is_some_and(|(time, other)| *time == at && other.will_wake(waker))
            };
            if waiting.iter().any(same) {
                return;
            }
            let free = waiting.iter_mut().find(|it| it.is_none()).expect("fewer tasks wait");
            *free = Some((at, waker.clone()));
        });
    }
}

/// Starts the interrupt.
pub fn start() {
    SYSTICK.name(c"SysTick");
    let mut core = Peripherals::take().expect("called once");
    core.SYST.set_clock_source(SystClkSource::Core);
    core.SYST.set_reload(board::COUNTS_PER_MS - 1);
    core.SYST.clear_current();
    core.SYST.enable_counter();
    core.SYST.enable_interrupt();
}

#[exception]
fn SysTick() {
    #[cfg(not(feature = "unreported"))]
    let _interrupt = SYSTICK.enter();
    critical_section::with(|section| {
        let now = DRIVER.now.borrow(section);
        now.set(now.get() + 1);
        for place in DRIVER.waiting.borrow_ref_mut(section).iter_mut() {
            if let Some((_, waker)) = place.take_if(|(at, _)| *at <= now.get()) {
                waker.wake();
            }
        }
    });
}
