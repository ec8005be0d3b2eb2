//! What Perfetto's engine makes of a trace, as far as a picture shows it.

use std::path::Path;
use std::str::FromStr;

use anyhow::{Context, Result};
use tband_programs::Engine;

/// A slice of time in ns; `to` is the picture's end for what goes on there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub from: i64,
    pub to: i64,
}

/// Something on a core.
#[derive(Clone, Debug)]
pub struct OnCore {
    pub core: u32,
    pub time: Span,
    pub thread: String,
    /// 0: nothing that is known.
    pub tid: u64,
    pub priority: i64,
}

/// A state of a thread.
#[derive(Clone, Debug)]
pub struct State {
    pub utid: u64,
    pub time: Span,
    /// As the table has it: `R+`.
    pub state: String,
    pub blocked_function: String,
    pub waker: String,
}

/// A slice of a track.
#[derive(Clone, Debug)]
pub struct Slice {
    pub id: u64,
    pub track: u64,
    pub time: Span,
    pub depth: usize,
    pub name: String,
}

/// A value of a counter from then on.
#[derive(Clone, Debug)]
pub struct Count {
    pub track: u64,
    pub at: i64,
    pub value: i64,
}

/// A row of the view, or a group of them.
#[derive(Clone, Debug)]
pub struct Track {
    pub id: u64,
    pub name: String,
    pub parent: Option<u64>,
    /// Of a process, or of a thread.
    pub upid: Option<u64>,
    pub utid: Option<u64>,
    pub rank: i64,
}

/// A thread with its process.
#[derive(Clone, Debug)]
pub struct Thread {
    pub utid: u64,
    pub tid: u64,
    pub name: String,
    pub upid: u64,
    pub process: String,
    pub pid: u64,
    /// Time on a core in the whole trace, in ns.
    pub ran: i64,
}

/// The tables, in a slice of time.
#[derive(Clone, Debug, Default)]
pub struct Tables {
    pub on_cores: Vec<OnCore>,
    pub states: Vec<State>,
    pub slices: Vec<Slice>,
    pub counts: Vec<Count>,
    pub tracks: Vec<Track>,
    pub threads: Vec<Thread>,
    /// Slices at both ends of an arrow.
    pub flows: Vec<(u64, u64)>,
}

/// The columns of a row, one after the other.
struct Columns<'r>(std::str::Split<'r, char>);

impl Columns<'_> {
    fn text(&mut self) -> Result<String> {
        Ok(self.0.next().context("Perfetto's engine gave too few columns")?.to_owned())
    }

    fn number<T: FromStr<Err: std::error::Error + Send + Sync + 'static>>(&mut self) -> Result<T> {
        let text = self.text()?;
        text.parse().with_context(|| format!("Perfetto's engine gave {text:?} for a number"))
    }

    /// Empty for none.
    fn optional(&mut self) -> Result<Option<u64>> {
        let text = self.text()?;
        Ok(if text.is_empty() { None } else { Some(text.parse()?) })
    }

    /// Begin and length; -1 is what goes on.
    fn time(&mut self, window: Span) -> Result<Span> {
        let (ts, dur): (i64, i64) = (self.number()?, self.number()?);
        Ok(Span { from: ts, to: if dur < 0 { window.to } else { ts.saturating_add(dur) } })
    }
}

