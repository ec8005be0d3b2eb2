//! Queues of co-routines: each item that is sent or received is recorded, with the level that the kernel has.

use std::fs;
use std::process::Command;

use tband_tests::events::lines;
use tband_tests::{run, temp_dir};

use crate::living::default_size;

#[test]
fn what_co_routines_send_and_receive_is_recorded() {
    let program = default_size().with_file_name("coroutines");
    let folder = temp_dir();
    let said = run(Command::new(program).current_dir(folder.path()));
    let said = String::from_utf8(said).expect("text");
    let recording = fs::read(folder.path().join("trace.bin")).expect("a recording");
    let recorded: Vec<_> = lines(&recording)
        .iter()
        .filter_map(|line| {
            let (event, level) =
                line.split_once(" queue_")?.1.split_once(" queue_id=1 len_after=")?;
            Some(format!("{event} {level}"))
        })
        .collect();
    assert_eq!(recorded, said.lines().collect::<Vec<_>>());
    for event in ["send 1", "send 2", "send_from_isr 3", "receive_from_isr 2", "send_from_isr 1"] {
        assert!(recorded.iter().any(|it| it == event), "{event}: {recorded:?}");
    }
}
