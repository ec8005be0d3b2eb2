//! `extract`: rings in unknown memory, with garbage around them, damage in them, and containers.

use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};

use crate::support::*;
use proptest::prelude::*;
use tband_conv::packets::{PacketPiece, PacketReader};
use tband_format::Event;
use tband_format::packet::{Header, METADATA_STREAM};

const SIZE: usize = 256;

/// Packets of events as they are sent, without those of names.
fn packets(count: u64, first: u64) -> Vec<Vec<u8>> {
    let mut frames = frame(0, Event::TsResolutionNs { ns_per_ts: 1000 });
    for number in 1..=count {
        frames.extend(frame(
            first + number * 10,
            Event::TaskSwitchedIn { task_id: 1 + (number % 2) as u32 },
        ));
    }
    let all = tband_recordings::packed::pieces(&frames, SIZE);
    all.into_iter()
        .filter(|packet| Header::read(packet).unwrap().0.stream != METADATA_STREAM)
        .collect()
}

/// Returns a packet in its form in a ring: it fills its slot, old bytes follow it, and it has no check.
fn slot(packet: &[u8]) -> Vec<u8> {
    let mut slot = packet.to_vec();
    slot.truncate(Header::read(packet).unwrap().0.content_len);
    slot.resize(SIZE, 0x5A);
    slot[10..12].copy_from_slice(&(SIZE as u16 * 8).to_le_bytes());
    slot[12..16].fill(0);
    slot
}

/// A ring whose oldest packet is not its first.
fn ring(packets: &[Vec<u8>], rotated: usize) -> Vec<u8> {
    let mut slots: Vec<Vec<u8>> = packets.iter().map(|packet| slot(packet)).collect();
    slots.rotate_right(rotated % packets.len());
    slots.concat()
}

/// Returns the extracted form of slots, which have no check: the packets without one, and zeros after their content.
fn unchecked(packets: &[Vec<u8>]) -> Vec<u8> {
    let extracted = packets.iter().map(|packet| {
        let header = Header::read(packet).unwrap().0;
        let mut packet = packet[..header.content_len].to_vec();
        let packet_len = header.content_len + 8;
        Header { packet_len, ..header }.write(&mut packet).unwrap();
        packet[12..16].fill(0);
        packet.resize(packet_len, 0);
        packet
    });
    extracted.flatten().collect()
}

/// Returns the sent form: the packets with their checks, as long as their content.
fn whole(packets: &[Vec<u8>]) -> Vec<u8> {
    let sent = packets.iter().map(|packet| {
        let header = Header::read(packet).unwrap().0;
        let mut packet = packet[..header.content_len].to_vec();
        Header { packet_len: header.content_len, ..header }.write(&mut packet).unwrap();
        packet
    });
    sent.flatten().collect()
}

fn garbage(len: usize) -> Vec<u8> {
    // Some of it begins as packets do.
    (0..len).map(|at| [0xC1, 0x1F, 0xFC, 0xC1, at as u8, 1, (at / 7) as u8][at % 7]).collect()
}

fn extract(folder: &Folder, image: &[u8], args: &[&str]) -> RunOutput {
    folder.file("image", image);
    let args = [&["extract", "-o", "left.bin", "image"], args].concat();
    finish(cli(&args).current_dir(&folder.0))
}

fn read_output(folder: &Folder, name: &str) -> Vec<u8> {
    fs::read(folder.path(name)).unwrap_or_default()
}

#[test]
fn two_recordings_with_garbage_around() {
    let folder = Folder::new("extract-two");
    let (one, two) = (packets(400, 0), packets(300, 90_000));
    let image = [garbage(1003), ring(&one, 2), garbage(777), ring(&two, 3), garbage(64)].concat();
    let ran = extract(&folder, &image, &[]).assert_code(0);
    assert!(
        ran.stderr.contains("left.bin: ") && ran.stderr.contains("left.2.bin: "),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("at byte 1003 of the image"), "{}", ran.stderr);
    assert_eq!(read_output(&folder, "left.bin"), unchecked(&one));
    assert_eq!(read_output(&folder, "left.2.bin"), unchecked(&two));
    let ran = extract(&folder, &image, &["--base", "0x20000000", "--convert", "t.pftrace"]);
    // The trace lacks the metadata.
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.contains("at 0x200003eb"), "{}", ran.stderr);
    assert!(folder.names().contains(&"t.2.pftrace".to_owned()), "{:?}", folder.names());
    // Memory with a second address is taken once.
    let ran = extract(&folder, &[ring(&one, 2), garbage(64), ring(&one, 2)].concat(), &[]);
    assert_fails(&ran, 0, &["byte 1600 of the image: the same memory again"]);
    assert!(!ran.stderr.contains("left.2.bin"), "{}", ran.stderr);
}

/// As a buffer of a driver has them, or a flash that they were written to.
#[test]
fn packets_that_were_sent() {
    let folder = Folder::new("extract-sent");
    let sent = whole(&packets(700, 0));
    extract(&folder, &[garbage(99), sent.clone(), garbage(99)].concat(), &[]).assert_code(0);
    assert_eq!(read_output(&folder, "left.bin"), sent);
}

