//! A progress bar for long work: on a terminal only, and only if there is time to read it.
//!
//! An input is read once or several times, and each pass has a weight that is proportional to its duration. So the bar advances
//! evenly; sizes and rate are those of the inputs, as if each were read once.

use std::cell::{Cell, RefCell};
use std::io::{self, IsTerminal, Read};
use std::rc::Rc;
use std::time::{Duration, Instant};

use indicatif::{
    DecimalBytes, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle,
};

/// Work that takes no longer has no bar.
const PATIENCE: Duration = Duration::from_millis(500);

const TEMPLATE: &str = "{wide_bar} {percent:>3} %  {msg}";

/// Relative durations of passes: for names and times, for the events, and for another pass over them.
const WEIGHTS: [u64; 3] = [1, 6, 1];
/// With a search first: its passes, then the others.
const SEARCHING: [u64; 5] = [1, 6, 1, 6, 1];

/// Counts the bytes that are read.
#[derive(Clone, Debug)]
pub struct Progress(Rc<State>);

#[derive(Debug)]
struct State {
    wanted: bool,
    weights: &'static [u64],
    /// Both are sums of bytes times the weight of their pass.
    total: Cell<u64>,
    done: Cell<u64>,
    start: Instant,
    bar: RefCell<Option<ProgressBar>>,
}

impl Progress {
    /// For work that reads every input `passes` times; with no bar if it is not `wanted`.
    pub fn new(passes: usize, wanted: bool) -> Self {
        let weights = match passes {
            // There is a single pass.
            1 => &WEIGHTS[1..2],
            2 | 3 => WEIGHTS.get(..passes).unwrap_or(&WEIGHTS),
            _ => SEARCHING.get(..passes).unwrap_or(&SEARCHING),
        };
        Self(Rc::new(State {
            wanted: wanted && io::stderr().is_terminal(),
            weights,
            total: Cell::new(0),
            done: Cell::new(0),
            start: Instant::now(),
            bar: RefCell::new(None),
        }))
    }

    /// Adds an input of this many bytes.
    pub fn input(&self, bytes: u64) -> InputPasses {
        let total = self.0.total.get();
        self.0.total.set(total.saturating_add(bytes.saturating_mul(self.0.weight())));
        InputPasses { progress: self.clone(), next: Cell::new(0) }
    }

    /// Removes the bar; it returns if the work continues.
    pub fn clear(&self) {
        if let Some(bar) = self.0.bar.take() {
            bar.finish_and_clear();
        }
    }

    fn add(&self, bytes: usize, weight: u64) {
        let state = &*self.0;
        let work = (bytes as u64).saturating_mul(weight);
        state.done.set(state.done.get().saturating_add(work));
        let elapsed = state.start.elapsed();
        if !state.wanted || elapsed < PATIENCE {
            return;
        }
        let mut bar = state.bar.borrow_mut();
        let bar = bar.get_or_insert_with(|| self.bar());
        bar.set_message(state.text(elapsed));
        bar.set_position(state.done.get());
    }

    fn bar(&self) -> ProgressBar {
        // The template is part of the program.
        let style =
            ProgressStyle::with_template(TEMPLATE).unwrap_or_else(|_| ProgressStyle::default_bar());
        let target = ProgressDrawTarget::stderr();
        ProgressBar::with_draw_target(Some(self.0.total.get()), target)
            .with_style(style)
            .with_finish(ProgressFinish::AndClear)
    }
}

impl State {
    /// Returns the weight of all passes.
    fn weight(&self) -> u64 {
        self.weights.iter().sum()
    }

    /// Size, rate and remaining time.
    fn text(&self, elapsed: Duration) -> String {
        let (done, total) = (self.done.get(), self.total.get());
        let bytes = |work: u64| work / self.weight();
        let per_second = bytes(done) as f64 / elapsed.as_secs_f64();
        let share_left = total.saturating_sub(done) as f64 / done.max(1) as f64;
        let left = Duration::try_from_secs_f64(elapsed.as_secs_f64() * share_left);
        format!(
            "{} of {}  {}/s  {:#} left",
            DecimalBytes(bytes(done)),
            DecimalBytes(bytes(total)),
            DecimalBytes(per_second as u64),
            HumanDuration(left.unwrap_or(Duration::MAX)),
        )
    }
}

/// One input; every reader of it is its next pass.
#[derive(Debug)]
pub struct InputPasses {
    progress: Progress,
    next: Cell<usize>,
}

impl InputPasses {
    /// A reader that counts.
    pub fn reader<R: Read>(&self, inner: R) -> CountedReader<R> {
        let pass = self.next.replace(self.next.get().saturating_add(1));
        // An additional pass has no weight.
        let weight = self.progress.0.weights.get(pass).copied().unwrap_or(0);
        CountedReader { inner, progress: self.progress.clone(), weight }
    }
}

/// A reader whose bytes are counted.
#[derive(Debug)]
pub struct CountedReader<R> {
    inner: R,
    progress: Progress,
    weight: u64,
}

impl<R: Read> Read for CountedReader<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let len = self.inner.read(buf)?;
        self.progress.add(len, self.weight);
        Ok(len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rate_and_remaining_time_are_those_of_the_whole_work() {
        let progress = Progress::new(2, false);
        let input = progress.input(7_000_000);
        let text = |seconds| progress.0.text(Duration::from_secs(seconds));
        let read = |len| io::copy(&mut input.reader(io::repeat(0).take(len)), &mut io::sink());
        // The first of two passes is the lesser part of the work.
        read(7_000_000).unwrap();
        assert_eq!(text(2), "1.00 MB of 7.00 MB  500.00 kB/s  12s left");
        read(3_500_000).unwrap();
        assert_eq!(text(8), "4.00 MB of 7.00 MB  500.00 kB/s  6s left");
        // A third one was not reported.
        read(7_000_000).unwrap();
        assert_eq!(text(8), "4.00 MB of 7.00 MB  500.00 kB/s  6s left");
    }
}
