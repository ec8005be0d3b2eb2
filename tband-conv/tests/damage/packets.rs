//! Packets over a line that loses, changes and adds bytes: every intact one is found, nothing else is accepted, and losses are
//! reported.

use std::io::{self, Read};

use proptest::prelude::*;
use tband_conv::item::packet_loss::PacketLoss;
use tband_conv::packets::{Continuity, PacketPiece, PacketReader};
use tband_format::Event;
use tband_format::packet::{HEADER_LEN, Header, HeaderError, PacketError, PacketWriter};
use tband_recordings::random::config;

const SIZE: usize = 256;

/// A full packet of a core, whose events have times by chance.
fn packet(stream: u8, sequence: u16, begin: u64, seed: u64, size: usize) -> Vec<u8> {
    let mut room = vec![0; size];
    let mut writer = PacketWriter::new(&mut room, begin);
    let (mut now, mut random) = (begin, seed);
    loop {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(seed | 1);
        let later = now + (random >> 56) * (random >> 48 & 0xFF);
        let event = Event::TaskSwitchedIn { task_id: (random >> 40) as u32 & 0x3FF };
        if writer.push(later, &event).is_err() {
            return writer.finish(stream, sequence, now, 0).unwrap().to_vec();
        }
        now = later;
    }
}

/// Pieces of a stream: packets with offset and header, and damage with offset and length.
#[derive(Debug, Default, PartialEq, Eq)]
struct Pieces {
    packets: Vec<(u64, Header)>,
    damage: Vec<(u64, u64)>,
}

fn read(input: impl Read) -> Pieces {
    let (mut reader, mut pieces) = (PacketReader::new(input), Pieces::default());
    let mut at = 0;
    while let Some(piece) = reader.next_piece().unwrap() {
        match piece {
            PacketPiece::Packet { offset, packet } => {
                // A packet with lost bytes, which its check restored, is longer than its received bytes.
                assert!(offset + 2 >= at, "{offset}, {at}");
                at = offset + packet.header().content_len as u64;
                pieces.packets.push((offset, *packet.header()));
                assert!(packet.events().all(|event| event.is_ok()));
            }
            PacketPiece::Damage { offset, len, .. } => {
                assert!(offset + 2 >= at && len != 0, "{offset}, {at}");
                at = offset + len;
                pieces.damage.push((offset, len));
            }
        }
    }
    assert!(reader.offset() + 2 >= at);
    pieces
}

/// A change of a byte on the line.
#[derive(Clone, Copy, Debug)]
enum Fault {
    Lost,
    Flipped(u8),
    Added(u8),
    /// This many bytes are lost.
    Burst(usize),
}

fn fault() -> impl Strategy<Value = Fault> {
    prop_oneof![
        Just(Fault::Lost),
        (0..8_u8).prop_map(Fault::Flipped),
        any::<u8>().prop_map(Fault::Added),
        (2..600_usize).prop_map(Fault::Burst),
    ]
}