/// Kinds of rows, their columns, and where they come from; `{from}` and `{to}` are the ends of the window.
const QUERIES: [(&str, &str, &str); 7] = [
    (
        "core",
        "cpu, ts, dur, coalesce(name, ''), tid, priority",
        "sched join thread using (utid) where ts < {to} and (dur < 0 or ts + dur > {from})",
    ),
    (
        "state",
        "s.utid, s.ts, s.dur, s.state, coalesce(s.blocked_function, ''), coalesce(w.name, '')",
        "thread_state s left join thread w on w.utid = s.waker_utid \
         where s.ts < {to} and (s.dur < 0 or s.ts + s.dur > {from})",
    ),
    (
        "slice",
        "id, track_id, ts, dur, depth, name",
        "slice where ts < {to} and (dur < 0 or ts + dur >= {from})",
    ),
    (
        "count",
        "track_id, ts, cast(value as int)",
        "counter c where ts < {to} and ts >= coalesce((select max(ts) from counter b \
         where b.track_id = c.track_id and b.ts <= {from}), {from})",
    ),
    (
        "track",
        "t.id, t.name, coalesce(t.parent_id, ''), coalesce(p.upid, c.upid, ''), \
         coalesce(h.utid, ''), coalesce((select a.int_value from args a \
         where a.arg_set_id = t.source_arg_set_id and a.key = 'sibling_order_rank'), 0)",
        "track t left join process_track p using (id) left join process_counter_track c using (id) \
         left join thread_track h using (id) where t.name is not null",
    ),
    (
        "thread",
        "t.utid, t.tid, coalesce(t.name, ''), coalesce(t.upid, 0), coalesce(p.name, ''), \
         coalesce(p.pid, 0), coalesce((select sum(max(dur, 0)) from sched s where s.utid = t.utid), 0)",
        "thread t left join process p using (upid)",
    ),
    ("flow", "slice_out, slice_in", "flow"),
];

/// Between the columns of a row.
const BETWEEN: char = '\u{1F}';

impl Tables {
    /// Those of a trace, in a slice of time.
    ///
    /// # Errors
    /// The engine fails.
    pub fn read(engine: &Engine, trace: &Path, window: Span) -> Result<Self> {
        let part = |(kind, columns, from): &(&str, &str, &str)| {
            let columns = split_columns(columns).join(" || char(31) || ");
            let rest = from
                .replace("{from}", &window.from.to_string())
                .replace("{to}", &window.to.to_string());
            format!("select '{kind}' || char(31) || {columns} as t from {rest}")
        };
        let parts: Vec<String> = QUERIES.iter().map(part).collect();
        let from = format!("from ({})", parts.join(" union all "));
        let mut tables = Self::default();
        for row in engine.rows("", trace, "t", &from)? {
            tables.add(&row, window)?;
        }
        tables.on_cores.sort_by_key(|it| (it.core, it.time.from));
        tables.states.sort_by_key(|it| (it.utid, it.time.from));
        tables.slices.sort_by_key(|it| (it.track, it.time.from, it.depth, it.id));
        tables.counts.sort_by_key(|it| (it.track, it.at));
        Ok(tables)
    }

    fn add(&mut self, row: &str, window: Span) -> Result<()> {
        let mut it = Columns(row.split(BETWEEN));
        match it.text()?.as_str() {
            "core" => self.on_cores.push(OnCore {
                core: it.number()?,
                time: it.time(window)?,
                thread: it.text()?,
                tid: it.number()?,
                priority: it.number()?,
            }),
            "state" => self.states.push(State {
                utid: it.number()?,
                time: it.time(window)?,
                state: it.text()?,
                blocked_function: it.text()?,
                waker: it.text()?,
            }),
            "slice" => self.slices.push(Slice {
                id: it.number()?,
                track: it.number()?,
                time: it.time(window)?,
                depth: it.number()?,
                name: it.text()?,
            }),
            "count" => {
                let (track, at, value) = (it.number()?, it.number()?, it.number()?);
                self.counts.push(Count { track, at, value });
            }
            "track" => self.tracks.push(Track {
                id: it.number()?,
                name: it.text()?,
                parent: it.optional()?,
                upid: it.optional()?,
                utid: it.optional()?,
                rank: it.number()?,
            }),
            "thread" => self.threads.push(Thread {
                utid: it.number()?,
                tid: it.number()?,
                name: it.text()?,
                upid: it.number()?,
                process: it.text()?,
                pid: it.number()?,
                ran: it.number()?,
            }),
            _ => self.flows.push((it.number()?, it.number()?)),
        }
        Ok(())
    }
}

/// Columns at the commas that are in no brackets.
fn split_columns(columns: &str) -> Vec<&str> {
    let mut depth = 0;
    let is_between = |it: char| {
        match it {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        it == ',' && depth == 0
    };
    columns.split(is_between).map(str::trim).collect()
}
