//! A small timeline of one activation for the terminal: how much of each column each task had a core.

use std::io;

use tband_conv::model::{Change, EventTime, Sink, TaskRef, TaskState, World};

/// Tasks that are drawn.
const MAX_LANES: usize = 8;
/// Columns that are drawn at least and at most.
const COLUMNS: (usize, usize) = (10, 200);

/// The line of one task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lane {
    /// Name of the task.
    pub name: String,
    /// A bar for each column.
    pub bars: String,
}

/// Follows when tasks run between two times.
#[derive(Debug)]
pub struct Strip {
    begin: i64,
    end: i64,
    names: Vec<String>,
    /// Time of each column of each lane, in ns.
    ran: Vec<Vec<i64>>,
    running: Vec<(TaskRef, i64)>,
}

impl Strip {
    /// Of these tasks, between these times; `width` includes the names.
    pub fn new((begin, end): (i64, i64), width: usize, mut names: Vec<String>) -> Self {
        names.truncate(MAX_LANES);
        let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let columns = width.saturating_sub(longest + 6).clamp(COLUMNS.0, COLUMNS.1);
        // Some time before and after shows the cause.
        let margin = end.saturating_sub(begin) / 10;
        let (begin, end) = (begin.saturating_sub(margin), end.saturating_add(margin));
        let ran = vec![vec![0; columns]; names.len()];
        Self { begin, end: end.max(begin.saturating_add(1)), names, ran, running: Vec::new() }
    }

    fn add(&mut self, world: &World, task: TaskRef, (from, to): (i64, i64)) {
        let (from, to) = (from.max(self.begin), to.min(self.end));
        if from >= to {
            return;
        }
        let name = world.task_name(task).to_string();
        let Some(lane) = self.names.iter().position(|it| *it == name) else { return };
        let Some(columns) = self.ran.get_mut(lane) else { return };
        let count = columns.len();
        let (begin, length) =
            (i128::from(self.begin), i128::from(self.end) - i128::from(self.begin));
        // Both are at most the length, so the column is at most the count.
        let column = |ns: i64| (i128::from(ns) - begin) * count as i128 / length;
        let border = |column: i128| begin + (column * length + count as i128 - 1) / count as i128;
        let mut at = i128::from(from);
        let mut index = column(from);
        while at < i128::from(to) {
            let next = border(index + 1).max(at + 1).min(i128::from(to));
            if let Some(ns) = usize::try_from(index).ok().and_then(|it| columns.get_mut(it)) {
                *ns = ns.saturating_add(i64::try_from(next - at).unwrap_or(i64::MAX));
            }
            at = next;
            index += 1;
        }
    }

    /// The lines.
    pub fn lanes(self) -> Vec<Lane> {
        const BARS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
        let length = self.end.saturating_sub(self.begin);
        let bars = |columns: &Vec<i64>| {
            let column = (length as f64 / columns.len() as f64).max(1.0);
            let bar = |ns: &i64| {
                let step = (*ns as f64 / column * 8.0).ceil() as usize;
                BARS.get(step).copied().unwrap_or('█')
            };
            columns.iter().map(bar).collect()
        };
        let lanes = self.names.iter().zip(&self.ran);
        lanes.map(|(name, columns)| Lane { name: name.clone(), bars: bars(columns) }).collect()
    }
}

impl Sink for Strip {
    fn change(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        let Change::TaskState { task, from, to, .. } = *change else { return Ok(()) };
        if let TaskState::Running(_) = from
            && let Some(position) = self.running.iter().position(|(it, _)| *it == task)
        {
            let (_, since) = self.running.swap_remove(position);
            self.add(world, task, (since, at.ns));
        }
        if let TaskState::Running(_) = to {
            self.running.push((task, at.ns));
        }
        Ok(())
    }

    fn finish(&mut self, world: &World, end_ns: i64) -> io::Result<()> {
        for (task, since) in std::mem::take(&mut self.running) {
            self.add(world, task, (since, end_ns));
        }
        Ok(())
    }
}
