//! Packets: the written events are read unchanged, the bytes are those of the format, and nothing else is
//! accepted.

mod support;

use proptest::prelude::*;
use support::varint;
use tband_format::decode::{DecodeError, Decoded, EventHandler, decode_payload};
use tband_format::field::FieldKind;
use tband_format::named::QueueKind;
use tband_format::packet::{
    Events, HEADER_LEN, Header, HeaderError, MAX_LEN, METADATA_STREAM, NotPushed, Packet,
    PacketError, PacketWriter, SkippedEvents, check,
};
use tband_format::reader::FieldError;
use tband_format::registry::EVENTS;
use tband_format::{Event, Str};

/// A packet of events, in as many bytes as there are.
fn packet<'a>(room: &'a mut [u8], begin: u64, events: &[(u64, Event<'_>)]) -> &'a [u8] {
    let mut writer = PacketWriter::new(room, begin);
    for (ts, event) in events {
        writer.push(*ts, event).unwrap();
    }
    let end = events.last().map_or(begin, |(ts, _)| *ts);
    writer.finish(1, 7, end, 3).unwrap()
}

/// The bytes of events, without a header.
fn bytes_of(begin: u64, events: &[(u64, Event<'_>)]) -> Vec<u8> {
    let mut room = [0; 200];
    let packet = Packet::read(packet(&mut room, begin, events)).unwrap();
    let len = packet.header().content_len;
    room[HEADER_LEN..len].to_vec()
}

#[test]
fn a_packet_matches_the_format_page() {
    let mut room = [0xAA; 44];
    let events = [(0x1_0000_0005, Event::TaskSwitchedIn { task_id: 300 })];
    let bytes = packet(&mut room, 0x1_0000_0000, &events);
    let mut expected = [0_u8; 44];
    expected[..12].copy_from_slice(&[0xC1, 0x1F, 0xFC, 0xC1, 1, 1, 7, 0, 0x40, 1, 0x60, 1]);
    expected[16..36].copy_from_slice(&[0, 0, 0, 0, 1, 0, 0, 0, 5, 0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0]);
    expected[36..40].copy_from_slice(&[84, 5 << 2, 0xAC, 2]);
    expected[40..].copy_from_slice(&[0xAA; 4]);
    let sum = check(&expected[..40]).to_le_bytes();
    expected[12..16].copy_from_slice(&sum);
    assert_eq!(bytes, expected);
}

#[test]
fn the_check_is_a_hash_of_words() {
    // Computed by hand: the fourth word does not count, and the rest of a word is padded with zeros.
    let step = |hash: u32, word: u32| {
        let product = (hash ^ word).wrapping_mul(0x9E37_79B1);
        product ^ (product >> 15)
    };
    let words = [1, 2, 3, 0, 5].into_iter().fold(0, step);
    let bytes = |fourth: u8| {
        let mut bytes = vec![1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, fourth, 9, 9, 9, 5, 0, 0, 0];
        bytes.truncate(17);
        bytes
    };
    assert_eq!([check(&bytes(4)), check(&bytes(200))], [words, words]);
    assert_ne!(check(&bytes(4)), check(&[bytes(4), vec![1]].concat()));
}

/// 0 marks a checksum that was not computed.
#[test]
fn a_check_is_never_0() {
    let front = [7; 20];
    // Whatever the hash is before the last word, that word changes it to 0.
    let bytes = [&front[..], &check(&front).to_le_bytes()].concat();
    assert_eq!(check(&bytes), u32::MAX);
}

/// A packet as it is read out of the target's memory.
fn without_check(packet: &[u8]) -> Vec<u8> {
    let mut bytes = packet.to_vec();
    bytes[12..16].fill(0);
    bytes
}

#[test]
fn without_a_check_a_packet_is_believed_if_all_of_it_holds() {
    let room = &mut [0; 60];
    let events = [
        (11, Event::TaskSwitchedIn { task_id: 300 }),
        (12, Event::TaskName { task_id: 1, name: Str(b"ab") }),
    ];
    let bytes = without_check(packet(room, 10, &events));
    let whole = Packet::read(&bytes).unwrap();
    assert_eq!((whole.events().count(), whole.header().end), (2, 12));
    // A packet that was sent ends with its content, and has a checksum.
    let mut sent = bytes.clone();
    sent.truncate(whole.header().content_len);
    sent[10] = sent[8];
    assert_eq!(sent[11], sent[9]);
    assert_eq!(Packet::read(&sent).err(), Some(PacketError::Unchecked));
    assert_eq!(Packet::read_unchecked(&sent).unwrap().events().count(), 2);
    let error = |change: fn(&mut Vec<u8>)| {
        let mut bytes = bytes.clone();
        change(&mut bytes);
        Packet::read(&bytes).err()
    };
    // The event does not exist; the last event ends after the content, or before its end; it is later than
    // the end.
    assert_eq!(error(|bytes| bytes[36] = 113), Some(PacketError::Unsound));
    assert_eq!(error(|bytes| bytes[8] -= 8), Some(PacketError::Unsound));
    assert_eq!(error(|bytes| bytes[8] += 8), Some(PacketError::Unsound));
    assert_eq!(error(|bytes| bytes[24] = 11), Some(PacketError::Unsound));
    // An event that only its recording describes is not checked here.
    assert_eq!(error(|bytes| bytes[36] = 215), None);
    assert_eq!(error(|bytes| bytes[36] = 250), None);
    // A computed checksum is not 0.
    assert!(matches!(error(|bytes| bytes[12] = 1), Some(PacketError::Damaged { .. })));
}

/// A line is stuck for some bytes: whichever bytes that affects, only the packet that was sent is accepted.
#[test]
fn a_burst_of_zeros_or_ones_is_not_believed() {
    let (mut validated, mut tried) = (0, 0);
    for seed in 0..40_u64 {
        let room = &mut [0; 120];
        let mut writer = PacketWriter::new(room, seed << 40 | seed << 13);
        let mut ts = writer.last();
        while writer.at() < 60 + seed as usize {
            ts += seed * 7 % 90;
            let event = Event::Valmarker { valmarker_id: seed as u32, val: ts as i64 >> 3 };
            writer.push(ts, &event).unwrap();
        }
        let len = writer.at();
        writer.finish(1, seed as u16, ts, 0).unwrap();
        // As it is sent.
        let (header, _) = Header::read(room).unwrap();
        Header { packet_len: len, ..header }.write(room).unwrap();
        let sent = &room[..len];
        for value in [0, 0xFF] {
            for (at, burst) in (0..len).flat_map(|at| (1..=48).map(move |burst| (at, burst))) {
                let mut bytes = sent.to_vec();
                bytes[at..(at + burst).min(len)].fill(value);
                let is_hit = bytes != sent;
                tried += u32::from(is_hit);
                validated += u32::from(is_hit && Packet::read(&bytes).is_ok());
            }
        }
    }
    assert!(tried > 100_000, "{tried}");
    assert_eq!(validated, 0);
}

#[test]
fn metadata_without_a_check_is_whole_frames() {
    let of = |content: &[u8]| {
        let len = HEADER_LEN + content.len();
        let mut bytes = vec![0; len + 8];
        bytes[HEADER_LEN..len].copy_from_slice(content);
        let stream = METADATA_STREAM;
        let header = Header {
            stream,
            sequence: 0,
            content_len: len,
            packet_len: len + 8,
            begin: 0,
            end: 0,
            discarded: 0,
        };
        header.write(&mut bytes).unwrap();
        Packet::read(&without_check(&bytes)).map(|packet| packet.content().to_vec())
    };
    // Zeros between frames are removed frames.
    for frames in [&[][..], &[0], &[4, 95, 1, b'a', 0], &[0, 2, 95, 2, 1, 0, 0, 1, 0]] {
        assert_eq!(of(frames), Ok(frames.to_vec()));
    }
    for none in [&[4][..], &[4, 95, 1, b'a'], &[3, 95, 0, 0], &[4, 95, 1, b'a', 3, 1, 2]] {
        assert_eq!(of(none), Err(PacketError::Unsound), "{none:?}");
    }
}

#[test]
fn times_take_as_few_bytes_as_their_distance() {
    let event = Event::IsrEnter { isr_id: 1 };
    let at = |distance: u64| bytes_of(1000, &[(1000 + distance, event)]).len() - 2;
    let edges = [63, 64, (1 << 14) - 1, 1 << 14, (1 << 30) - 1, 1 << 30];
    assert_eq!(edges.map(at), [1, 2, 2, 4, 4, 8]);
}

#[test]
fn each_field_kind_is_written_as_documented() {
    let fields = |event: Event<'_>| bytes_of(0, &[(0, event)])[2..].to_vec();
    let wait = |ticks_to_wait| Event::CurtaskBlockOnQueueSend { queue_id: 1, ticks_to_wait };
    assert_eq!(fields(wait(u32::MAX)), [1, 0x7F]);
    assert_eq!(fields(wait(63)), [1, 63]);
    assert_eq!(fields(wait(64)), [1, 0xC0, 0]);
    assert_eq!(fields(wait(1 << 31)), [1, 0x80, 0x80, 0x80, 0x80, 0x78]);
    let value = |val| Event::Valmarker { valmarker_id: 0, val };
    assert_eq!(fields(value(-1)), [0, 0x7F]);
    assert_eq!(fields(value(-65)), [0, 0xBF, 0x7F]);
    assert_eq!(fields(value(i64::MIN)).len(), 1 + 10);
    let free = |bytes_free| Event::HeapFree { address: 0, size: 0, bytes_free };
    assert_eq!(fields(free(None)), [0, 0, 0x7F]);
    assert_eq!(fields(free(Some(0))), [0, 0, 0]);
    assert_eq!(fields(free(Some(u32::MAX))), [0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F]);
    let kind = Event::QueueKind { queue_id: 2, kind: QueueKind::MUTEX };
    assert_eq!(fields(kind), [2, 3]);
    let name = Event::TaskName { task_id: 1, name: Str(b"ab") };
    assert_eq!(fields(name), [1, b'a', b'b', 0]);
}

#[test]
fn refuses_an_unsuitable_event_without_effect() {
    let mut room = [0; HEADER_LEN + 6];
    let mut writer = PacketWriter::new(&mut room, 10);
    let event = Event::IsrExit { isr_id: 1 };
    assert_eq!(writer.push(9, &event), Err(NotPushed::TimeSteppedBack));
    assert_eq!(writer.push(10 + (1 << 62), &event), Err(NotPushed::TooFarAhead));
    let with_nul = Event::Evtmarker { evtmarker_id: 1, msg: Str(b"\0") };
    assert_eq!(writer.push(10, &with_nul), Err(NotPushed::Nul));
    assert!(writer.is_empty());
    assert_eq!(writer.push(10, &event), Ok(()));
    assert_eq!(writer.push(10 + (1 << 14), &event), Err(NotPushed::Full));
    assert_eq!(writer.push(11, &event), Ok(()));
    assert_eq!(writer.push(11, &event), Err(NotPushed::Full));
    let packet = Packet::read(writer.finish(0, 0, 11, 0).unwrap()).unwrap();
    let times: Vec<_> = packet.events().map(|event| event.unwrap().ts).collect();
    assert_eq!(times, [Some(10), Some(11)]);
}

#[test]
fn refuses_packets_with_impossible_sizes_or_times() {
    let whole = |room: &mut [u8]| packet(room, 0, &[]).to_vec();
    let room = &mut [0; MAX_LEN];
    assert!(Packet::read(&whole(room)).is_ok());
    assert_eq!(PacketWriter::new(&mut [0; MAX_LEN + 1], 0).finish(0, 0, 0, 0), None);
    assert_eq!(PacketWriter::new(&mut [0; HEADER_LEN - 1], 0).finish(0, 0, 0, 0), None);
    assert_eq!(PacketWriter::new(&mut [0; HEADER_LEN], 5).finish(0, 0, 4, 0), None);
    let header = |at: usize, byte: u8| {
        let mut bytes = whole(&mut [0; HEADER_LEN + 8]);
        bytes[at] = byte;
        Header::read(&bytes).err()
    };
    assert_eq!(header(0, 0), Some(HeaderError::NoMagic));
    assert_eq!(header(5, 2), Some(HeaderError::Version(2)));
    let sizes = |content, packet| Some(HeaderError::Sizes { content, packet });
    assert_eq!(header(8, 0x18), sizes(0x118, 0x160));
    assert_eq!(header(8, 0x21), sizes(0x121, 0x160));
    assert_eq!(header(10, 0x18), sizes(0x120, 0x118));
    assert_eq!(header(23, 1), Some(HeaderError::Times { begin: 1 << 56, end: 0 }));
    assert_eq!(Header::read(&[0; HEADER_LEN - 1]), Err(HeaderError::Truncated));
}

#[test]
fn an_invalid_event_ends_the_packet() {
    let error = |bytes: &[u8]| {
        let mut events = Events::new(bytes, u64::MAX);
        let error = events.next().unwrap().unwrap_err();
        assert!(events.next().is_none());
        error
    };
    assert_eq!(error(&[250, 0, 0]), DecodeError::UnknownId { id: 250 });
    let bad = |event, field, error| DecodeError::BadField { event, field, error };
    assert_eq!(error(&[84]), bad("task_switched_in", "ts", FieldError::Truncated));
    assert_eq!(error(&[84, 1]), bad("task_switched_in", "ts", FieldError::Truncated));
    assert_eq!(error(&[84, 0, 1]), bad("task_switched_in", "ts", FieldError::Overflow));
    assert_eq!(error(&[84, 0xFC]), bad("task_switched_in", "task_id", FieldError::Truncated));
    assert_eq!(error(&[95, 0xFC, 1, b'a']), bad("task_name", "name", FieldError::Truncated));
    let wait = |ticks: &[u8]| error(&[&[110, 0xFC, 1], ticks].concat());
    let overflow = bad("curtask_block_on_queue_send", "ticks_to_wait", FieldError::Overflow);
    assert_eq!(wait(&[0x80, 0x80, 0x80, 0x80, 0x08]), overflow);
    assert_eq!(wait(&[0x80; 11]), overflow);
    let value = |val: &[u8]| error(&[&[11, 0xFC, 1], val].concat());
    let val = bad("valmarker", "val", FieldError::Overflow);
    assert_eq!(value(&[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1]), val);
}

/// Each two bits that are less than nine words apart, in a packet of numbers by chance.
#[test]
fn two_bits_that_change_are_noticed() {
    let mut seed = 1_u64;
    let mut packet = [0_u8; 256];
    for byte in &mut packet {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        *byte = (seed >> 56) as u8;
    }
    let whole = check(&packet);
    let mut tried = 0;
    for first in HEADER_LEN * 8..packet.len() * 8 {
        for second in first + 1..(first + 8 * 32).min(packet.len() * 8) {
            for bit in [first, second] {
                packet[bit / 8] ^= 1 << (bit % 8);
            }
            assert_ne!(check(&packet), whole, "{first} {second}");
            for bit in [first, second] {
                packet[bit / 8] ^= 1 << (bit % 8);
            }
            tried += 1;
        }
    }
    assert!(tried > 400_000, "{tried}");
}

/// Payloads of frames of any event, with a time that is some ticks after the one before.
fn any_event() -> impl Strategy<Value = (u64, Vec<u8>)> {
    let number = prop_oneof![Just(0_u64), any::<u64>(), 0..300_u64, Just(u64::from(u32::MAX))];
    let text = proptest::collection::vec(1..=255_u8, 0..40);
    let later = prop_oneof![8 => 0..200_u64, 4 => 0..100_000_u64, 1 => 0..1_u64 << 40];
    (0..EVENTS.len(), later, proptest::collection::vec(number, 5), text, any::<bool>()).prop_map(
        |(index, later, numbers, text, optional)| {
            let def = &EVENTS[index];
            let mut bytes = vec![def.id];
            if !def.metadata {
                bytes.push(0);
            }
            for (field, number) in def.fields.iter().zip(numbers) {
                match field.kind {
                    FieldKind::U8 | FieldKind::Enum { .. } => bytes.push(number as u8),
                    FieldKind::U32 => bytes.extend(varint(u64::from(number as u32))),
                    FieldKind::U64 | FieldKind::S64 => bytes.extend(varint(number)),
                    FieldKind::Str => bytes.extend(&text),
                    FieldKind::Optional(_) if optional => {
                        bytes.extend(varint(u64::from(number as u32)));
                    }
                    FieldKind::Optional(_) => {}
                }
            }
            (later, bytes)
        },
    )
}

/// Packets of `size` bytes, each with as many events as fit; for each its begin and its events.
type WrittenPackets<'a> = Vec<(Vec<u8>, Vec<(u64, Event<'a>)>)>;

fn packets<'a>(events: &'a [(u64, Vec<u8>)], size: usize, start: u64) -> WrittenPackets<'a> {
    let mut written: WrittenPackets<'a> = Vec::new();
    let mut now = start;
    let mut events = events.iter().map(|(later, payload)| {
        now += later;
        (now, decode_payload(payload).unwrap().event)
    });
    let mut next = events.next();
    while let Some((begin, _)) = next {
        let mut room = vec![0; size];
        let mut writer = PacketWriter::new(&mut room, begin);
        let mut inside = Vec::new();
        while let Some((ts, event)) = next
            && writer.push(ts, &event).is_ok()
        {
            inside.push((ts, event));
            next = events.next();
        }
        // The longest event needs less than 128 bytes.
        assert!(!inside.is_empty());
        let end = inside.last().map_or(begin, |(ts, _)| *ts);
        let sequence = written.len() as u16;
        written.push((writer.finish(2, sequence, end, 5).unwrap().to_vec(), inside));
    }
    written
}

