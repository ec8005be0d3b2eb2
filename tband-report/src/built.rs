//! How the firmware that made a recording was built: kernel, build, buffers, and classes of events.

use serde_json::{Value, json};
use tband_conv::Summary;

use crate::printable::printable;

/// For people: a line for each fact that the recording states.
pub(crate) fn text(summary: &Summary) -> String {
    let mut text = String::new();
    let info = summary.trace_info;
    let kernel = info.and_then(|info| info.kernel_version).map(kernel_version);
    let ticks = info.and_then(|info| info.tick_rate_hz).map(|hz| format!("{hz} ticks a second"));
    let build = summary.build_id.as_deref().map(|build| format!("build {}", printable(build)));
    let program = summary.identity.as_deref().map(|it| format!("program {}", printable(it)));
    let parts: Vec<String> =
        [build, program, kernel, ticks, buffers(summary)].into_iter().flatten().collect();
    if !parts.is_empty() {
        text += &format!("firmware: {}\n", parts.join("; "));
    }
    if let Some(classes) = classes(summary) {
        text += &format!("records {classes}\n");
    }
    text
}

/// Returns the same for programs, without the classes; an unknown value is null.
pub(crate) fn json(summary: &Summary) -> Value {
    let info = summary.trace_info;
    json!({
        "build": summary.build_id,
        "program": summary.identity,
        "kernel_version": info.and_then(|info| info.kernel_version).map(kernel_version),
        "tick_rate_hz": info.and_then(|info| info.tick_rate_hz),
        "buffers": info.and_then(|info| info.buffers()).map(|it| {
            let packets = it.memory.filter(|_| summary.link.is_some());
            json!({
                "backend": it.backend.name(),
                "bytes": it.memory.map(|(count, bytes)| u64::from(count) * u64::from(bytes)),
                "packets": packets.map(|(count, _)| count),
                "packet_bytes": packets.map(|(_, bytes)| bytes),
            })
        }),
    })
}

pub(crate) fn kernel_version(version: u32) -> String {
    format!("FreeRTOS V{}.{}.{}", version / 10_000, version / 100 % 100, version % 100)
}

/// Returns how events leave the target, and in which memory of a core they are buffered; `None` if the recording does not
/// contain it.
pub(crate) fn buffers(summary: &Summary) -> Option<String> {
    let buffers = summary.trace_info?.buffers()?;
    let name = buffers.backend.name();
    Some(match (buffers.memory, &summary.link) {
        (Some((count, bytes)), Some(_)) => format!("{name}, {count} packets of {bytes} bytes"),
        (Some((count, bytes)), None) => {
            format!("{name}, {} bytes", u64::from(count) * u64::from(bytes))
        }
        (None, _) => name.to_owned(),
    })
}

/// Returns the classes of events that the firmware was built with, by the shorter list; `None` if the recording does not
/// contain them.
pub fn classes(summary: &Summary) -> Option<String> {
    let info = summary.trace_info?;
    let (on, off) = (info.classes(true)?, info.classes(false)?);
    Some(match (on.len(), off.len()) {
        (_, 0) => "all classes of events".to_owned(),
        (0, _) => "no class of events".to_owned(),
        (few, many) if few < many => format!("the classes of events {}", on.join(", ")),
        _ => format!("all classes of events but {}", off.join(", ")),
    })
}
