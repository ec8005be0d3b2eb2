//! A trace: what firmware writes into a buffer.

use crate::buffer::{Buffer, TraceView, Write};
use crate::encoding::entry::{self, Head, NamedItem};
use crate::encoding::member::{self, Member};
use crate::encoding::number::{event_len, lowest, signed_len, unsigned_len};
use crate::encoding::sample::{self, Front, IS_DOUBLE, IS_EVENT, IS_FLOAT, IS_NONE, IS_VALUE};
use crate::encoding::{ByteSink, Version};
use crate::error::Error;
use crate::handler::Handler;
use crate::items::{Item, Items};
use crate::sequences::{Sequence, Sequences};

/// How a trace is set up.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// Number of the trace, unique among the traces in one buffer.
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
    /// An entry was lost since the last sample.
    has_lost: bool,
}

/// A sum of bytes, instead of the bytes.
struct Count(usize);

impl ByteSink for Count {
    fn bytes(&mut self, bytes: &[u8]) {
        self.0 = self.0.saturating_add(bytes.len());
    }
}

impl<'m> Trace<'m> {
    /// Creates a trace that writes into `buffer`. With `items`, one more than the greatest number, it checks its input and
    /// may open single items; without any it has no information about items, and all are opened together. `sequences` is
    /// as long as the number of sequences that may be open at a time, at least one.
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

    /// Marks a loss outside the buffer: the next sample is tainted, as after a loss in the buffer.
    pub const fn mark_loss(&mut self) {
        self.has_lost = true;
    }

    /// Returns the maximum size of an entry in bytes.
    #[must_use]
    pub const fn max_entry(&self) -> u16 {
        self.setup.max_entry
    }

    fn view(&self) -> TraceView<'_> {
        TraceView {
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

    /// Writes the head, which must be written first.
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
        let way = TraceView { is_head: true, ..self.view() };
        buffer.define(&way, &mut |room| entry::head(room, &head))?;
        self.has_head = true;
        Ok(())
    }

    /// Defines a scope in another one, or in the root (0).
    ///
    /// # Errors
    /// `State` if the number is taken, the parent is not a scope or the head is missing; `Argument`, `TooLong`, `Full`.
    pub fn scope<H: Handler>(
        &mut self,
        buffer: &mut Buffer<'_, H>,
        item: u32,
        named: &NamedItem<'_>,
    ) -> Result<(), Error> {
        self.check_item(item)?;
        self.items.may_define(item, named.parent)?;
        buffer.define(&self.view(), &mut |room| entry::scope(room, item, named))?;
        self.items.define(item, named.parent, None);
        Ok(())
    }

    /// Defines a signal with data of a type, [`sample::EVENT`] to [`sample::STRUCT`].
    ///
    /// # Errors
    /// Like [`scope`](Self::scope); `Argument` if the type does not exist.
    pub fn signal<H: Handler>(
        &mut self,
        buffer: &mut Buffer<'_, H>,
        item: u32,
        named: &NamedItem<'_>,
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
        buffer.define(&self.view(), &mut |room| {
            entry::signal(room, item, named, kind, descriptor);
        })?;
        self.items.define(item, named.parent, Some(kind));
        Ok(())
    }

    /// Shows a signal in another scope too.
    ///
    /// # Errors
    /// `State` if it is not a signal or the other one not a scope; `Argument`, `TooLong`, `Full`.
    pub fn reference<H: Handler>(
        &mut self,
        buffer: &mut Buffer<'_, H>,
        item: u32,
        named: &NamedItem<'_>,
    ) -> Result<(), Error> {
        self.check_item(item)?;
        self.items.check_signal(item)?;
        if !self.items.is_scope(named.parent) {
            return Err(Error::State);
        }
        buffer.define(&self.view(), &mut |room| entry::reference(room, item, named))
    }

