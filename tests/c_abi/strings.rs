//! Strings of every length: at most the configured number of bytes is read, written and recorded.

use std::io;
use std::ops::ControlFlow;

use tband_conv::convert::events::convert_events;
use tband_conv::model::{EventSink, TimedEvent};
use tband_conv::{Input, Options};
use tband_format::{Event, Str};
use tband_tests::c::Firmware;
use tband_tests::events::user_lines;

use crate::{NO_METADATA_BUF, NO_PERIODIC_DROP_CNT, PLAIN_STREAM, STREAMING};

/// Runs `strings.c` with a limit and compares every string that it recorded.
fn check(max: usize) {
    let limit = max.to_string();
    let mut config: Vec<(&str, &str)> = PLAIN_STREAM.to_vec();
    config.extend([NO_METADATA_BUF, ("tband_configMAX_STR_LEN", &limit)]);
    let found = user_lines(&Firmware::new("strings", &config).run(&[]));

    let text: Vec<u8> = (1..=255).cycle().take(max).collect();
    let (ts, id) = (u64::MAX, u32::MAX);
    let mut expected = Vec::new();
    for len in 0..=max {
        let shown = format!("{:?}", Str(&text[..len]));
        expected.push(format!("{ts} evtmarker evtmarker_id={id} msg={shown}"));
        expected.push(format!("{ts} evtmarker_begin evtmarker_id={len} msg={shown}"));
        expected.push(format!("- isr_name isr_id={id} name={shown}"));
    }
    let cut = "z".repeat(max);
    expected.extend([
        format!("{ts} evtmarker evtmarker_id=1 msg=\"{cut}\""),
        format!("- evtmarker_name evtmarker_id=2 name=\"{cut}\""),
        format!("{ts} evtmarker evtmarker_id=3 msg=\"\""),
        format!("{ts} evtmarker_begin evtmarker_id=4 msg=\"\""),
        "- isr_name isr_id=5 name=\"\"".to_owned(),
        "- evtmarker_name evtmarker_id=6 name=\"\"".to_owned(),
        "- valmarker_name valmarker_id=7 name=\"\"".to_owned(),
    ]);
    assert_eq!(found, expected);
}

#[test]
fn strings_of_one_byte() {
    check(1);
}

#[test]
fn strings_of_the_default_length() {
    check(20);
}

#[test]
fn strings_that_need_several_cobs_blocks() {
    check(300);
}

/// In frames, since packets are shorter.
#[test]
fn strings_of_the_largest_length_can_be_read() {
    for max in ["65279", "65535"] {
        let config = [STREAMING, NO_PERIODIC_DROP_CNT, ("tband_configMAX_STR_LEN", max)];
        let stream = Firmware::new("longest", &config).run(&[]);
        let mut lens = TextLengths(Vec::new());
        let inputs = [Input::from_bytes("stream", &stream)];
        convert_events(&inputs, &Options::default(), &mut lens).expect("it can be read");
        let max: usize = max.parse().expect("a number");
        assert_eq!(lens.0, [max, max], "{max}");
    }
}

/// How long texts and names of markers are.
struct TextLengths(Vec<usize>);

impl EventSink for TextLengths {
    fn event(&mut self, event: &TimedEvent<'_>) -> io::Result<ControlFlow<()>> {
        match event.decoded.event {
            Event::Evtmarker { msg: text, .. } | Event::EvtmarkerName { name: text, .. } => {
                self.0.push(text.0.len());
            }
            _ => {}
        }
        Ok(ControlFlow::Continue(()))
    }
}
