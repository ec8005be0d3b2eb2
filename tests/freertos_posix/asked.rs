//! Items and notifications that the host sends to objects of the real kernel, as far as the firmware allows it: `living/asked.c`.

use std::fs;
use std::process::Command;

use tband_format::{Command as Asked, MAX_COMMAND_FRAME};
use tband_tests::events::lines;
use tband_tests::{run, temp_dir};

use crate::living::default_size;

const SEND: u8 = 16;
const NOTIFY: u8 = 17;
/// Why something is not obeyed.
const REFUSED: i64 = -1;
const WRONG: i64 = -4;

#[test]
fn what_the_host_sends_arrives_where_it_is_allowed() {
    let asked: [(u8, &[u32], i64); 15] = [
        (SEND, &[1, 0x1111_1111, 0x2222, 0x3333], 0),
        (SEND, &[1, 4, 5, 6, 7, 8], 0),
        // Two are all that it has room for.
        (SEND, &[1, 9], REFUSED),
        // The one that is not allowed, a semaphore, and none.
        (SEND, &[2, 1], WRONG),
        (SEND, &[3], 0),
        (SEND, &[3], REFUSED),
        (SEND, &[0], WRONG),
        (SEND, &[99], WRONG),
        // 5, and one more; not while it is pending; and whatever it was.
        (NOTIFY, &[1, 5, 1], 0),
        (NOTIFY, &[1, 0, 2], 0),
        (NOTIFY, &[1, 9, 4], REFUSED),
        (NOTIFY, &[1, 0, 5], WRONG),
        (NOTIFY, &[2, 1, 1], WRONG),
        (NOTIFY, &[1, 0, 0], 0),
        (NOTIFY, &[1, 0xAB, 3], 0),
    ];
    let mut digits = String::new();
    for (number, (kind, numbers, _)) in (1_u16..).zip(asked) {
        let count = if kind == SEND { 6 } else { 3 };
        let mut arguments = [0; 6];
        arguments[..numbers.len()].copy_from_slice(numbers);
        let mut frame = [0; MAX_COMMAND_FRAME];
        let len = Asked { number, kind, arguments, count }.frame(&mut frame);
        digits.extend(frame[..len].iter().map(|byte| format!("{byte:02x}")));
    }
    let folder = temp_dir();
    let program = default_size().with_file_name("asked");
    let output = run(Command::new(program).arg(digits).current_dir(folder.path()));
    assert_eq!(
        String::from_utf8(output).expect("text"),
        "allowed 1\nitem 11111111 2222 3333\nitem 4 5 6\nother 0, semaphore 1\nnotified ab, 0\nafter that 0\n"
    );
    let recorded = lines(&fs::read(folder.path().join("asked.bin")).expect("the program wrote it"));
    let answers: Vec<_> = recorded.iter().filter(|line| line.contains(" answer ")).collect();
    assert_eq!(answers.len(), asked.len(), "{recorded:#?}");
    for (number, (line, (_, _, is))) in (1..).zip(answers.iter().zip(asked)) {
        assert!(line.ends_with(&format!("answer n={number} is={is}")), "{line}");
    }
    // As whatever else is sent.
    for event in ["queue_send", "task_notify"] {
        assert!(recorded.iter().any(|line| line.contains(&format!(" {event} "))), "{recorded:#?}");
    }
}
