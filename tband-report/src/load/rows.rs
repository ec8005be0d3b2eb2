//! The load in windows of a length that the user chooses, as rows.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::io;

use tband_conv::load::{Owner, TakeWindow, Window};
use tband_conv::model::World;

use super::LoadOwner;
use crate::stats::{Cell, Table, table};

/// Maximum number of rows. With more, there are none: they would not be complete.
pub const MAX_ROWS: usize = 1 << 16;

/// Marks of a line in text at most.
const MARKS: usize = 60;

/// An owner's time in a window.
#[derive(Clone, Copy, Debug)]
struct Row {
    begin_ns: i64,
    end_ns: i64,
    /// Its place in the list of owners.
    owner: usize,
    ns: i64,
}

/// Collects rows: of each window of each core, each owner once. The times of a window add up to its length.
#[derive(Debug)]
pub struct LoadRows {
    length: i64,
    rows: Vec<Row>,
    places: HashMap<(u32, Owner), usize>,
    owners: Vec<(u32, Owner)>,
    named: Vec<LoadOwner>,
    is_full: bool,
}

impl LoadRows {
    /// For windows of this length, in ns.
    #[must_use]
    pub fn new(length: i64) -> Self {
        Self {
            length: length.max(1),
            rows: Vec::new(),
            places: HashMap::new(),
            owners: Vec::new(),
            named: Vec::new(),
            is_full: false,
        }
    }

    /// There would be more rows than the limit.
    #[must_use]
    pub const fn is_full(&self) -> bool {
        self.is_full
    }

    /// A row for each window, core and owner, for programs.
    #[must_use]
    pub fn all(&self) -> Table {
        let columns = [
            ("name", "name"),
            ("kind", "kind"),
            ("id", "id"),
            ("core", "core"),
            ("begin_ns", "begin"),
            ("end_ns", "end"),
            ("time_ns", "time"),
            ("share", "share"),
        ];
        let row = |row: &Row| {
            let whose = self.named.get(row.owner)?;
            let length = row.end_ns.saturating_sub(row.begin_ns).max(1);
            Some(vec![
                Cell::Text(whose.name.clone()),
                Cell::text(Some(whose.kind)),
                Cell::number(whose.id),
                Cell::Count(whose.core.into()),
                Cell::At(row.begin_ns),
                Cell::At(row.end_ns),
                Cell::Ns(row.ns),
                Cell::Share(row.ns as f64 / length as f64),
            ])
        };
        let rows = self.rows.iter().filter_map(row).collect();
        Table { rows, is_whole: true, ..table("load", TITLE, &columns) }
    }

