//! A progress bar for long work: on a terminal only, and only if there is time to read it.

use std::cell::{Cell, RefCell};
use std::io::{self, IsTerminal, Read};
use std::rc::Rc;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle};

/// Work that takes no longer has no bar.
const PATIENCE: Duration = Duration::from_millis(500);

const TEMPLATE: &str =
    "{wide_bar} {percent:>3} %  {bytes} of {total_bytes}  {bytes_per_sec}  {eta} left";

/// Counts the bytes that are read.
#[derive(Clone, Debug)]
pub struct Progress(Rc<State>);

#[derive(Debug)]
struct State {
    wanted: bool,
    /// How often each input will be read.
    passes: u64,
    total: Cell<u64>,
    done: Cell<u64>,
    start: Instant,
    bar: RefCell<Option<ProgressBar>>,
}

impl Progress {
    /// For work that reads every input `passes` times; with no bar if it is not `wanted`.
    pub fn new(passes: u64, wanted: bool) -> Self {
        Self(Rc::new(State {
            wanted: wanted && io::stderr().is_terminal(),
            passes,
            total: Cell::new(0),
            done: Cell::new(0),
            start: Instant::now(),
            bar: RefCell::new(None),
        }))
    }

    /// Another input has this many bytes.
    pub fn expect(&self, bytes: u64) {
        let total = self.0.total.get();
        self.0.total.set(total.saturating_add(bytes.saturating_mul(self.0.passes)));
    }

    /// A reader that counts.
    pub fn reader<R: Read>(&self, inner: R) -> Counted<R> {
        Counted { inner, progress: self.clone() }
    }

    /// Takes the bar away; it comes back if the work goes on.
    pub fn clear(&self) {
        if let Some(bar) = self.0.bar.take() {
            bar.finish_and_clear();
        }
    }

    fn add(&self, bytes: usize) {
        let state = &*self.0;
        state.done.set(state.done.get().saturating_add(bytes as u64));
        if !state.wanted || state.start.elapsed() < PATIENCE {
            return;
        }
        state.bar.borrow_mut().get_or_insert_with(|| self.bar()).set_position(state.done.get());
    }

    fn bar(&self) -> ProgressBar {
        let target = ProgressDrawTarget::stderr();
        // The template is part of the program.
        let style =
            ProgressStyle::with_template(TEMPLATE).unwrap_or_else(|_| ProgressStyle::default_bar());
        ProgressBar::with_draw_target(Some(self.0.total.get()), target)
            .with_style(style)
            .with_elapsed(self.0.start.elapsed())
            .with_finish(ProgressFinish::AndClear)
    }
}

/// A reader whose bytes are counted.
#[derive(Debug)]
pub struct Counted<R> {
    inner: R,
    progress: Progress,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let len = self.inner.read(buf)?;
        self.progress.add(len);
        Ok(len)
    }
}
