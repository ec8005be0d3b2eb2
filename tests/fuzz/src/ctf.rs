//! Cases that are a trace of the Common Trace Format: its metadata, a separator, and a stream. Changes of a case reach both.

use std::rc::Rc;

use tband_conv::CtfTrace;

/// Separates the metadata from the stream.
const SEPARATOR: &[u8] = b"\n%%\n";
/// Bytes that a trace may allocate beside those of other recordings: a type in the metadata is written once and used many times.
pub const FIXED_BYTES: usize = 96 << 20;

const METADATA: &str = "/* CTF 1.8 */
typealias integer { size = 8; align = 8; } := u8;
typealias integer { size = 32; align = 8; } := u32;
clock { name = c; freq = 1000000; offset = 3; };
typealias integer { size = 32; align = 8; map = clock.c.value; } := t;
trace { major = 1; minor = 8; byte_order = le; packet.header := struct { u32 magic; u8 stream_id; }; };
env { tracer_name = \"fuzz\"; };
stream {
  id = 0;
  packet.context := struct { u32 packet_size; u32 content_size; t timestamp_begin; t timestamp_end; u32 events_discarded; u8 cpu_id; };
  event.header := struct { u8 id; t timestamp; };
};
event { id = 0; name = sched_switch; stream_id = 0; fields := struct {
  string prev_comm; u32 prev_tid; u32 prev_prio; u32 prev_state; string next_comm; u32 next_tid; u32 next_prio; }; };
event { id = 1; name = mixed; stream_id = 0; fields := struct {
  u8 n; u8 a[n]; enum : u8 { A, B = 3 ... 5 } e; integer { size = 3; } b; floating_point { exp_dig = 8; mant_dig = 24; } f;
  variant <e> { u8 A; string B; } v; }; };
event { id = 2; name = irq_handler_entry; stream_id = 0; fields := struct { u32 irq; string name; }; };
event { id = 3; name = irq_handler_exit; stream_id = 0; fields := struct { u32 irq; u32 ret; }; };
";

const JSON: &str = "\u{1E}{\"type\":\"preamble\",\"version\":2}
\u{1E}{\"type\":\"trace-class\"}
\u{1E}{\"type\":\"clock-class\",\"id\":\"c\",\"frequency\":1000000}
\u{1E}{\"type\":\"data-stream-class\",\"default-clock-class-id\":\"c\",\"event-record-header-field-class\":{\"type\":\"structure\",\
\"member-classes\":[{\"name\":\"t\",\"field-class\":{\"type\":\"fixed-length-unsigned-integer\",\"length\":8,\"byte-order\":\
\"little-endian\",\"roles\":[\"default-clock-timestamp\"]}}]}}
\u{1E}{\"type\":\"event-record-class\",\"name\":\"e\",\"payload-field-class\":{\"type\":\"structure\",\"member-classes\":[\
{\"name\":\"s\",\"field-class\":{\"type\":\"null-terminated-string\"}},{\"name\":\"v\",\"field-class\":{\"type\":\
\"variable-length-unsigned-integer\"}}]}}
";

/// A packet with an event of each class.
fn packet(begin: u32, discarded: u32) -> Vec<u8> {
    let number = |value: u32| value.to_le_bytes();
    let event = |id: u8, at: u32, fields: &[u8]| [&[id][..], &number(begin + at), fields].concat();
    let switch =
        [b"idle\0", &number(0)[..], &number(20), &number(0), b"work\0", &number(7), &number(1)]
            .concat();
    let events = [
        event(0, 1, &switch),
        event(2, 2, &[&number(5)[..], b"timer\0"].concat()),
        event(3, 3, &[number(5), number(1)].concat()),
        event(1, 4, &[2, 10, 11, 4, 5, 0, 0, 0x80, 0x3F, b't', b'e', b'x', b't', 0]),
    ]
    .concat();
    let bits = u32::try_from((26 + events.len()) * 8).expect("a small packet");
    let header = [&number(0xC1FC_1FC1)[..], &[0]].concat();
    let context = [number(bits), number(bits), number(begin), number(begin + 9), number(discarded)];
    [&header, &context.concat(), &[0][..], &events].concat()
}

/// Traces of both versions.
pub fn traces() -> Vec<Vec<u8>> {
    let stream: Vec<u8> = (0..4_u32).flat_map(|it| packet(it * 10, it / 2)).collect();
    let json = [1, b'a', 0, 5, 9, b'b', 0, 0x85, 1];
    vec![
        [METADATA.as_bytes(), SEPARATOR, &stream].concat(),
        [JSON.as_bytes(), SEPARATOR, &json].concat(),
    ]
}

/// The trace of a case, and its stream; `None` if it is none.
pub fn trace_of(recording: &[u8]) -> Option<(Rc<CtfTrace>, &[u8])> {
    if !recording.starts_with(b"/* CTF") && recording.first() != Some(&0x1E) {
        return None;
    }
    let at = recording.windows(SEPARATOR.len()).position(|window| window == SEPARATOR)?;
    let (metadata, rest) = recording.split_at(at);
    let trace = CtfTrace::read(metadata, None, 1).ok()?;
    Some((Rc::new(trace), &rest[SEPARATOR.len()..]))
}

#[cfg(test)]
mod tests {
    use tband_conv::{Input, Options, convert};

    use super::*;

    #[test]
    fn traces_are_read() {
        for (case, events) in traces().iter().zip([16, 2]) {
            let (trace, stream) = trace_of(case).expect("a trace");
            let input = Input::from_bytes("stream", stream).of_trace(trace);
            let summary = convert(&[input], &Options::default(), &mut ()).expect("events");
            assert!(summary.events >= events, "{}", summary.events);
        }
    }
}
