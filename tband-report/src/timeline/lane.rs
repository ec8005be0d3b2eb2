//! Lanes: slices one after the other.

use super::aggregate::{Aggregate, Classes, Content};
use super::class::Class;

/// The content of a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LaneKind {
    /// Slices with a text.
    Slices,
    /// Moments with a text; their ends are their starts.
    Moments,
    /// Slices with a number.
    Levels,
    /// Slices with a number of double precision, as [`key`] has it.
    Reals,
}

impl LaneKind {
    /// Its slices have numbers, and no texts.
    pub const fn is_numbers(self) -> bool {
        matches!(self, Self::Levels | Self::Reals)
    }
}

/// A number of double precision as an integer that is in the same order among others.
pub(super) const fn key(real: f64) -> i64 {
    let bits = real.to_bits().cast_signed();
    bits ^ ((bits >> 63) & i64::MAX)
}

/// The number that has a key.
pub(super) const fn real_of(key: i64) -> f64 {
    f64::from_bits((key ^ ((key >> 63) & i64::MAX)).cast_unsigned())
}

/// A slice, in ns, with the number of its text, or a level. The text of an aggregate is that of its longest slice, or of the
/// first moment; the level is the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slice {
    pub start: i64,
    pub end: i64,
    pub value: i64,
}

impl Slice {
    pub const fn length(&self) -> i64 {
        self.end.saturating_sub(self.start)
    }
}

/// Slices that do not overlap, in the order of time.
#[derive(Clone, Debug)]
pub(super) struct Lane {
    pub kind: LaneKind,
    pub done: Vec<Slice>,
    /// Which of them are aggregates, in their order.
    pub aggregates: Vec<Aggregate>,
    /// Which of the others were interrupted, in their order, and for how long, in ns: where a task has a core.
    pub interrupted: Vec<(usize, i64)>,
    pub classes: Classes,
    /// Start and value of the open slice.
    open: Option<(i64, i64)>,
    /// Number of slices of `done` that have been counted by their texts, except the one with an unsettled text.
    counted: usize,
    /// The slice that may still get another text, though later slices exist: the outcome of a wait is known late.
    unsettled: Option<usize>,
}

/// Facts about texts that a lane needs to build aggregates.
pub(super) trait TextsOfLane {
    fn class(&self, text: i64) -> Class;
    /// Whether the text has so few slices that each of them is kept.
    fn is_rare(&self, text: i64) -> bool;
}

impl Lane {
    pub fn new(kind: LaneKind) -> Self {
        Self {
            kind,
            done: Vec::new(),
            aggregates: Vec::new(),
            interrupted: Vec::new(),
            classes: Classes::default(),
            open: None,
            counted: 0,
            unsettled: None,
        }
    }

    /// Returns the value of the open slice.
    pub fn value(&self) -> Option<i64> {
        self.open.map(|(_, value)| value)
    }

    /// Its numbers are of double precision from now on, those that it has too.
    pub fn make_real(&mut self) {
        if self.kind != LaneKind::Levels {
            return;
        }
        self.kind = LaneKind::Reals;
        let to_key = |value: &mut i64| *value = key(*value as f64);
        self.done.iter_mut().for_each(|slice| to_key(&mut slice.value));
        for aggregate in &mut self.aggregates {
            if let Content::Levels { low, high } = &mut aggregate.content {
                to_key(low);
                to_key(high);
            }
        }
        if let Some((_, value)) = &mut self.open {
            to_key(value);
        }
    }

    /// Ends the open slice and begins another one, if there is a value. Returns the number of new slices.
    pub fn set(&mut self, ns: i64, value: Option<i64>) -> usize {
        let ns = ns.max(self.last());
        let mut more = 0;
        if let Some((start, before)) = self.open {
            if self.kind.is_numbers() && Some(before) == value {
                return 0;
            }
            if ns > start {
                self.done.push(Slice { start, end: ns, value: before });
                more = 1;
            }
        }
        self.open = value.map(|value| (ns, value));
        more
    }

    /// Interrupts took this part of the last slice.
    pub fn interrupt_last(&mut self, ns: i64) {
        if let Some(place) = self.done.len().checked_sub(1)
            && let Some(slice) = self.done.get(place)
            && ns > 0
        {
            self.interrupted.push((place, ns.min(slice.length())));
        }
    }

    /// A moment. Time may step back a little between cores.
    pub fn moment(&mut self, ns: i64, value: i64) -> usize {
        let ns = ns.max(self.last());
        self.done.push(Slice { start: ns, end: ns, value });
        1
    }

