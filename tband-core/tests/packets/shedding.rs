//! Events that are shed as packets wait, and the counts that are recorded when a recording has ended.

use tband_core::filter::{Choice, Filter};
use tband_core::ring::Policy;
use tband_core::shedding::{Shed, ShedOrder, Shedding};

use crate::follow_each_other;
use crate::rings::{
    Recording, Rings, SWITCHED_IN, TICK, TakenPacket, event, of_core, recorder, switches, take,
    take_all, within,
};

on_both! {
    steps_follow_the_packets_that_wait
    a_change_of_the_filter_leaves_what_is_shed
    a_core_closes_its_own_packet
}

/// The class of ticks: a bit of the flags of `trace_info`.
const TICKS: u32 = 1 << 18;

/// The shim's state: ticks are shed once half of the packets that may wait are waiting.
struct Shim {
    filter: Box<Filter>,
    _cores: Box<[Shed]>,
    of: Shedding,
}

impl Shim {
    fn new(cores: u32, last: u32) -> Self {
        static STEPS: [u32; 1] = [TICKS];
        let filter = Box::<Filter>::default();
        let states: Box<[Shed]> = (0..cores).map(|_| Shed::default()).collect();
        let order = ShedOrder { steps: STEPS.as_ptr(), count: 1, from: 50, last };
        let of = Shedding {
            filter: &raw const *filter,
            cores: states.as_ptr(),
            core_count: cores,
            order,
        };
        Self { filter, _cores: states, of }
    }

    fn is_let_through(&self, id: u32) -> bool {
        self.filter.is_let_through(id as u8, 1)
    }

    /// Records an event with number 1, like the shim.
    fn event<const ONE: bool>(&self, rec: &Recording<ONE>, core: u32, time: u64, id: u32) {
        within(rec, core, time, |state| {
            if self.is_let_through(id) || !self.of.is_left_out(core, id as u8, 1, time as u32) {
                // SAFETY: recording was started with packets.
                unsafe { rec.packet_u32(id, state, time as u32, 1) };
                rec.shed_turn(&self.of, state);
            }
        });
    }

    /// Records switches and ticks alternately, from `start` on.
    fn record<const ONE: bool>(&self, rec: &Recording<ONE>, core: u32, start: u64, count: u64) {
        for at in 0..count {
            self.event(rec, core, start + at, if at % 2 == 0 { SWITCHED_IN } else { TICK });
        }
    }
}

fn started<const ONE: bool>(rings: Rings) -> (Recording<ONE>, Shim) {
    let (cores, last) = (rings.cores, rings.packets - 1);
    let rec = recorder(rings);
    assert!(rec.start_packets().is_ok());
    (rec, Shim::new(cores, last))
}

/// Like [`take_all`], and first writes the counts of shed events, as the shim does.
fn take_with_shed<const ONE: bool>(rec: &Recording<ONE>, shim: &Shim) -> Vec<TakenPacket> {
    let mut taken = Vec::new();
    loop {
        let is_due = rec.is_shed_due(&shim.of);
        if is_due {
            rec.write_shed(&shim.of);
        }
        let more = take_all(rec);
        assert!(!is_due || !more.is_empty(), "it is due, and nothing comes");
        if more.is_empty() {
            return taken;
        }
        taken.extend(more);
    }
}

