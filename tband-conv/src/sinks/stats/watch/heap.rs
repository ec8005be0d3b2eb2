//! Memory of the heap that is never freed, and failed allocations.

use std::collections::HashMap;

use super::Observation;
use crate::model::{Actor, HeapChange, World};

/// Maximum number of followed blocks; beyond it nothing is known any more.
const MAX_BLOCKS: usize = 1 << 16;
/// Owners and sizes that are followed.
const MAX_GROUPS: usize = 4096;
/// Maximum number of time windows; at the end there are at least half as many.
const WINDOWS: usize = 32;
/// The length that windows start with, in ns.
const FIRST: i64 = 1 << 20;
/// Parts of the recording that are compared.
const PARTS: usize = 8;

type Key = (Option<Actor>, u32);

/// Blocks of one owner and size.
#[derive(Clone, Debug, Default)]
struct Group {
    blocks: u64,
    at: i64,
    /// Blocks at the end of each window so far.
    ends: Vec<u64>,
}

/// Why an allocation failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AllocationFailure {
    /// Fewer bytes were free than were requested, or their number is not known.
    Exhausted,
    /// As many bytes were free in total, but not in one block.
    Fragmented,
    /// The recording has size 0: so much was requested, or the kernel did not pass the size.
    UnknownSize,
}

impl AllocationFailure {
    fn of(size: u32, free: Option<u32>) -> Self {
        match free {
            _ if size == 0 => Self::UnknownSize,
            Some(free) if free >= size => Self::Fragmented,
            _ => Self::Exhausted,
        }
    }
}

/// Failed requests for memory with one cause. The figures are those of the first one.
#[derive(Clone, Debug)]
struct Failure {
    shortage: AllocationFailure,
    at_ns: i64,
    core: u32,
    by: Option<Actor>,
    /// Requested bytes.
    size: u32,
    /// Bytes that were free then, if that is known.
    free: Option<u32>,
    count: u64,
}

/// Follows blocks by their addresses.
#[derive(Clone, Debug, Default)]
pub struct Heap {
    blocks: HashMap<u32, Key>,
    groups: HashMap<Key, Group>,
    length: i64,
    start: Option<i64>,
    is_full: bool,
    free: Option<u32>,
    /// At most one of each cause.
    failures: Vec<Failure>,
}

impl Heap {
    pub fn reset(&mut self) {
        (self.blocks, self.groups, self.start) = (HashMap::new(), HashMap::new(), None);
        (self.is_full, self.free) = (false, None);
    }

    /// Events are missing: blocks may have been freed.
    pub fn forget(&mut self) {
        // The blocks may have been freed. The start stays, so that the first eighths show no growth.
        self.blocks.clear();
        self.groups.clear();
    }

    /// Returns the window of a time, after making windows long enough.
    fn window(&mut self, ns: i64) -> usize {
        let start = *self.start.get_or_insert(ns);
        self.length = self.length.max(FIRST);
        let at = ns.saturating_sub(start).max(0);
        while at / self.length >= WINDOWS as i64 {
            self.length = self.length.saturating_mul(2);
            for group in self.groups.values_mut() {
                let ends = std::mem::take(&mut group.ends);
                group.ends = ends.chunks(2).filter_map(|pair| pair.last().copied()).collect();
            }
        }
        usize::try_from(at / self.length).unwrap_or(0)
    }

    pub fn change(&mut self, ns: i64, change: HeapChange, by: Option<Actor>) {
        let HeapChange { address, freed, size, bytes_free, .. } = change;
        self.free = bytes_free;
        let window = self.window(ns);
        let key = if freed {
            match self.blocks.remove(&address) {
                Some(key) => key,
                None => return,
            }
        } else {
            let key = (by, size);
            let has_room = self.groups.len() < MAX_GROUPS || self.groups.contains_key(&key);
            if self.blocks.len() >= MAX_BLOCKS || !has_room {
                self.is_full = true;
                return;
            }
            // A block that was freed unseen.
            if let Some(before) = self.blocks.insert(address, key)
                && let Some(group) = self.groups.get_mut(&before)
            {
                group.blocks = group.blocks.saturating_sub(1);
            }
            key
        };
        let group = self.groups.entry(key).or_insert(Group { at: ns, ..Group::default() });
        let last = group.blocks;
        // Nothing happened in the windows in between.
        if group.ends.len() <= window {
            group.ends.resize(window + 1, last);
        }
        group.blocks = match freed {
            true => last.saturating_sub(1),
            false => last.saturating_add(1),
        };
        if let Some(end) = group.ends.last_mut() {
            *end = group.blocks;
        }
    }

    /// There was not enough memory.
    pub fn add_failure(&mut self, ns: i64, size: u32, by: Option<Actor>, core: u32) {
        let free = self.free;
        let shortage = AllocationFailure::of(size, free);
        match self.failures.iter_mut().find(|it| it.shortage == shortage) {
            Some(known) => known.count = known.count.saturating_add(1),
            None => {
                self.failures.push(Failure { shortage, at_ns: ns, core, by, size, free, count: 1 });
            }
        }
    }

    pub fn close(mut self, world: &World, end: i64, done: &mut Vec<Observation>) {
        let name = |by: Option<Actor>, core| by.map(|by| world.actor_name(by, core).to_string());
        for it in std::mem::take(&mut self.failures) {
            let Failure { shortage, at_ns, core, by, size, free, count } = it;
            let by = name(by, core);
            done.push(Observation::NoMemory { shortage, size, free, by, at_ns, count });
        }
        if self.is_full || self.start.is_none() {
            return;
        }
        let last = self.window(end);
        let mut leaks = Vec::new();
        for ((by, size), group) in &mut self.groups {
            let ends = group.ends.len().max(last + 1);
            group.ends.resize(ends, group.blocks);
            let at = |part: usize| {
                let place = (part * ends / PARTS).checked_sub(1);
                place.and_then(|place| group.ends.get(place)).copied().unwrap_or(0)
            };
            if ends < PARTS {
                continue;
            }
            let growth: [u64; PARTS] =
                std::array::from_fn(|part| at(part + 1).saturating_sub(at(part)));
            if growth.iter().all(|it| *it > 0) {
                leaks.push(Observation::HeapLeak {
                    owner: name(*by, 0),
                    size: *size,
                    blocks: group.blocks,
                    growth,
                    at_ns: group.at,
                });
            }
        }
        leaks.sort_by_key(|it| match it {
            Observation::HeapLeak { blocks, size, at_ns, .. } => {
                (std::cmp::Reverse(blocks.saturating_mul((*size).into())), *at_ns)
            }
            _ => (std::cmp::Reverse(0), 0),
        });
        done.extend(leaks);
    }
}
