//! The recording of the complete run, converted: it has no findings, and Perfetto's own engine has the outcome of each class's
//! waits, and the flows.
//!
//! Names of objects are without their numbers, which change with every object that a program adds.

use tband_conv::diagnostics::{Diagnostics, Problem};
use tband_conv::model::Flows;
use tband_conv::{Input, Options, convert};

use super::compare::{CREATE_FAILED, Run, name_of};
use super::shown::{
    BEFORE_WIDE_FLOWS, BEFORE_WIDE_WAIT, CALLBACKS, FLOWS, WAITS, WIDE_FLOWS, WIDE_WAIT,
};
use tband_recordings::Engine;
use tband_recordings::agrees::check;

fn options() -> Options {
    let mut options = Options::default();
    options.flows = Flows::All;
    options
}

/// Returns the findings, except for the pace: ticks come when the program triggers one.
pub fn findings_without_pace(diagnostics: &Diagnostics) -> Vec<(Problem, u64)> {
    let pace = [
        Problem::OffPace,
        Problem::TimerStops,
        Problem::TimerIsTick,
        Problem::TimerSetBack,
        Problem::ShortWait,
        Problem::FalseWraps,
        Problem::Halt,
    ];
    let all = diagnostics.iter().filter(|it| !pace.contains(&it.problem));
    all.map(|it| (it.problem, it.count)).collect()
}

/// Checks that the only findings are objects that the program could not create and exits that its handlers left out.
pub fn check_conversion(run: &Run) {
    let input = Input::from_bytes("classes", &run.recording);
    let summary = convert(&[input], &options(), &mut ()).expect("a timeline");
    let expected = |name: &str| {
        run.expected.values().flatten().filter(|line| name_of(line) == name).count() as u64
    };
    assert_eq!(
        findings_without_pace(&summary.diagnostics),
        [
            (Problem::IsrExitMissing, expected("isr_exit_missed")),
            (Problem::CreateFailed, expected(CREATE_FAILED)),
        ],
        "{:?}",
        summary.diagnostics
    );
}

/// The class whose program runs at the time of a slice or state.
const CLASS: &str = "coalesce((select m.name from slice m join track t on t.id = m.track_id \
                     where t.name = 'evtmarker 1' and m.ts <= s.ts order by m.ts desc limit 1), '')";

/// `class task: reason of the wait`, except for delays, some of which are between the programs.
const BLOCKED: &str = "from thread_state s join thread using (utid) \
                       where (blocked_function != 'delay' or state = 'T') \
                       and thread.name not in ('IDLE', 'Tmr Svc') order by s.ts, s.id";

/// Both ends of each flow, in the order of their beginnings, but for those from waits to who ended them.
const ARROWS: &str = "from flow f \
                      join slice s on s.id = f.slice_out join slice e on e.id = f.slice_in \
                      join track st on st.id = s.track_id join track et on et.id = e.track_id \
                      left join thread_track stt on stt.id = st.id \
                      left join thread sth on sth.utid = stt.utid \
                      left join thread_track ett on ett.id = et.id \
                      left join thread eth on eth.utid = ett.utid \
                      where not (st.name = 'waits and calls' and s.dur > 0) \
                      order by s.ts, e.ts";

/// Each call that ended before the timer task's next one.
const TIMER_CALLBACKS: &str = "from slice s join track t on t.id = s.track_id \
                               where t.name = 'timer callbacks' and s.depth = 0 and s.dur > 0 \
                               order by s.ts";

/// Returns a name without its number.
fn without_number(text: &str) -> String {
    const KINDS: [&str; 6] = ["queue", "semaphore", "mutex", "buffer", "group", "set"];
    let mut words: Vec<String> = Vec::new();
    for word in text.split(' ') {
        let number = word.trim_end_matches(':');
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        match words.last_mut() {
            Some(last) if is_number && KINDS.contains(&last.as_str()) => {
                last.push_str(&word[number.len()..]);
            }
            _ => words.push(word.to_owned()),
        }
    }
    words.join(" ")
}

/// Equal rows one after the other as one, with their count in front.
fn counted(rows: &[(String, String)], tag: &str) -> Vec<String> {
    let texts: Vec<_> =
        rows.iter().filter(|row| row.0 == tag).map(|row| without_number(&row.1)).collect();
    let same = texts.chunk_by(|a, b| a == b);
    same.map(|rows| format!("{} {}", rows.len(), rows[0])).collect()
}

/// What a user sees.
pub fn check_perfetto(run: &Run) {
    let Some(engine) = Engine::find() else { return };
    let blocked =
        format!("{CLASS} || ' ' || thread.name || ': ' || coalesce(blocked_function, 'suspended')");
    let arrow = format!(
        "{CLASS} || ' ' || coalesce(sth.name, st.name) || ': ' || s.name || ' -> ' || \
         coalesce(eth.name, et.name) || ': ' || e.name"
    );
    let input = Input::from_bytes("classes", &run.recording);
    let callback = format!("{CLASS} || ' ' || s.name");
    let queries = [
        ("wait", blocked.as_str(), BLOCKED),
        ("flow", arrow.as_str(), ARROWS),
        ("callback", callback.as_str(), TIMER_CALLBACKS),
    ];
    let rows = check(&engine, "classes", &[input], &options(), &queries);
    let (mut waits, mut flows) = (WAITS.to_vec(), FLOWS.to_vec());
    if run.has_wide_ticks {
        let at = waits.iter().position(|it| *it == BEFORE_WIDE_WAIT).expect("the wait before");
        waits.insert(at + 1, WIDE_WAIT);
        let at = flows.iter().rposition(|it| *it == BEFORE_WIDE_FLOWS).expect("the flow before");
        flows.splice(at..=at, WIDE_FLOWS.iter().copied());
    }
    assert_eq!(counted(&rows, "wait"), waits);
    assert_eq!(counted(&rows, "flow"), flows);
    assert_eq!(counted(&rows, "callback"), CALLBACKS);
}