    /// Begins a sequence of an item and the items in it, or of all items (0), at a time in a unit such as `ns`. `rate` is
    /// the time between samples, 0 for arbitrary times.
    ///
    /// # Errors
    /// `State` if the item is open, is inside an open item or contains one, or if the head is missing; `Argument` if the
    /// item does not exist, the unit is empty or longer than seven bytes, or all sequences are in use; `Full`.
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
        let written = buffer.open(&self.view(), item, &mut |room| sequence.open(room));
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
        buffer.add(&self.view(), &mut |room| entry::close(room, item, end))?;
        self.sequences.end(place);
        Ok(())
    }

    #[inline(never)]
    fn check_time(&self, place: usize, time: i64) -> Result<i64, Error> {
        let last = self.sequences.at(place).ok_or(Error::State)?.last();
        if time < last { Err(Error::Time) } else { Ok(last) }
    }

    /// Returns the sequence of a signal, which is open.
    #[inline(never)]
    fn sequence(&self, item: u32) -> Result<usize, Error> {
        self.check_item(item)?;
        self.sequences.around(&self.items, item).ok_or(Error::State)
    }

    /// Defines the name of a number of an enumeration, once in each sequence; a ring keeps it and needs it once. `of` is
    /// [`entry::VALUES`], [`entry::TARGETS`], [`entry::STYLES`] or [`entry::LABELS`].
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
        buffer.define(&self.view(), &mut |room| {
            entry::enumeration(room, item, of, label, number);
        })
    }

    /// Defines the name of a member of a signal's structures and its type ([`member::TEXT`] to [`member::BINARY`]), once
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
        buffer.define(&self.view(), &mut |room| {
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
        let written = buffer.add(&self.view(), &mut |room| {
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

    /// Writes a value of an enumeration, above 0.
    ///
    /// # Errors
    /// Like all samples: `State` if the signal is not defined or not open, `Kind` if its data have another type, `Time` if
    /// the time is before the last one of its sequence, `TooLong`, `Full`; `Argument` for 0.
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

    /// Writes a signed integer.
    ///
    /// # Errors
    /// See [`event`](Self::event).
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

    /// Writes an unsigned integer. Version 4 cannot distinguish a number above `i64::MAX` from a negative one.
    ///
    /// # Errors
    /// See [`event`](Self::event); `Argument` for a number above `i64::MAX` in version 4.
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

    /// Writes a float of four bytes.
    ///
    /// # Errors
    /// See [`event`](Self::event).
    pub fn float<H: Handler>(
        &mut self,
        buffer: &mut Buffer<'_, H>,
        at: (u32, i64),
        value: f32,
    ) -> Result<(), Error> {
        self.block(buffer, at, (sample::FLOAT, IS_FLOAT), &value.to_le_bytes())
    }

    /// Writes a float of eight bytes.
    ///
    /// # Errors
    /// See [`event`](Self::event).
    pub fn double<H: Handler>(
        &mut self,
        buffer: &mut Buffer<'_, H>,
        at: (u32, i64),
        value: f64,
    ) -> Result<(), Error> {
        self.block(buffer, at, (sample::FLOAT, IS_DOUBLE), &value.to_le_bytes())
    }

    /// Writes a text, in UTF-8.
    ///
    /// # Errors
    /// See [`event`](Self::event).
    pub fn text<H: Handler>(
        &mut self,
        buffer: &mut Buffer<'_, H>,
        at: (u32, i64),
        text: &[u8],
    ) -> Result<(), Error> {
        self.block(buffer, at, (sample::TEXT, IS_VALUE), text)
    }

    /// Writes bytes.
    ///
    /// # Errors
    /// See [`event`](Self::event).
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

    /// Writes a structure, with some of its members. `members` returns the member with the given index, and `None` after
    /// the last one; it is called several times for each.
    ///
    /// # Errors
    /// See [`event`](Self::event).
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

    /// Ends the value of a signal: from here on it has none.
    ///
    /// # Errors
    /// See [`event`](Self::event).
    pub fn none<H: Handler>(
        &mut self,
        buffer: &mut Buffer<'_, H>,
        at: (u32, i64),
    ) -> Result<(), Error> {
        self.items.check_signal(at.0)?;
        self.sample(buffer, at, (0, IS_NONE), &mut |_| {})
    }

    /// Adds an arrow to the last sample of a signal, from an event `delta` later (negative: before) of the signal with
    /// number `target` of [`entry::TARGETS`], in the style of that number. Must follow that sample directly.
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
        buffer.attach(&self.view(), &mut |room| {
            entry::relation(room, version, item, target, style, delta);
        })
    }

    /// Adds a label to the last sample of a signal, in a style of [`entry::LABELS`]. Must follow that sample directly.
    ///
    /// # Errors
    /// See [`relation`](Self::relation).
    pub fn label<H: Handler>(
        &mut self,
        buffer: &mut Buffer<'_, H>,
        item: u32,
        style: u32,
    ) -> Result<(), Error> {
        self.sequence(item)?;
        buffer.attach(&self.view(), &mut |room| entry::label(room, item, style))
    }

    /// Passes the contents of the buffer on. A ring writes them as a file and is empty then.
    ///
    /// # Errors
    /// `Handler` if the handler did not take everything. A linear buffer continues with the rest the next time; a ring
    /// restarts its file, so discard the bytes that the handler has received.
    pub fn flush<H: Handler>(&mut self, buffer: &mut Buffer<'_, H>) -> Result<(), Error> {
        buffer.flush(&self.items, &self.sequences)
    }
}