/// Keeps the events that it is passed, in the form of frames.
struct EventCollector<'k, 'a>(&'k mut Vec<Decoded<'a>>);

impl<'a> EventHandler<'a> for EventCollector<'_, 'a> {
    type Out = bool;

    fn take(self, decoded: Decoded<'a>) -> bool {
        self.0.push(decoded);
        true
    }
}

/// The fast path returns the same as the iterator, or gives up.
fn assert_ways_agree(bytes: &[u8], begin: u64) {
    let mut events = Events::new(bytes, begin);
    loop {
        let (mut kept, mut fast) = (Vec::new(), events.clone());
        let at = bytes.len() - events.remaining();
        let is_taken = fast.take_next(EventCollector(&mut kept));
        let next = events.next();
        if is_taken {
            let Some(Ok(Decoded { ts, event })) = next else { panic!("{bytes:?}: {next:?}") };
            let ts = ts.filter(|_| !event.is_metadata());
            assert_eq!(kept, [Decoded { ts, event }]);
            assert_eq!((fast.remaining(), fast.reached()), (events.remaining(), events.reached()));
        } else {
            assert!(kept.is_empty(), "{bytes:?}: {kept:?}");
            if let Some(Ok(Decoded { event, .. })) = next {
                // It gives up only at times of eight bytes and events of many fields.
                let time = bytes[at + 1];
                let of = EVENTS.iter().find(|it| it.id == event.id()).unwrap();
                assert!(time & 3 == 3 || of.fields.len() > 3, "{event:?}");
            }
        }
        if next.is_none() {
            return;
        }
    }
}

