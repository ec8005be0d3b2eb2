//! What recordings say of the target's buffers: the bits that `port/recorder/tband_buffers.h` sets, as readers take them.

use tband_format::Event;
use tband_format::classes::buffers::{Backend, Buffers, buffers};
use tband_tests::c::Firmware;
use tband_tests::events::for_each;

use crate::packets::{PACKETS, POST_MORTEM, TAKEN};
use crate::{Config, EXTERNAL, SNAPSHOT, STREAMING};

/// What a recording states.
fn stated(config: &Config) -> Option<Buffers> {
    let recording = Firmware::new("exact", config).run(&[]);
    // The port of the external backend marks each frame.
    if config.contains(&EXTERNAL) {
        let mut frames = recording.split_inclusive(|byte| *byte == 0).map(|frame| &frame[1..]);
        return frames.find_map(flags).and_then(buffers);
    }
    flags(&recording).and_then(buffers)
}

/// The flags of a recording's `trace_info`.
fn flags(recording: &[u8]) -> Option<u32> {
    let mut found = None;
    for_each(recording, |_, event| {
        if let Event::TraceInfo { flags, .. } = event {
            found = Some(*flags);
        }
    });
    found
}

#[test]
fn a_recording_contains_its_buffering() {
    const SIZE: &str = "tband_configBACKEND_SNAPSHOT_BUF_SIZE";
    let of = |config: &Config| {
        let Buffers { backend, memory, .. } = stated(config).expect("stated");
        (backend, memory)
    };
    assert_eq!(of(&[STREAMING]), (Backend::Streaming, None));
    assert_eq!(of(&[EXTERNAL]), (Backend::External, None));
    for (size, memory) in [
        ("1024", Some((1, 1024))),
        ("24576", Some((3, 8192))),
        ("31744", Some((31, 1024))),
        // 625 times 32 bytes, and an odd number.
        ("20000", None),
        ("1001", None),
        ("0x100000", Some((1, 1 << 20))),
        ("0x600000", Some((6, 1 << 20))),
    ] {
        assert_eq!(of(&[SNAPSHOT, (SIZE, size)]), (Backend::Snapshot, memory), "{size}");
    }
}

#[test]
fn a_recording_contains_number_and_size_of_packets() {
    let size = |size| ("tband_configPACKET_SIZE", size);
    let count = |count| ("tband_configPACKET_COUNT", count);
    let of = |backend, more: &Config| {
        let config = [&[backend, PACKETS, TAKEN], more].concat();
        let recording = Firmware::new("packet_reader", &config).run(&["starts", "0"]);
        let Buffers { backend, memory, .. } = flags(&recording).and_then(buffers).expect("stated");
        (backend, memory)
    };
    let streaming = Backend::Streaming;
    assert_eq!(of(STREAMING, &[]), (streaming, Some((8, 512))));
    assert_eq!(of(STREAMING, &[size("256"), count("31")]), (streaming, Some((31, 256))));
    assert_eq!(of(STREAMING, &[size("256"), count("32")]), (streaming, None));
    assert_eq!(of(STREAMING, &[size("384"), count("4")]), (streaming, None));
    assert_eq!(of(POST_MORTEM, &[size("1024")]), (Backend::PostMortem, Some((8, 1024))));
}
