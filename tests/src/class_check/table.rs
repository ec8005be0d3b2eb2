//! The final metadata buffer against the recording's reports of created, named, changed and deleted objects.

use std::collections::BTreeMap;

use super::compare::{IN_TABLE, Run, assert_same, field, name_of};

/// What an object is called in metadata, and where its number is.
const OBJECTS: &[(&str, &str)] = &[
    ("task", "task_id"),
    ("queue", "queue_id"),
    ("stream_buffer", "stream_buffer_id"),
    ("event_group", "event_group_id"),
    ("timer", "timer_id"),
];

/// Commands to the timer task, as `timers.h` numbers them.
const CHANGE_PERIOD: [&str; 2] = ["4", "9"];
const DELETE: &str = "5";

/// Entries, by name of the event and all that identifies its object.
struct Table(BTreeMap<(String, String), String>);

impl Table {
    fn store(&mut self, line: &str) {
        let name = name_of(line).to_owned();
        let keys = ["task_id", "queue_id", "stream_buffer_id", "event_group_id", "timer_id"];
        let own = ["isr_id", "evtmarker_id", "valmarker_id"];
        let object = own.iter().chain(&keys).filter_map(|key| field(line, key));
        self.0.insert((name, object.collect::<Vec<_>>().join(" ")), line.to_owned());
    }

    fn update(&mut self, line: &str) {
        let number =
            line.split('=').nth(1).and_then(|rest| rest.split(' ').next()).expect("a number");
        if self.0.contains_key(&(name_of(line).to_owned(), number.to_owned())) {
            self.store(line);
        }
    }

    fn forget(&mut self, kind: &str, key: &str, number: &str) {
        self.0.retain(|(name, _), line| {
            !(name.starts_with(kind) && field(line, key) == Some(number))
        });
    }
}

/// The kernel's objects came and went while the program ran: the buffer has those that are left, with what they
/// were like then.
pub fn check_buffer(run: &Run) {
    let (buffer, snapshot) = run.buffer_and_snapshot();
    let mut table = Table(BTreeMap::new());
    let mut deletions = 0;
    for line in &snapshot {
        let number = |key| field(line, key).expect("a number");
        match name_of(line) {
            _ if line.starts_with("- ") => table.store(line),
            "task_created" => table
                .store(&format!("- task_base_priority task_id={} priority=?", number("task_id"))),
            "task_priority_set" => table.update(&format!(
                "- task_base_priority task_id={} priority={}",
                number("task_id"),
                number("priority")
            )),
            "stream_buffer_created" => {
                table.store(&line.replace("stream_buffer_created", "- stream_buffer_info"));
            }
            "timer_created" => {
                let (reported, _) = line.split_once(" callback").expect("a callback");
                table.store(&reported.replace("timer_created", "- timer_info"));
            }
            "timer_command_received" => {
                let (timer, command) = (number("timer_id"), number("command"));
                if command == DELETE {
                    table.forget("timer", "timer_id", timer);
                    deletions += 1;
                } else if CHANGE_PERIOD.contains(&command) {
                    let key = ("timer_info".to_owned(), timer.to_owned());
                    let known = table.0.get(&key).expect("a timer");
                    let reload = field(known, "auto_reload").expect("told").to_owned();
                    table.update(&format!(
                        "- timer_info timer_id={timer} period={} auto_reload={reload}",
                        number("value")
                    ));
                }
            }
            name => {
                for (kind, key) in OBJECTS {
                    if name.strip_suffix("_deleted") == Some(kind) {
                        table.forget(kind, key, number(key));
                        deletions += 1;
                    }
                }
            }
        }
    }
    assert!(deletions > 10, "{deletions}");
    // Changes without a separate event.
    let reported = run.expected.values().flatten().filter(|line| IN_TABLE.contains(&name_of(line)));
    assert_eq!(reported.map(|line| table.update(line)).count(), 2);
    let mut expected: Vec<_> = table.0.into_values().collect();
    let mut found = buffer;
    expected.sort();
    found.sort();
    assert_same("the metadata buffer", &expected, &found);
}