/// Returns the received bytes of packets, and which packets have their complete content.
fn line(packets: &[Vec<u8>], faults: &[(usize, Fault)]) -> (Vec<u8>, Vec<bool>) {
    let sent: usize = packets.iter().map(Vec::len).sum();
    let mut faults: Vec<_> = faults.iter().map(|(at, fault)| (at % sent, *fault)).collect();
    faults.sort_by_key(|(at, _)| *at);
    let mut faults = faults.into_iter().peekable();
    let (mut arrived, mut starts, mut position, mut lost) = (Vec::new(), Vec::new(), 0, 0);
    for packet in packets {
        for (index, byte) in packet.iter().enumerate() {
            let mut byte = Some(*byte);
            while let Some((_, fault)) = faults.next_if(|(at, _)| *at == position) {
                match fault {
                    Fault::Lost => byte = None,
                    Fault::Flipped(bit) => byte = byte.map(|byte| byte ^ 1 << bit),
                    Fault::Added(more) => arrived.push(more),
                    Fault::Burst(len) => lost = len,
                }
            }
            if lost > 0 {
                lost -= 1;
                byte = None;
            }
            if index == 0 {
                starts.push(arrived.len());
            }
            arrived.extend(byte);
            position += 1;
        }
    }
    // The byte that takes the place of a lost one may be the same.
    let is_whole = |(packet, start): (&Vec<u8>, usize)| {
        let content_len = Header::read(packet).unwrap().0.content_len;
        arrived[start..].starts_with(&packet[..content_len])
    };
    let whole = packets.iter().zip(starts).map(is_whole).collect();
    (arrived, whole)
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn finds_exactly_the_intact_packets(
        seed: u64,
        count in 1..=64_usize,
        size in prop_oneof![3 => 64..700_usize, 1 => 700..=4096_usize],
        cores in 1..4_usize,
        faults in proptest::collection::vec((any::<usize>(), fault()), 0..30),
    ) {
        let packets: Vec<_> = (0..count)
            .map(|index| {
                let (core, sequence) = (index % cores, index / cores);
                packet(core as u8, sequence as u16, index as u64 * 1_000_000, seed, size)
            })
            .collect();
        let (arrived, whole) = line(&packets, &faults);
        let found = read(&arrived[..]);
        let sent: Vec<_> = packets.iter().map(|bytes| Header::read(bytes).unwrap().0).collect();
        let headers: Vec<_> = found.packets.iter().map(|(_, header)| *header).collect();
        prop_assert!(headers.is_sorted_by_key(|header| header.begin));
        prop_assert!(headers.iter().all(|header| sent.contains(header)), "{headers:?}");
        // Two torn ones may form a complete one, where they begin with the same bytes.
        for (header, _) in sent.iter().zip(&whole).filter(|(_, whole)| **whole) {
            prop_assert!(headers.contains(header), "{header:?}");
        }
        if !faults.iter().any(|(_, fault)| matches!(fault, Fault::Added(_))) {
            let all = whole.iter().all(|whole| *whole);
            prop_assert!(found.damage.is_empty() || !all, "{:?}", found.damage);
        }
    }

    /// However few bytes come at a time, and with nothing there now and then.
    #[test]
    fn how_the_bytes_come_makes_no_difference(
        seed: u64,
        faults in proptest::collection::vec((any::<usize>(), fault()), 0..8),
        step in 1..300_usize,
    ) {
        let packets: Vec<_> =
            (0..6).map(|index| packet(0, index, u64::from(index) * 1_000_000, seed, 200)).collect();
        let (arrived, _) = line(&packets, &faults);
        let whole = read(&arrived[..]);
        let mut reader = PacketReader::new(SlowReader { bytes: &arrived, step, waits: false });
        let mut pieces = Pieces::default();
        loop {
            match reader.next_piece() {
                Ok(Some(PacketPiece::Packet { offset, packet })) => {
                    pieces.packets.push((offset, *packet.header()));
                }
                Ok(Some(PacketPiece::Damage { offset, len, .. })) => pieces.damage.push((offset, len)),
                Ok(None) => break,
                Err(error) => prop_assert_eq!(error.kind(), io::ErrorKind::WouldBlock),
            }
        }
        prop_assert_eq!(pieces, whole);
    }

    #[test]
    fn accepts_any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..3000)) {
        let pieces = read(&bytes[..]);
        prop_assert_eq!(pieces.damage, if bytes.is_empty() { vec![] } else { vec![(0, bytes.len() as u64)] });
    }
}

/// Returns a few bytes, and nothing every second time.
struct SlowReader<'a> {
    bytes: &'a [u8],
    step: usize,
    waits: bool,
}

impl Read for SlowReader<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.waits = !self.waits;
        if self.waits && !self.bytes.is_empty() {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        let len = self.step.min(self.bytes.len()).min(buf.len());
        let (now, later) = self.bytes.split_at(len);
        buf[..len].copy_from_slice(now);
        self.bytes = later;
        Ok(len)
    }
}

/// The rates of a bad line, 1e-5 to 1e-3 of the bytes, for packets of all sizes of several cores: all that arrive complete are
/// found, and nothing else is accepted.
#[test]
fn on_bad_lines_no_packet_is_lost_that_arrived() {
    for (every, size) in [
        (1_000, 128),
        (1_000, SIZE),
        (3_000, 1024),
        (10_000, SIZE),
        (20_000, 4096),
        (100_000, SIZE),
    ] {
        let count = (2000 * SIZE / size) as u16;
        let of = |index: u16| packet((index % 3) as u8, index / 3, u64::from(index) << 20, 7, size);
        let packets: Vec<_> = (0..count).map(of).collect();
        let sent: Vec<_> = packets.iter().map(|bytes| Header::read(bytes).unwrap().0).collect();
        let bytes = packets.len() * size;
        let mut random = 1_u64;
        let faults: Vec<_> = (0..bytes / every)
            .map(|_| {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let fault = match random >> 60 & 3 {
                    0 => Fault::Lost,
                    1 => Fault::Flipped((random >> 57 & 7) as u8),
                    2 => Fault::Added((random >> 52) as u8),
                    _ => Fault::Burst(2 + (random >> 50 & 63) as usize),
                };
                ((random >> 20) as usize, fault)
            })
            .collect();
        let (arrived, whole) = line(&packets, &faults);
        let found: Vec<_> = read(&arrived[..]).packets.iter().map(|(_, header)| *header).collect();
        assert!(found.iter().all(|header| sent.contains(header)), "{every} {size}");
        for (header, _) in sent.iter().zip(&whole).filter(|(_, whole)| **whole) {
            assert!(found.contains(header), "{every} {size} {header:?}");
        }
        let whole = whole.iter().filter(|whole| **whole).count();
        assert!(found.len() < packets.len() && whole > packets.len() / 2, "{size} {whole}");
    }
}

