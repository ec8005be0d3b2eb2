//! Recordings in a terminal's log, between the lines that Tonbandgerät's programs print around them: the result equals the
//! recording, whatever the log has around it.

use std::io::{Read, Write};

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use tband_conv::Input;
use tband_conv::encoding::notation::Format;
use tband_format::{Event, encode_frame};
use tband_recordings::random::config;

const START: &str = "START OF TONBANDGERAET BUFFER";
const END: &str = "END OF TONBANDGERAET BUFFER";

fn frame(ts: u64, event: &Event<'_>) -> Vec<u8> {
    let mut frame = [0; 256];
    let len = encode_frame(event, ts, &mut frame).unwrap();
    frame[..len].to_vec()
}

fn recording(seed: u64, events: u64) -> Vec<u8> {
    let event = |n: u64| {
        let val = i64::try_from(n.wrapping_mul(seed) >> 20).unwrap_or_default();
        frame(n * 9, &Event::Valmarker { valmarker_id: 1, val })
    };
    (1..=events).flat_map(event).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn base64(bytes: &[u8], padded: bool) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let bits = chunk.iter().fold(0, |bits, byte| bits << 8 | u32::from(*byte));
        let bits = bits << (24 - 8 * chunk.len());
        for digit in 0..=chunk.len() {
            text.push(char::from(DIGITS[(bits >> (18 - 6 * digit) & 63) as usize]));
        }
        if padded {
            text += &"=".repeat(3 - chunk.len());
        }
    }
    text
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Returns the bytes of a text that comes in pieces.
fn read(text: &[u8], format: Format, piece: usize) -> Result<Vec<u8>, String> {
    struct Pieces<'t>(&'t [u8], usize);

    impl Read for Pieces<'_> {
        fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
            let len = self.1.min(buf.len());
            (&mut self.0).take(len as u64).read(buf)
        }
    }

    let input = Input::new("log", || Ok(Box::new(Pieces(text, piece)))).in_format(format);
    let mut bytes = Vec::new();
    match input.open().map(|mut it| it.read_to_end(&mut bytes)) {
        Ok(Ok(_)) => Ok(bytes),
        Ok(Err(error)) => Err(error.to_string()),
        Err(error) => Err(format!("{error:?}")),
    }
}

/// A log with the text around the digits.
#[derive(Clone, Debug)]
struct Log {
    /// Bytes of text in front, and lines after each recording.
    before: usize,
    after: usize,
    equals: usize,
    prefix: &'static str,
    end: &'static str,
    width: usize,
    colour: bool,
}

impl Log {
    fn of(&self, texts: &[String]) -> String {
        let mut log = String::new();
        let mut time = 7_u64;
        let mut line = |log: &mut String, text: &str| {
            time += 97;
            let (on, off) = if self.colour { ("\x1b[0;32m", "\x1b[0m") } else { ("", "") };
            let prefix = self.prefix.replace('#', &time.to_string());
            *log += &format!("{on}{prefix}{text}{off}{}", self.end);
        };
        while log.len() < self.before {
            line(&mut log, "boot v1.2, cafe = 0xbeef and more words without digits");
        }
        let equals = "=".repeat(self.equals);
        for text in texts {
            line(&mut log, &format!("{equals} {START} {equals}"));
            let mut rest = text.as_str();
            while !rest.is_empty() {
                let (now, then) = rest.split_at(self.width.min(rest.len()));
                line(&mut log, now);
                rest = then;
            }
            line(&mut log, &format!("{equals} {END} {equals}"));
            for _ in 0..self.after {
                line(&mut log, "done: deadbeef == 12 bytes");
            }
        }
        log
    }
}