    /// A slice of which both ends are known.
    pub fn slice(&mut self, (from, to): (i64, i64), value: i64) -> usize {
        let start = from.max(self.last());
        self.done.push(Slice { start, end: to.max(start), value });
        1
    }

    /// The last moment that is taken.
    fn last(&self) -> i64 {
        let done = self.done.last().map_or(i64::MIN, |last| last.end);
        done.max(self.open.map_or(i64::MIN, |(start, _)| start))
    }

    /// The last slice may get another text, until the next one that may. The text of the one before, if that is still to
    /// be counted.
    #[must_use]
    pub fn is_unsettled(&mut self) -> Option<i64> {
        let before = self.settle();
        self.unsettled = self.done.len().checked_sub(1);
        before
    }

    /// The slice that may get another text.
    pub fn unsettled(&mut self) -> Option<&mut Slice> {
        self.done.get_mut(self.unsettled?)
    }

    /// Settles the text of the unsettled slice. Returns that text, if it is still to be counted.
    #[must_use]
    pub fn settle(&mut self) -> Option<i64> {
        let late = self.unsettled.take().filter(|index| *index < self.counted)?;
        self.done.get(late).map(|it| it.value)
    }

    /// Returns the texts of slices added since the last call. `all`: also those whose text may still change.
    pub fn uncounted(&mut self, all: bool) -> impl Iterator<Item = i64> {
        let late = if all { self.settle() } else { None };
        let end = self.done.len().saturating_sub(usize::from(!all)).max(self.counted);
        let begin = std::mem::replace(&mut self.counted, end);
        let (has_texts, unsettled) = (!self.kind.is_numbers(), self.unsettled);
        let fresh = self.done.iter().enumerate().take(end).skip(begin);
        let fresh = fresh.filter(move |(index, _)| has_texts && Some(*index) != unsettled);
        fresh.map(|(_, it)| it.value).chain(late)
    }

    /// Merges neighbours that are shorter than `ns` and begin in the same interval of `ns`. The last slice stays, and so do the
    /// one with an unsettled text and those with a rare text.
    pub fn merge(&mut self, ns: i64, texts: &impl TextsOfLane) {
        let Some(last) = self.done.len().checked_sub(1) else { return };
        let has_texts = !self.kind.is_numbers();
        let mut kept: Vec<Slice> = Vec::new();
        let mut aggregates: Vec<Aggregate> = Vec::new();
        let mut before = std::mem::take(&mut self.aggregates).into_iter().peekable();
        let mut interrupted: Vec<(usize, i64)> = Vec::new();
        let mut were_interrupted = std::mem::take(&mut self.interrupted).into_iter().peekable();
        // The one before may become part of an aggregate.
        let mut is_open = false;
        let mut unsettled = None;
        for (index, slice) in std::mem::take(&mut self.done).into_iter().enumerate() {
            let aggregate = before.next_if(|it| it.at == index);
            let taken = were_interrupted.next_if(|(at, _)| *at == index).map_or(0, |(_, ns)| ns);
            let is_unsettled = self.unsettled == Some(index);
            let is_kept = index == last
                || is_unsettled
                || slice.length() >= ns
                || (aggregate.is_none() && has_texts && texts.is_rare(slice.value));
            let place = kept.len().saturating_sub(1);
            match kept.last_mut() {
                Some(sum)
                    if is_open
                        && !is_kept
                        && sum.start.div_euclid(ns) == slice.start.div_euclid(ns) =>
                {
                    if aggregates.last().is_none_or(|it| it.at != place) {
                        let taken = interrupted.pop_if(|(at, _)| *at == place);
                        let taken = taken.map_or(0, |(_, ns)| ns);
                        let content = self.content(sum, taken, texts);
                        aggregates.push(Aggregate { at: place, count: 1, content });
                    }
                    let (count, content) = aggregate.map_or_else(
                        || (1, self.content(&slice, taken, texts)),
                        |it| (it.count, it.content),
                    );
                    if let Some(into) = aggregates.last_mut() {
                        into.count += count;
                        into.content.add(&content);
                        match into.content {
                            Content::Times { longest: (_, text), .. } => sum.value = text,
                            Content::Levels { .. } => sum.value = slice.value,
                            Content::Moments => {}
                        }
                    }
                    sum.end = slice.end;
                }
                _ => {
                    aggregates.extend(aggregate.map(|it| Aggregate { at: kept.len(), ..it }));
                    interrupted.extend((taken > 0).then_some((kept.len(), taken)));
                    unsettled = is_unsettled.then_some(kept.len()).or(unsettled);
                    kept.push(slice);
                }
            }
            is_open = !is_kept;
        }
        kept.shrink_to_fit();
        aggregates.shrink_to_fit();
        interrupted.shrink_to_fit();
        (self.done, self.aggregates, self.interrupted) = (kept, aggregates, interrupted);
        self.counted = self.done.len().saturating_sub(1);
        self.unsettled = unsettled;
    }

