//! Names and texts that are looked up.

use tband_format::api::{API_FUNCTIONS, api_function};
use tband_format::cobs::{CobsError, decode};
use tband_format::decode::decode_payload;
use tband_format::{Event, Str, decode_frame, encode_frame};

#[test]
fn functions_have_the_names_of_their_numbers() {
    for (number, name) in (0..).zip(API_FUNCTIONS) {
        assert_eq!(api_function(number), Some(*name));
    }
    let count = u32::try_from(API_FUNCTIONS.len()).unwrap();
    assert_eq!(api_function(count), None);
    assert_eq!(api_function(u32::MAX), None);
}

/// A frame of one block needs no memory to be decoded in.
#[test]
fn a_frame_of_one_block_is_a_slice_of_the_input() {
    let frame = [3, 1, 2];
    let decoded = decode(&frame, &mut []).unwrap();
    assert_eq!(decoded.as_ptr(), frame[1..].as_ptr());
    assert_eq!(decoded, [1, 2]);
}

#[test]
fn errors_say_where_and_how_much() {
    for (error, text) in [
        (CobsError::Empty, "empty frame"),
        (CobsError::ZeroByte { offset: 3 }, "zero byte inside the frame at byte 3"),
        (
            CobsError::ShortBlock { offset: 4, announced: 9, left: 5 },
            "COBS block at byte 4 announces 9 bytes, 5 left",
        ),
        (CobsError::TooLong { len: 7 }, "frame of 7 bytes is too long"),
    ] {
        assert_eq!(error.to_string(), text);
    }
    let truncated = "field ts of isr_enter: the frame ends inside it";
    let too_long = "field task_id of task_is_timer_task: its varint is too long or too large";
    for (payload, text) in [
        (&[][..], "no event id"),
        (&[113], "unknown event id 113 (0x71)"),
        (&[4], truncated),
        (&[97, 0x80, 0x80, 0x80, 0x80, 0x10], too_long),
        (&[97, 1, 0, 0], "2 bytes after the last field of task_is_timer_task"),
    ] {
        assert_eq!(decode_payload(payload).unwrap_err().to_string(), text);
    }
    // The error of a frame is that of its framing, or of its payload.
    let of_frame = |frame: &[u8]| decode_frame(frame, &mut [0; 8]).unwrap_err().to_string();
    assert_eq!(of_frame(&[]), "empty frame");
    assert_eq!(of_frame(&[2, 4]), truncated);
    let error = encode_frame(&Event::TaskCreated { task_id: 1 }, 1, &mut [0; 4]).unwrap_err();
    assert_eq!(error.to_string(), "the frame needs a buffer of 5 bytes, got 4");
}

/// The target may cut it inside a character.
#[test]
fn shows_text_with_any_bytes() {
    for (bytes, shown) in [
        (&b"uart"[..], "uart"),
        ("größer".as_bytes(), "größer"),
        (b"gr\xC3", "gr\u{FFFD}"),
        (b"a\xFF\xFFb", "a\u{FFFD}\u{FFFD}b"),
        (b"", ""),
    ] {
        assert_eq!(Str(bytes).to_string(), shown);
    }
}
