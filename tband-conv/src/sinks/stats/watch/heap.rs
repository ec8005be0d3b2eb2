//! Memory of the heap that is never given back, and memory that is missing.

use std::collections::HashMap;

use super::Observed;
use crate::model::{Actor, World};

/// Blocks that are followed; beyond them nothing is known any more.
const MAX_BLOCKS: usize = 1 << 16;
/// Owners and sizes that are followed.
const MAX_GROUPS: usize = 4096;
/// Windows of time at most, of which at the end there are at least half as many.
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

/// A request for memory that failed.
#[derive(Clone, Debug)]
struct Failure {
    at_ns: i64,
    core: u32,
    by: Option<Actor>,
    /// Bytes that were asked for.
    size: u32,
    /// Bytes that were free then, if that is known.
    free: Option<u32>,
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
    /// The first failure of each cause.
    failures: Vec<Failure>,
    /// Failures with too little memory in all, and with enough in all.
    failure_counts: [u64; 2],
}

impl Heap {
    pub fn reset(&mut self) {
        (self.blocks, self.groups, self.start) = (HashMap::new(), HashMap::new(), None);
        (self.is_full, self.free) = (false, None);
    }

    /// Events are missing: blocks may have been given back.
    pub fn forget(&mut self) {
        // The blocks may have been given back. The start stays, so that there is no growth in the first eighths.
        self.blocks.clear();
        self.groups.clear();
    }

    /// The number of the window of a time, after windows were made long enough.
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

    pub fn change(
        &mut self,
        ns: i64,
        (address, size): (u32, u32),
        (is_freed, free): (bool, Option<u32>),
        by: Option<Actor>,
    ) {
        self.free = free;
        let window = self.window(ns);
        let key = if is_freed {
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
            // A block that was given back unseen.
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
        group.blocks = match is_freed {
            true => last.saturating_sub(1),
            false => last.saturating_add(1),
        };
        if let Some(end) = group.ends.last_mut() {
            *end = group.blocks;
        }
    }

    /// There was not enough memory.
    pub fn fails(&mut self, ns: i64, size: u32, by: Option<Actor>, core: u32) {
        let is_fragmented = self.free.is_some_and(|free| free >= size);
        if let Some(count) = self.failure_counts.get_mut(usize::from(is_fragmented)) {
            *count = count.saturating_add(1);
            if *count == 1 {
                self.failures.push(Failure { at_ns: ns, core, by, size, free: self.free });
            }
        }
    }

    pub fn close(mut self, world: &World, end: i64, done: &mut Vec<Observed>) {
        let name = |by: Option<Actor>, core| by.map(|by| world.actor_name(by, core).to_string());
        for Failure { at_ns, core, by, size, free } in std::mem::take(&mut self.failures) {
            let is_fragmented = free.is_some_and(|free| free >= size);
            let count = self.failure_counts.get(usize::from(is_fragmented)).copied().unwrap_or(1);
            done.push(Observed::NoMemory { size, free, by: name(by, core), at_ns, count });
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
                leaks.push(Observed::HeapLeak {
                    owner: name(*by, 0),
                    size: *size,
                    blocks: group.blocks,
                    growth,
                    at_ns: group.at,
                });
            }
        }
        leaks.sort_by_key(|it| match it {
            Observed::HeapLeak { blocks, size, at_ns, .. } => {
                (std::cmp::Reverse(blocks.saturating_mul((*size).into())), *at_ns)
            }
            _ => (std::cmp::Reverse(0), 0),
        });
        done.extend(leaks);
    }
}
