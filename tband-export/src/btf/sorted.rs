//! Sorts records by time. A buffer holds the latest records; sorted runs of earlier ones are in temporary files.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};

use crate::spool::Spool;

/// Records that are sorted in memory at once: 1.3 MB.
const MAX_RECORDS: usize = 1 << 15;
/// Runs of one level: so many are merged into one run of the next level. This limits the files that are open at once.
const MAX_RUNS: usize = 32;
/// Bytes of a record in a file.
const SIZE: usize = 32;

/// An event of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Record {
    /// When, in ns.
    pub ns: i64,
    /// At one time, those with a lower rank come first.
    pub rank: u8,
    /// What happens.
    pub event: u8,
    /// The core.
    pub core: u16,
    /// The number of the process.
    pub process: u32,
    /// The number of its activation.
    pub instance: u64,
    /// The number of a lock.
    pub lock: u32,
}

impl Record {
    fn bytes(&self) -> [u8; SIZE] {
        let mut bytes = [0; SIZE];
        let fields: [&[u8]; 7] = [
            &self.ns.to_le_bytes(),
            &[self.rank],
            &[self.event],
            &self.core.to_le_bytes(),
            &self.process.to_le_bytes(),
            &self.instance.to_le_bytes(),
            &self.lock.to_le_bytes(),
        ];
        let mut at = 0;
        for field in fields {
            if let Some(place) = bytes.get_mut(at..at + field.len()) {
                place.copy_from_slice(field);
            }
            at += field.len();
        }
        bytes
    }

    fn read(bytes: &[u8; SIZE]) -> Self {
        let [a, b, c, d, e, f, g, h, rank, event, i, j, k, l, m, n, rest @ ..] = *bytes;
        let [o, p, q, r, s, t, u, v, w, x, y, z, ..] = rest;
        Self {
            ns: i64::from_le_bytes([a, b, c, d, e, f, g, h]),
            rank,
            event,
            core: u16::from_le_bytes([i, j]),
            process: u32::from_le_bytes([k, l, m, n]),
            instance: u64::from_le_bytes([o, p, q, r, s, t, u, v]),
            lock: u32::from_le_bytes([w, x, y, z]),
        }
    }
}

/// Gathers records. Records that are equal in time and rank keep their order.
#[derive(Debug)]
pub struct Sorter {
    records: Vec<(Record, u32)>,
    /// Sorted runs by level: the records of a higher level came before those of a lower one.
    levels: Vec<Vec<Spool>>,
    max_records: usize,
}

impl Default for Sorter {
    fn default() -> Self {
        Self::with_room(MAX_RECORDS)
    }
}

impl Sorter {
    fn with_room(max_records: usize) -> Self {
        Self { records: Vec::new(), levels: Vec::new(), max_records }
    }

    /// Adds a record.
    ///
    /// # Errors
    /// A temporary file cannot be written or read.
    pub fn add(&mut self, record: Record) -> io::Result<()> {
        if self.records.len() >= self.max_records {
            self.spill()?;
        }
        let number = u32::try_from(self.records.len()).unwrap_or(u32::MAX);
        self.records.push((record, number));
        Ok(())
    }

    fn sort(&mut self) {
        self.records.sort_unstable_by_key(|(record, number)| (record.ns, record.rank, *number));
    }

    /// Writes the buffer to a run. Merges each level that is full into a run of the next one.
    fn spill(&mut self) -> io::Result<()> {
        self.sort();
        let mut out = BufWriter::new(Spool::default());
        for (record, _) in self.records.drain(..) {
            out.write_all(&record.bytes())?;
        }
        let mut run = finished(out)?;
        for level in &mut self.levels {
            if level.len() < MAX_RUNS {
                level.push(run);
                return Ok(());
            }
            let mut out = BufWriter::new(Spool::default());
            merge(level.drain(..), &mut |record| out.write_all(&record.bytes()))?;
            level.push(run);
            run = finished(out)?;
        }
        self.levels.push(vec![run]);
        Ok(())
    }

    /// Passes all records to `take`, by time and rank.
    ///
    /// # Errors
    /// A temporary file cannot be written or read; what `take` returns.
    pub fn merge(mut self, take: &mut dyn FnMut(Record) -> io::Result<()>) -> io::Result<()> {
        if self.levels.is_empty() {
            self.sort();
            return self.records.into_iter().try_for_each(|(record, _)| take(record));
        }
        self.spill()?;
        merge(self.levels.into_iter().rev().flatten(), take)
    }
}

fn finished(run: BufWriter<Spool>) -> io::Result<Spool> {
    run.into_inner().map_err(io::IntoInnerError::into_error)
}

/// Merges sorted runs. Of records with the same time and rank, those of an earlier run come first.
fn merge(
    runs: impl Iterator<Item = Spool>,
    take: &mut dyn FnMut(Record) -> io::Result<()>,
) -> io::Result<()> {
    let mut open = Vec::new();
    let mut first = BinaryHeap::new();
    for (number, mut run) in runs.enumerate() {
        run.rewind()?;
        let mut run = BufReader::new(run);
        if let Some(record) = next(&mut run)? {
            first.push(Reverse((record.ns, record.rank, number, record)));
        }
        open.push(run);
    }
    while let Some(Reverse((.., number, record))) = first.pop() {
        take(record)?;
        if let Some(run) = open.get_mut(number)
            && let Some(record) = next(run)?
        {
            first.push(Reverse((record.ns, record.rank, number, record)));
        }
    }
    Ok(())
}

fn next(run: &mut impl Read) -> io::Result<Option<Record>> {
    let mut bytes = [0; SIZE];
    match run.read_exact(&mut bytes) {
        Ok(()) => Ok(Some(Record::read(&bytes))),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_sorted_with_and_without_files() {
        let mut state = 3_u64;
        let mut all = Vec::new();
        for instance in 0..1000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let draw = state >> 33;
            all.push(Record {
                ns: i64::try_from(draw % 50).unwrap() - 25,
                rank: u8::try_from(draw % 3).unwrap(),
                event: 7,
                core: 300,
                process: 70_000,
                instance,
                lock: u32::MAX,
            });
        }
        let mut wanted = all.clone();
        wanted.sort_by_key(|record| (record.ns, record.rank));
        // One record a run makes three levels.
        for room in [1, 10, 1000, 5000] {
            let mut sorter = Sorter::with_room(room);
            all.iter().for_each(|record| sorter.add(*record).unwrap());
            let mut sorted = Vec::new();
            sorter
                .merge(&mut |record| {
                    sorted.push(record);
                    Ok(())
                })
                .unwrap();
            assert_eq!(sorted, wanted, "{room}");
        }
    }
}
