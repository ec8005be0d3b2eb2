//! Boards: targets that are read together, each with a clock of its own. Each has its own numbers of tasks, queues and other
//! objects, its own metadata and its own resets. One of them is the current board: the world looks up the numbers of that
//! one. Handles of objects are the same for all boards.

use std::mem::swap;

use super::crash_places::CrashPlaces;
use super::left_out::LeftOut;
use super::life::Runs;
use super::world::{TraceInfo, World};
use crate::records::{Dictionary, GivenProgram};

/// The boards of a conversion.
#[derive(Clone, Debug, Default)]
pub(crate) struct Boards {
    /// Board of each input; empty if there is one board.
    of_input: Vec<usize>,
    /// Name, and first core, of each board.
    known: Vec<(String, u32)>,
    /// The board whose numbers are looked up.
    current: usize,
    /// What is known of the other boards, by board.
    parked: Vec<Facts>,
}

/// What is known of a board besides its objects.
#[derive(Clone, Debug, Default)]
struct Facts {
    trace_info: Option<TraceInfo>,
    main_name: Option<String>,
    main_named: u32,
    runs: Runs,
    build_id: Option<String>,
    program: Option<u64>,
    given: GivenProgram,
    recorded: GivenProgram,
    left_out: Vec<LeftOut>,
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
    pub fn of_input(&self, input: usize) -> usize {
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

impl World {
    /// The run, from 0, in which a board is.
    pub(crate) fn run_of_board(&self, board: usize) -> u32 {
        self.boards.run_of(board, self.runs.run)
    }

    /// The board whose numbers are looked up, from 0. There are several only where inputs with clocks of their own are read
    /// together.
    #[must_use]
    pub const fn board(&self) -> usize {
        self.boards.current()
    }

    /// The input is of another board than the one whose numbers are looked up.
    #[inline]
    pub(crate) fn is_of_another_board(&self, input: usize) -> bool {
        self.boards.are_several() && self.boards.of_input(input) != self.boards.current
    }

    /// Objects are looked up by the numbers of this input's board from now on: for a copy of a world that was received at the
    /// [start](crate::EventSink::start).
    pub fn enter_input(&mut self, input: usize) {
        if self.boards.are_several() {
            self.enter(self.boards.of_input(input));
        }
    }

    /// Numbers are those of this board from now on.
    #[cold]
    pub(crate) fn enter(&mut self, board: usize) {
        let before = self.boards.current;
        if before == board {
            return;
        }
        let mut parked = std::mem::take(&mut self.boards.parked);
        parked.resize_with(parked.len().max(self.boards.count()), Facts::default);
        for at in [before, board] {
            if let Some(facts) = parked.get_mut(at) {
                self.swap_facts(facts);
            }
        }
        (self.boards.parked, self.boards.current) = (parked, board);
        self.tasks.enter(board);
        self.queues.enter(board);
        self.stream_buffers.enter(board);
        self.event_groups.enter(board);
        self.timers.enter(board);
        self.isrs.enter(board);
        self.markers.enter(board);
        self.values.enter(board);
    }

    /// A name of the current board without the board's name, which is in front where several boards have the same name.
    pub(crate) fn own_name<'n>(&self, name: &'n str) -> &'n str {
        let board = self.boards.name(self.boards.current);
        let own = board.and_then(|board| name.strip_prefix(board)?.strip_prefix('.'));
        own.unwrap_or(name)
    }

    fn swap_facts(&mut self, facts: &mut Facts) {
        swap(&mut self.trace_info, &mut facts.trace_info);
        swap(&mut self.main_name, &mut facts.main_name);
        swap(&mut self.main_named, &mut facts.main_named);
        swap(&mut self.runs, &mut facts.runs);
        swap(&mut self.build_id, &mut facts.build_id);
        swap(&mut self.program, &mut facts.program);
        swap(&mut self.given, &mut facts.given);
        swap(&mut self.recorded, &mut facts.recorded);
        swap(&mut self.left_out, &mut facts.left_out);
        swap(&mut self.crash_places, &mut facts.crash_places);
        swap(&mut self.given_crash_places, &mut facts.given_crash_places);
        swap(&mut self.dictionary, &mut facts.dictionary);
    }
}
