//! More seeds, readers and ways to write the number of a core.

use crate::{cores, packets, rtt};

#[test]
fn a_large_buffer_loses_no_events() {
    packets::nothing_is_missing(1..4);
}

#[test]
fn losses_of_a_slow_reader_are_counted_in_place() {
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
fn a_probe_reads_all_events_or_counts_them() {
    rtt::what_is_missing_is_counted(&[(61, 3), (62, 30)]);
}

#[test]
fn the_core_id_may_be_written_in_any_way() {
    cores::the_core_id_is_known(&cores::FORMS[3..], &cores::CONSTANTS[2..]);
}
