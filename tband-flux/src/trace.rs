//! A trace: what firmware writes into a buffer.

use crate::buffer::{Buffer, Way, Write};
use crate::encoding::entry::{self, Head, Named};
use crate::encoding::member::{self, Member};
use crate::encoding::number::{event_len, lowest, signed_len, unsigned_len};
use crate::encoding::sample::{self, Front, IS_DOUBLE, IS_EVENT, IS_FLOAT, IS_NONE, IS_VALUE};
use crate::encoding::{Out, Version};
use crate::error::Error;
use crate::handler::Handler;
use crate::items::{Item, Items};
use crate::sequences::{Sequence, Sequences};

/// How a trace is set up.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// Number of the trace, which those in one buffer have to differ in.
    pub trace: u32,
    /// Version of the format.
    pub version: Version,
    /// The greatest number of an item, below 65535.
    pub max_item: u16,
    /// Bytes that an entry has at most; the buffer must have room for one.
    pub max_entry: u16,
}

/// A trace.
#[derive(Debug)]
pub struct Trace<'m> {
    setup: Setup,
    items: Items<'m>,
    sequences: Sequences<'m>,
    has_head: bool,
    /// Something was lost since the last sample.
    has_lost: bool,
}

/// A sum of bytes, instead of the bytes.
struct Count(usize);

impl Out for Count {
    fn bytes(&mut self, bytes: &[u8]) {
        self.0 = self.0.saturating_add(bytes.len());
    }
}

impl<'m> Trace<'m> {
    /// A trace that will write into `buffer`. With `items`, one more than the greatest number, it checks what is written
    /// and may open items by themselves; without any it knows nothing of items, and all are opened together. `sequences`
    /// are as many as may be open at a time, at least one.
    ///
    /// # Errors
    /// `Argument` if a size does not fit, `State` if the buffer is a ring and has a trace.
    pub fn new<H: Handler>(
        setup: Setup,
        buffer: &Buffer<'_, H>,
        items: &'m mut [Item],
        sequences: &'m mut [Sequence],
    ) -> Result<Self, Error> {
        let has_items = items.is_empty() || items.len() > usize::from(setup.max_item);
        let has_room = usize::from(setup.max_entry) <= buffer.capacity(sequences.len());
        if !has_items || sequences.is_empty() || !has_room {
            return Err(Error::Argument);
        }
        if setup.max_item == 0 || setup.max_item == u16::MAX || setup.max_entry == 0 {
            return Err(Error::Argument);
        }
        if !buffer.may_begin() {
            return Err(Error::State);
        }
        let (mut items, mut sequences) = (Items(items), Sequences(sequences));
        items.clear();
        sequences.clear();
        Ok(Self { setup, items, sequences, has_head: false, has_lost: false })
    }

    /// Something that was to be written is lost elsewhere: the next sample is marked, as after a loss in the buffer.
    pub const fn mark_loss(&mut self) {
        self.has_lost = true;
    }

    /// Bytes that an entry has at most.
    #[must_use]
    pub const fn max_entry(&self) -> u16 {
        self.setup.max_entry
    }

