//! The world of the current board.

use std::mem::swap;

use super::Facts;
use crate::model::world::World;

impl World {
    /// Returns the number, from 0, of a board's current run.
    pub(crate) fn run_of_board(&self, board: usize) -> u32 {
        self.boards.run_of(board, self.runs.run)
    }

    /// Returns the board whose numbers are looked up, from 0. There are several only where inputs with their own clocks are
    /// read together.
    #[must_use]
    pub const fn board(&self) -> usize {
        self.boards.current()
    }

    /// Whether the input is of another board than the one whose numbers are looked up.
    #[inline]
    pub(crate) fn is_of_another_board(&self, input: usize) -> bool {
        self.boards.are_several() && self.boards.board_of_input(input) != self.boards.current
    }

    /// Looks up objects by the numbers of this input's board from now on: for a copy of a world that was received at the
    /// [start](crate::model::EventSink::start).
    pub fn enter_input(&mut self, input: usize) {
        if self.boards.are_several() {
            self.enter(self.boards.board_of_input(input));
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
        swap(&mut self.identity, &mut facts.identity);
        swap(&mut self.program, &mut facts.program);
        swap(&mut self.given, &mut facts.given);
        swap(&mut self.recorded, &mut facts.recorded);
        swap(&mut self.left_out, &mut facts.left_out);
        swap(&mut self.crash_places, &mut facts.crash_places);
        swap(&mut self.given_crash_places, &mut facts.given_crash_places);
        swap(&mut self.dictionary, &mut facts.dictionary);
    }
}