    /// A line for each owner, with a mark for a window or for several.
    #[must_use]
    pub fn lines(&self) -> Table {
        let start = self.rows.iter().map(|row| row.begin_ns).min().unwrap_or(0);
        let end = self.rows.iter().map(|row| row.end_ns).max().unwrap_or(start);
        let windows = end.saturating_sub(start).saturating_add(self.length - 1) / self.length;
        // At least 1.
        let joined = (windows - 1).max(0) / MARKS as i64 + 1;
        let mark = self.length.saturating_mul(joined);
        let mut lines: HashMap<usize, (i64, Vec<i64>)> = HashMap::new();
        for row in &self.rows {
            let (sum, marks) = lines.entry(row.owner).or_default();
            *sum = sum.saturating_add(row.ns);
            let place = usize::try_from(row.begin_ns.saturating_sub(start) / mark).unwrap_or(0);
            if marks.len() <= place {
                marks.resize(place + 1, 0);
            }
            if let Some(time) = marks.get_mut(place) {
                *time = time.saturating_add(row.ns);
            }
        }
        let has_cores =
            self.named.iter().any(|it| Some(it.core) != self.named.first().map(|it| it.core));
        let columns = [
            ("name", "whose"),
            ("kind", "kind"),
            ("core", if has_cores { "core" } else { "" }),
            ("time_ns", "time"),
            ("share", "share"),
            ("mark_ns", "a mark"),
            ("over_time", "Load over time: of each mark's time, the share of each owner"),
        ];
        let length = end.saturating_sub(start).max(1);
        let mut order: Vec<_> = lines.into_iter().collect();
        order.sort_by_key(|(owner, (sum, _))| {
            let whose = self.named.get(*owner);
            (whose.map(|it| (it.core, it.rank())), Reverse(*sum), *owner)
        });
        let last = usize::try_from((length - 1) / mark).unwrap_or(0);
        let line = |(owner, (sum, mut marks)): (usize, (i64, Vec<i64>))| {
            let whose = self.named.get(owner)?;
            marks.resize(last + 1, 0);
            let of = |place: usize| {
                let begin = (place as i64).saturating_mul(mark);
                length.saturating_sub(begin).clamp(1, mark)
            };
            let shares = marks.iter().enumerate();
            let shares = shares.map(|(place, ns)| Some(*ns as f64 / of(place) as f64));
            let name = match has_cores {
                true => format!("{} on core {}", whose.name, whose.core),
                false => whose.name.clone(),
            };
            Some(vec![
                Cell::Text(name),
                Cell::text(Some(whose.kind)),
                Cell::Count(whose.core.into()),
                Cell::Ns(sum),
                Cell::Share(sum as f64 / length as f64),
                Cell::Ns(mark),
                Cell::Series(shares.collect()),
            ])
        };
        let rows = order.into_iter().filter_map(line).collect();
        Table { rows, ..table("load", TITLE, &columns) }
    }
}

const TITLE: &str = "Load over time, by task and interrupt";

impl TakeWindow for LoadRows {
    fn window(&mut self, _: &World, window: &Window<'_>) -> io::Result<()> {
        let length = window.end_ns.saturating_sub(window.begin_ns);
        // The last one may be shorter.
        let windows = length.saturating_add(self.length - 1) / self.length;
        let more =
            usize::try_from(windows).unwrap_or(usize::MAX).saturating_mul(window.shares.len());
        if self.is_full || self.rows.len().saturating_add(more) > MAX_ROWS {
            self.is_full = true;
            self.rows.clear();
            return Ok(());
        }
        for &(owner, ns) in window.shares {
            let owners = &mut self.owners;
            let owner = *self.places.entry((window.core, owner)).or_insert_with(|| {
                owners.push((window.core, owner));
                owners.len() - 1
            });
            if windows <= 1 {
                let (begin_ns, end_ns) = (window.begin_ns, window.end_ns);
                self.rows.push(Row { begin_ns, end_ns, owner, ns });
                continue;
            }
            // Several windows have one owner.
            let mut begin_ns = window.begin_ns;
            while begin_ns < window.end_ns {
                let end_ns = begin_ns.saturating_add(self.length).min(window.end_ns);
                let ns = end_ns.saturating_sub(begin_ns);
                self.rows.push(Row { begin_ns, end_ns, owner, ns });
                begin_ns = end_ns;
            }
        }
        Ok(())
    }

    fn end(&mut self, world: &World) -> io::Result<()> {
        let mut known = HashMap::new();
        let mut places = Vec::with_capacity(self.owners.len());
        for (core, owner) in &self.owners {
            let whose = LoadOwner::of(world, *core, *owner);
            let place = *known.entry(whose.clone()).or_insert_with(|| {
                self.named.push(whose);
                self.named.len() - 1
            });
            places.push(place);
        }
        for row in &mut self.rows {
            row.owner = places.get(row.owner).copied().unwrap_or(0);
        }
        let named = &self.named;
        self.rows.sort_by_key(|row| {
            (row.begin_ns, named.get(row.owner).map(|it| (it.core, it.rank())), row.owner)
        });
        self.rows.dedup_by(|row, before| {
            let is_same = (row.begin_ns, row.owner) == (before.begin_ns, before.owner);
            if is_same {
                before.ns = before.ns.saturating_add(row.ns);
            }
            is_same
        });
        Ok(())
    }
}
