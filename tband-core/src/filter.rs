//! Selects which events are recorded: a filter that firmware changes at run time.
//!
//! The selection has two parts: a bit for each event id, and objects by kind and number. The table that hooks read is derived from
//! both. It has a byte for each id: 0 if all its events are recorded, otherwise the index of a word with a bit for each object
//! number modulo 32. If that bit is set too, [`Filter::is_off`] gives the answer. So a hook needs a load and a jump while
//! everything is recorded, and a load, a rotation and a jump more if some object is not.
//!
//! Events to be left out are recorded as such before they are left out. Events to be recorded again are recorded before that is
//! stated. So if interrupts or other cores record an event in between, the recording contains one event more than it states, and
//! none is missing.

use crate::atomics::{AtomicU8, AtomicU32, Ordering, fence};

use tband_format::classes::CLASSES;
use tband_format::classes::filter::{
    BEGIN, BY_FIRMWARE, KIND, OBJECT, SHED, may_be_left_out, with_its_pair,
};
use tband_format::classes::objects::{OBJECT_KINDS, object_kind};

/// A bit for each id.
type Ids = [u32; WORDS];
pub(crate) const WORDS: usize = 8;

/// Objects that are exceptions to what holds for their kind.
const EXCEPTIONS: usize = 16;
/// Words that the bytes refer to: one for each kind of object, one for ids that are recorded but still need the exact answer, and
/// one for ids that are not recorded at all.
const LOOKS: usize = 16;
/// Offset of [`Filter::looks`] in a filter, in words. A byte of the table contains such an offset.
const FIRST_LOOK: usize = 256 / size_of::<u32>();
/// The word of ids that are not recorded at all.
const NOTHING: u8 = Filter::NOTHING;

/// The word of ids that are recorded, but for which hooks get the exact answer.
const ASKED: u8 = NOTHING - 1;

const _: () = assert!(OBJECT_KINDS.len() < LOOKS - 1 && NOTHING < u8::MAX);

/// Events of each class, with what belongs to them.
pub(crate) static OF_CLASSES: [(u32, Ids); CLASSES.len()] = {
    let mut table = [(0, [0; WORDS]); CLASSES.len()];
    let mut class = 0;
    while class < CLASSES.len() {
        table[class].0 = CLASSES[class].flag;
        let mut event = 0;
        while event < CLASSES[class].events.len() {
            let mut word = 0;
            while word < WORDS {
                table[class].1[word] |= with_its_pair(CLASSES[class].events[event])[word];
                word += 1;
            }
            event += 1;
        }
        class += 1;
    }
    table
};

/// Events that go together, each once.
static TOGETHER: [Ids; 5] = [
    with_its_pair(4),
    with_its_pair(8),
    with_its_pair(124),
    with_its_pair(199),
    with_its_pair(204),
];

/// Events that may be left out.
static MAY_BE_LEFT_OUT: Ids = {
    let mut ids = [0; WORDS];
    let mut id = 0;
    while id < 256 {
        if may_be_left_out(id as u8) {
            ids[id / 32] |= 1 << (id % 32);
        }
        id += 1;
    }
    ids
};

/// The events that are switched on or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The event of this id, and the event that it is paired with.
    Event(u8),
    /// All events of classes: bits of the flags of `trace_info`.
    Classes(u32),
    /// All objects of a kind, an index into `OBJECT_KINDS`; selections of single objects are discarded.
    Kind(u32),
    /// An object of a kind, by its number.
    Object(u32, u32),
    /// Everything.
    All,
}

/// The selection is invalid: an event that is always recorded, an unknown class or kind, or all exceptions are in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidSelection;

