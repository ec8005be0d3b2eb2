//! Queues of co-routines: each item that is sent or received is recorded, with the level that the kernel has.

use std::fs;
use std::process::Command;

use tband_tests::events::lines;
use tband_tests::{run, temp_dir};

use crate::living::default_size;

#[test]
fn records_co_routine_queue_operations() {
    let program = default_size().with_file_name("coroutines");
    let folder = temp_dir();
    let output = run(Command::new(program).current_dir(folder.path()));
    let output = String::from_utf8(output).expect("text");
    let recording = fs::read(folder.path().join("trace.bin")).expect("a recording");
    let recorded: Vec<_> = lines(&recording)
        .iter()
        .filter_map(|line| {
            let (event, level) =
                line.split_once(" queue_")?.1.split_once(" queue_id=1 len_after=")?;
            Some(format!("{event} {level}"))
        })
        .collect();
    assert_eq!(recorded, output.lines().collect::<Vec<_>>());
    for event in ["send 1", "send 2", "send_from_isr 3", "receive_from_isr 2", "send_from_isr 1"] {
        assert!(recorded.iter().any(|it| it == event), "{event}: {recorded:?}");
    }
}
