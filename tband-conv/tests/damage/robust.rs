//! Hex text gives the original bytes, and damage has only local effects. `tests/fuzz` tests arbitrary bytes.

use std::io::Read as _;

use proptest::prelude::*;
use tband_conv::{Input, Options};
use tband_recordings::random::config;
use tband_recordings::{trace_of, vector};

proptest! {
    #![proptest_config(config(256))]

    #[test]
    fn hex_of_any_bytes_reads_back(bytes in prop::collection::vec(any::<u8>(), 1..500)) {
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x} ")).collect();
        for format in [tband_conv::encoding::notation::Format::Hex, tband_conv::encoding::notation::Format::Auto] {
            let mut back = Vec::new();
            let input = Input::from_bytes("h", hex.as_bytes()).in_format(format);
            input.open().unwrap().read_to_end(&mut back).unwrap();
            prop_assert_eq!(&back, &bytes);
        }
    }
}

/// Damage costs only the frames that it touches.
#[test]
fn one_broken_frame_costs_one_event() {
    let clean = vector("freertos_sim.bin");
    let (_, _, before) = trace_of(&[Input::from_bytes("c", &clean)], &Options::default());
    let zeros: Vec<usize> = (0..clean.len()).filter(|at| clean[*at] == 0).collect();
    for frame in (200..zeros.len() - 1).step_by(500) {
        let mut bytes = clean.clone();
        // A code byte that announces more than there is.
        bytes[zeros[frame] + 1] = 0xF0;
        let (_, _, after) = trace_of(&[Input::from_bytes("d", &bytes)], &Options::default());
        assert_eq!(after.events + 1, before.events);
        let found =
            after.diagnostics.get(tband_conv::diagnostics::Problem::UndecodableFrame).unwrap();
        assert_eq!((found.count, found.place.offset), (1, zeros[frame] as u64 + 1));
    }
}