/// A filter. When zero, everything is recorded. `repr(C)`: hooks read `of_event` and `looks`.
#[derive(Debug, Default)]
#[repr(C)]
pub struct Filter {
    of_event: Bytes,
    looks: [AtomicU32; LOOKS],
    /// By id: not recorded.
    ids_off: [AtomicU32; WORDS],
    /// By kind: its objects are not recorded, except for exceptions.
    kinds_off: AtomicU32,
    /// The kind of each exception, plus 1; 0 marks an unused entry.
    exception_kinds: [AtomicU8; EXCEPTIONS],
    exceptions: [AtomicU32; EXCEPTIONS],
    /// Author of the last change, plus 1; 0 if it was never changed.
    changed_by: AtomicU32,
    /// Incremented twice by each change: odd during a change.
    changes: AtomicU32,
}

#[derive(Debug)]
struct Bytes([AtomicU8; 256]);

impl Default for Bytes {
    fn default() -> Self {
        Self([const { AtomicU8::new(0) }; 256])
    }
}

const _: () = assert!(core::mem::offset_of!(Filter, looks) == 256);

fn load(word: &AtomicU32) -> u32 {
    word.load(Ordering::Relaxed)
}

/// Like [`load`], for the code that changes the filter, the only writer.
fn own(word: &AtomicU32) -> u32 {
    word.load(Ordering::Relaxed)
}

/// Like [`own`].
fn own_kind(kind: &AtomicU8) -> u32 {
    kind.load(Ordering::Relaxed).into()
}

impl Filter {
    /// Value of `of_event` for an event that is left out for all objects: the last word.
    pub const NOTHING: u8 = (FIRST_LOOK + LOOKS - 1) as u8;

    /// Changes the selection. It has no effect before [`apply`](Self::apply).
    ///
    /// Cost: some hundred instructions. Context: the critical section; one at a time.
    ///
    /// # Errors
    /// [`InvalidSelection`]; nothing has changed.
    pub fn choose(&self, choice: Choice, on: bool, by: u32) -> Result<(), InvalidSelection> {
        let changes = own(&self.changes);
        self.changes.store(changes.wrapping_add(1), Ordering::Relaxed);
        fence(Ordering::Release);
        let result = self.change(choice, on);
        if result.is_ok() {
            self.changed_by.store((by & 0xFF).wrapping_add(1), Ordering::Relaxed);
        }
        self.changes.store(changes.wrapping_add(2), Ordering::Release);
        // Before the read of the timer, which is not a memory access: see `changes`.
        fence(Ordering::SeqCst);
        result
    }

    /// Returns a count that rises with each change, and is odd during a change. Facts belong to one filter if the count is even
    /// before the first one and the same after the last.
    ///
    /// Orders the change against the timer: a reader that reads the timer before this call, and then finds the filter as it was
    /// before a change, has read an earlier time than any read after [`choose`](Self::choose) returned.
    pub fn changes(&self) -> u32 {
        fence(Ordering::SeqCst);
        self.changes.load(Ordering::Acquire)
    }

    fn change(&self, choice: Choice, on: bool) -> Result<(), InvalidSelection> {
        match choice {
            Choice::Event(id) => {
                let bit = 1_u32.rotate_left(id.into());
                let word = usize::from(id) / 32;
                if MAY_BE_LEFT_OUT.get(word).is_none_or(|ids| ids & bit == 0) {
                    return Err(InvalidSelection);
                }
                let has = |ids: &&Ids| ids.get(word).is_some_and(|ids| ids & bit != 0);
                if let Some(together) = TOGETHER.iter().find(has) {
                    self.switch(together, on);
                } else if let Some(ids) = self.ids_off.get(word) {
                    ids.store(if on { own(ids) & !bit } else { own(ids) | bit }, Ordering::Relaxed);
                }
            }
            Choice::Classes(flags) => {
                let mut known = 0;
                for (flag, _) in &OF_CLASSES {
                    known |= flag;
                }
                if flags == 0 || flags & !known != 0 {
                    return Err(InvalidSelection);
                }
                for (flag, ids) in &OF_CLASSES {
                    if flags & flag != 0 {
                        self.switch(ids, on);
                    }
                }
            }
            Choice::Kind(kind) => {
                if kind as usize >= OBJECT_KINDS.len() {
                    return Err(InvalidSelection);
                }
                self.forget(kind);
                let (bit, kinds) = (1_u32.rotate_left(kind), own(&self.kinds_off));
                self.kinds_off
                    .store(if on { kinds & !bit } else { kinds | bit }, Ordering::Relaxed);
            }
            Choice::Object(kind, number) => {
                if kind as usize >= OBJECT_KINDS.len() {
                    return Err(InvalidSelection);
                }
                let is_off = own(&self.kinds_off) & 1_u32.rotate_left(kind) != 0;
                self.except(kind, number, on == is_off)?;
            }
            Choice::All => {
                for ids in &self.ids_off {
                    ids.store(0, Ordering::Relaxed);
                }
                for kind in &self.exception_kinds {
                    kind.store(0, Ordering::Relaxed);
                }
                self.kinds_off.store(0, Ordering::Relaxed);
            }
        }
        Ok(())
    }

