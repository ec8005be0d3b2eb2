//! COBS in both directions, against literal frames and against the `cobs` crate.

use proptest::prelude::*;
use tband_format::cobs::{self as ours, CobsError};

fn encode(payload: &[u8]) -> Vec<u8> {
    let mut frame = vec![0xAA; ours::max_frame_len(payload.len())];
    let len = ours::encode(payload, &mut frame).expect("the buffer has the announced size");
    frame.truncate(len);
    frame
}

fn decode(frame: &[u8]) -> Result<Vec<u8>, CobsError> {
    let mut scratch = vec![0; frame.len()];
    ours::decode(frame, &mut scratch).map(<[u8]>::to_vec)
}

#[test]
fn frames_of_the_format_description() {
    assert_eq!(
        encode(&[0x01, 0x02, 0x00, 0x04, 0x00, 0x05]),
        [0x03, 0x01, 0x02, 0x02, 0x04, 0x02, 0x05, 0x00]
    );
    let payload: Vec<u8> = (0..=255).collect();
    let mut frame = vec![0x01, 0xFF];
    frame.extend(1..=254);
    frame.extend([0x02, 0xFF, 0x00]);
    assert_eq!(encode(&payload), frame);
    assert_eq!(decode(&frame[..frame.len() - 1]).as_deref(), Ok(&payload[..]));
}

#[test]
fn edge_lengths() {
    for len in [0, 1, 2, 253, 254, 255, 256, 507, 508, 509, 510, 762, 763] {
        for (what, payload) in [
            ("ones", vec![1; len]),
            ("zeros", vec![0; len]),
            ("zero first", (0..len).map(|i| u8::from(i != 0)).collect()),
            ("zero last", (0..len).map(|i| u8::from(i + 1 != len)).collect()),
        ] {
            let frame = encode(&payload);
            assert!(frame.len() <= ours::max_frame_len(len), "{len} {what}");
            assert!(len == 0 || ours::max_frame_len(len) == 1 + len.div_ceil(254) + len);
            assert_eq!(frame.iter().position(|&b| b == 0), Some(frame.len() - 1), "{len} {what}");
            assert_eq!(
                decode(&frame[..frame.len() - 1]).as_deref(),
                Ok(&payload[..]),
                "{len} {what}"
            );
            let theirs = cobs::decode_vec(&frame[..frame.len() - 1]).expect("valid COBS");
            assert_eq!(theirs, payload, "{len} {what}");
        }
    }
}

#[test]
fn broken_frames_are_located() {
    assert_eq!(decode(&[]), Err(CobsError::Empty));
    assert_eq!(decode(&[5, 1, 2]), Err(CobsError::ShortBlock { offset: 0, announced: 4, left: 2 }));
    assert_eq!(
        decode(&[2, 1, 9, 1]),
        Err(CobsError::ShortBlock { offset: 2, announced: 8, left: 1 })
    );
    assert_eq!(decode(&[2, 1, 0, 1]), Err(CobsError::ZeroByte { offset: 2 }));
    assert_eq!(decode(&[2, 0, 2, 1]), Err(CobsError::ZeroByte { offset: 1 }));
    assert_eq!(ours::decode(&[2, 1, 2, 1], &mut [0; 3]), Err(CobsError::TooLong { len: 4 }));
    assert!(ours::encode(&[1, 2], &mut [0; 3]).is_err());
}

proptest! {
    #[test]
    fn round_trip(payload in proptest::collection::vec(prop_oneof![Just(0_u8), any::<u8>(), Just(1)], 0..1200)) {
        let frame = encode(&payload);
        prop_assert!(frame.len() <= ours::max_frame_len(payload.len()));
        prop_assert_eq!(decode(&frame[..frame.len() - 1]), Ok(payload));
    }

    #[test]
    fn decodes_output_of_the_cobs_crate(payload in proptest::collection::vec(0_u8..4, 1..800)) {
        let theirs = cobs::encode_vec(&payload);
        prop_assert_eq!(decode(&theirs), Ok(payload));
    }

    #[test]
    fn arbitrary_bytes_decode_or_fail(frame in proptest::collection::vec(any::<u8>(), 0..600)) {
        if let Ok(payload) = decode(&frame) {
            prop_assert!(payload.len() < frame.len());
        }
    }
}
