//! What a configuration costs, from the table in the book, which a bench on the target fills.

use std::str::FromStr;

use super::Diagnosis;

/// The page of the book with the table.
const PAGE: &str = include_str!("../../../docs/src/reference/cost.md");
/// The table of the default configuration is after this line.
const DEFAULT: &str = "<!-- bench: default -->";
/// The tables that compare each format with other recorders.
const FRAMES: &str = "<!-- bench: frames -->";
const PACKETS: &str = "<!-- bench: packets -->";

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

/// The number in a row and column of the table after a mark; none if there is no such number.
fn number<T: FromStr>(mark: &str, row: &str, column: &str) -> Option<T> {
    let (_, table) = PAGE.split_once(mark)?;
    let mut lines = table.lines().filter(|line| line.starts_with('|'));
    let cells = |line: &'static str| line.split('|').map(str::trim);
    let place = cells(lines.next()?).position(|it| it == column)?;
    let line = lines.find(|line| cells(line).nth(1) == Some(row))?;
    cells(line).nth(place)?.parse().ok()
}

/// Bytes that an event takes, rounded to tenths. The benchmark counts them for packets. A round has the same events in both formats.
fn bytes_an_event(is_packets: bool) -> Option<f64> {
    let of = |mark, row| number::<f64>(mark, row, "tband");
    let packets = of(PACKETS, "bytes an event")?;
    if is_packets {
        return Some(packets);
    }
    let ratio = of(FRAMES, "bytes per round")? / of(PACKETS, "bytes per round")?;
    Some((10.0 * packets * ratio).round() / 10.0)
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
    let of = |row: &str| number::<u64>(DEFAULT, row, &column);
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
    let Some(bytes) = bytes_an_event(is_packets) else { return };
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
                    assert!(
                        number::<u64>(DEFAULT, row, &column).is_some_and(|it| it > 10),
                        "{row}, {column}"
                    );
                }
            }
        }
        assert_eq!(number::<u64>(DEFAULT, "task switched in", "none"), None);
        assert_eq!(number::<u64>(DEFAULT, "none", "snapshot, frames"), None);
    }

    #[test]
    fn both_formats_have_their_bytes_an_event() {
        let [frames, packets] = [false, true].map(|it| bytes_an_event(it).expect("a number"));
        assert!(packets > 4.0 && frames > 1.5 * packets && frames < 12.0, "{frames}, {packets}");
    }
}