fn logs() -> impl Strategy<Value = Log> {
    let prefixes = ["", "I (#) trace: ", "[00:00:#,#] <inf> app: ", "#> ", "[  #.#] ", "  "];
    (
        select(vec![0, 50, 3000, 80_000]),
        0..3_usize,
        1..9_usize,
        select(prefixes.to_vec()),
        select(vec!["\n", "\r\n"]),
        select(vec![2, 16, 31, 64, usize::MAX]),
        any::<bool>(),
    )
        .prop_map(|(before, after, equals, prefix, end, width, colour)| Log {
            before,
            after,
            equals,
            prefix,
            end,
            width,
            colour,
        })
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn a_recording_in_a_log_is_the_recording(
        log in logs(),
        seed in any::<u64>(),
        events in vec(select(vec![1_u64, 2, 30, 3000]), 1..3),
        piece in select(vec![7_usize, 1000, 1 << 20]),
    ) {
        let recordings: Vec<_> = events.iter().map(|count| recording(seed | 1, *count)).collect();
        let all = recordings.concat();
        // Few digits may be of both notations.
        let is_short = all.len() < 40;
        let texts = |of: &dyn Fn(&[u8]) -> String| recordings.iter().map(|it| of(it)).collect::<Vec<_>>();
        for (format, texts) in [
            (Format::Hex, texts(&hex)),
            (Format::Base64, texts(&|it| base64(it, true))),
            (Format::Base64, texts(&|it| base64(it, false))),
        ] {
            let text = log.of(&texts);
            let wanted = Ok(&all);
            let found = read(text.as_bytes(), format, piece);
            prop_assert!(found.as_ref() == wanted, "{format:?}: {found:?}\n{text:.900}");
            if !is_short {
                let found = read(text.as_bytes(), Format::Auto, piece);
                prop_assert!(found.as_ref() == wanted, "auto, {format:?}: {found:?}\n{text:.900}");
                let found = read(&gzip(text.as_bytes()), Format::Auto, piece);
                prop_assert!(found.as_ref() == wanted, "gzip, {format:?}: {found:?}");
            }
        }
    }

    /// Texts of this form give at most errors.
    #[test]
    fn reads_any_text_with_markers_to_the_end(
        parts in vec(select(vec![
            "=", "==== ", START, END, " ====", "\n", "\r", "00", "0x1", "Zg", "\x1b[", "\x1b[0m", "m", "I (1) t: ", "I (22) t: ",
            "?", "                                                                                            ",
        ]), 0..40),
        piece in 1..9_usize,
    ) {
        let text = parts.concat();
        for format in [Format::Hex, Format::Base64] {
            let whole = read(text.as_bytes(), format, usize::MAX);
            prop_assert_eq!(&whole, &read(text.as_bytes(), format, piece));
        }
    }
}

fn auto(text: &str) -> Result<Vec<u8>, String> {
    read(text.as_bytes(), Format::Auto, usize::MAX)
}

#[test]
fn half_a_paste_and_joined_lines_are_read() {
    let bytes = recording(77, 40);
    for (format, digits) in [(Format::Hex, hex(&bytes)), (Format::Base64, base64(&bytes, true))] {
        for text in [
            format!("{digits}\n==== {END} ====\n"),
            format!("{digits}\nW (9) other: ==== {END} ====\nmore"),
            format!("{digits}==== {END} ====\n$ "),
            format!("==== {START} ====\n{digits}"),
            format!("==== {START} ===={digits}==== {END} ===="),
            format!("> dump\r\n=={START}==\r\n\r\n{digits}\r\n=={END}==\r\n> "),
            // An unfinished recording begins again.
            format!("==== {START} ====\n==== {START} ====\n{digits}\n"),
            // The end marker has another log level.
            format!("I (1) a: = {START}\nI (2) a: {digits}\nE (3) bc: = {END}\n"),
        ] {
            assert_eq!(read(text.as_bytes(), format, usize::MAX).as_ref(), Ok(&bytes), "{text}");
            assert_eq!(auto(&text).as_ref(), Ok(&bytes), "{text}");
        }
    }
}

#[test]
fn damage_between_markers_has_its_offset_in_the_log() {
    let text = format!("hello\n== {START} ==\n00 zz\n== {END} ==\n");
    let at = text.find("zz").unwrap();
    let error = read(text.as_bytes(), Format::Hex, usize::MAX).unwrap_err();
    assert!(error.starts_with(&format!("byte {at}: 'z' is not")), "{error}");
    let text = format!("== {START} ==\n00 0\n== {END} ==\n== {START} ==\n00\n");
    let at = text.find("0\n==").unwrap();
    let error = read(text.as_bytes(), Format::Hex, usize::MAX).unwrap_err();
    assert!(error.starts_with(&format!("byte {at}: odd number")), "{error}");
    // An ordinary row of = is not hex.
    let error = read(b"00 == 00", Format::Hex, usize::MAX).unwrap_err();
    assert!(error.starts_with("byte 3: '=' is not"), "{error}");
}

/// A marker of the firmware may have the same words.
#[test]
fn a_recording_with_the_words_in_it_is_a_recording() {
    let msg = format!("==== {START} ====\n");
    let event = Event::Evtmarker { evtmarker_id: 1, msg: tband_format::Str(msg.as_bytes()) };
    let bytes = [frame(1, &event), recording(5, 100)].concat();
    assert_eq!(read(&bytes, Format::Auto, usize::MAX), Ok(bytes.clone()));
    assert_eq!(auto(&hex(&bytes)), Ok(bytes));
}