/// Damage contains the fault of the packet that began there.
#[test]
fn damage_has_a_specific_message() {
    let error = |bytes: &[u8]| match PacketReader::new(bytes).next_piece().unwrap() {
        Some(PacketPiece::Damage { offset: 0, error, .. }) => error,
        other => panic!("{other:?}"),
    };
    let whole = packet(0, 0, 0, 1, SIZE);
    let content_len = Header::read(&whole).unwrap().0.content_len;
    let flipped = |at: usize| {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        bytes
    };
    assert_eq!(error(&flipped(0)), PacketError::Header(HeaderError::NoMagic));
    assert!(matches!(error(&flipped(HEADER_LEN)), PacketError::Damaged { .. }));
    assert_eq!(error(&whole[..100]), PacketError::Truncated { missing: content_len - 100 });
    assert_eq!(error(&[0; 10]), PacketError::Header(HeaderError::Truncated));
}

#[test]
fn reports_missing_packets() {
    let mut continuity = Continuity::default();
    let mut follow = |stream, sequence, (begin, end), discarded| {
        let (content_len, packet_len) = (HEADER_LEN, SIZE);
        let header = Header { stream, sequence, content_len, packet_len, begin, end, discarded };
        continuity.follow(&header).map(|it| {
            let PacketLoss { stream, from, to, packets, first, discarded, .. } = it;
            (stream, (from, to), (first, packets), discarded)
        })
    };
    assert_eq!(follow(0, 65_534, (100, 200), 0), None);
    assert_eq!(follow(0, 65_535, (200, 300), 0), None);
    // Each core counts for itself.
    assert_eq!(follow(1, 9, (150, 250), 4), Some((1, (150, 150), (9, 0), 4)));
    assert_eq!(follow(0, 0, (300, 400), 0), None);
    assert_eq!(follow(0, 3, (700, 800), 0), Some((0, (400, 700), (1, 2), 0)));
    assert_eq!(follow(0, 4, (900, 990), 12), Some((0, (800, 900), (4, 0), 12)));
    assert_eq!(follow(0, 6, (1000, 1010), 13), Some((0, (990, 1000), (5, 1), 1)));
    assert_eq!(follow(1, 10, (260, 270), 4), None);
    // Once more.
    assert_eq!(follow(1, 10, (260, 270), 4), None);
    // Clocks may differ by a tick.
    assert_eq!(follow(1, 11, (269, 280), 5), Some((1, (270, 270), (11, 0), 1)));
    // A target that was reset.
    assert_eq!(follow(0, 0, (5, 10), 0), None);
    assert_eq!(follow(0, 1, (10, 20), 0), None);
    assert_eq!(follow(0, 0, (6, 7), 9), Some((0, (6, 6), (0, 0), 9)));
    // Recording started again, and time continued.
    assert_eq!(follow(0, 0, (100, 200), 0), None);
}

/// A target counts discarded events from its reset on, and its recordings may follow each other in one input.
#[test]
fn discarded_counts_continue_across_recordings() {
    let mut continuity = Continuity::default();
    let header = |stream, sequence, begin, discarded| {
        let (content_len, packet_len, end) = (HEADER_LEN, SIZE, begin + 50);
        Header { stream, sequence, content_len, packet_len, begin, end, discarded }
    };
    let discarded = |missing: Option<PacketLoss>| missing.map_or(0, |it| it.discarded);
    assert_eq!(discarded(continuity.follow(&header(0, 0, 100, 0))), 0);
    assert_eq!(discarded(continuity.follow(&header(0, 1, 200, 30))), 30);
    assert_eq!(discarded(continuity.follow(&header(1, 0, 100, 7))), 7);
    continuity.forget();
    // It starts, and more was discarded until there was room.
    assert!(!continuity.is_new_start(&header(0, 2, 300, 30)));
    assert_eq!(continuity.follow(&header(0, 2, 300, 30)), None);
    continuity.forget();
    assert_eq!(discarded(continuity.follow(&header(0, 3, 400, 35))), 5);
    // A core without events in that time.
    assert_eq!(discarded(continuity.follow(&header(1, 1, 400, 9))), 2);
    // A target that was reset since.
    continuity.forget();
    assert_eq!(discarded(continuity.follow(&header(0, 0, 10, 40))), 40);
    continuity.forget();
    assert_eq!(discarded(continuity.follow(&header(0, 0, 500, 3))), 3);
}