fn steps_follow_the_packets_that_wait<const ONE: bool>() {
    let (rec, shim) = started::<ONE>(Rings::new(Policy::Stream, 8));
    let core = &rec.port().cores[0];
    take_all(&rec);
    // Four packets are the first that are half of seven.
    for packet in 0..5 {
        assert!(shim.is_let_through(TICK), "{packet} wait");
        shim.record(&rec, 0, 1000 + packet * 100, 20);
        rec.close_packet(core, 0, 1050 + packet * 100);
    }
    assert!(!shim.is_let_through(TICK), "a packet was opened while four waited");
    shim.of.mark_recorded(0);
    shim.event(&rec, 0, 1990, TICK);
    assert_eq!(shim.of.unrecorded(0), Some((18, 1)));
    assert_eq!(switches(&take(&rec).into_iter().collect::<Vec<_>>()).len(), 10);
    // One packet less is not enough; and the open packet waits too when it is closed.
    for (waiting, may_turn_back) in [(4, false), (3, false), (2, false), (1, true)] {
        assert_eq!(rec.shed_may_turn_back(&shim.of, core), may_turn_back, "{waiting} wait");
        if waiting > 2 {
            rec.shed_turn(&shim.of, core);
            assert!(!shim.is_let_through(TICK), "{waiting} wait");
        }
        assert!(take(&rec).is_some());
    }
    rec.shed_turn(&shim.of, core);
    assert!(shim.is_let_through(TICK));
    assert!(!rec.shed_may_turn_back(&shim.of, core), "nothing is shed");
}

fn a_change_of_the_filter_leaves_what_is_shed<const ONE: bool>() {
    let (rec, shim) = started::<ONE>(Rings::new(Policy::Stream, 2));
    shim.record(&rec, 0, 1000, 100);
    assert!(!shim.is_let_through(TICK) && shim.is_let_through(105));
    assert!(shim.filter.choose(Choice::Event(105), false, 1).is_ok());
    rec.shed_apply(&shim.of);
    assert!(!shim.is_let_through(TICK) && !shim.is_let_through(105));
}

fn a_core_closes_its_own_packet<const ONE: bool>() {
    let rec = recorder::<ONE>(Rings { hands_out: 1, ..Rings::new(Policy::Stream, 8) });
    let core = &rec.port().cores[0];
    let close = |time: u64| {
        let before = rec.port().closed.get();
        rec.close_own_packet(core, time);
        rec.port().closed.get() - before
    };
    assert_eq!(close(500), 0, "off");
    assert!(rec.start_packets().is_ok());
    assert_eq!(close(1000), 0, "none is open");
    event(&rec, 0, 1010, 1);
    assert_eq!(close(1020), 1);
    assert_eq!(close(1030), 0, "none is open");
    event(&rec, 0, 1040, 1);
    rec.stop_packets();
    assert_eq!(close(1050), 0, "off");
    let packets = of_core(&take_all(&rec), 0);
    assert_eq!(packets.iter().map(|it| it.end).collect::<Vec<_>>(), [1020, 1040]);
}

/// Starts two cores, and records until core 1 sheds ticks. Returns the time of that.
fn shedding_on_core_1(rings: Rings) -> (Recording<false>, Shim, u64) {
    let (rec, shim) = started::<false>(rings.of_cores(2));
    take_all(&rec);
    let mut time = 1000;
    while shim.is_let_through(TICK) {
        shim.record(&rec, 1, time, 10);
        rec.close_own_packet(&rec.port().cores[1], time + 10);
        time += 100;
        assert!(time < 9000, "nothing is shed");
    }
    shim.of.mark_recorded(1);
    (rec, shim, time)
}

#[test]
fn a_core_closes_no_other_and_one_that_was_taken_away_with_its_last_event() {
    let rec = recorder::<false>(Rings::new(Policy::Stream, 8).of_cores(2));
    assert!(rec.start_packets().is_ok());
    for core in 0..2 {
        event(&rec, core, 1000 + u64::from(core), 1);
    }
    rec.close_own_packet(&rec.port().cores[0], 1010);
    event(&rec, 1, 1020, 2);
    rec.close_packet(&rec.port().cores[0], 0, 1030);
    rec.close_own_packet(&rec.port().cores[1], 1040);
    rec.stop_packets();
    let taken = take_all(&rec);
    let times =
        |core| of_core(&taken, core).iter().map(|it| (it.begin, it.end)).collect::<Vec<_>>();
    assert_eq!((times(0), times(1)), (vec![(1000, 1010)], vec![(1001, 1020)]));
}

