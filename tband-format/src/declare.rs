//! Expansion of a registry entry: the variants of `Event`, their decoder and encoder, and the table for generic
//! readers.
//!
//! Used once, in `registry.rs`, whose imports it uses.

macro_rules! is_metadata {
    (meta) => {
        true
    };
    (timed) => {
        false
    };
}

pub(crate) use is_metadata;

/// Fields that packets encode differently from others of their type.
#[cfg(feature = "host")]
macro_rules! read_packed {
    (ticks_to_wait, $reader:expr) => {
        read_ticks($reader)
    };
    ($field:ident, $reader:expr) => {
        PackedField::read_packed($reader)
    };
}

#[cfg(feature = "host")]
pub(crate) use read_packed;

#[cfg(feature = "host")]
macro_rules! read_short {
    (ticks_to_wait, $short:expr) => {
        short_ticks($short)
    };
    ($field:ident, $short:expr) => {
        PackedField::read_short($short)
    };
}

#[cfg(feature = "host")]
pub(crate) use read_short;

#[cfg(feature = "host")]
macro_rules! small {
    (ticks_to_wait, $byte:expr) => {
        Some(small_ticks($byte))
    };
    ($field:ident, $byte:expr) => {
        PackedField::small($byte)
    };
}

#[cfg(feature = "host")]
pub(crate) use small;

#[cfg(feature = "host")]
macro_rules! write_packed {
    (ticks_to_wait, $value:expr, $bytes:expr) => {
        write_ticks($value, $bytes)
    };
    ($field:ident, $value:expr, $bytes:expr) => {
        PackedField::write_packed($value, $bytes)
    };
}

#[cfg(feature = "host")]
pub(crate) use write_packed;

