//! Long names of objects.

use tband_conv::{Input, Options};
use tband_format::Event::*;
use tband_recordings::{str, timeline_of, two_tasks};

#[test]
fn names_are_cut_where_they_are_longer_than_any_name_is() {
    for (len, is_cut) in [(499, false), (500, false), (501, true)] {
        let name = "n".repeat(len);
        let recording = two_tasks()
            .meta(TaskName { task_id: 3, name: str(&name) })
            .at(1, TaskSwitchedIn { task_id: 3 });
        let shown = if is_cut { format!("{}…", &name[..500]) } else { name };
        let (text, _) = timeline_of(&[Input::from_bytes("r", &recording.0)], &Options::default());
        assert!(text.contains(&format!(" 10 0 {shown}: unknown -> running\n")), "{shown}{text}");
    }
}
