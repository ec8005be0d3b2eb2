//! Recordings of packets on the command line: each command reads them like frames, and reports the statistics of the link.

use std::fs;

use crate::support::*;
use serde_json::{Value, json};
use tband_recordings::packed::pieces;

/// A recording of a simulated target, in packets.
fn packets() -> Vec<Vec<u8>> {
    pieces(&fs::read(vector("freertos_sim.bin")).unwrap(), 512)
}

fn stdout(ran: RunOutput) -> String {
    ran.text()
}

#[test]
fn each_command_reads_packets() {
    let folder = Folder::new("packets");
    let frames = vector("freertos_sim.bin");
    let file = folder.file("p.bin", &packets().concat());
    let trace = |input: &str| run(&["conv", "-o", "-", input]).stdout;
    assert!(trace(&frames) == trace(&file));
    let hex: String = packets().concat().iter().map(|byte| format!("{byte:02X}")).collect();
    assert!(trace(&frames) == trace(&folder.file("p.hex", hex.as_bytes())));
    let piped = run_with_stdin(&["conv", "-o", "-", "-"], &packets().concat());
    assert!(trace(&frames) == piped.stdout);
    // Packets contain the running task and open items, and count dropped events in their headers.
    let others = ["core_id", "dropped_evt_cnt", "running_task", "open_isr"];
    let lines = |input: &str| {
        let text = stdout(run(&["dump", input]));
        text.lines().filter(|line| !others.iter().any(|name| line.contains(name))).count()
    };
    assert_eq!(lines(&frames), lines(&file));
    let tables = |input: &str, table: &str| {
        let json: Value = serde_json::from_str(&stdout(run(&["stats", "--json", input]))).unwrap();
        json[table].clone()
    };
    for table in ["tasks", "interrupts", "queues", "findings", "cores"] {
        assert_eq!(tables(&frames, table), tables(&file, table), "{table}");
    }
    assert_eq!(tables(&frames, "link"), Value::Null);
    assert_eq!(tables(&file, "link")["packets"], packets().len() - 1);
}

#[test]
fn check_reports_the_packets_received_over_a_link() {
    let folder = Folder::new("link");
    let mut lossy = packets();
    let sent = lossy.len() - 1;
    let bytes: usize = lossy.iter().map(Vec::len).sum::<usize>() - lossy[7].len();
    lossy.remove(7);
    let flipped = lossy[20].len();
    lossy[20][99] ^= 1;
    let file = folder.file("p.bin", &lossy.concat());
    let ran = run(&["check", &file]).assert_code(1);
    let text = stdout(ran);
    let line = format!("{} packets, 2 lost of {sent}, {flipped} bytes damaged; ", sent - 2);
    assert!(text.contains(&line), "{text}");
    assert!(text.contains("packet 6 missing, "), "{text}");
    let json: Value = serde_json::from_str(&stdout(run(&["check", "--json", &file]))).unwrap();
    let link = &json["link"];
    assert_eq!([&link["lost_packets"], &link["bytes"]], [&json!(2), &json!(bytes)]);
    let whole = folder.file("w.bin", &packets().concat());
    assert_eq!(run(&["check", &whole]).code, run(&["check", &vector("freertos_sim.bin")]).code);
}
