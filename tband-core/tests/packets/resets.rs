//! The backend that overwrites the oldest packets: the last ones are available when it is stopped or frozen, and
//! after a reset.

use tband_core::metadata::Metadata;
use tband_core::ring::Policy;
use tband_format::packet::METADATA_STREAM;
use tband_format::{Event, Str};

use crate::rings::{Rings, SIZE, after_reset, event, metadata, of_core, switches, take, take_all};
use crate::{follow_each_other, named, record, started};

on_both! {
    a_post_mortem_ring_has_the_last_events
    a_ring_is_frozen_exactly_so_many_packets_later
    a_reset_leaves_what_was_recorded
    a_reset_leaves_a_full_table
    what_is_cleared_does_not_come_back_after_a_reset
}

fn a_post_mortem_ring_has_the_last_events<const ONE: bool>() {
    for packets in [1, 2, 7] {
        let rec = started::<ONE>(Rings::new(Policy::PostMortem, packets));
        let recorded = record(&rec, 1000, 70, 500);
        assert_eq!(take(&rec), None, "it may be written over");
        rec.stop_packets();
        let amount = rec.packets_amount();
        let taken = take_all(&rec);
        let cores = of_core(&taken, 0);
        assert_eq!(cores.len() as u32, packets);
        follow_each_other(&cores);
        let events = switches(&cores);
        assert_eq!(events, recorded[500 - events.len()..]);
        assert!(amount > events.len() * 4 && amount <= packets as usize * SIZE);
        assert!(taken[0].stream == METADATA_STREAM && rec.packets_amount() == 0);
    }
}

fn a_ring_is_frozen_exactly_so_many_packets_later<const ONE: bool>() {
    for (packets, is_open) in [(1, true), (2, true), (1, false), (3, false), (0, true)] {
        let rec = started::<ONE>(Rings::new(Policy::PostMortem, 6));
        record(&rec, 1000, 1, 10);
        if !is_open {
            rec.close_packet(&rec.port().cores[0], 0, 1010);
        }
        rec.freeze_after(packets);
        record(&rec, 2000, 1, 400);
        assert!(!rec.is_recording());
        let taken = of_core(&take_all(&rec), 0);
        let after = taken.iter().filter(|it| it.begin >= 2000).count();
        // The packet that is open counts.
        let expected = usize::from(packets) - usize::from(is_open && packets != 0);
        assert_eq!(after, expected, "{packets} {is_open}");
        // The next recording has no trigger.
        assert!(rec.start_packets().is_ok());
        record(&rec, 9000, 1, 900);
        assert!(rec.is_recording());
    }
}

fn a_reset_leaves_what_was_recorded<const ONE: bool>() {
    for (count, is_torn) in [(0, false), (3, false), (30, false), (500, false), (500, true)] {
        let rings = Rings::new(Policy::PostMortem, 4);
        let before = started::<ONE>(rings);
        // SAFETY: the text ends.
        unsafe { before.store_metadata(&before.port().cores[0], &named(c"first")) };
        let recorded = record(&before, 1000, 70, count);
        let after = after_reset(rings, &before);
        after.port().now.set(0x77);
        if is_torn {
            // SAFETY: as above.
            unsafe { (*after.port().rings().measures).used = 0xFFFF };
        }
        assert_eq!(after.recover_packets(), count != 0, "{count}");
        let taken = take_all(&after);
        let events = switches(&taken);
        assert_eq!(events, recorded[recorded.len() - events.len()..], "{count}");
        assert!(events.len() > 30 || events.len() == count as usize);
        if count != 0 {
            let text = metadata(&taken).join("\n");
            assert_eq!(text.contains("first"), !is_torn, "{text}");
            assert_eq!(text.contains("MetadataDropped"), is_torn, "{text}");
            let core = of_core(&taken, 0);
            assert_eq!(
                taken[0].begin, core[0].begin,
                "the metadata has the time of the recovered packets"
            );
            follow_each_other(&core);
        }
        // The current recording continues after that.
        assert!(after.start_packets().is_ok());
        event(&after, 0, 5_000_000, 9);
        after.stop_packets();
        let last = of_core(&take_all(&after), 0).pop().expect("a packet");
        assert_eq!(last.switches, [(5_000_000, 9)]);
        let sequence = of_core(&taken, 0).last().map_or(0, |it| it.sequence.wrapping_add(1));
        assert_eq!(last.sequence, sequence);
    }
}

/// A table with all bytes in use counts as complete: no entry was being changed.
fn a_reset_leaves_a_full_table<const ONE: bool>() {
    let rings = Rings::new(Policy::PostMortem, 4);
    let before = started::<ONE>(rings);
    let id = Event::TaskName { task_id: 0, name: Str(b"") }.id();
    for number in 1..=4 {
        let (core, numbers) = (&before.port().cores[0], [number]);
        // SAFETY: the text ends.
        unsafe {
            let name = Metadata::new(id, &numbers, c"twelve bytes".as_ptr().cast());
            before.store_metadata(core, &name);
        }
    }
    let measure = before.measure_table(0);
    assert_eq!((usize::from(measure.used), measure.dropped), (rings.table, 0));
    event(&before, 0, 1000, 1);
    let after = after_reset(rings, &before);
    assert!(after.recover_packets());
    let names = metadata(&take_all(&after)).iter().filter(|it| it.starts_with("TaskName")).count();
    assert_eq!(names, 4);
}

fn what_is_cleared_does_not_come_back_after_a_reset<const ONE: bool>() {
    for count in [5, 500] {
        let rings = Rings::new(Policy::PostMortem, 4);
        let before = started::<ONE>(rings);
        record(&before, 1000, 70, count);
        before.stop_packets();
        assert!(before.clear_packets());
        let after = after_reset(rings, &before);
        assert!(!after.recover_packets());
    }
}
