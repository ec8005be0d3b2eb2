//! Which files are one recording: files of one core are, in the order in which they are named. Packets name their core, so files
//! of packets whose cores differ are read side by side.

use std::io;

use tband_format::packet::{Header, METADATA_STREAM};

use tband_import::format::InputFormat;

use crate::error::ConvError;
use crate::foreign::recognised_format;
use crate::input::Input;
use crate::packets::{PacketPiece, PacketReader};
use crate::wire::Wire;

/// The streams in a file of packets, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Streams {
    cores: [u128; 2],
    /// The first packet of the metadata stream is in it.
    has_start: bool,
    /// The complete file was searched.
    is_complete: bool,
}

impl Streams {
    fn add(&mut self, header: &Header) {
        let &Header { stream, sequence, .. } = header;
        if stream == METADATA_STREAM {
            self.has_start |= sequence == 0;
        } else if let Some(bits) = self.cores.get_mut(usize::from(stream >> 7)) {
            *bits |= 1 << (stream & 127);
        }
    }

    fn merge(&mut self, other: Self) {
        for (bits, more) in self.cores.iter_mut().zip(other.cores) {
            *bits |= more;
        }
        self.has_start |= other.has_start;
        self.is_complete &= other.is_complete;
    }

    fn has_common_core(&self, other: &Self) -> bool {
        self.cores.iter().zip(other.cores).any(|(ours, theirs)| ours & theirs != 0)
    }

    fn has_no_core(&self) -> bool {
        self.cores == [0; 2]
    }

    /// Returns the streams of the packets in bytes that are a complete file or only its beginning.
    fn of(bytes: impl io::Read, is_complete: bool) -> Self {
        let mut streams = Self { is_complete, ..Self::default() };
        let mut packets = PacketReader::new(bytes);
        // An input that cannot be read is reported when it is converted.
        while let Ok(Some(piece)) = packets.next_piece() {
            if let PacketPiece::Packet { packet, .. } = piece {
                streams.add(packet.header());
            }
        }
        streams
    }
}

/// A recording that may be several files.
struct Group<'a> {
    /// As the user named it.
    named: Option<u32>,
    /// The core of its first events.
    core: u32,
    /// The streams of its packets; `None` for frames.
    streams: Option<Streams>,
    input: Input<'a>,
}

/// Joins files that continue where another one ends. Each comes with the core that the user has named for it, if any, which is
/// already set on the input. A stream of another core does not continue the one before it. If there are several files, this
/// reads the beginning of each, without consuming it. Files of packets whose beginnings have no core in common are searched to
/// their end.
///
/// # Errors
/// [`ConvError::Read`] if an input cannot be opened.
pub fn group_by_core(inputs: Vec<(Option<u32>, Input<'_>)>) -> Result<Vec<Input<'_>>, ConvError> {
    let many = inputs.len() > 1;
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut at_begin = Vec::new();
    for (named, input) in &inputs {
        let is_asked = many && named.is_none();
        at_begin.push(if is_asked { streams_at_begin(input)? } else { None });
    }
    let start_count = at_begin.iter().flatten().filter(|streams| streams.has_start).count();
    // A file of packets that has nothing but the metadata of all others.
    let mut metadata = None;
    for ((named, input), mut streams) in inputs.into_iter().zip(at_begin) {
        let starts = match named {
            None if many => input.core_of_stream_start()?,
            _ => None,
        };
        if let Some(streams) = &mut streams
            && !groups.iter().any(|group| group.may_continue_with(streams))
            && let Some(all) = all_streams(&input)
        {
            *streams = all;
            // The files before may have a core in common with it that their beginnings do not have.
            for group in &mut groups {
                if let Some(of_group) = group.streams.as_mut().filter(|it| !it.is_complete)
                    && let Some(all) = all_streams(&group.input)
                {
                    *of_group = all;
                }
            }
        }
        if start_count == 1
            && streams.is_some_and(|streams| streams.has_no_core() && streams.has_start)
        {
            metadata = Some(input);
            continue;
        }
        let before = groups.iter().rposition(|group| match (&group.streams, &streams) {
            (Some(_), Some(streams)) => group.may_continue_with(streams),
            _ => {
                group.named == named
                    && starts.is_none_or(|core| core == group.core)
                    && !are_of_two_recorders(&group.input, &input)
            }
        });
        match before {
            Some(index) => {
                let mut group = groups.remove(index);
                if let (Some(of_group), Some(streams)) = (&mut group.streams, streams) {
                    of_group.merge(streams);
                }
                let input = group.input.followed_by(input);
                groups.insert(index, Group { input, ..group });
            }
            None => {
                let core = starts.or(named).unwrap_or(0);
                groups.push(Group { named, core, streams, input });
            }
        }
    }
    Ok(with_metadata(groups, metadata))
}

impl Group<'_> {
    /// A file of packets with these streams may be the rest of it.
    fn may_continue_with(&self, streams: &Streams) -> bool {
        self.named.is_none()
            && self.streams.is_some_and(|ours| {
                // Without a complete packet of a core it may be the rest of any file.
                ours.has_no_core() || streams.has_no_core() || ours.has_common_core(streams)
            })
    }
}

/// Returns the inputs of the groups. Metadata in a separate file comes before the first group of packets, which it describes.
fn with_metadata<'a>(groups: Vec<Group<'a>>, metadata: Option<Input<'a>>) -> Vec<Input<'a>> {
    let first = groups.iter().position(|group| group.streams.is_some());
    let mut inputs: Vec<Input<'a>> = groups.into_iter().map(|group| group.input).collect();
    let Some(metadata) = metadata else { return inputs };
    let at = first.unwrap_or(inputs.len());
    let metadata = match first {
        Some(at) => metadata.followed_by(inputs.remove(at)),
        None => metadata,
    };
    inputs.insert(at, metadata);
    inputs
}

/// Returns true if files that both show their recorder were made by different ones, so that neither continues the other.
fn are_of_two_recorders(first: &Input<'_>, second: &Input<'_>) -> bool {
    let recorder = |input: &Input<'_>| match input.input_format() {
        InputFormat::Auto => {
            let found = recognised_format(input.head().unwrap_or_default());
            found.or_else(|| input.wire().map(|_| InputFormat::Tband))
        }
        named => Some(named),
    };
    match (recorder(first), recorder(second)) {
        (Some(first), Some(second)) => first != second,
        _ => false,
    }
}

/// The streams in the beginning of a file; `None` if it is not packets.
fn streams_at_begin(input: &Input<'_>) -> Result<Option<Streams>, ConvError> {
    let is_packets = input.wire() == Some(Wire::Packets);
    Ok(if is_packets { Some(Streams::of(input.head()?, false)) } else { None })
}

/// Returns the streams in a complete file; `None` if it can be read only once, or not at all.
fn all_streams(input: &Input<'_>) -> Option<Streams> {
    if input.is_read_once() {
        return None;
    }
    input.open().ok().map(|bytes| Streams::of(bytes, true))
}
