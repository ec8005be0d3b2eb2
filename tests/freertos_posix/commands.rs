//! Items and notifications that the host sends to objects of the real kernel, as far as the firmware allows it: `living/asked.c`.

use std::fs;
use std::process::Command;

use tband_format::packet::command::{Command as Asked, MAX_COMMAND_FRAME};
use tband_tests::events::lines;
use tband_tests::{run, temp_dir};

use crate::living::default_size;

const SEND: u8 = 16;
const NOTIFY: u8 = 17;
/// Reasons for a refusal.
const REFUSED: i64 = -1;
const WRONG: i64 = -4;

/// A command as the program wants it.
fn digits(number: u16, kind: u8, numbers: &[u32], count: u8) -> String {
    let mut arguments = [0; 6];
    arguments[..numbers.len()].copy_from_slice(numbers);
    let mut frame = [0; MAX_COMMAND_FRAME];
    let len = Asked { number, kind, arguments, count }.frame(&mut frame);
    frame[..len].iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn host_commands_arrive_where_allowed() {
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
    let digits: String = (1..)
        .zip(asked)
        .map(|(number, (kind, numbers, _))| {
            let count = if kind == SEND { 6 } else { 3 };
            digits(number, kind, numbers, count)
        })
        .collect();
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

/// Whatever is asked of objects, by numbers on and past each border: nothing reaches the queue and the task that are not allowed, the
/// others get what their room is for, and each command is answered as it has to be.
#[test]
fn hostile_commands_reach_no_other_memory() {
    // As many at a time as the program's recording has room for.
    (1..=5).for_each(send_hostile_commands);
}

fn send_hostile_commands(seed: u32) {
    let mut state = seed;
    let mut below = |limit: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        ((u64::from(state) * u64::from(limit)) >> 32) as u32
    };
    let (mut sent, mut asked) = (String::new(), Vec::new());
    for number in 1..=250_u16 {
        let kind = if below(2) == 0 { SEND } else { NOTIFY };
        let mut numbers = [0; 6];
        for to in &mut numbers {
            *to = match below(5) {
                0 => u32::MAX - below(4),
                1 => 1 << below(32),
                _ => below(8),
            };
        }
        if below(4) > 0 {
            numbers[0] = below(4);
        }
        let usual = if kind == SEND { 6 } else { 3 };
        let count = if below(8) == 0 { below(7) as u8 } else { usual };
        // A missing argument is not one.
        numbers[usize::from(count)..].fill(0);
        sent += &digits(number, kind, &numbers, count);
        asked.push((kind, numbers, count == usual));
    }
    let folder = temp_dir();
    let program = default_size().with_file_name("asked");
    let output = run(Command::new(program).arg(sent).current_dir(folder.path()));
    let recorded = lines(&fs::read(folder.path().join("asked.bin")).expect("the program wrote it"));
    let answers: Vec<i64> = recorded
        .iter()
        .filter(|line| line.contains(" answer "))
        .map(|line| line.rsplit('=').next().expect("fields").parse().expect("a number"))
        .collect();

    let (mut printed, mut room, mut is_given, mut is_pending, mut value) =
        ("allowed 1\n".to_owned(), 2, false, false, 0_u32);
    let mut reached = 0;
    for (at, (kind, [first, second, third, ..], is_whole)) in asked.iter().enumerate() {
        let numbers = asked[at].1;
        let is = match (*kind, *first) {
            _ if !is_whole => WRONG,
            (SEND, 1) if room > 0 => {
                room -= 1;
                printed += &format!("item {:x} {:x} {:x}\n", second, third, numbers[3]);
                0
            }
            (SEND, 3) if !is_given => {
                is_given = true;
                0
            }
            (SEND, 1 | 3) => REFUSED,
            (NOTIFY, 1) if *third == 4 && is_pending => REFUSED,
            (NOTIFY, 1) if *third <= 4 => {
                value = match third {
                    0 => value,
                    1 => value | second,
                    2 => value.wrapping_add(1),
                    _ => *second,
                };
                is_pending = true;
                0
            }
            _ => WRONG,
        };
        reached += usize::from(is == 0);
        assert_eq!(answers.get(at), Some(&is), "{at}: {:?}", asked[at]);
    }
    assert!((5..200).contains(&reached), "{reached}");
    printed += &format!("other 0, semaphore 1\nnotified {value:x}, 0\nafter that 0\n");
    assert_eq!(String::from_utf8(output).expect("text"), printed);
}
