//! What Perfetto's tables must hold, worked out from the timeline's steps, and the queries for it: how
//! long each task was in each state, interrupts, slices, counters, flows.

use std::collections::{BTreeMap, HashMap};
use std::io;

use tband_conv::timeline::{At, Change, Forgotten, IsrRef, MarkerRef, TaskRef, TaskState, World};
use tband_conv::{Input, Options, Sink, convert};

/// A sum and a number by tag and name.
pub type Sums = BTreeMap<(String, String), (i64, u64)>;

/// Rows of two numbers and a name.
pub const QUERIES: [(&str, &str, &str); 5] = [
    // What goes on at the end has no length.
    (
        "state",
        "sum(dur) || ' ' || count(*) || ' ' || name || '/' || what",
        "from (select dur, ts, name, utid, case when state = 'Running' then 'run' \
         when state = 'R+' then 'R' else state end as what, \
         max(ts) over (partition by utid) as last \
         from thread_state join thread using (utid) where not is_idle or name != 'swapper') \
         where ts < last group by name, what",
    ),
    (
        "irq",
        "sum(dur) || ' ' || count(*) || ' ' || name",
        "from slice where name glob 'IRQ*' and dur >= 0 group by name",
    ),
    (
        "slice",
        "sum(dur) || ' ' || count(*) || ' ' || s.name",
        "from slice s join track t on t.id = s.track_id \
         where s.name not glob 'IRQ*' and coalesce(t.name, '') != 'Errors' and s.dur >= 0 group by s.name",
    ),
    (
        "counter",
        "cast(sum(case when abs(value) < 1e12 then value else 0 end) as int) || ' ' || count(*) \
         || ' ' || t.name",
        "from counter c join counter_track t on t.id = c.track_id group by t.name",
    ),
    ("flow", "0 || ' ' || count(*) || ' flows'", "from flow"),
];

/// Follows the steps.
#[derive(Default)]
struct Rows {
    sums: Sums,
    states: HashMap<TaskRef, (TaskState, i64)>,
    isrs: HashMap<u32, Vec<(IsrRef, i64)>>,
    spans: HashMap<MarkerRef, Vec<(String, i64)>>,
    held: HashMap<usize, (String, i64)>,
}

impl Rows {
    fn add(&mut self, tag: &str, name: String, amount: i64) {
        let sum = self.sums.entry((tag.to_owned(), name)).or_default();
        *sum = (sum.0 + amount, sum.1 + 1);
    }

    fn state(&mut self, world: &World, ns: i64, task: TaskRef, to: TaskState) {
        let Some((from, since)) = self.states.insert(task, (to, ns)) else { return };
        let what = match from {
            TaskState::Running(_) => "run",
            TaskState::Ready => "R",
            TaskState::Blocked(_) => "S",
            TaskState::Suspended => "T",
            TaskState::Unknown => "D",
            TaskState::Deleted => "X",
            // Known to Perfetto from the list of threads only.
            TaskState::Created => return,
        };
        self.add("state", format!("{}/{what}", world.task_name(task)), ns - since);
    }

    fn isr_ends(&mut self, world: &World, At { ns, core }: At) {
        if let Some((isr, since)) = self.isrs.entry(core).or_default().pop() {
            self.add("irq", format!("IRQ ({})", world.isr_name(isr, core)), ns - since);
        }
    }

    fn span_ends(&mut self, marker: MarkerRef, ns: i64) {
        if let Some((name, since)) = self.spans.entry(marker).or_default().pop() {
            self.add("slice", name, ns - since);
        }
    }

    fn given(&mut self, queue: usize, ns: i64) {
        if let Some((name, since)) = self.held.remove(&queue) {
            self.add("slice", name, ns - since);
        }
    }
}

impl Sink for Rows {
    fn change(&mut self, world: &World, at: At, change: &Change<'_>) -> io::Result<()> {
        let ns = at.ns;
        match *change {
            Change::TaskState { task, to, .. } => self.state(world, ns, task, to),
            Change::StillRunning(task) => self.state(world, ns, task, TaskState::Ready),
            Change::IsrEnter(isr) => self.isrs.entry(at.core).or_default().push((isr, ns)),
            Change::IsrExit(_) | Change::Forgotten(Forgotten::Isr(_)) => self.isr_ends(world, at),
            Change::Marker(marker, msg) | Change::SpanBegin(marker, msg) => {
                let name = match msg.to_string() {
                    text if text.is_empty() => world.marker_name(marker).to_string(),
                    text => text,
                };
                match change {
                    Change::Marker(..) => self.add("slice", name, 0),
                    _ => self.spans.entry(marker).or_default().push((name, ns)),
                }
            }
            Change::SpanEnd(marker) | Change::Forgotten(Forgotten::Span(marker)) => {
                self.span_ends(marker, ns);
            }
            Change::MutexTaken(queue, holder) => {
                let name = match holder {
                    Some(task) => format!("held by {}", world.task_name(task)),
                    None => "held".to_owned(),
                };
                self.held.insert(queue.index(), (name, ns));
            }
            Change::MutexGiven(queue) | Change::Forgotten(Forgotten::Holder(queue)) => {
                self.given(queue.index(), ns);
            }
            Change::QueueLevel { queue, level, .. } => {
                self.add("counter", world.queue_name(queue).to_string(), level.into());
            }
            Change::Priority { task, priority, .. } => {
                let name = format!("{} priority", world.task_name(task));
                self.add("counter", name, priority.into());
            }
            Change::Value(value, number) => {
                // Beyond that Perfetto's numbers are not exact any more.
                let summed = if number.unsigned_abs() < 1_000_000_000_000 { number } else { 0 };
                self.add("counter", world.value_name(value).to_string(), summed);
            }
            Change::Flow(flow) => {
                self.add("flow", "flows".to_owned(), 0);
                for end in [flow.from, flow.to] {
                    self.add("slice", world.describe_act(end.act), 0);
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// What the tables must hold of a recording with tasks, interrupts, queues and markers.
pub fn expected(inputs: &[Input<'_>], options: &Options) -> Sums {
    let mut rows = Rows::default();
    convert(inputs, options, &mut rows).unwrap();
    rows.sums
}

/// The same from the rows of the queries.
pub fn found(rows: &[(String, String)]) -> Sums {
    let parse = |(tag, row): &(String, String)| {
        let mut parts = row.splitn(3, ' ');
        let mut next = || parts.next().unwrap();
        let (sum, count) = (next().parse().unwrap(), next().parse().unwrap());
        ((tag.clone(), next().to_owned()), (sum, count))
    };
    let ours = rows.iter().filter(|row| QUERIES.iter().any(|query| query.0 == row.0));
    ours.map(parse).filter(|(_, numbers)| numbers.1 > 0).collect()
}
