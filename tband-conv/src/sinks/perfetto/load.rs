//! The load of each core over time: the share of each window's known time in which the core did not idle, and the share in
//! which it was in interrupts.

use crate::load::{CoreTime, Times};

/// Length of a window, in ns.
const WINDOW: i64 = 10_000_000;

/// Minimum known time of a window, in ns; with less, no share is reported.
const LEAST: i64 = WINDOW / 100;

/// A counter cannot be without a value.
const UNKNOWN: i64 = -1;

/// The shares of a window, in percent, or [`UNKNOWN`], and its begin; `None` where a share equals that of the window before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    pub ns: i64,
    pub all: Option<i64>,
    pub interrupts: Option<i64>,
}

/// The load of a core: the next report, and the open window.
#[derive(Debug, Default)]
pub struct Load {
    /// The owner of the core's time.
    pub time: CoreTime,
    /// Where the open window ends; 0 before the first one.
    ends: i64,
    /// The times up to its begin.
    before: Times,
    /// Windows that are over and differ from the one before.
    pub points: Vec<Point>,
    last: Option<[i64; 2]>,
    pub track: u64,
    pub isr_track: u64,
}

impl Load {
    /// Time advances to the next change of the core, which [`time`](Self::time) has not seen yet.
    #[inline]
    pub fn advance(&mut self, ns: i64) {
        if ns >= self.ends {
            self.close_window(ns);
        }
    }

    /// The next change is after the open window.
    #[cold]
    fn close_window(&mut self, ns: i64) {
        if self.ends != 0 {
            self.write_window(self.ends.saturating_sub(WINDOW), self.ends);
            // Complete windows without changes are joined.
            let begins = self.ends;
            let whole = ns.saturating_sub(begins) / WINDOW * WINDOW;
            if whole > 0 {
                self.write_window(begins, begins.saturating_add(whole));
            }
        }
        self.ends = (ns / WINDOW).saturating_add(1).saturating_mul(WINDOW);
    }

    fn write_window(&mut self, begins: i64, ends: i64) {
        let until = self.time.times(ends);
        let times = until.since(&std::mem::replace(&mut self.before, until));
        let known = times.known_ns();
        let percent = |time: i64| match known {
            ..LEAST => UNKNOWN,
            // Rounded; the time of a window, or of many in which nothing changes, is far below the limit.
            _ => time.saturating_mul(100).saturating_add(known / 2) / known,
        };
        let [all, interrupts] = [percent(times.busy_ns()), percent(times.isr_ns)];
        // The first point has no earlier value that would have to end.
        let [all_before, interrupts_before] = self.last.unwrap_or([UNKNOWN; 2]);
        if (all, interrupts) != (all_before, interrupts_before) {
            self.last = Some([all, interrupts]);
            self.points.push(Point {
                ns: begins,
                all: Some(all).filter(|new| *new != all_before),
                interrupts: Some(interrupts).filter(|new| *new != interrupts_before),
            });
        }
    }

    /// The recording ends, and so does the last window.
    pub fn finish(&mut self, ns: i64) {
        if self.ends != 0 {
            self.advance(ns);
            let begins = self.ends.saturating_sub(WINDOW);
            // If the rest is too short, no value is reported, not even unknown.
            if ns.saturating_sub(begins) >= LEAST {
                self.write_window(begins, ns);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// State of a core from a time on: an idle task or not, if that is known, and open interrupts.
    type State = (i64, Option<bool>, u32);

    /// Computes the points of a core by the slow path: the part of each state in each window.
    fn slow(states: &[State], end: i64) -> Vec<Point> {
        let ends = states.iter().skip(1).map(|state| state.0).chain([end]);
        let pieces: Vec<_> = states.iter().zip(ends).collect();
        let mut last = [UNKNOWN; 2];
        let first = states.first().map_or(0, |state| state.0) / WINDOW;
        let mut points = Vec::new();
        for window in first..=end / WINDOW {
            let (from, to) = (window * WINDOW, end.min((window + 1) * WINDOW));
            let time = |is: fn(&State) -> bool| -> i64 {
                let own = pieces.iter().filter(|(state, _)| is(state));
                own.map(|(state, end)| ((*end).min(to) - state.0.max(from)).max(0)).sum()
            };
            let known = time(|state| state.1.is_some());
            let busy = time(|state| state.1 == Some(false) || (state.1.is_some() && state.2 > 0));
            let interrupts = time(|state| state.1.is_some() && state.2 > 0);
            let percent = |part: i64| {
                if known < LEAST { UNKNOWN } else { (part * 100 + known / 2) / known }
            };
            let now = [percent(busy), percent(interrupts)];
            if to - from < LEAST || (now == last && !points.is_empty()) {
                continue;
            }
            if now != last {
                let [all, interrupts] = [0, 1].map(|at| Some(now[at]).filter(|it| *it != last[at]));
                points.push(Point { ns: from, all, interrupts });
            }
            last = now;
        }
        points
    }

    #[test]
    fn windows_have_what_their_pieces_have() {
        for seed in 1..400_u64 {
            let mut random = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let mut draw = |below: u64| {
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                random % below
            };
            let (mut load, mut states) = (Load::default(), Vec::new());
            let (mut ns, mut task, mut open) = (draw(30_000_000).cast_signed(), None, 0);
            for _ in 0..1 + draw(60) {
                let long = if draw(8) == 0 { 70_000_000 } else { 4_000_000 };
                ns += draw(long).cast_signed();
                load.advance(ns);
                match draw(6) {
                    0 | 1 => {
                        open += 1;
                        load.time.isr_enters(ns);
                    }
                    2 | 3 if open > 0 => {
                        open -= 1;
                        load.time.isr_exits(ns);
                    }
                    4 if task.is_some() => {
                        task = None;
                        load.time.remove_task(ns);
                    }
                    _ => {
                        let is_idle = draw(2) == 0;
                        match task.replace(is_idle) {
                            Some(_) => _ = load.time.switch(ns, is_idle),
                            None => load.time.start_task(ns, is_idle),
                        }
                    }
                }
                states.push((ns, task, open));
            }
            let end = ns + draw(20_000_000).cast_signed();
            load.finish(end);
            assert_eq!(load.points, slow(&states, end), "{seed}");
        }
    }
}