    fn switch(&self, which: &Ids, on: bool) {
        for (ids, which) in self.ids_off.iter().zip(which) {
            ids.store(if on { own(ids) & !which } else { own(ids) | which }, Ordering::Relaxed);
        }
    }

    /// Returns the exceptions: kind and number of each entry.
    fn all_exceptions(&self) -> impl Iterator<Item = (&AtomicU8, &AtomicU32)> {
        self.exception_kinds.iter().zip(&self.exceptions)
    }

    /// Removes the exceptions of this kind.
    fn forget(&self, kind: u32) {
        for (of, _) in self.all_exceptions() {
            if own_kind(of) == kind.wrapping_add(1) {
                of.store(0, Ordering::Relaxed);
            }
        }
    }

    /// Adds the object to the exceptions, or removes it.
    fn except(&self, kind: u32, number: u32, is_one: bool) -> Result<(), InvalidSelection> {
        let mut free = None;
        for (of, is) in self.all_exceptions() {
            let has = own_kind(of);
            if has == 0 {
                free = free.or(Some((of, is)));
            } else if has == kind.wrapping_add(1) && own(is) == number {
                if !is_one {
                    of.store(0, Ordering::Relaxed);
                }
                return Ok(());
            }
        }
        if is_one {
            let (of, is) = free.ok_or(InvalidSelection)?;
            is.store(number, Ordering::Relaxed);
            of.store(kind.wrapping_add(1) as u8, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Derives the table that hooks read from the selection. With `asks` no byte is 0, so that all hooks take the slow path, where
    /// the shim repeats the filter after a loss; the recorded events are the same.
    ///
    /// Cost: about 4000 instructions. Context: as for [`choose`](Self::choose).
    pub fn apply(&self, asks: bool) {
        self.apply_to(|_| u32::MAX, |_| 0, asks);
    }

    /// Like [`apply`](Self::apply), for the ids whose bit is set in `which`. Ids in `shed` are left out whatever the selection.
    /// Both give words of bits by index. `which` is called first for each word, and once.
    ///
    /// Cost: about 300 instructions, 15 for each id, and 100 for each word that is not 0.
    #[inline(always)]
    pub(crate) fn apply_to(
        &self,
        which: impl Fn(usize) -> u32,
        shed: impl Fn(usize) -> u32,
        asks: bool,
    ) {
        let (looked_at, off) = self.store_looks();
        for word in 0..WORDS {
            let which = which(word);
            if which == 0 {
                continue;
            }
            let ids_off = self.ids_off.get(word).map_or(0, load) | shed(word);
            for bit in 0..32 {
                if which & 1_u32.rotate_left(bit) == 0 {
                    continue;
                }
                let id = (word as u32).wrapping_mul(32).wrapping_add(bit);
                let Some(byte) = self.of_event.0.get(id as usize) else { continue };
                let is_off = ids_off & 1_u32.rotate_left(bit) != 0;
                let kind =
                    object_kind(id as u8).filter(|kind| looked_at & 1_u32.rotate_left(*kind) != 0);
                let place = match kind {
                    _ if is_off => NOTHING,
                    Some(kind) if off & 1_u32.rotate_left(kind) != 0 => NOTHING,
                    Some(kind) => (kind as u8).wrapping_add(FIRST_LOOK as u8),
                    None if asks => ASKED,
                    None => 0,
                };
                byte.store(place, Ordering::Relaxed);
            }
        }
    }

    /// Stores the words that the bytes refer to. Returns the kinds whose bits hooks must test, and the kinds that are not recorded
    /// at all.
    #[inline(always)]
    fn store_looks(&self) -> (u32, u32) {
        let kinds_off = load(&self.kinds_off);
        let mut has_exceptions = 0;
        for (kind, look) in (0_u32..).zip(&self.looks) {
            // The bits of other numbers stay 0: their answer is known from the word.
            let mut word = 0_u32;
            for (of, is) in self.all_exceptions() {
                if u32::from(of.load(Ordering::Relaxed)) == kind.wrapping_add(1) {
                    // Rotated to the right by the number, it is the uppermost bit.
                    word |= 0x8000_0000_u32.rotate_left(load(is));
                    has_exceptions |= 1_u32.rotate_left(kind);
                }
            }
            let is_off = kinds_off & 1_u32.rotate_left(kind) != 0;
            if is_off || kind as usize >= LOOKS - 2 {
                word = u32::MAX;
            }
            look.store(word, Ordering::Relaxed);
        }
        (kinds_off | has_exceptions, kinds_off & !has_exceptions)
    }

    /// Returns whether the event with this id and this first number is left out: the exact answer, needed if the byte of the id and
    /// its word do not decide. While another core changes the filter, the values read may belong to both filters; then the event is
    /// recorded.
    ///
    /// Context: any.
    pub fn is_off(&self, id: u8, number: u32) -> bool {
        let changes = self.changes.load(Ordering::Acquire);
        let is_off = self.is_off_as_read(id, number);
        fence(Ordering::Acquire);
        is_off && changes & 1 == 0 && load(&self.changes) == changes
    }

    pub(crate) fn is_off_as_read(&self, id: u8, number: u32) -> bool {
        let ids = self.ids_off.get(usize::from(id) / 32).map_or(0, load);
        if ids & 1_u32.rotate_left(id.into()) != 0 {
            return true;
        }
        let Some(kind) = object_kind(id) else { return false };
        let is_off = load(&self.kinds_off) & 1_u32.rotate_left(kind) != 0;
        let is_exception = self.all_exceptions().any(|(of, is)| {
            u32::from(of.load(Ordering::Relaxed)) == kind.wrapping_add(1) && load(is) == number
        });
        is_off != is_exception
    }

    /// Returns whether an event is recorded, in the way of hooks: byte and word first.
    pub fn is_let_through(&self, id: u8, number: u32) -> bool {
        let byte = self.of_event.0.get(usize::from(id)).map_or(0, |it| it.load(Ordering::Relaxed));
        let look = usize::from(byte).checked_sub(FIRST_LOOK).and_then(|at| self.looks.get(at));
        look.is_none_or(|look| (load(look).rotate_right(number) as i32) >= 0)
            || (byte != NOTHING && !self.is_off(id, number))
    }

    /// Returns fact number `at` of the filter, from 0 on, as the fields of the event `filter`; `None` after the last one, and as
    /// long as the filter was never changed.
    pub fn fact(&self, at: u32) -> Option<(u32, u32)> {
        if load(&self.changed_by) == 0 {
            return None;
        }
        self.fact_with(at, |_| 0)
    }

    /// Like [`fact`](Self::fact), with `shed` left out as well, whether or not the filter was ever changed.
    #[inline(always)]
    pub(crate) fn fact_with(&self, at: u32, shed: impl Fn(usize) -> u32) -> Option<(u32, u32)> {
        let by = load(&self.changed_by).checked_sub(1).unwrap_or(BY_FIRMWARE);
        if at == 0 {
            return Some((BEGIN, by | self.facts(shed, |_, _| false).1.wrapping_shl(8)));
        }
        let mut left = at;
        self.facts(shed, |_, _| {
            left = left.wrapping_sub(1);
            left == 0
        })
        .0
    }

    /// Goes through the facts after the first, up to the requested one. Returns that one, and the number of facts passed.
    #[inline(always)]
    fn facts(
        &self,
        shed: impl Fn(usize) -> u32,
        mut is_it: impl FnMut(u32, u32) -> bool,
    ) -> (Option<(u32, u32)>, u32) {
        let mut count = 0_u32;
        let mut look = |of: u32, is: u32| {
            count = count.wrapping_add(1);
            is_it(of, is).then_some((of, is))
        };
        let mut found = None;
        for (word, ids) in (0_u32..).zip(&self.ids_off) {
            if found.is_none() && load(ids) != 0 {
                found = look(word, load(ids));
            }
        }
        let kinds_off = load(&self.kinds_off);
        for kind in 0..OBJECT_KINDS.len() as u32 {
            if found.is_none() && kinds_off & 1_u32.rotate_left(kind) != 0 {
                found = look(KIND | kind, 1);
            }
        }
        for (of, is) in self.all_exceptions() {
            if let Some(kind) = of.load(Ordering::Relaxed).checked_sub(1)
                && found.is_none()
            {
                found = look(OBJECT | u32::from(kind), load(is));
            }
        }
        for word in 0..WORDS {
            if found.is_none() && shed(word) != 0 {
                found = look(SHED.wrapping_add(word as u32), shed(word));
            }
        }
        (found, count)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::vec;
    use std::vec::Vec;

    use proptest::prelude::*;
    use tband_format::registry::EVENTS;

    use super::*;

    fn facts(filter: &Filter) -> Vec<(u32, u32)> {
        let facts: Vec<_> = (0..99).map_while(|at| filter.fact(at)).collect();
        assert!(facts.len() < 99, "they have no end");
        facts
    }

    #[test]
    fn a_zero_filter_records_everything_and_reports_nothing() {
        let filter = Filter::default();
        assert!((0..=255).all(|id| filter.is_let_through(id, 7)));
        assert_eq!(facts(&filter), []);
    }

    #[test]
    fn what_recordings_are_read_by_is_always_recorded() {
        let filter = Filter::default();
        filter.choose(Choice::Classes(0x000F_FFF8), false, 0).unwrap();
        for kind in 0..OBJECT_KINDS.len() as u32 {
            filter.choose(Choice::Kind(kind), false, 0).unwrap();
        }
        filter.apply(false);
        let names: Vec<_> = EVENTS
            .iter()
            .filter(|def| !def.metadata && filter.is_let_through(def.id, 1))
            .map(|def| def.name)
            .collect();
        assert_eq!(
            names,
            [
                "core_id",
                "dropped_evt_cnt",
                "create_failed",
                "ts_frequency",
                "running_task",
                "open_isr",
                "fault",
                "crash",
                "filter",
                "trigger",
                "frozen",
                "shed",
                "answer",
            ],
            "an event with a time that is in no class is always recorded: add it to its class in \
             tband-format/src/classes/mod.rs, or to this list"
        );
        for def in EVENTS.iter().filter(|def| def.metadata || names.contains(&def.name)) {
            let result = filter.choose(Choice::Event(def.id), false, 0);
            assert_eq!(result.is_ok(), def.name == "create_failed", "{}", def.name);
        }
        assert_eq!(filter.choose(Choice::Classes(0), false, 0), Err(InvalidSelection));
        assert_eq!(filter.choose(Choice::Classes(1), false, 0), Err(InvalidSelection));
        assert_eq!(filter.choose(Choice::Kind(8), false, 0), Err(InvalidSelection));
        assert_eq!(filter.choose(Choice::Object(8, 1), false, 0), Err(InvalidSelection));
    }

    #[test]
    fn there_is_room_for_so_many_objects() {
        let filter = Filter::default();
        for number in 0..EXCEPTIONS as u32 {
            filter.choose(Choice::Object(1, number), false, 0).unwrap();
        }
        assert_eq!(filter.choose(Choice::Object(1, 99), false, 0), Err(InvalidSelection));
        filter.choose(Choice::Object(1, 3), false, 0).unwrap();
        filter.choose(Choice::Object(1, 3), true, 0).unwrap();
        filter.choose(Choice::Object(1, 99), false, 1).unwrap();
        filter.apply(false);
        assert!(
            filter.is_let_through(102, 3)
                && !filter.is_let_through(102, 99)
                && filter.is_let_through(102, 35)
        );
        assert_eq!(facts(&filter)[0], (BEGIN, 1 | 16 << 8));
    }

    /// Reads the filter as the shim does: returns the byte of an id, and whether its word sends hooks with this number to the exact
    /// answer.
    fn look(filter: &Filter, id: u8, number: u32) -> (u8, bool) {
        let bytes = (&raw const *filter).cast::<u8>();
        // SAFETY: the filter begins with a byte for each id, and a byte that is not 0 is the place of one of its words.
        unsafe {
            let byte = bytes.add(id.into()).read();
            let word = bytes.add(usize::from(byte) * size_of::<u32>()).cast::<u32>().read();
            (byte, byte != 0 && (word.rotate_right(number) as i32) < 0)
        }
    }

    #[test]
    fn hooks_ask_only_where_the_answer_is_not_known() {
        const QUEUE: u32 = 1;
        let filter = Filter::default();
        let asks = |id: u8| (0..64).filter(|it| look(&filter, id, *it).1).collect::<Vec<_>>();
        let bytes = || (0..=255).filter(|id| look(&filter, *id, 0).0 != 0).collect::<Vec<u8>>();
        let of_queues: Vec<u8> = (0..=255).filter(|id| object_kind(*id) == Some(QUEUE)).collect();
        filter.choose(Choice::Object(QUEUE, 9), false, 0).unwrap();
        filter.choose(Choice::Object(QUEUE, 44), false, 0).unwrap();
        filter.apply(false);
        assert_eq!(bytes(), of_queues);
        assert_eq!(asks(102), [9, 12, 41, 44]);
        // At first only these objects are recorded, then none.
        filter.choose(Choice::Kind(QUEUE), false, 0).unwrap();
        filter.choose(Choice::Object(QUEUE, 9), true, 0).unwrap();
        filter.apply(false);
        assert_ne!(look(&filter, 102, 0).0, Filter::NOTHING);
        assert_eq!((bytes(), asks(102).len()), (of_queues.clone(), 64));
        filter.choose(Choice::Kind(QUEUE), false, 0).unwrap();
        filter.apply(false);
        assert!(of_queues.iter().all(|id| look(&filter, *id, 7) == (Filter::NOTHING, true)));
        assert_eq!(bytes(), of_queues);
        filter.choose(Choice::All, true, 0).unwrap();
        filter.choose(Choice::Event(84), false, 0).unwrap();
        filter.apply(false);
        assert_eq!((bytes(), look(&filter, 84, 0)), (vec![84], (Filter::NOTHING, true)));
        // With `asks` all hooks ask, and the recorded events stay the same.
        filter.apply(true);
        assert_eq!(look(&filter, 84, 0).0, Filter::NOTHING);
        for id in (0..=255).filter(|id| *id != 84) {
            let (byte, is_asked) = look(&filter, id, id.into());
            assert!(
                is_asked && byte != Filter::NOTHING && filter.is_let_through(id, id.into()),
                "{id}"
            );
        }
    }

    #[test]
    fn an_event_is_switched_alone() {
        let filter = Filter::default();
        let off = || (0..=255).filter(|id| filter.is_off(*id, 1)).collect::<Vec<u8>>();
        for id in [84, 85, 84, 102] {
            filter.choose(Choice::Event(id), false, 0).unwrap();
        }
        assert_eq!(off(), [84, 85, 102]);
        filter.choose(Choice::Event(86), true, 0).unwrap();
        filter.choose(Choice::Event(84), true, 0).unwrap();
        assert_eq!(off(), [85, 102]);
    }

    #[test]
    fn changes_are_counted_whole() {
        let filter = Filter::default();
        assert_eq!(filter.changes(), 0);
        filter.choose(Choice::Event(84), false, 0).unwrap();
        filter.choose(Choice::Event(228), false, 0).unwrap_err();
        assert_eq!(filter.changes(), 4);
        // During a change the values read may belong to both filters: then the event is recorded.
        assert!(filter.is_off(84, 1));
        filter.changes.store(5, Ordering::Relaxed);
        assert!(!filter.is_off(84, 1));
    }

    proptest! {
        /// Compared with a model of sets: for any sequence of selections, hooks and facts agree with them.
        #[test]
        fn hooks_and_facts_agree_with_what_was_chosen(
            changes in proptest::collection::vec((0..12_u32, 0..256_u32, 0..70_u32, any::<bool>()), 0..40),
            asks in any::<bool>(),
        ) {
            let filter = Filter::default();
            let mut ids_off = BTreeSet::new();
            let mut objects = std::collections::BTreeMap::<u32, (bool, BTreeSet<u32>)>::new();
            for (what, id, number, on) in changes {
                let kind = id % 8;
                let choice = match what {
                    0 | 1 => Choice::Event(id as u8),
                    2 => Choice::Classes(1 << (3 + id % 17)),
                    3 => Choice::Kind(kind),
                    4 => Choice::All,
                    _ => Choice::Object(kind, number),
                };
                if filter.choose(choice, on, 0).is_err() {
                    continue;
                }
                let mut switch = |ids: Ids| {
                    for id in (0..=255_u8).filter(|id| ids[usize::from(*id) / 32] & 1 << (id % 32) != 0) {
                        if on { ids_off.remove(&id) } else { ids_off.insert(id) };
                    }
                };
                match choice {
                    Choice::Event(id) => switch(with_its_pair(id)),
                    Choice::Classes(flags) => {
                        for class in CLASSES.iter().filter(|class| class.flag == flags) {
                            class.events.iter().for_each(|id| switch(with_its_pair(*id)));
                        }
                    }
                    Choice::Kind(kind) => { objects.insert(kind, (!on, BTreeSet::new())); }
                    Choice::Object(kind, number) => {
                        let (is_off, but) = objects.entry(kind).or_default();
                        if on == *is_off { but.insert(number) } else { but.remove(&number) };
                    }
                    Choice::All => { ids_off.clear(); objects.clear(); }
                }
            }
            filter.apply(asks);
            let facts_of_filter = facts(&filter);
            let mut from_facts = (BTreeSet::new(), std::collections::BTreeMap::<u32, (bool, BTreeSet<u32>)>::new());
            for (of, is) in facts_of_filter.iter().skip(1) {
                match *of {
                    0..8 => from_facts.0.extend((0..32).filter(|bit| is & 1 << bit != 0).map(|bit| (of * 32 + bit) as u8)),
                    16..32 => { from_facts.1.entry(of - 16).or_default().1.insert(*is); }
                    _ => from_facts.1.entry(of - 32).or_default().0 = true,
                }
            }
            objects.retain(|_, (is_off, but)| *is_off || !but.is_empty());
            prop_assert_eq!(&from_facts, &(ids_off.clone(), objects.clone()));
            if let Some((of, is)) = facts_of_filter.first() {
                prop_assert_eq!((*of, is >> 8), (BEGIN, facts_of_filter.len() as u32 - 1));
            }
            for def in EVENTS {
                for number in 0..140 {
                    let by_object = object_kind(def.id).and_then(|kind| objects.get(&kind));
                    let is_off = ids_off.contains(&def.id)
                        || by_object.is_some_and(|(is_off, but)| *is_off != but.contains(&number));
                    prop_assert_eq!(filter.is_let_through(def.id, number), !is_off, "{} of {}", def.name, number);
                }
            }
        }
    }
}