    fn way(&self) -> Way<'_> {
        Way {
            trace: self.setup.trace,
            limit: self.setup.max_entry.into(),
            sequences: &self.sequences,
            is_head: false,
        }
    }

    #[inline(never)]
    fn check_item(&self, item: u32) -> Result<(), Error> {
        if !self.has_head {
            return Err(Error::State);
        }
        if item == 0 || item > self.setup.max_item.into() {
            return Err(Error::Argument);
        }
        Ok(())
    }

    /// Writes the head, which is the first thing to be written.
    ///
    /// # Errors
    /// `State` if there is one; `TooLong`; `Full`.
    pub fn head<H: Handler>(
        &mut self,
        buffer: &mut Buffer<'_, H>,
        name: &[u8],
        about: &[u8],
    ) -> Result<(), Error> {
        if self.has_head {
            return Err(Error::State);
        }
        let Setup { trace, version, max_item, max_entry } = self.setup;
        let (max_item, max_entry) = (max_item.into(), max_entry.into());
        let head = Head { version, trace, name, about, max_item, max_entry };
        let way = Way { is_head: true, ..self.way() };
        buffer.define(&way, &mut |room| entry::head(room, &head))?;
        self.has_head = true;
        Ok(())
    }

    /// Defines a scope in another one, or in the root (0).
    ///
    /// # Errors
    /// `State` if the number is taken, the parent is no scope or there is no head; `Argument`, `TooLong`, `Full`.
    pub fn scope<H: Handler>(
        &mut self,
        buffer: &mut Buffer<'_, H>,
        item: u32,
        named: &Named<'_>,
    ) -> Result<(), Error> {
        self.check_item(item)?;
        self.items.may_define(item, named.parent)?;
        buffer.define(&self.way(), &mut |room| entry::scope(room, item, named))?;
        self.items.define(item, named.parent, None);
        Ok(())
    }

    /// Defines a signal with data of a type, [`sample::EVENT`] to [`sample::STRUCT`].
    ///
    /// # Errors
    /// As [`scope`](Self::scope); `Argument` if there is no such type.
    pub fn signal<H: Handler>(
        &mut self,
        buffer: &mut Buffer<'_, H>,
        item: u32,
        named: &Named<'_>,
        kind: u8,
        descriptor: &[u8],
    ) -> Result<(), Error> {
        self.check_item(item)?;
        let is_kind = matches!(
            kind,
            sample::EVENT
                | sample::INTEGER
                | sample::FLOAT
                | sample::TEXT
                | sample::BINARY
                | sample::STRUCT
        );
        if !is_kind {
            return Err(Error::Argument);
        }
        self.items.may_define(item, named.parent)?;
        buffer.define(&self.way(), &mut |room| {
            entry::signal(room, item, named, kind, descriptor);
        })?;
        self.items.define(item, named.parent, Some(kind));
        Ok(())
    }

    /// Shows a signal in another scope too.
    ///
    /// # Errors
    /// `State` if it is no signal or the other one no scope; `Argument`, `TooLong`, `Full`.
    pub fn reference<H: Handler>(
        &mut self,
        buffer: &mut Buffer<'_, H>,
        item: u32,
        named: &Named<'_>,
    ) -> Result<(), Error> {
        self.check_item(item)?;
        self.items.check_signal(item)?;
        if !self.items.is_scope(named.parent) {
            return Err(Error::State);
        }
        buffer.define(&self.way(), &mut |room| entry::reference(room, item, named))
    }

    /// Begins a sequence of an item and what is in it, or of all (0), at a time in a unit such as `ns`. `rate` is the time
    /// between samples, 0 where they may be at any.
    ///
    /// # Errors
    /// `State` if it is open, is in something that is open or has something open in it, or if there is no head;
    /// `Argument` if there is no such item, the unit is empty or longer than seven bytes, or no place for another
    /// sequence; `Full`.
    pub fn open<H: Handler>(
        &mut self,
        buffer: &mut Buffer<'_, H>,
        item: u32,
        unit: &[u8],
        start: i64,
        rate: u32,
    ) -> Result<(), Error> {
        if !self.has_head {
            return Err(Error::State);
        }
        if !self.items.may_open(item) {
            return Err(Error::Argument);
        }
        let has_open_in_it =
            self.sequences.open().any(|open| self.items.is_below(open.item(), item));
        if has_open_in_it || self.sequences.around(&self.items, item).is_some() {
            return Err(Error::State);
        }
        let place = self.sequences.free().ok_or(Error::Argument)?;
        let sequence = Sequence::of(item, unit, start, rate).ok_or(Error::Argument)?;
        self.sequences.set(place, sequence);
        let written = buffer.open(&self.way(), item, &mut |room| sequence.open(room));
        if written.is_err() {
            self.sequences.end(place);
        }
        written
    }

    /// Ends a sequence at a time: that of the item that it was begun with.
    ///
    /// # Errors
    /// `State` if it is not open; `Time`; `Full`: then it is still open.
    pub fn close<H: Handler>(
        &mut self,
        buffer: &mut Buffer<'_, H>,
        item: u32,
        end: i64,
    ) -> Result<(), Error> {
        let place = self.sequences.of(item).ok_or(Error::State)?;
        self.check_time(place, end)?;
        buffer.add(&self.way(), &mut |room| entry::close(room, item, end))?;
        self.sequences.end(place);
        Ok(())
    }

    #[inline(never)]
    fn check_time(&self, place: usize, time: i64) -> Result<i64, Error> {
        let last = self.sequences.at(place).ok_or(Error::State)?.last();
        if time < last { Err(Error::Time) } else { Ok(last) }
    }

    /// The sequence of a signal, which is open.
    #[inline(never)]
    fn sequence(&self, item: u32) -> Result<usize, Error> {
        self.check_item(item)?;
        self.sequences.around(&self.items, item).ok_or(Error::State)
    }

    /// Says what a number of an enumeration is called, once in each sequence; a ring keeps it and needs it once.
    /// `of` is [`entry::VALUES`], [`entry::TARGETS`], [`entry::STYLES`] or
    /// [`entry::LABELS`].
    ///
    /// # Errors
    /// `State` if the item is not open; `Argument` for the value 0, which samples cannot have, `TooLong`, `Full`.
    pub fn enumeration<H: Handler>(
        &mut self,
        buffer: &mut Buffer<'_, H>,
        item: u32,
        of: u8,
        label: &[u8],
        number: u32,
    ) -> Result<(), Error> {
        self.sequence(item)?;
        if number == 0 || of > entry::LABELS {
            return Err(Error::Argument);
        }
        buffer.define(&self.way(), &mut |room| {
            entry::enumeration(room, item, of, label, number);
        })
    }

    /// Says what a member of a signal's structures is called and its type ([`member::TEXT`] to [`member::BINARY`]), once
    /// in each sequence; a ring keeps it and needs it once.
    ///
    /// # Errors
    /// `State` if the item is not open; `Kind` if it has no structures; `TooLong`, `Full`.
    pub fn member<H: Handler>(
        &mut self,
        buffer: &mut Buffer<'_, H>,
        item: u32,
        id: u32,
        label: &[u8],
        kind: u8,
        descriptor: &[u8],
    ) -> Result<(), Error> {
        self.sequence(item)?;
        self.items.check_kind(item, sample::STRUCT)?;
        let version = self.setup.version;
        buffer.define(&self.way(), &mut |room| {
            entry::member(room, version, item, id, label, kind, descriptor);
        })
    }

    fn sample<H: Handler>(
        &mut self,
        buffer: &mut Buffer<'_, H>,
        (item, time): (u32, i64),
        (len, data): (usize, u8),
        write: Write<'_>,
    ) -> Result<(), Error> {
        let place = self.sequence(item)?;
        let last = self.check_time(place, time)?;
        let delta = time.wrapping_sub(last).cast_unsigned();
        let front = Front { item, is_tainted: self.has_lost, delta, len, data };
        let written = buffer.add(&self.way(), &mut |room| {
            sample::front(room, &front);
            write(room);
        });
        match written {
            Ok(()) => {
                self.sequences.advance(place, time);
                self.has_lost = false;
            }
            Err(Error::Full) => self.has_lost = true,
            Err(_) => {}
        }
        written
    }

    /// A value of an enumeration, above 0.
    ///
    /// # Errors
    /// As all samples: `State` if the signal is not defined or not open, `Kind` if its data are others, `Time` if the time
    /// is before the last one of its sequence, `TooLong`, `Full`; `Argument` for 0.
    pub fn event<H: Handler>(
        &mut self,
        buffer: &mut Buffer<'_, H>,
        (item, time): (u32, i64),
        value: u32,
    ) -> Result<(), Error> {
        self.items.check_kind(item, sample::EVENT)?;
        if value == 0 {
            return Err(Error::Argument);
        }
        let len = event_len(self.setup.version, value);
        self.sample(buffer, (item, time), (len, IS_EVENT), &mut |room| {
            lowest(room, value.into(), len);
        })
    }

    /// A signed integer.
    ///
    /// # Errors
    /// As [`event`](Self::event).
    pub fn integer<H: Handler>(
        &mut self,
        buffer: &mut Buffer<'_, H>,
        (item, time): (u32, i64),
        value: i64,
    ) -> Result<(), Error> {
        self.items.check_kind(item, sample::INTEGER)?;
        let len = signed_len(value);
        self.sample(buffer, (item, time), (len, IS_VALUE), &mut |room| {
            lowest(room, value.cast_unsigned(), len);
        })
    }

    /// An unsigned integer. In version 4 one above `i64::MAX` cannot be distinguished from a negative one.
    ///
    /// # Errors
    /// As [`event`](Self::event); `Argument` for such a one in version 4.
    pub fn unsigned<H: Handler>(
        &mut self,
        buffer: &mut Buffer<'_, H>,
        (item, time): (u32, i64),
        value: u64,
    ) -> Result<(), Error> {
        self.items.check_kind(item, sample::INTEGER)?;
        if self.setup.version == Version::Four && i64::try_from(value).is_err() {
            return Err(Error::Argument);
        }
        let len = unsigned_len(self.setup.version, value);
        self.sample(buffer, (item, time), (len, IS_VALUE), &mut |room| lowest(room, value, len))
    }

    /// A float of four bytes.
    ///
    /// # Errors
    /// As [`event`](Self::event).
    pub fn float<H: Handler>(
        &mut self,
        buffer: &mut Buffer<'_, H>,
        at: (u32, i64),
        value: f32,
    ) -> Result<(), Error> {
        self.block(buffer, at, (sample::FLOAT, IS_FLOAT), &value.to_le_bytes())
    }

    /// A float of eight bytes.
    ///
    /// # Errors
    /// As [`event`](Self::event).
    pub fn double<H: Handler>(
        &mut self,
        buffer: &mut Buffer<'_, H>,
        at: (u32, i64),
        value: f64,
    ) -> Result<(), Error> {
        self.block(buffer, at, (sample::FLOAT, IS_DOUBLE), &value.to_le_bytes())
    }

    /// A text, in UTF-8.
    ///
    /// # Errors
    /// As [`event`](Self::event).
    pub fn text<H: Handler>(
        &mut self,
        buffer: &mut Buffer<'_, H>,
        at: (u32, i64),
        text: &[u8],
    ) -> Result<(), Error> {
        self.block(buffer, at, (sample::TEXT, IS_VALUE), text)
    }

    /// Bytes.
    ///
    /// # Errors
    /// As [`event`](Self::event).
    pub fn binary<H: Handler>(
        &mut self,
        buffer: &mut Buffer<'_, H>,
        at: (u32, i64),
        bytes: &[u8],
    ) -> Result<(), Error> {
        self.block(buffer, at, (sample::BINARY, IS_VALUE), bytes)
    }

    fn block<H: Handler>(
        &mut self,
        buffer: &mut Buffer<'_, H>,
        at: (u32, i64),
        (kind, data): (u8, u8),
        bytes: &[u8],
    ) -> Result<(), Error> {
        self.items.check_kind(at.0, kind)?;
        self.sample(buffer, at, (bytes.len(), data), &mut |room| room.bytes(bytes))
    }

    /// A structure: some of its members. `members` gives each as often as it is called, until there is none; it is
    /// called for all of them several times.
    ///
    /// # Errors
    /// As [`event`](Self::event).
    pub fn structure<'t, H: Handler>(
        &mut self,
        buffer: &mut Buffer<'_, H>,
        at: (u32, i64),
        members: &dyn Fn(usize) -> Option<Member<'t>>,
    ) -> Result<(), Error> {
        self.items.check_kind(at.0, sample::STRUCT)?;
        let all = || (0..).map_while(members);
        let version = self.setup.version;
        let mut count = Count(0);
        all().for_each(|it| member::member(&mut count, version, &it));
        self.sample(buffer, at, (count.0, IS_VALUE), &mut |room| {
            all().for_each(|it| member::member(room, version, &it));
        })
    }

    /// From here on the signal has no value.
    ///
    /// # Errors
    /// As [`event`](Self::event).
    pub fn none<H: Handler>(
        &mut self,
        buffer: &mut Buffer<'_, H>,
        at: (u32, i64),
    ) -> Result<(), Error> {
        self.items.check_signal(at.0)?;
        self.sample(buffer, at, (0, IS_NONE), &mut |_| {})
    }

    /// An arrow to the last sample of a signal, from what the signal named by the number `target` of [`entry::TARGETS`]
    /// did `delta` later (negative: before), in the style of that number. Belongs right after that sample.
    ///
    /// # Errors
    /// `State` if the signal is not open; `Full`, in a ring also if the slot of the sample has no room for it.
    pub fn relation<H: Handler>(
        &mut self,
        buffer: &mut Buffer<'_, H>,
        item: u32,
        target: u32,
        style: u32,
        delta: i64,
    ) -> Result<(), Error> {
        self.sequence(item)?;
        let version = self.setup.version;
        buffer.attach(&self.way(), &mut |room| {
            entry::relation(room, version, item, target, style, delta);
        })
    }

    /// A label at the last sample of a signal, in a style of [`entry::LABELS`]. Belongs right after that sample.
    ///
    /// # Errors
    /// As [`relation`](Self::relation).
    pub fn label<H: Handler>(
        &mut self,
        buffer: &mut Buffer<'_, H>,
        item: u32,
        style: u32,
    ) -> Result<(), Error> {
        self.sequence(item)?;
        buffer.attach(&self.way(), &mut |room| entry::label(room, item, style))
    }

    /// Hands out what the buffer has. A ring makes a file of it and is empty then.
    ///
    /// # Errors
    /// `Handler` if not all was taken. What a linear buffer has left comes first the next time; a ring begins its file
    /// anew, so throw away what the handler has got.
    pub fn flush<H: Handler>(&mut self, buffer: &mut Buffer<'_, H>) -> Result<(), Error> {
        buffer.flush(&self.items, &self.sequences)
    }
}
