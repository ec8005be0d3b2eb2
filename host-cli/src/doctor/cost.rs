//! What a configuration costs, from the table in the book, which a bench on the target fills.

use super::Diagnosis;

/// The page of the book with the table.
const PAGE: &str = include_str!("../../../docs/src/reference/cost.md");
/// The table is after this line.
const MARK: &str = "<!-- bench: default -->";
/// Bytes an event takes: of packets as the page says, of frames after a minute or so.
const PACKET_BYTES: (f64, f64) = (5.1, 8.7);

/// Where events go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    Snapshot,
    Streaming,
    PostMortem,
    External,
}

impl Backend {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Snapshot => "snapshot",
            Self::Streaming => "streaming",
            Self::PostMortem => "post-mortem",
            Self::External => "external",
        }
    }

    /// Its column; the external one costs what a stream costs, and whoever takes the bytes besides.
    fn column(self, is_packets: bool) -> String {
        let name = if self == Self::External { Self::Streaming } else { self }.name();
        format!("{name}, {}", if is_packets { "packets" } else { "frames" })
    }
}

/// A number of the table; none if it has no such row or column.
fn number(row: &str, column: &str) -> Option<u64> {
    let (_, table) = PAGE.split_once(MARK)?;
    let mut lines = table.lines().filter(|line| line.starts_with('|'));
    let cells = |line: &'static str| line.split('|').map(str::trim);
    let place = cells(lines.next()?).position(|it| it == column)?;
    let line = lines.find(|line| cells(line).nth(1) == Some(row))?;
    cells(line).nth(place)?.parse().ok()
}

/// Adds what the recorder costs at `rate` events a second. `flash` and `ram`: what a program has of it, in bytes, if one
/// is at hand; else they are the table's. `ring`: bytes for events, of all cores.
pub fn add(
    diagnosis: &mut Diagnosis,
    (backend, is_packets): (Backend, bool),
    rate: u32,
    measured: Option<(u64, u64)>,
    ring: Option<u64>,
) {
    let column = backend.column(is_packets);
    let of = |row: &str| number(row, &column);
    let (flash, fixed) = match measured {
        Some((flash, ram)) => (Some(flash), Some(ram)),
        None => (of("flash at -Os, bytes"), of("static RAM without ring or buffer, bytes")),
    };
    let about = if measured.is_some() { "" } else { "about " };
    if let Some(flash) = flash {
        diagnosis.cost("flash", format!("{about}{flash} bytes"));
    }
    match (fixed, ring, measured) {
        (Some(ram), _, Some(_)) => diagnosis.cost("RAM", format!("{ram} bytes")),
        (Some(ram), Some(ring), None) => {
            diagnosis.cost("RAM", format!("about {ram} bytes, and {ring} for events, a core"));
        }
        (Some(ram), None, None) => {
            diagnosis.cost("RAM", format!("about {ram} bytes, and those for events"));
        }
        _ => {}
    }
    if let (Some(switch), Some(send)) = (of("task switched in"), of("queue send")) {
        let share = u64::from(rate) * switch.midpoint(send);
        diagnosis.cost(
            "CPU",
            format!(
                "{switch} instructions a task switch, {send} a queue send (Cortex-M4F, -O2); {:.1} million a second \
                 at {rate} events/s",
                share as f64 / 1e6
            ),
        );
    }
    let bytes = if is_packets { PACKET_BYTES.0 } else { PACKET_BYTES.1 };
    let per_second = f64::from(rate) * bytes;
    diagnosis.cost(
        "bytes",
        format!("{bytes} an event; {:.1} kB/s at {rate} events/s", per_second / 1e3),
    );
    if let Some(ring) = ring {
        let ms = ring as f64 / per_second * 1e3;
        diagnosis.cost(
            "the memory holds",
            format!("about {:.0} events, {ms:.0} ms", ring as f64 / bytes),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_backend_has_its_numbers_in_the_table() {
        for backend in
            [Backend::Snapshot, Backend::Streaming, Backend::PostMortem, Backend::External]
        {
            for is_packets in [true, false] {
                // That one is for packets only.
                if backend == Backend::PostMortem && !is_packets {
                    continue;
                }
                let column = backend.column(is_packets);
                for row in [
                    "task switched in",
                    "queue send",
                    "flash at -Os, bytes",
                    "static RAM without ring or buffer, bytes",
                ] {
                    assert!(number(row, &column).is_some_and(|it| it > 10), "{row}, {column}");
                }
            }
        }
        assert_eq!(number("task switched in", "none"), None);
        assert_eq!(number("none", "snapshot, frames"), None);
    }

    #[test]
    fn bytes_an_event_are_those_of_the_book() {
        let packets = include_str!("../../../docs/src/guide/recording/packets.md");
        let line = packets.lines().find(|line| line.starts_with("| bytes an event")).unwrap();
        let numbers: Vec<f64> =
            line.split(['|', ',']).filter_map(|it| it.trim().parse().ok()).collect();
        assert_eq!((numbers[2], numbers[0]), PACKET_BYTES, "{line}");
    }
}