/// Events on core 1 after it has begun to shed, in ticks from then on.
#[derive(Clone, Copy, Debug, Default)]
struct Ending {
    switch: Option<u64>,
    tick: u64,
    /// A switch after the tick.
    last: Option<u64>,
    /// Core 0 stops.
    stop: u64,
    /// The port has reported each wrap of the time's lower half.
    sees_turns: bool,
    /// When the counts are recorded, and when the open packet ends.
    output: u64,
    end: Option<u64>,
}

/// Once core 1 has finished, a packet contains the counts that are in no other packet, one tick after the core's last event.
#[test]
fn the_last_shed_counts_are_recorded_at_the_end() {
    const TURN: u64 = 1 << 32;
    let plain =
        Ending { switch: Some(0), tick: 5, stop: 10, output: 6, end: Some(0), ..Ending::default() };
    for case in [
        plain,
        Ending { last: Some(8), output: 9, end: Some(8), ..plain },
        Ending { tick: 10, output: 10, ..plain },
        // Without an open packet the number of wraps since then is unknown.
        Ending { switch: None, output: 10, end: None, ..plain },
        Ending { stop: TURN, output: TURN, end: Some(TURN), ..plain },
        Ending { stop: TURN - 1, output: TURN - 1, ..plain },
        Ending { stop: TURN / 2 + 4, sees_turns: true, ..plain },
        Ending { stop: TURN / 2 + 5, sees_turns: true, output: TURN / 2 + 5, ..plain },
    ] {
        let rings = Rings { sees_turns: case.sees_turns.into(), ..Rings::new(Policy::Stream, 6) };
        let (rec, shim, start) = shedding_on_core_1(rings);
        let switch = |at: u64| shim.event(&rec, 1, start + at, SWITCHED_IN);
        case.switch.into_iter().for_each(switch);
        shim.event(&rec, 1, start + case.tick, TICK);
        case.last.into_iter().for_each(switch);
        assert!(!rec.is_shed_due(&shim.of), "recording is on");
        rec.port().now.set(start + case.stop);
        rec.stop_packets();
        assert!(rec.is_shed_due(&shim.of));
        let packets = of_core(&take_with_shed(&rec, &shim), 1);
        follow_each_other(&packets);
        let [.., before, last] = &packets[..] else { panic!("{packets:?}") };
        let output = start + case.output;
        assert_eq!(
            (last.begin, last.end, &last.shed[..]),
            (output, output, &[(18, 1)][..]),
            "{case:?}"
        );
        assert!(last.filter.is_empty() && last.switches.is_empty());
        if let Some(end) = case.end {
            assert_eq!(before.end, start + end, "{case:?}");
        }
        assert_eq!(shim.of.unrecorded(1), None);
    }
}

#[test]
fn shed_counts_are_recorded_when_there_is_room() {
    let (rec, shim, start) = shedding_on_core_1(Rings::new(Policy::Stream, 4));
    for packet in 0..5 {
        shim.event(&rec, 1, start + packet * 10, SWITCHED_IN);
        rec.close_own_packet(&rec.port().cores[1], start + packet * 10 + 5);
    }
    assert_ne!(rec.dropped(), 0, "the ring is full");
    shim.event(&rec, 1, start + 90, TICK);
    rec.stop_packets();
    assert!(!rec.is_shed_due(&shim.of), "no packet is free");
    rec.write_shed(&shim.of);
    assert_eq!(shim.of.unrecorded(1), Some((18, 1)));
    let first = take(&rec).expect("a packet");
    assert!(rec.is_shed_due(&shim.of));
    let packets = [vec![first], take_with_shed(&rec, &shim)].concat();
    let packets = of_core(&packets, 1);
    follow_each_other(&packets);
    let output: Vec<_> = packets.iter().flat_map(|it| it.shed.clone()).collect();
    assert_eq!(output, [(18, 1)]);
    assert_eq!(packets.last().map(|it| it.discarded), Some(rec.dropped()));
}

