//! Real C programs against the library: every function of the C interface, every backend, misuse.
//!
//! The programs are in `tests/c`; each checks return values and states itself and prints the bytes
//! that its port received, which are compared with lists of events here. All are compiled with
//! warnings as errors, and, but in the usual tier, AddressSanitizer and UndefinedBehaviorSanitizer.

mod buffers;
mod commands;
mod cores;
mod crash_cost;
mod exact;
mod external;
mod filters;
mod getters;
mod metadata;
mod model;
mod packets;
mod pauses;
mod plain;
mod release;
mod rtt;
mod senders;
mod snapshot;
mod streaming;
mod strings;
mod time;
mod triggers;

type Config = [(&'static str, &'static str)];

const STREAMING: (&str, &str) = ("tband_configUSE_BACKEND_STREAMING", "1");
const SNAPSHOT: (&str, &str) = ("tband_configUSE_BACKEND_SNAPSHOT", "1");
const EXTERNAL: (&str, &str) = ("tband_configUSE_BACKEND_EXTERNAL", "1");
/// Nothing but what the program records.
const NO_TRACE_INFO: (&str, &str) = ("tband_configTRACE_INFO_ENABLE", "0");
const NO_PERIODIC_DROP_CNT: (&str, &str) = ("tband_configTRACE_DROP_CNT_EVERY", "0");
const NO_METADATA_BUF: (&str, &str) = ("tband_configUSE_METADATA_BUF", "0");
const TWO_CORES: (&str, &str) = ("tband_portNUMBER_OF_CORES", "2");

/// Streaming with nothing added to the program's events.
const PLAIN_STREAM: &Config = &[STREAMING, NO_TRACE_INFO, NO_PERIODIC_DROP_CNT];

/// The number in field `name` of a line.
fn number(line: &str, name: &str) -> u64 {
    line.split(' ')
        .find_map(|field| field.strip_prefix(name)?.strip_prefix('='))
        .and_then(|value| value.parse().ok())
        .unwrap_or_else(|| panic!("no number {name} in {line}"))
}
