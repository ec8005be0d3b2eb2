//! All windows.

use crate::{EDGES, windows_are_the_timeline, windows_at_edges_are_the_timeline};

#[test]
fn all_windows_of_recordings_are_the_timeline() {
    windows_are_the_timeline(|_, _| true);
}

#[test]
fn all_windows_at_the_edges_of_things_are_the_timeline() {
    windows_at_edges_are_the_timeline(&EDGES);
}
