//! When bits of event groups were set, to find since when the bits that a task waits for suffice.

use std::collections::VecDeque;

use crate::model::{EventGroup, EventGroupRef, PerRef, Waker};

/// Bits of an event group at most: those of kernels with ticks of 64 bits.
const BITS: usize = 56;

/// Maximum number of kept requests of interrupts for one event group; the queue of the timer task is rarely as long.
const MAX_REQUESTS: usize = 64;

/// Times at which the bits of one event group were set last, in ns.
#[derive(Debug)]
struct SetTimes {
    bits: [Option<i64>; BITS],
    /// Bits that interrupts have requested the timer task to set, with time and interrupt, the oldest first.
    requests: VecDeque<(u64, (i64, Waker))>,
}

impl Default for SetTimes {
    fn default() -> Self {
        Self { bits: [None; BITS], requests: VecDeque::new() }
    }
}

/// All event groups.
#[derive(Debug, Default)]
pub struct BitTimes {
    groups: PerRef<EventGroup, SetTimes>,
    /// The group of the last request, until it is known whether the queue of the timer task had room for it.
    last_request: Option<EventGroupRef>,
}

impl BitTimes {
    /// Sets the bits `new` at `ns`; a bit that was set before keeps its time.
    pub fn set(&mut self, group: EventGroupRef, new: u64, ns: i64) {
        for (bit, time) in self.groups.entry(group).bits.iter_mut().enumerate() {
            if new >> bit & 1 != 0 {
                time.get_or_insert(ns);
            }
        }
    }

    /// An interrupt requests the timer task to set these bits.
    pub fn request(&mut self, group: EventGroupRef, bits: u64, request: (i64, Waker)) {
        let requests = &mut self.groups.entry(group).requests;
        if requests.len() == MAX_REQUESTS {
            requests.pop_front();
        }
        requests.push_back((bits, request));
        self.last_request = Some(group);
    }

    /// A call was sent to the timer task, or refused since its queue was full: the last request, if there was one just before.
    pub fn pended(&mut self, is_accepted: bool) {
        if let Some(group) = self.last_request.take()
            && !is_accepted
        {
            self.groups.entry(group).requests.pop_back();
        }
    }

    /// The timer task sets these bits at the request of an interrupt: returns when and by which.
    pub fn carry_out(&mut self, group: EventGroupRef, bits: u64) -> Option<(i64, Waker)> {
        let requests = &mut self.groups.entry(group).requests;
        let position = requests.iter().position(|(it, _)| *it == bits)?;
        requests.drain(..=position).next_back().map(|(_, request)| request)
    }

    /// Events are missing: the timer task may have carried out any request.
    pub fn forget_requests(&mut self) {
        self.last_request = None;
        self.groups.iter_mut().for_each(|group| group.requests.clear());
    }

    /// Events are missing: it is not known which bits are set and requested.
    pub fn forget(&mut self, group: EventGroupRef) {
        *self.groups.entry(group) = SetTimes::default();
    }

    /// Only these bits are left.
    pub fn keep(&mut self, group: EventGroupRef, left: u64) {
        for (bit, time) in self.groups.entry(group).bits.iter_mut().enumerate() {
            if left >> bit & 1 == 0 {
                *time = None;
            }
        }
    }

    /// Since when all of these bits are set, or any of them.
    pub fn sufficient_since(&self, group: EventGroupRef, bits: u64, all: bool) -> Option<i64> {
        let times = &self.groups.get(group)?.bits;
        let asked = times.iter().enumerate().filter(|(bit, _)| bits >> bit & 1 != 0);
        if all {
            asked.map(|(_, time)| *time).try_fold(i64::MIN, |last, time| Some(last.max(time?)))
        } else {
            asked.filter_map(|(_, time)| *time).min()
        }
    }
}
