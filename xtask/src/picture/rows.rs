//! The rows of Perfetto's page, in its order and by its names.
//!
//! On top are the cores, then groups by their names, then processes, those that ran longest first. Rows of a
//! group come by their names; rows of a process begin with the states of its thread and go on by rank.

use super::tables::{Tables, Thread, Track};

/// A row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// What is at the left.
    pub name: String,
    /// How far it is indented.
    pub level: usize,
    pub what: What,
}

/// What a row shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// Nothing: its rows are below it.
    Heading,
    /// What runs on a core.
    Core(u32),
    /// States of a thread.
    States(u64),
    /// Slices of a track, nested so deep.
    Slices(u64, usize),
    /// A counter.
    Counter(u64),
}

/// Which rows a picture has.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// Groups, and processes by their names.
    pub groups: &'static [&'static str],
    /// Names of rows of these, but for states; none stands for all that have something to show.
    pub rows: &'static [&'static str],
}

impl Choice {
    fn has(&self, row: &str) -> bool {
        self.rows.is_empty() || self.rows.iter().any(|it| row.starts_with(it))
    }
}

/// The rows that are chosen.
pub fn rows(tables: &Tables, choice: &Choice) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut cores: Vec<u32> = tables.on_cores.iter().map(|it| it.core).collect();
    cores.dedup();
    for core in cores {
        let (name, level, what) = (format!("CPU {core} Scheduling"), 0, What::Core(core));
        rows.push(Row { name, level, what });
    }
    let is_group = |track: &&Track| {
        let is_root = track.parent.is_none() && track.upid.is_none() && track.utid.is_none();
        is_root && choice.groups.contains(&track.name.as_str())
    };
    let mut groups: Vec<&Track> = tables.tracks.iter().filter(is_group).collect();
    groups.sort_by_key(|track| &track.name);
    for group in groups {
        under(&mut rows, &group.name, |rows| children(tables, choice, group.id, 1, rows));
    }
    let is_chosen = |thread: &&Thread| choice.groups.contains(&thread.name.as_str());
    let mut threads: Vec<&Thread> = tables.threads.iter().filter(is_chosen).collect();
    threads.sort_by_key(|thread| (-thread.ran, thread.tid));
    for thread in threads {
        let heading = format!("{} {}", thread.process, thread.pid);
        under(&mut rows, &heading, |rows| of_thread(tables, choice, thread, rows));
    }
    rows
}

/// A heading, if there is something below it.
fn under(rows: &mut Vec<Row>, name: &str, below: impl FnOnce(&mut Vec<Row>)) {
    let heading = Row { name: name.to_owned(), level: 0, what: What::Heading };
    rows.push(heading);
    let before = rows.len();
    below(rows);
    if rows.len() == before {
        rows.pop();
    }
}

fn of_thread(tables: &Tables, choice: &Choice, thread: &Thread, rows: &mut Vec<Row>) {
    let name = format!("{} {}", thread.name, thread.tid);
    rows.push(Row { name, level: 1, what: What::States(thread.utid) });
    let is_own = |track: &&Track| {
        track.utid == Some(thread.utid) || track.upid == Some(thread.upid) && track.rank > 0
    };
    let mut tracks: Vec<&Track> = tables.tracks.iter().filter(is_own).collect();
    tracks.sort_by_key(|track| (track.rank, &track.name));
    for track in tracks.into_iter().filter(|track| choice.has(&track.name)) {
        let before = rows.len();
        let name = match track.utid {
            Some(_) => format!("{} ({})", track.name, thread.tid),
            None => track.name.clone(),
        };
        track_rows(tables, track, name, 1, rows);
        let heading = Row { name: track.name.clone(), level: 1, what: What::Heading };
        let own = rows.len();
        children(tables, &Choice { rows: &[], ..*choice }, track.id, 2, rows);
        if own == before && rows.len() > own {
            rows.insert(before, heading);
        }
    }
}

fn children(tables: &Tables, choice: &Choice, parent: u64, level: usize, rows: &mut Vec<Row>) {
    let mut tracks: Vec<&Track> =
        tables.tracks.iter().filter(|track| track.parent == Some(parent)).collect();
    tracks.sort_by_key(|track| &track.name);
    for track in tracks.into_iter().filter(|track| choice.has(&track.name)) {
        track_rows(tables, track, track.name.clone(), level, rows);
    }
}

/// The row of a track that has something to show.
fn track_rows(tables: &Tables, track: &Track, name: String, level: usize, rows: &mut Vec<Row>) {
    let depths = tables.slices.iter().filter(|it| it.track == track.id).map(|it| it.depth);
    if let Some(deepest) = depths.max() {
        rows.push(Row { name, level, what: What::Slices(track.id, deepest + 1) });
    } else if tables.counts.iter().any(|it| it.track == track.id) {
        rows.push(Row { name, level, what: What::Counter(track.id) });
    }
}
