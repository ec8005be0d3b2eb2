//! The load of each core over time: of what is known of each window, the share in which it did not idle, and that in
//! which it was in interrupts.

/// Length of a window, in ns.
const WINDOW: i64 = 10_000_000;

/// Of a window of which less is known than this no share is reported, in ns.
const LEAST: i64 = WINDOW / 100;

/// A counter cannot be without a value.
const UNKNOWN: i64 = -1;

/// What a core does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Doing {
    /// Nothing that is known.
    #[default]
    Unknown,
    /// Its idle task runs.
    Idle,
    /// Another task runs.
    Busy,
    /// An interrupt runs.
    Interrupt,
}

/// What a window comes to, in percent, or [`UNKNOWN`], and when it begins; none where that is as in the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    pub ns: i64,
    pub all: Option<i64>,
    pub interrupts: Option<i64>,
}

/// The load of a core: what is reported next, and the window that is open.
#[derive(Debug, Default)]
pub struct Load {
    doing: Doing,
    since: i64,
    /// Where the open window ends; 0 before the first one.
    ends: i64,
    idle: i64,
    busy: i64,
    interrupts: i64,
    /// Windows that are over and differ from the one before.
    pub points: Vec<Point>,
    last: Option<[i64; 2]>,
    pub track: u64,
    pub isr_track: u64,
}

impl Load {
    #[inline]
    pub fn becomes(&mut self, ns: i64, doing: Doing) {
        if ns >= self.ends {
            self.windows_end(ns);
        }
        // What goes on is counted when it ends, or the window.
        if doing != self.doing {
            self.add(ns);
            self.doing = doing;
        }
    }

    #[inline]
    fn add(&mut self, ns: i64) {
        // Times are within 0 to `MAX_NS`, and so are sums of a window.
        let time = ns.wrapping_sub(self.since).max(0);
        match self.doing {
            Doing::Unknown => {}
            Doing::Idle => self.idle = self.idle.wrapping_add(time),
            Doing::Busy => self.busy = self.busy.wrapping_add(time),
            Doing::Interrupt => self.interrupts = self.interrupts.wrapping_add(time),
        }
        self.since = self.since.max(ns);
    }

    /// Time has gone on to after the window.
    #[cold]
    fn windows_end(&mut self, ns: i64) {
        if self.ends == 0 {
            self.since = ns;
        } else {
            self.add(self.ends);
            self.window_ends(self.ends.saturating_sub(WINDOW));
            // Whole windows in which nothing changes are as one.
            let begins = self.ends;
            let whole = ns.saturating_sub(begins) / WINDOW * WINDOW;
            if whole > 0 {
                self.add(begins.saturating_add(whole));
                self.window_ends(begins);
            }
        }
        self.ends = (ns / WINDOW).saturating_add(1).saturating_mul(WINDOW);
    }

    fn window_ends(&mut self, begins: i64) {
        let interrupts = std::mem::take(&mut self.interrupts);
        let busy = std::mem::take(&mut self.busy).saturating_add(interrupts);
        let known = std::mem::take(&mut self.idle).saturating_add(busy);
        let percent = |time: i64| match known {
            0..LEAST => UNKNOWN,
            // Rounded; the time of a window, or of many in which nothing changes, is far below the limit.
            _ => time.saturating_mul(100).saturating_add(known / 2) / known,
        };
        let [all, interrupts] = [percent(busy), percent(interrupts)];
        // Before the first point there is nothing that would have to end.
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
    pub fn ends(&mut self, ns: i64) {
        if self.ends != 0 {
            self.becomes(ns, Doing::Unknown);
            let begins = self.ends.saturating_sub(WINDOW);
            // Of too short a rest nothing is reported, neither that it is unknown.
            if ns.saturating_sub(begins) >= LEAST {
                self.window_ends(begins);
            }
        }
    }
}
