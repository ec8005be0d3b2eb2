//! More seeds, readers and ways to write the number of a core.

use crate::{cores, packets, rtt};

#[test]
fn with_room_enough_nothing_is_missing() {
    packets::nothing_is_missing(1..4);
}

#[test]
fn what_a_slow_reader_misses_is_counted_where_it_is_missing() {
    packets::what_is_missing_is_counted(&[(11, 1), (13, 10)]);
}

#[test]
fn post_mortem_has_the_last_events() {
    packets::the_last_events_are_there(&[(41, 300), (43, 2000)]);
}

#[test]
fn two_cores_have_a_ring_each() {
    packets::each_core_has_a_ring(51..53);
}

#[test]
fn what_a_probe_reads_is_what_was_recorded_and_what_is_missing_was_counted() {
    rtt::what_is_missing_is_counted(&[(61, 3), (62, 30)]);
}

#[test]
fn the_core_id_may_be_written_in_any_way() {
    cores::the_core_id_is_known(&cores::FORMS[3..], &cores::CONSTANTS[2..]);
}
