//! Several boards: each has its own timeline, and all share one world, whose numbers are those of the current board. The
//! timeline of the current board is the active one; it holds the others, and is swapped with one of them when another board has
//! an event.

use std::mem::swap;

use super::Timeline;
use crate::model::World;

impl Timeline {
    /// Timelines for the boards of a world other than the current one.
    pub(super) fn of_other_boards(world: &World) -> Vec<Option<Box<Self>>> {
        if !world.boards.are_several() {
            return Vec::new();
        }
        let current = world.boards.current();
        (0..world.boards.count()).map(|board| (board != current).then(Box::default)).collect()
    }

    /// Switches to the board of this input.
    #[inline]
    pub(crate) fn enter_input(&mut self, input: usize) {
        if self.world.boards.are_several() {
            self.enter(self.world.boards.board_of_input(input));
        }
    }

    /// Switches to this board.
    #[cold]
    pub(crate) fn enter(&mut self, board: usize) {
        let before = self.world.boards.current();
        let Some(mut other) = self.parked.get_mut(board).and_then(Option::take) else { return };
        swap(self, &mut *other);
        // The common state of all boards is swapped, too.
        swap(&mut self.world, &mut other.world);
        swap(&mut self.diagnostics, &mut other.diagnostics);
        swap(&mut self.deferred, &mut other.deferred);
        swap(&mut self.swaps, &mut other.swaps);
        swap(&mut self.parked, &mut other.parked);
        if let Some(place) = self.parked.get_mut(before) {
            *place = Some(other);
        }
        self.world.enter(board);
    }

    /// The timeline of a board.
    pub(super) fn of_board(&self, board: usize) -> &Self {
        self.parked.get(board).and_then(Option::as_deref).unwrap_or(self)
    }

    /// The timelines of all boards, in their order.
    pub(super) fn all_boards(&self) -> impl Iterator<Item = &Self> {
        (0..self.world.boards.count()).map(|board| self.of_board(board))
    }
}
