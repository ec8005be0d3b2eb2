//! The application.

use core::future::poll_fn;
use core::pin::pin;
use core::task::Poll;

use embassy_executor::Spawner;
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::channel::Channel;
use embassy_sync::signal::Signal;
use embassy_time::Timer;

use crate::board::work;
use crate::log::{Subject, logged};
use crate::{IN_THREAD, board, log, named};

const SAMPLES: u32 = 40;

static CHANNEL: Channel<CriticalSectionRawMutex, u32, 4> = Channel::new();
static RINGS: Signal<CriticalSectionRawMutex, u32> = Signal::new();
static DONE: Signal<CriticalSectionRawMutex, ()> = Signal::new();

static SENSOR: Subject = Subject::new("sensor");
static FILTER: Subject = Subject::new("filter");
static LISTENER: Subject = Subject::new("listener");
static WORKER: Subject = Subject::new("worker");
static ALARM: Subject = Subject::new("alarm");
static CONTROL: Subject = Subject::new("control");

/// A sample every 5 ms; a worker for every fourth.
#[embassy_executor::task]
pub async fn sensor(spawner: Spawner) {
    logged(&SENSOR, async {
        for sample in 0..SAMPLES {
            Timer::after_millis(5).await;
            work(40);
            CHANNEL.send(sample).await;
            if sample % 4 == 3 {
                spawner.spawn(named(worker(), c"worker", IN_THREAD));
            }
        }
    })
    .await;
}

/// Takes longer than from one ring of the alarm to the next, and lets other tasks run in between.
#[embassy_executor::task]
pub async fn filter() {
    logged(&FILTER, async {
        loop {
            let sample = CHANNEL.receive().await;
            work(1500);
            let_others_run().await;
            work(300);
            if sample + 1 == SAMPLES {
                DONE.signal(());
            }
        }
    })
    .await;
}

/// Ends after its work.
#[embassy_executor::task]
async fn worker() {
    logged(&WORKER, async {
        work(100);
        Timer::after_millis(2).await;
        work(50);
    })
    .await;
}

/// In the interrupt executor: preempts the others every millisecond.
#[embassy_executor::task]
pub async fn alarm() {
    logged(&ALARM, async {
        for ring in 0.. {
            Timer::after_millis(1).await;
            work(100);
            if ring % 3 == 0 {
                RINGS.signal(ring);
            }
        }
    })
    .await;
}

/// Woken by the alarm; sometimes a timer wakes it while it still runs.
#[embassy_executor::task]
pub async fn listener() {
    logged(&LISTENER, async {
        loop {
            let ring = RINGS.wait().await;
            work(30);
            if ring % 5 == 0 {
                let mut timer = pin!(Timer::after_millis(1));
                poll_fn(|context| {
                    let expired = timer.as_mut().poll(context);
                    work(1400);
                    expired
                })
                .await;
            }
        }
    })
    .await;
}

/// Ends the recording.
#[embassy_executor::task]
pub async fn control() {
    logged(&CONTROL, DONE.wait()).await;
    critical_section::with(|_| {
        tband::streaming::stop().expect("the recording is on");
        log::stop();
    });
    let losses = tband::dropped_events() + tband::dropped_metadata(0);
    let is_written = losses == 0 && write_recording() && log::write();
    board::exit(u32::from(!is_written))
}

async fn let_others_run() {
    let mut has_yielded = false;
    poll_fn(|context| {
        if core::mem::replace(&mut has_yielded, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

fn write_recording() -> bool {
    let Some(file) = board::File::create(c"trace.bin") else { return false };
    let Some(mut reader) = tband::packets::Reader::take() else { return false };
    let mut bytes = [0; 512];
    loop {
        let len = reader.read(&mut bytes);
        if len == 0 {
            return file.close();
        }
        if !file.write(&bytes[..len]) {
            return false;
        }
    }
}