#[test]
fn reports_flipped_bits() {
    let folder = Folder::new("extract-flipped");
    let all = packets(400, 0);
    let mut image = [garbage(500), ring(&all, 0)].concat();
    // When a packet begins, and the mark of another one.
    image[500 + 2 * SIZE + 16 + 7] ^= 0x40;
    image[500 + 3 * SIZE] ^= 1;
    let ran = extract(&folder, &image, &["--base", "0x20000000"]);
    assert_fails(&ran, 1, &["at 0x200003f4: packet 2 of core 0 is left out"]);
    // The packets after the one without a mark are a separate row.
    assert_eq!(read_output(&folder, "left.bin"), unchecked(&all[..2]));
    assert_eq!(read_output(&folder, "left.2.bin"), unchecked(&all[4..]));
    // The converter reports the losses.
    let check = run(&["check", &folder.path("left.2.bin")]);
    let text = check.text();
    assert_eq!((check.code, text.matches("damage:").count()), (Some(1), 0), "{text}");
}

/// Neither the recording nor its trace replaces the image.
#[test]
fn the_image_stays() {
    let folder = Folder::new("extract-stays");
    let image = ring(&packets(400, 0), 2);
    let ran = extract(&folder, &image, &["--convert", "image"]);
    assert_fails(&ran, 2, &["image is the recording itself", "image.pftrace"]);
    assert_eq!(read_output(&folder, "image"), image);
}

/// An ELF core file with one piece of memory.
fn core_file(address: u32, memory: &[u8]) -> Vec<u8> {
    let half = |value: u16| value.to_le_bytes().to_vec();
    let word = |value: u32| value.to_le_bytes().to_vec();
    let len = memory.len() as u32;
    let ident = [&b"\x7FELF\x01\x01\x01"[..], &[0; 9]].concat();
    // Type core, machine Xtensa; the program header is right after this one.
    let header = [half(4), half(94), word(1), word(0), word(52), word(0), word(0)].concat();
    let sizes = [52_u16, 32, 1, 0, 0, 0].map(half).concat();
    let load = [1, 84, address, address, len, len, 6, 1].map(word).concat();
    [ident, header, sizes, load, memory.to_vec()].concat()
}

/// Read from the partition, with unwritten flash after them.
#[test]
fn core_dumps_of_esp_idf() {
    let folder = Folder::new("extract-esp");
    let all = packets(400, 0);
    let core = core_file(0x3FFB_0000, &[garbage(16), ring(&all, 2)].concat());
    for (version, header, checksum) in
        [(0x100, 20, 4), (0x101, 20, 32), (0x102, 24, 4), (0x103, 24, 32)]
    {
        let total = header + core.len() + checksum;
        let mut dump = [total as u32, 9 << 16 | version].map(u32::to_le_bytes).concat();
        dump.resize(header, 1);
        dump.extend(&core);
        dump.resize(total, 0xCC);
        let written = dump.len();
        dump.resize(written + 5000, 0xFF);
        let ran = extract(&folder, &dump, &["-v"]).assert_code(0);
        assert!(ran.stderr.contains("image: ESP-IDF core dump"), "{}", ran.stderr);
        assert!(ran.stderr.contains("at 0x3ffb0010"), "{}", ran.stderr);
        assert_eq!(read_output(&folder, "left.bin"), unchecked(&all));
        // One that was cut is raw bytes: no addresses, but the packets that are there.
        let ran = extract(&folder, &dump[..written - 40], &["-v"]);
        assert!(ran.stderr.contains("image: raw image"), "{}", ran.stderr);
    }
    let ran = extract(&folder, &core, &["-v"]);
    assert!(ran.stderr.contains("image: ELF core file"), "{}", ran.stderr);
    assert!(ran.stderr.contains("at 0x3ffb0010"), "{}", ran.stderr);
    assert_eq!(read_output(&folder, "left.bin"), unchecked(&all));
}

/// An image that is larger than the memory that the program may have.
#[cfg(unix)]
#[test]
fn a_large_image_in_little_memory() {
    let folder = Folder::new("extract-large");
    let all = packets(400, 0);
    let mut file = File::create(folder.path("image")).unwrap();
    file.set_len(2100 << 20).unwrap();
    // Across the border of two blocks.
    file.seek(SeekFrom::Start((2048 << 20) - 5)).unwrap();
    file.write_all(&ring(&all, 1)).unwrap();
    let line = format!(
        "ulimit -v 400000; exec '{}' extract -o left.bin image",
        env!("CARGO_BIN_EXE_tband-cli")
    );
    let mut command = std::process::Command::new("sh");
    finish(command.args(["-c", &line]).current_dir(&folder.0)).assert_code(0);
    assert_eq!(read_output(&folder, "left.bin"), unchecked(&all));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// Any damage causes no panic, and the output consists of complete recorded packets.
    #[test]
    fn any_damage(changes in prop::collection::vec((0..8000_usize, any::<u8>()), 1..40), cut in 0..300_usize) {
        let folder = Folder::new("extract-any");
        let all = packets(900, 0);
        let mut image = [garbage(50), ring(&all, 4)].concat();
        for (at, byte) in changes {
            let len = image.len();
            image[at % len] = byte;
        }
        image.truncate(image.len() - cut);
        let ran = extract(&folder, &image, &["--base", "0x20000000"]);
        prop_assert!(matches!(ran.code, Some(0..=2)), "{}", ran.stderr);
        for name in folder.names() {
            if name.starts_with("left") {
                let bytes = read_output(&folder, &name);
                let mut reader = PacketReader::new(&bytes[..]);
                while let Some(piece) = reader.next_piece().unwrap() {
                    prop_assert!(matches!(piece, PacketPiece::Packet { .. }), "{piece:?}");
                }
            }
        }
    }
}
