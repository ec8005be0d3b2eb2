//! Payloads in a row, as a fuzzer can change them byte by byte: a zero ends a payload, and in it 0xFF
//! gives the next byte with all bits turned. Cutting, repeating and inserting anywhere leave most
//! payloads whole.

use tband_format::cobs;

const ESCAPE: u8 = 0xFF;

/// The recording whose frames have these payloads.
#[must_use]
pub fn framed(text: &[u8]) -> Vec<u8> {
    let mut recording = Vec::with_capacity(text.len() + text.len() / 2 + 8);
    let mut payload = Vec::new();
    let mut bytes = text.iter();
    while let Some(&byte) = bytes.next() {
        match byte {
            0 => push_frame(&mut payload, &mut recording),
            ESCAPE => payload.push(!bytes.next().copied().unwrap_or_default()),
            _ => payload.push(byte),
        }
    }
    if !payload.is_empty() {
        push_frame(&mut payload, &mut recording);
    }
    recording
}

fn push_frame(payload: &mut Vec<u8>, recording: &mut Vec<u8>) {
    let start = recording.len();
    recording.resize(start + cobs::max_frame_len(payload.len()), 0);
    let len = cobs::encode(payload, &mut recording[start..]).expect("there is room");
    recording.truncate(start + len);
    payload.clear();
}

/// The other way: the payloads of a recording's sound frames.
#[must_use]
pub fn payloads_of(recording: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    for frame in recording.split(|byte| *byte == 0).filter(|frame| !frame.is_empty()) {
        let mut scratch = vec![0; frame.len()];
        let Ok(payload) = cobs::decode(frame, &mut scratch) else { continue };
        for &byte in payload {
            match byte {
                0 | ESCAPE => text.extend([ESCAPE, !byte]),
                _ => text.push(byte),
            }
        }
        text.push(0);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoding_round_trips() {
        // core_id 0, a switch, a marker whose message has all kinds of bytes.
        let recording =
            [1, 1, 1, 1, 0, 4, 84, 10, 1, 0, 6, 0x7A, 0xFF, 0xFE, 1, 2, 1, 4, 3, b'a', 0xFF, 0];
        assert_eq!(framed(&payloads_of(&recording)), recording);
    }

    #[test]
    fn any_text_encodes_to_frames() {
        assert_eq!(framed(&[84, 10, 1, 0, 85, ESCAPE]), [4, 84, 10, 1, 0, 3, 85, 0xFF, 0]);
    }
}
