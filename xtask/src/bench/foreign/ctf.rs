//! Packets of a trace of barectf.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

/// Where a packet has the bits of all of it and of its content, its times, and its events.
const SIZE: usize = 12;
const CONTENT: usize = 20;
const TIMES: [usize; 2] = [28, 36];
const EVENTS: usize = 52;

/// The mapping file that the guide has for this trace. Tasks are not created again and again, which would be more and more tasks.
pub fn map(root: &Path) -> Result<String> {
    let page = fs::read_to_string(root.join("docs/src/guide/viewing/ctf-traces.md"))?;
    let map = page.split_once("```toml\n").and_then(|(_, rest)| rest.split_once("```"));
    let map = map.context("the guide has no mapping file")?.0;
    Ok(map.replace("means = \"create\"", "means = \"name\""))
}

/// Returns the stream with its packets repeated so often, except the first one.
pub fn extended(stream: &[u8], rounds: usize) -> Result<Vec<u8>> {
    let mut out = stream.to_vec();
    let first = size(stream)?;
    let rest = stream.get(first..).context("one packet")?;
    let begin = u64_at(rest, TIMES[0])?;
    let (mut at, mut end) = (0, 0);
    while at < rest.len() {
        end = u64_at(rest, at + TIMES[1])?;
        at += size(&rest[at..])?;
    }
    for round in 1..=rounds as u64 {
        let from = out.len();
        out.extend(rest);
        delay(&mut out[from..], (end - begin) * round)?;
    }
    Ok(out)
}

/// Adds a time to all times of packets.
fn delay(mut packets: &mut [u8], by: u64) -> Result<()> {
    while !packets.is_empty() {
        let len = size(packets)?;
        let (packet, rest) = packets.split_at_mut(len);
        for at in TIMES {
            add(packet, at, by)?;
        }
        let (mut at, end) = (EVENTS, u64_at(packet, CONTENT)? as usize / 8);
        while at < end {
            let id = u64_at(packet, at)?;
            add(packet, at + 8, by)?;
            at = after_fields(packet, id, at + 16)?;
        }
        packets = rest;
    }
    Ok(())
}

/// Where the fields of an event end.
fn after_fields(packet: &[u8], id: u64, at: usize) -> Result<usize> {
    let aligned = at.next_multiple_of(4);
    Ok(match id {
        0 | 1 => at + 1,
        2 => aligned + 8,
        3 => {
            let name = packet.get(aligned + 5..).context("no name")?;
            aligned + 5 + name.iter().position(|byte| *byte == 0).context("no end")? + 1
        }
        4 | 5 => aligned + 4,
        _ => bail!("event {id}"),
    })
}

/// Bytes of a packet.
fn size(packet: &[u8]) -> Result<usize> {
    Ok(u64_at(packet, SIZE)? as usize / 8)
}

fn u64_at(bytes: &[u8], at: usize) -> Result<u64> {
    let bytes = bytes.get(at..).and_then(|bytes| bytes.first_chunk()).context("no number")?;
    Ok(u64::from_le_bytes(*bytes))
}

fn add(bytes: &mut [u8], at: usize, by: u64) -> Result<()> {
    let time = u64_at(bytes, at)?.wrapping_add(by);
    bytes[at..at + 8].copy_from_slice(&time.to_le_bytes());
    Ok(())
}
