//! Assigns inputs to boards. An input with its own clock is a separate board with its own tasks, queues and other objects,
//! unless it clearly belongs to another core of a chip on which one kernel runs several cores.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::rc::Rc;

use tband_format::Event;

use super::AlignError;
use crate::cores::MAX_CORES;
use crate::drift::board::{Board, name_of};
use crate::input::Input;
use crate::model::MAX_OBJECTS;
use crate::records::is_identity;

/// Reports of an input about its target.
#[derive(Clone, Debug, Default)]
pub(super) struct Target {
    /// Cores with events.
    pub cores: BTreeSet<u32>,
    /// Cores that it should have.
    core_count: Option<u32>,
    build: Option<Vec<u8>>,
    identity: Option<Vec<u8>>,
    program: Option<(u32, u32)>,
    /// The first name of each task.
    tasks: BTreeMap<u32, Vec<u8>>,
    /// All names, each with the id of the event that names the object.
    names: BTreeSet<(u8, Vec<u8>)>,
}

impl Target {
    /// Takes an event of the input in.
    pub fn learn(&mut self, event: &Event<'_>) {
        match *event {
            Event::TraceInfo { core_count, .. } => self.core_count = Some(core_count),
            Event::BuildId { id } if is_identity(id.0) => self.identity = Some(id.0.to_vec()),
            Event::BuildId { id } => self.build = Some(id.0.to_vec()),
            Event::Program { first, second } => self.program = Some((first, second)),
            Event::TaskName { task_id, name } if self.tasks.len() < MAX_OBJECTS => {
                self.tasks.entry(task_id).or_insert_with(|| name.0.to_vec());
            }
            _ => {}
        }
        if let Some(name) = name_of(event)
            && self.names.len() < MAX_OBJECTS
        {
            self.names.insert((event.id(), name.0.to_vec()));
        }
    }

    /// Both are cores of one chip: they have the same program and names, and no core is in both.
    fn is_of_one_chip(&self, other: &Self) -> bool {
        let count = self.core_count.filter(|count| *count > 1 && *count < MAX_CORES);
        let differs =
            |id: &u32| other.tasks.get(id).is_some_and(|it| self.tasks.get(id) != Some(it));
        count.is_some()
            && count == other.core_count
            && self.cores.is_disjoint(&other.cores)
            && self.cores.iter().chain(&other.cores).all(|core| Some(*core) < count)
            && self.build == other.build
            && self.identity == other.identity
            && self.program == other.program
            && !self.tasks.keys().any(differs)
    }
}

/// Returns the boards of inputs with their own clocks, one entry per input.
///
/// # Errors
/// [`AlignError::TooManyCores`].
pub(super) fn find<'t>(
    inputs: &[Input<'_>],
    targets: impl Iterator<Item = &'t Target>,
) -> Result<Vec<Board>, AlignError> {
    // The inputs of each board.
    let mut boards: Vec<Vec<usize>> = Vec::new();
    let targets: Vec<&Target> = targets.collect();
    for (input, target) in targets.iter().enumerate() {
        let is_one = |of: &&mut Vec<usize>| {
            of.iter().filter_map(|it| targets.get(*it)).all(|it| target.is_of_one_chip(it))
        };
        match boards.iter_mut().find(is_one) {
            Some(board) => board.push(input),
            None => boards.push(vec![input]),
        }
    }
    let mut count: BTreeMap<&(u8, Vec<u8>), usize> = BTreeMap::new();
    for board in &boards {
        let of_board = board.iter().filter_map(|it| targets.get(*it));
        let names: BTreeSet<_> = of_board.flat_map(|it| &it.names).collect();
        names.into_iter().for_each(|name| *count.entry(name).or_default() += 1);
    }
    let repeated = count.into_iter().filter(|(_, count)| *count > 1).map(|(name, _)| name.clone());
    let repeated: Rc<BTreeSet<_>> = Rc::new(repeated.collect());
    let mut found = vec![Board::default(); inputs.len()];
    let (mut names, mut cores) = (BTreeSet::new(), BTreeSet::new());
    for (number, board) in boards.iter().enumerate() {
        let first = board.first().and_then(|input| inputs.get(*input));
        let name = unused(&names, &stem(first, number));
        names.insert(name.clone());
        let mut own: BTreeSet<u32> = board
            .iter()
            .filter_map(|it| targets.get(*it))
            .flat_map(|it| &it.cores)
            .copied()
            .collect();
        if own.is_empty() {
            own.extend(board.iter().filter_map(|it| inputs.get(*it)).map(Input::core));
        }
        let first_core = match own.is_disjoint(&cores) {
            true => 0,
            false => cores.last().map_or(0, |last| last + 1),
        };
        if own.iter().any(|core| core.saturating_add(first_core) >= MAX_CORES) {
            return Err(AlignError::TooManyCores {
                input: first.map_or_else(String::new, Input::name),
            });
        }
        cores.extend(own.iter().map(|core| core + first_core));
        let of_board = Board { number, name, first_core, repeated: Rc::clone(&repeated) };
        for input in board {
            if let Some(entry) = found.get_mut(*input) {
                entry.clone_from(&of_board);
            }
        }
    }
    Ok(found)
}

/// Returns the name of a board: its file without folders and endings.
fn stem(input: Option<&Input<'_>>, number: usize) -> String {
    let name = input.and_then(|input| input.names().next());
    let stem = name.and_then(|name| Path::new(name).file_stem()?.to_str());
    let stem = stem.filter(|stem| !stem.is_empty() && *stem != "-");
    stem.map_or_else(|| format!("board{number}"), str::to_owned)
}

/// The name, with a number if it is used already.
fn unused(names: &BTreeSet<String>, name: &str) -> String {
    if !names.contains(name) {
        return name.to_owned();
    }
    let numbered = (2_u32..).map(|number| format!("{name}-{number}"));
    let mut unused = numbered.filter(|name| !names.contains(name));
    unused.next().unwrap_or_else(|| name.to_owned())
}