    /// One slice, as the content of an aggregate.
    fn content(&mut self, slice: &Slice, interrupted: i64, texts: &impl TextsOfLane) -> Content {
        match self.kind {
            LaneKind::Slices => {
                let class = texts.class(slice.value);
                self.classes.of(class, slice.length(), interrupted, slice.value)
            }
            LaneKind::Moments => Content::Moments,
            LaneKind::Levels | LaneKind::Reals => {
                Content::Levels { low: slice.value, high: slice.value }
            }
        }
    }

    /// Returns each slice, with its summary if it is an aggregate.
    pub fn all(&self) -> impl Iterator<Item = (&Slice, Option<&Aggregate>)> {
        let mut aggregates = self.aggregates.iter().peekable();
        self.done.iter().enumerate().map(move |(index, slice)| {
            (slice, aggregates.next_if(|aggregate| aggregate.at == index))
        })
    }

    /// Slices, those in aggregates too.
    pub fn count(&self) -> u64 {
        self.all().map(|(_, aggregate)| aggregate.map_or(1, |it| it.count)).sum()
    }

    /// How long there was something of a class, in ns, without the time that interrupts took.
    pub fn time_of(&self, class: Class, texts: &impl TextsOfLane) -> i64 {
        let interrupted = self.interrupted.iter().filter(|(at, _)| {
            self.done.get(*at).is_some_and(|slice| texts.class(slice.value) == class)
        });
        let interrupted = interrupted.fold(0, |sum: i64, (_, ns)| sum.saturating_add(*ns));
        let time = |(slice, aggregate): (&Slice, Option<&Aggregate>)| match aggregate {
            None if texts.class(slice.value) == class => slice.length(),
            None => 0,
            Some(aggregate) => {
                let times = self.classes.times(&aggregate.content);
                times.filter(|(of, _)| *of == class).map(|(_, time)| time).sum()
            }
        };
        self.all().map(time).fold(0, i64::saturating_add).saturating_sub(interrupted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Text 1 is a task that runs, all others are ready ones; 9 is rare.
    struct TestTexts;

    impl TextsOfLane for TestTexts {
        fn class(&self, text: i64) -> Class {
            if text == 1 { Class::Running } else { Class::Ready }
        }

        fn is_rare(&self, text: i64) -> bool {
            text == 9
        }
    }

    fn lane(kind: LaneKind, slices: impl IntoIterator<Item = (i64, Option<i64>)>) -> Lane {
        let mut lane = Lane::new(kind);
        for (ns, value) in slices {
            lane.set(ns, value);
        }
        lane
    }

    #[test]
    fn a_slice_ends_where_the_next_begins() {
        // Nothing lasts no time, and time does not go back.
        let mut lane =
            lane(LaneKind::Slices, [(5, Some(1)), (9, Some(2)), (9, Some(3)), (7, None)]);
        assert_eq!(lane.done, [Slice { start: 5, end: 9, value: 1 }]);
        lane.set(20, Some(4));
        lane.set(21, None);
        assert_eq!(lane.done.last(), Some(&Slice { start: 20, end: 21, value: 4 }));
    }

    #[test]
    fn numbers_of_double_precision_have_the_order_of_their_keys() {
        let numbers = [f64::MIN, -1.5, -5e-324, -0.0, 0.0, 5e-324, 1.0, 1.5, f64::MAX];
        for (less, more) in numbers.iter().zip(&numbers[1..]) {
            assert!(key(*less) < key(*more), "{less} {more}");
            assert_eq!(real_of(key(*less)).to_bits(), less.to_bits());
        }
        // Integer values are kept, in aggregates too.
        let levels = [(0, 3), (1, -2), (2, 9), (50, 4)].map(|(ns, level)| (ns, Some(level)));
        let mut lane = lane(LaneKind::Levels, levels.into_iter().chain([(60, Some(5))]));
        lane.merge(10, &TestTexts);
        lane.make_real();
        lane.set(70, Some(key(0.5)));
        lane.make_real();
        let values: Vec<_> = lane.done.iter().map(|it| real_of(it.value)).collect();
        assert_eq!(values, [-2.0, 9.0, 4.0, 5.0]);
        let Some(Content::Levels { low, high }) = lane.aggregates.first().map(|it| it.content)
        else {
            panic!("{:?}", lane.aggregates);
        };
        assert_eq!((real_of(low), real_of(high)), (-2.0, 3.0));
        assert_eq!(lane.value().map(real_of), Some(0.5));
    }

    #[test]
    fn short_neighbours_become_one_that_has_their_times() {
        let slices = [(0, 1), (1, 2), (3, 1), (90, 2), (100, 1), (250, 1), (260, 2), (262, 1)];
        let slices = slices.map(|(ns, text)| (ns, Some(text)));
        let mut lane = lane(LaneKind::Slices, slices.into_iter().chain([(263, None)]));
        lane.merge(100, &TestTexts);
        let of = |start, end, value| Slice { start, end, value };
        // The last one may get another text yet.
        assert_eq!(lane.done, [of(0, 100, 1), of(100, 250, 1), of(250, 262, 1), of(262, 263, 1)]);
        let counts: Vec<_> = lane.aggregates.iter().map(|it| (it.at, it.count)).collect();
        assert_eq!(counts, [(0, 4), (2, 2)]);
        assert_eq!(lane.time_of(Class::Running, &TestTexts), 1 + 87 + 150 + 10 + 1);
        assert_eq!(lane.time_of(Class::Ready, &TestTexts), 2 + 10 + 2);
        // Aggregates become part of others.
        lane.merge(400, &TestTexts);
        assert_eq!(lane.done, [of(0, 262, 1), of(262, 263, 1)]);
        assert_eq!(lane.aggregates.first().map(|it| it.count), Some(7));
        assert_eq!(lane.time_of(Class::Running, &TestTexts), 1 + 87 + 150 + 10 + 1);
        let longest = lane.aggregates.first().map(|it| it.content);
        assert!(matches!(longest, Some(Content::Times { longest: (150, 1), .. })), "{longest:?}");
    }

    #[test]
    fn a_text_that_comes_late_is_counted_once() {
        let slices = [(0, 1), (1, 2), (3, 1)].map(|(ns, text)| (ns, Some(text)));
        let mut lane = lane(LaneKind::Slices, slices);
        assert_eq!(lane.is_unsettled(), None);
        for ns in 4..20 {
            lane.set(ns, Some(ns % 2));
        }
        let mut counted: Vec<i64> = lane.uncounted(false).collect();
        lane.merge(100, &TestTexts);
        lane.unsettled().unwrap().value = 9;
        counted.extend(lane.settle());
        assert!(lane.done.iter().any(|it| (it.start, it.end, it.value) == (1, 3, 9)), "{lane:?}");
        assert_eq!(lane.settle(), None);
        counted.extend(lane.uncounted(true));
        let of = |text: i64| counted.iter().filter(|it| **it == text).count();
        assert_eq!((counted.len(), of(9), of(2)), (18, 1, 0));
    }

    #[test]
    fn levels_keep_their_peaks() {
        let levels = [(0, 5), (1, 90), (2, -3), (3, 4), (4, 7)].map(|(ns, it)| (ns, Some(it)));
        let mut lane = lane(LaneKind::Levels, levels.into_iter().chain([(5, None)]));
        lane.merge(100, &TestTexts);
        assert_eq!(lane.done.first(), Some(&Slice { start: 0, end: 4, value: 4 }));
        let content = Content::Levels { low: -3, high: 90 };
        assert_eq!(lane.aggregates, [Aggregate { at: 0, count: 4, content }]);
    }

    #[test]
    fn keeps_rare_slices() {
        let slices =
            [(0, 1), (1, 2), (2, 9), (3, 1), (4, 2), (5, 1)].map(|(ns, it)| (ns, Some(it)));
        let mut lane = lane(LaneKind::Slices, slices.into_iter().chain([(6, None)]));
        lane.merge(100, &TestTexts);
        let of = |start, end, value| Slice { start, end, value };
        assert_eq!(lane.done, [of(0, 2, 1), of(2, 3, 9), of(3, 5, 1), of(5, 6, 1)]);
    }
}
