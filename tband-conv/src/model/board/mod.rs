//! Boards: targets that are read together, each with its own clock. Each has its own numbers of tasks, queues and other
//! objects, its own metadata and its own resets. One of them is the current board: the world looks up the numbers of that one.
//! Handles of objects are the same for all boards.

mod enter;
mod trace_info;

pub use self::trace_info::TraceInfo;
use super::crash_places::CrashPlaces;
use super::life::Runs;
use super::omission::Omission;
use crate::records::{Dictionary, LoadedProgram};

/// The boards of a conversion.
#[derive(Clone, Debug, Default)]
pub(crate) struct Boards {
    /// Board of each input; empty if there is one board.
    of_input: Vec<usize>,
    /// Name, and first core, of each board.
    known: Vec<(String, u32)>,
    /// The board whose numbers are looked up.
    current: usize,
    /// Facts about the other boards, by board.
    parked: Vec<Facts>,
}

/// Known facts about a board, without its objects.
#[derive(Clone, Debug, Default)]
struct Facts {
    trace_info: Option<TraceInfo>,
    main_name: Option<String>,
    main_named: u32,
    runs: Runs,
    build_id: Option<String>,
    identity: Option<String>,
    program: Option<u64>,
    given: LoadedProgram,
    recorded: LoadedProgram,
    left_out: Vec<Omission>,
    crash_places: CrashPlaces,
    given_crash_places: CrashPlaces,
    dictionary: Dictionary,
}

impl Boards {
    /// Boards with their names and first cores, by input.
    pub fn new(of_input: Vec<usize>, known: Vec<(String, u32)>) -> Self {
        Self { of_input, known, ..Self::default() }
    }

    /// There are several.
    #[inline]
    pub const fn are_several(&self) -> bool {
        !self.of_input.is_empty()
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.known.len().max(1)
    }

    /// The board of an input.
    pub fn board_of_input(&self, input: usize) -> usize {
        self.of_input.get(input).copied().unwrap_or(0)
    }

    /// The board whose numbers are looked up.
    pub const fn current(&self) -> usize {
        self.current
    }

    /// The name of a board; `None` if there is one board.
    pub fn name(&self, board: usize) -> Option<&str> {
        self.known.get(board).map(|(name, _)| name.as_str())
    }

    /// The run of a board, from 0, where the current board is in this one.
    fn run_of(&self, board: usize, run_here: u32) -> u32 {
        let parked = self.parked.get(board).filter(|_| board != self.current);
        parked.map_or(run_here, |facts| facts.runs.run)
    }

    /// The number of the current board's core 0.
    pub fn first_core(&self) -> u32 {
        self.known.get(self.current).map_or(0, |(_, core)| *core)
    }
}