#[test]
fn a_start_records_earlier_shed_counts_and_sheds_nothing() {
    let (rec, shim, start) = shedding_on_core_1(Rings::new(Policy::Stream, 6));
    assert!(shim.filter.choose(Choice::Object(1, 9), false, 1).is_ok());
    shim.event(&rec, 1, start, TICK);
    assert!(rec.start_shedding(&shim.of).is_err(), "it is on");
    assert_eq!((shim.of.unrecorded(1), shim.is_let_through(TICK)), (Some((18, 1)), false));
    rec.stop_packets();
    for (shed, turn) in [(&[(18, 1)][..], 0), (&[], 1)] {
        assert!(rec.start_shedding(&shim.of).is_ok());
        assert_eq!((shim.of.unrecorded(1), shim.is_let_through(TICK)), (None, true));
        rec.stop_packets();
        let last: Vec<_> =
            of_core(&take_all(&rec), 1).into_iter().filter(|it| !it.filter.is_empty()).collect();
        assert_eq!(last.len(), 1, "{turn}");
        assert_eq!(
            (&last[0].shed[..], &last[0].filter[..]),
            (shed, &[(8, 1 | 1 << 8), (17, 9)][..])
        );
        // Shedding, without counts to record.
        assert!(rec.start_packets().is_ok());
        take_all(&rec);
        for _ in 0..4 {
            shim.event(&rec, 1, start + 1000, SWITCHED_IN);
            rec.close_own_packet(&rec.port().cores[1], start + 1000);
        }
        assert!(!shim.is_let_through(TICK));
        rec.stop_packets();
        assert!(!rec.is_shed_due(&shim.of));
    }
    // Nothing was shed, so no count needs to be recorded.
    assert!(rec.start_shedding(&shim.of).is_ok());
    take_all(&rec);
    rec.stop_packets();
    assert!(rec.start_shedding(&shim.of).is_ok());
    rec.stop_packets();
    assert_eq!(of_core(&take_all(&rec), 1), []);
}

#[test]
fn what_a_start_has_no_room_to_say_is_lost_and_counted() {
    for odd in [0, 1] {
        let (rec, shim, start) = shedding_on_core_1(Rings::new(Policy::Stream, 4));
        for _ in 0..5 {
            shim.event(&rec, 1, start, SWITCHED_IN);
            rec.close_own_packet(&rec.port().cores[1], start);
        }
        let before = rec.dropped();
        assert_ne!(before, 0, "the ring is full");
        (0..3).for_each(|at| shim.event(&rec, 1, start + odd + at, TICK));
        rec.port().now.set(start + 100);
        rec.stop_packets();
        assert!(rec.start_shedding(&shim.of).is_ok());
        assert_eq!(
            (rec.dropped(), shim.of.unrecorded(1), shim.is_let_through(TICK)),
            (before + 3, None, true)
        );
        rec.stop_packets();
        let last = of_core(&take_all(&rec), 1).pop().expect("a packet");
        assert_eq!((last.discarded, last.end), (before + 3, start + 3), "when the last was shed");
    }
}

/// Events that were shed before the last packet's end count as lost no earlier than that end: otherwise a packet would begin before
/// the previous one has ended.
#[test]
fn what_a_start_has_no_room_to_say_is_lost_after_the_last_packet() {
    for was_closed in [false, true] {
        let (rec, shim, start) = shedding_on_core_1(Rings::new(Policy::Stream, 4));
        shim.event(&rec, 1, start, SWITCHED_IN);
        shim.event(&rec, 1, start + 1, TICK);
        shim.event(&rec, 1, start + 2, SWITCHED_IN);
        if was_closed {
            rec.close_own_packet(&rec.port().cores[1], start + 3);
        }
        rec.port().now.set(start + 100);
        rec.stop_packets();
        assert_eq!(shim.of.unrecorded(1), Some((18, 1)));
        assert!(rec.start_shedding(&shim.of).is_ok());
        rec.stop_packets();
        let packets = of_core(&take_all(&rec), 1);
        follow_each_other(&packets);
        let [.., before, last] = &packets[..] else { panic!("{packets:?}") };
        assert_eq!((before.end, last.discarded), (start + 2 + u64::from(was_closed), 1));
        assert!(last.begin - before.end <= 1 && last.shed.is_empty(), "{packets:?}");
    }
}