macro_rules! registry {
    ($(
        $(#[doc = $doc:literal])+
        $id:literal $group:ident $kind:ident $name:ident $variant:ident { $($field:ident: $ty:ty),* };
    )*) => {
        /// Every event of the format, with its fields.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Event<'a> {
            $(
                $(#[doc = $doc])+
                $variant {
                    $(
                        #[doc = concat!("Wire field `", stringify!($field), "`.")]
                        $field: $ty,
                    )*
                },
            )*
            /// An event with a time that is not in the registry, with its schema from the recording.
            Described(DescribedEvent<'a>),
            /// Like [`Described`](Self::Described), for metadata.
            DescribedMetadata(DescribedEvent<'a>),
        }

        impl<'a> Event<'a> {
            /// What [`EVENTS`] shows.
            const DEFS: &'static [EventDef] = &[$(
                EventDef {
                    id: $id,
                    name: stringify!($name),
                    group: Group::$group,
                    metadata: is_metadata!($kind),
                    fields: &[$(FieldDef {
                        name: stringify!($field),
                        kind: <$ty as Field<'a>>::KIND,
                    }),*],
                    doc: concat!($($doc),+).trim_ascii(),
                },
            )*];

            /// Returns the id byte of the event; for events that are not in the registry [`DESCRIBED_ID`] or
            /// [`DESCRIBED_METADATA_ID`], see [`wire_id`](Self::wire_id).
            #[must_use]
            pub const fn id(&self) -> u8 {
                match self {
                    $(Self::$variant { .. } => $id,)*
                    Self::Described(_) => DESCRIBED_ID,
                    Self::DescribedMetadata(_) => DESCRIBED_METADATA_ID,
                }
            }

            /// Returns the id byte of the event in its recording.
            #[must_use]
            pub const fn wire_id(&self) -> u8 {
                match self {
                    Self::Described(it) | Self::DescribedMetadata(it) => it.id(),
                    known => known.id(),
                }
            }

            /// Returns the name of the event, as in dumps and in the docs.
            #[must_use]
            pub fn name(&self) -> &'a str {
                match self {
                    $(Self::$variant { .. } => stringify!($name),)*
                    Self::Described(it) | Self::DescribedMetadata(it) => it.schema().name(),
                }
            }

            /// Like [`name`](Self::name), but with one name for all events that are not in the registry.
            #[must_use]
            pub const fn registered_name(&self) -> &'static str {
                match self {
                    $(Self::$variant { .. } => stringify!($name),)*
                    Self::Described(_) | Self::DescribedMetadata(_) => "described event",
                }
            }

            /// Returns the part of the recorder that the event belongs to.
            #[must_use]
            pub const fn group(&self) -> Group {
                match self {
                    $(Self::$variant { .. } => Group::$group,)*
                    Self::Described(_) | Self::DescribedMetadata(_) => Group::Base,
                }
            }

            /// Returns whether the event has no timestamp.
            #[cfg_attr(not(debug_assertions), inline(always))]
            #[must_use]
            pub const fn is_metadata(&self) -> bool {
                match self {
                    $(Self::$variant { .. } => is_metadata!($kind),)*
                    Self::Described(_) => false,
                    Self::DescribedMetadata(_) => true,
                }
            }

        }

        /// Functions that firmware does not use, and whose compilation takes longer than that of the whole recorder.
        #[cfg(feature = "host")]
        impl<'a> Event<'a> {
            /// Calls `visit` with name and value of each field that is present, in wire order.
            pub fn for_each_field(&self, mut visit: impl FnMut(&'a str, Value<'a>)) {
                self.visit_fields(&mut visit);
            }

            /// Not generic: it is long.
            fn visit_fields(&self, visit: &mut dyn FnMut(&'a str, Value<'a>)) {
                match *self {
                    $(Self::$variant { $($field),* } => {
                        $(if let Some(value) = Field::value($field) {
                            visit(stringify!($field), value);
                        })*
                    })*
                    Self::Described(it) | Self::DescribedMetadata(it) => it.for_each_field(visit),
                }
            }

            /// Splits an event, which has at most one text, into the event without that text, and the text. So the event
            /// can be kept after its source is gone. [`with_text`](Self::with_text) joins them again. For an event that
            /// is not in the registry the text consists of schema and fields.
            #[must_use]
            pub fn split_text(&self) -> (Event<'static>, &'a [u8]) {
                match *self {
                    $(Self::$variant { $($field),* } => {
                        let text: Option<&'a [u8]> = None$(.or(ReplaceText::text($field)))*;
                        let event = Event::$variant { $($field: ReplaceText::with_text($field, &[])),* };
                        (event, text.unwrap_or_default())
                    })*
                    Self::Described(it) => (Event::Described(DescribedEvent::from_bytes(&[])), it.bytes()),
                    Self::DescribedMetadata(it) => {
                        (Event::DescribedMetadata(DescribedEvent::from_bytes(&[])), it.bytes())
                    }
                }
            }

            /// Returns the same event with this text, if it has one.
            #[must_use]
            pub fn with_text<'t>(&self, text: &'t [u8]) -> Event<'t> {
                match *self {
                    $(Self::$variant { $($field),* } => {
                        Event::$variant { $($field: ReplaceText::with_text($field, text)),* }
                    })*
                    Self::Described(_) => Event::Described(DescribedEvent::from_bytes(text)),
                    Self::DescribedMetadata(_) => {
                        Event::DescribedMetadata(DescribedEvent::from_bytes(text))
                    }
                }
            }

            #[inline]
            pub(crate) fn decode(payload: &'a [u8]) -> Result<Decoded<'a>, DecodeError> {
                Self::decode_sound(Reader::new(payload)).ok_or_else(|| Self::explain(payload))
            }

            /// Decodes without explaining errors, which keeps the path of valid events short.
            #[inline]
            fn decode_sound(mut reader: Reader<'a>) -> Option<Decoded<'a>> {
                let id = reader.byte().ok()?;
                let ts = if is_timed(id) { reader.timestamp()? } else { 0 };
                Self::any_fields(id, ts, reader)
            }

            /// Reads the fields of an event and passes it to `take`. A frequent event has its own call of `take`, which
            /// therefore need not determine the kind of the event again. `None` for metadata.
            #[cfg_attr(not(any(debug_assertions, target_family = "wasm")), inline(always))]
            pub(crate) fn fields_with<T: EventHandler<'a>>(
                id: u8,
                ts: u64,
                mut reader: Reader<'a>,
                take: T,
            ) -> Option<T::Out> {
                match id {
                    $($id if const { T::FREQUENT[$id] && !is_metadata!($kind) } => {
                        $(let $field = Field::read_loosely(&mut reader)?;)*
                        // So no field was read past the end.
                        if !reader.is_at_end() {
                            return None;
                        }
                        let event = Self::$variant { $($field),* };
                        Some(take.take(Decoded { ts: Some(ts), event }))
                    })*
                    _ if !is_timed(id) => None,
                    _ => Some(take.take(Self::any_fields(id, ts, reader)?)),
                }
            }

            /// Reads the fields of an event. Compiled once, for all events without a separate path.
            #[inline(never)]
            fn any_fields(id: u8, ts: u64, mut reader: Reader<'a>) -> Option<Decoded<'a>> {
                match id {
                    $($id => {
                        $(let $field = Field::read_loosely(&mut reader)?;)*
                        // So no field was read past the end.
                        if !reader.is_at_end() {
                            return None;
                        }
                        let ts = if is_metadata!($kind) { None } else { Some(ts) };
                        Some(Decoded { ts, event: Self::$variant { $($field),* } })
                    })*
                    _ => None,
                }
            }

            /// Returns the error in a payload that does not decode.
            #[cold]
            #[inline(never)]
            fn explain(payload: &'a [u8]) -> DecodeError {
                fn read_fields<'a>(
                    id: u8,
                    reader: &mut Reader<'a>,
                ) -> Result<&'static str, DecodeError> {
                    match id {
                        $($id => {
                            if !is_metadata!($kind) {
                                read::<u64>(reader, stringify!($name), "ts")?;
                            }
                            $(read::<$ty>(reader, stringify!($name), stringify!($field))?;)*
                            Ok(stringify!($name))
                        })*
                        id => Err(DecodeError::UnknownId { id }),
                    }
                }
                let mut reader = Reader::new(payload);
                let Ok(id) = reader.byte() else {
                    return DecodeError::Empty;
                };
                match read_fields(id, &mut reader) {
                    Ok(event) => DecodeError::Trailing { event, left: reader.remaining() },
                    Err(error) => error,
                }
            }

            /// Returns the first field that is missing although a later one is present.
            pub(crate) fn missing_field(&self) -> Option<&'static str> {
                match *self {
                    $(Self::$variant { $($field),* } => {
                        let missing = None::<&'static str>;
                        $(let missing = match (missing, Field::value($field).is_some()) {
                            (Some(_), true) => return missing,
                            (None, false) => Some(stringify!($field)),
                            (missing, _) => missing,
                        };)*
                        // It is one of the last fields.
                        let _ = missing;
                        None
                    })*
                    Self::Described(_) | Self::DescribedMetadata(_) => None,
                }
            }

            /// Returns the name of the event with this id, if there is one.
            pub(crate) const fn known_name(id: u8) -> Option<&'static str> {
                match id {
                    $($id => Some(stringify!($name)),)*
                    _ => None,
                }
            }

            /// Reads the fields of an event in a packet.
            pub(crate) fn read_packed(
                id: u8,
                reader: &mut Reader<'a>,
            ) -> Result<Self, DecodeError> {
                match id {
                    $($id => {
                        $(let $field = read_packed!($field, reader).map_err(|error| {
                            let (event, field) = (stringify!($name), stringify!($field));
                            DecodeError::BadField { event, field, error }
                        })?;)*
                        Ok(Self::$variant { $($field),* })
                    })*
                    id => Err(DecodeError::UnknownId { id }),
                }
            }

            /// Writes the fields of an event in a packet; `None` if they do not fit.
            pub(crate) fn write_packed(&self, bytes: &mut Bytes<'_>) -> Option<()> {
                match *self {
                    $(Self::$variant { $($field),* } => {
                        $(write_packed!($field, $field, bytes)?;)*
                    })*
                    Self::Described(it) | Self::DescribedMetadata(it) => it.write_packed(bytes)?,
                }
                Some(())
            }

            /// Like [`read_packed`](Self::read_packed), for a sequence of events with few fields: passes the event on
            /// like [`fields_with`](Self::fields_with), with the bytes after it.
            #[cfg_attr(not(any(debug_assertions, target_family = "wasm")), inline(always))]
            pub(crate) fn short_with<T: EventHandler<'a>>(
                id: u8,
                ts: u64,
                fields: ShortReader<'a>,
                take: T,
            ) -> Option<(T::Out, &'a [u8])> {
                match id {
                    $($id if const { T::FREQUENT[$id] && is_short(&[$(stringify!($field)),*]) } => {
                        $(let ($field, fields) = read_short!($field, fields)?;)*
                        let left = fields.remaining()?;
                        let event = Self::$variant { $($field),* };
                        let ts = if is_metadata!($kind) { None } else { Some(ts) };
                        Some((take.take(Decoded { ts, event }), left))
                    })*
                    _ => {
                        let (decoded, left) = Self::any_short(id, ts, fields)?;
                        Some((take.take(decoded), left))
                    }
                }
            }

            /// Reads the fields of an event, and returns the bytes after it. Compiled once, for all events without a
            /// separate path. Fast if each field is a byte, as in most events.
            #[inline(never)]
            fn any_short(id: u8, ts: u64, fields: ShortReader<'a>) -> Option<(Decoded<'a>, &'a [u8])> {
                match id {
                    $($id if const { is_short(&[$(stringify!($field)),*]) } => {
                        if let Some(([$($field),*], left)) = fields.smalls()
                            && let ($(Some($field),)*) = ($(small!($field, $field),)*)
                        {
                            let ts = if is_metadata!($kind) { None } else { Some(ts) };
                            let event = Self::$variant { $($field),* };
                            return Some((Decoded { ts, event }, left));
                        }
                    })*
                    _ => {}
                }
                let mut reader = Reader::new(fields.remaining()?);
                let event = Self::read_packed(id, &mut reader).ok()?;
                let ts = if is_timed(id) { Some(ts) } else { None };
                Some((Decoded { ts, event }, reader.rest()))
            }

            /// Writes the payload of a frame, before framing; `None` if it does not fit.
            pub(crate) fn write_plain(&self, ts: u64, bytes: &mut Bytes<'_>) -> Option<()> {
                bytes.byte(self.wire_id())?;
                if !self.is_metadata() {
                    bytes.leb128(ts)?;
                }
                match *self {
                    $(Self::$variant { $($field),* } => {
                        $(PackedField::write_plain($field, bytes)?;)*
                    })*
                    Self::Described(it) | Self::DescribedMetadata(it) => bytes.all(it.values())?,
                }
                Some(())
            }

            /// By id: bytes of the fields in fixed widths, without the text that may follow; and whether one follows.
            pub(crate) const FIXED_WIDTHS: [(u8, bool); 256] = {
                let mut widths = [(0, false); 256];
                $(
                    let width = 0 $(+ <$ty as FixedField<'a>>::WIDTH)*;
                    assert!(width <= FIXED_WINDOW);
                    widths[$id] = (width as u8, false $(|| <$ty as FixedField<'a>>::IS_TEXT)*);
                )*
                widths
            };

            /// Returns the bytes of the fields of an event with this id, which are in fixed widths at the front of `bytes`, with its text.
            /// `None`: the registry does not have the event, or `bytes` end before.
            #[inline]
            #[must_use]
            pub fn fixed_len(id: u8, bytes: &[u8]) -> Option<usize> {
                let (width, has_text) = *Self::FIXED_WIDTHS.get(usize::from(id))?;
                let width = usize::from(width);
                let text = match has_text {
                    // The length of the text is the last field.
                    true => usize::from(*bytes.get(width.checked_sub(1)?)?),
                    false => 0,
                };
                Some(width + text)
            }

            /// Writes the fields in fixed widths. Returns the bytes that they take, and the text that has to follow;
            /// `None` if the event has no fixed form: the registry does not have it, or its text has more than 255 bytes.
            #[inline]
            pub fn write_fixed(&self, room: &mut [u8; FIXED_WINDOW]) -> Option<(usize, &'a [u8])> {
                match *self {
                    $(Self::$variant { $($field),* } => {
                        let rest = &mut room[..];
                        $(
                            let (place, rest) = rest.split_at_mut_checked(<$ty as FixedField<'a>>::WIDTH)?;
                            FixedField::write_fixed($field, place)?;
                        )*
                        let _ = rest;
                        let text: Option<&'a [u8]> = None$(.or(ReplaceText::text($field)))*;
                        let width = const { Event::<'static>::FIXED_WIDTHS[$id].0 };
                        Some((width.into(), text.unwrap_or_default()))
                    })*
                    Self::Described(_) | Self::DescribedMetadata(_) => None,
                }
            }

            /// Reads the fields of an event in fixed widths, which are at the front of `bytes`, and passes it to
            /// `take`. A frequent event has its own call of `take`, which knows its kind.
            #[cfg_attr(not(any(debug_assertions, target_family = "wasm")), inline(always))]
            pub fn fixed_with<T: EventHandler<'a>>(
                id: u8,
                ts: u64,
                bytes: &'a [u8],
                take: T,
            ) -> Option<T::Out> {
                match id {
                    $($id if const { T::FREQUENT[$id] && !is_metadata!($kind) } => {
                        let rest = &bytes.first_chunk::<FIXED_WINDOW>()?[..];
                        $(
                            let (place, rest) = rest.split_at_checked(<$ty as FixedField<'a>>::WIDTH)?;
                            let $field = FixedField::read_fixed(place, bytes, const { Event::<'static>::FIXED_WIDTHS[$id].0 })?;
                        )*
                        let _ = rest;
                        Some(take.take(Decoded { ts: Some(ts), event: Self::$variant { $($field),* } }))
                    })*
                    _ => Some(take.take(Self::from_fixed(id, ts, bytes)?)),
                }
            }

            /// Reads the fields of an event in fixed widths, which are at the front of `bytes`. `ts` is ignored for metadata. `None`:
            /// the registry does not have the event, or `bytes` end before the event or have less than [`FIXED_WINDOW`](crate::field::fixed::FIXED_WINDOW).
            #[inline(never)]
            #[must_use]
            pub fn from_fixed(id: u8, ts: u64, bytes: &'a [u8]) -> Option<Decoded<'a>> {
                let rest = &bytes.first_chunk::<FIXED_WINDOW>()?[..];
                match id {
                    $($id => {
                        $(
                            let (place, rest) = rest.split_at_checked(<$ty as FixedField<'a>>::WIDTH)?;
                            let $field = FixedField::read_fixed(place, bytes, const { Event::<'static>::FIXED_WIDTHS[$id].0 })?;
                        )*
                        let _ = rest;
                        let ts = if is_metadata!($kind) { None } else { Some(ts) };
                        Some(Decoded { ts, event: Self::$variant { $($field),* } })
                    })*
                    _ => None,
                }
            }

            /// Returns whether a string contains a NUL.
            pub(crate) fn has_nul(&self) -> bool {
                let mut has_nul = false;
                self.for_each_field(|_, value| {
                    has_nul |= matches!(value, Value::Str(text) if text.0.contains(&0));
                });
                has_nul
            }

            /// Returns the size of the event in bytes before framing. `ts` is in ticks, and ignored for metadata.
            #[must_use]
            pub fn payload_len(&self, ts: u64) -> usize {
                let head = 1 + if self.is_metadata() { 0 } else { ts.payload_len() };
                head + match *self {
                    $(Self::$variant { $($field),* } => 0 $(+ Field::payload_len($field))*,)*
                    Self::Described(it) | Self::DescribedMetadata(it) => it.values().len(),
                }
            }

            /// Writes id, timestamp and fields.
            ///
            /// # Safety
            /// The writer has room for [`payload_len`](Self::payload_len) bytes and their COBS codes.
            pub(crate) unsafe fn write(&self, ts: u64, writer: &mut FrameWriter) {
                // SAFETY: the caller made room for the whole event.
                unsafe {
                    writer.u8(self.wire_id());
                    if !self.is_metadata() {
                        writer.varint64(ts);
                    }
                    match *self {
                        $(Self::$variant { $($field),* } => {
                            $(Field::write($field, writer);)*
                        })*
                        Self::Described(it) | Self::DescribedMetadata(it) => {
                            writer.bytes(it.values());
                        }
                    }
                }
            }
        }
    };
}

pub(crate) use registry;
