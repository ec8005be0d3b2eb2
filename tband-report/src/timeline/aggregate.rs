//! Replacement for slices that are too many to be kept one by one.

use super::class::Class;

/// Classes that a lane may have: tasks run, are interrupted, ready, blocked or suspended; no other lane has more.
const CLASSES: usize = 5;

/// The sum of several neighbours on a lane. The viewer draws their total.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Aggregate {
    /// Its place among the slices of the lane.
    pub at: usize,
    /// How many slices, moments or levels it replaces.
    pub count: u64,
    pub content: Content,
}

/// Summary of the replaced items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// Time of each class of the lane, in ns, and the longest slice: its length and text.
    Times { times: [i64; CLASSES], longest: (i64, i64) },
    /// Least and greatest level.
    Levels { low: i64, high: i64 },
    /// Moments last no time.
    Moments,
}

impl Content {
    pub fn add(&mut self, other: &Self) {
        match (self, other) {
            (
                Self::Times { times, longest },
                Self::Times { times: more, longest: (length, text) },
            ) => {
                for (time, more) in times.iter_mut().zip(more) {
                    *time = time.saturating_add(*more);
                }
                if *length > longest.0 {
                    *longest = (*length, *text);
                }
            }
            (Self::Levels { low, high }, Self::Levels { low: other_low, high: other_high }) => {
                *low = (*low).min(*other_low);
                *high = (*high).max(*other_high);
            }
            _ => {}
        }
    }
}

/// The classes of a lane, in the order in which its aggregates have their times.
#[derive(Clone, Debug, Default)]
pub(super) struct Classes(Vec<Class>);

impl Classes {
    /// One slice, which interrupts took this part of.
    pub fn of(&mut self, class: Class, length: i64, interrupted: i64, text: i64) -> Content {
        let mut times = [0; CLASSES];
        if let Some(time) = times.get_mut(self.place(class)) {
            *time = length.saturating_sub(interrupted);
        }
        if interrupted > 0
            && let Some(time) = times.get_mut(self.place(class.interrupts()))
        {
            *time = interrupted;
        }
        Content::Times { times, longest: (length, text) }
    }

    fn place(&mut self, class: Class) -> usize {
        let known = self.0.iter().position(|it| *it == class);
        known.unwrap_or_else(|| {
            if self.0.len() < CLASSES {
                self.0.push(class);
            }
            self.0.len() - 1
        })
    }

    pub fn iter(&self) -> impl Iterator<Item = Class> {
        self.0.iter().copied()
    }

    /// Each class with its time.
    pub fn times(&self, content: &Content) -> impl Iterator<Item = (Class, i64)> {
        let times = match content {
            Content::Times { times, .. } => *times,
            _ => [0; CLASSES],
        };
        self.0.iter().copied().zip(times)
    }
}