/// Lengths of the events, by their ids.
fn lengths(bytes: &[u8]) -> Vec<(u8, usize)> {
    let (mut events, mut lengths) = (Events::new(bytes, 0), Vec::new());
    while let Some(Ok(decoded)) = events.next() {
        let at = lengths.iter().map(|(_, len)| len).sum::<usize>();
        lengths.push((decoded.event.id(), bytes.len() - events.remaining() - at));
    }
    lengths
}

proptest! {
    /// All events that can be skipped are skipped, and no others.
    #[test]
    fn whole_events_are_passed_over_that_are_not_kept(
        events in proptest::collection::vec(any_event(), 1..60),
        kept in proptest::collection::vec(0..EVENTS.len(), 0..60),
        cut in 0..20_usize,
    ) {
        let mut ids = [false; 256];
        for index in kept {
            ids[usize::from(EVENTS[index].id)] = true;
        }
        let pass_over = SkippedEvents::all_except(&ids);
        let has_bytes = |id: u8| {
            let of = EVENTS.iter().find(|it| it.id == id).unwrap();
            let is_byte = |kind| matches!(kind, FieldKind::U8 | FieldKind::Enum { .. });
            of.fields.iter().any(|field| is_byte(field.kind))
        };
        for (bytes, _) in packets(&events, 4096, 0) {
            let packet = Packet::read(&bytes).unwrap();
            let content = &packet.content()[..packet.content().len().saturating_sub(cut)];
            let (mut rest, lengths) = (content, lengths(content));
            let mut left = lengths.iter().peekable();
            while !rest.is_empty() {
                let (passed, count) = pass_over.pass(rest);
                let (mut sum, mut number) = (0, 0);
                while number < count {
                    let (id, len) = left.next().expect("there is such an event");
                    prop_assert!(!ids[usize::from(*id)]);
                    (sum, number) = (sum + len, number + 1);
                }
                prop_assert_eq!(passed, sum);
                let Some((id, len)) = left.next() else { break };
                prop_assert!(ids[usize::from(*id)] || has_bytes(*id), "{}", id);
                rest = &rest[passed + len..];
            }
            prop_assert_eq!(left.next(), None);
        }
    }

    #[test]
    fn handles_events_as_they_are_read(
        events in proptest::collection::vec(any_event(), 1..60),
        size in 128..600_usize,
        start in prop_oneof![Just(0_u64), any::<u32>().prop_map(u64::from), Just(1 << 61)],
        cut in 0..300_usize,
        change in (0..600_usize, any::<u8>()),
    ) {
        for (bytes, _) in packets(&events, size, start) {
            let packet = Packet::read(&bytes).unwrap();
            let mut content = packet.content().to_vec();
            assert_ways_agree(&content, packet.header().begin);
            content.truncate(content.len().saturating_sub(cut));
            assert_ways_agree(&content, packet.header().begin);
            if let Some(byte) = content.get_mut(change.0) {
                *byte = change.1;
            }
            assert_ways_agree(&content, u64::MAX - 1000);
        }
    }

    #[test]
    fn reading_restores_any_events(
        events in proptest::collection::vec(any_event(), 1..60),
        size in 128..600_usize,
        start in prop_oneof![Just(0_u64), any::<u32>().prop_map(u64::from), Just(1 << 61)],
    ) {
        for (sequence, (bytes, inside)) in packets(&events, size, start).iter().enumerate() {
            let packet = Packet::read(bytes).unwrap();
            let header = packet.header();
            prop_assert_eq!((header.stream, usize::from(header.sequence)), (2, sequence));
            prop_assert_eq!((header.packet_len, header.discarded), (size, 5));
            prop_assert_eq!(header.begin, inside[0].0);
            prop_assert_eq!(header.end, inside[inside.len() - 1].0);
            let read: Vec<_> =
                packet.events().map(|event| event.map(|it| (it.ts.unwrap(), it.event))).collect();
            let wanted: Vec<_> = inside.iter().copied().map(Ok).collect();
            prop_assert_eq!(read, wanted);
        }
    }

    /// Whatever changes in one word.
    #[test]
    fn damage_in_a_word_is_noticed(
        events in proptest::collection::vec(any_event(), 1..20),
        change in 1..=u32::MAX,
        at in 0..1000_usize,
    ) {
        for (bytes, _) in packets(&events, 256, 1000) {
            let content_len = Packet::read(&bytes).unwrap().header().content_len;
            let mut damaged = bytes.clone();
            // Not the sizes, because they determine which bytes the checksum covers.
            let at = HEADER_LEN + at % content_len.next_multiple_of(4).saturating_sub(HEADER_LEN) / 4 * 4;
            let mut is_changed = false;
            for (byte, change) in damaged[at..content_len].iter_mut().zip(change.to_le_bytes()) {
                *byte ^= change;
                is_changed |= change != 0;
            }
            let damage = matches!(Packet::read(&damaged), Err(PacketError::Damaged { .. }));
            prop_assert_eq!(damage, is_changed);
        }
    }

    #[test]
    fn rejects_a_cut_packet(
        events in proptest::collection::vec(any_event(), 1..10), share in 0..100_usize,
    ) {
        for (bytes, _) in packets(&events, 200, 0) {
            let content_len = Packet::read(&bytes).unwrap().header().content_len;
            let len = bytes.len() * share / 100;
            let error = Packet::read(&bytes[..len]).err();
            prop_assert_eq!(error, match len {
                0..HEADER_LEN => Some(PacketError::Header(HeaderError::Truncated)),
                len if len < content_len => Some(PacketError::Truncated { missing: content_len - len }),
                // Its padding may be missing.
                _ => None,
            });
        }
    }

    #[test]
    fn accepts_or_rejects_any_bytes(
        bytes in proptest::collection::vec(any::<u8>(), 0..200), begin: u64,
    ) {
        let _ = Packet::read(&bytes);
        let mut last = begin;
        for event in Events::new(&bytes, begin).flatten() {
            prop_assert!(event.ts >= Some(last));
            last = event.ts.unwrap();
        }
    }
}
