//! Sleeps that are about as long as a counter of 32 bits takes to wrap, with timestamps that are right.

use proptest::prelude::*;
use tband_format::Event::*;
use tband_recordings::Recording;
use tband_recordings::set_up::{MHZ, begin, found, info};

const HZ: u64 = 84 * MHZ;
const TICK: u64 = HZ / 1000;
const PERIOD: u64 = 1 << 32;

/// A task works, and delays itself for these ticks. The core sleeps in that time, with its events if `is_reported`.
fn sleeps(start: u64, work: u64, ticks: &[u32], is_reported: bool) -> Recording {
    let mut now = start;
    let mut recording = begin(info(Some(1000)), HZ).at(now, TaskSwitchedIn { task_id: 1 });
    let mut tick_count = 0_u32;
    for ticks in ticks {
        recording = recording
            .at(now + work, CurtaskDelay { ticks: *ticks })
            .at(now + work + 300, TaskSwitchedIn { task_id: 2 });
        if is_reported {
            recording =
                recording.at(now + work + 500, LowPowerIdleBegin { expected_ticks: *ticks });
        }
        now += u64::from(*ticks) * TICK;
        if is_reported {
            recording = recording
                .at(now - 900, TickCountIncrease { ticks: ticks - 1 })
                .at(now - 600, LowPowerIdleEnd {})
                .at(now - 100, TickIncrement { tick_count: tick_count + ticks - 1 });
            tick_count += ticks;
        }
        recording = recording
            .at(now, TaskToRdyState { task_id: 1 })
            .at(now + 400, TaskSwitchedIn { task_id: 1 });
    }
    recording
}

/// Returns the number of ticks nearest to this share of a period, in hundred thousandths.
fn ticks_of(share: u64) -> u32 {
    u32::try_from((PERIOD * share / 100_000 + TICK / 2) / TICK).unwrap()
}

#[test]
fn sleeps_of_one_timer_period_are_not_wraps() {
    for share in [99_999, 99_990, 199_999, 299_995, 100_000, 100_001] {
        for start in [1000, 5_000_000, 3_000_000_000] {
            for is_reported in [true, false] {
                let recording = sleeps(start, 900, &[ticks_of(share); 24], is_reported);
                let found = found(&recording);
                assert_eq!(found.iter().count(), 0, "{share} from {start}: {found:?}");
            }
        }
    }
}

fn share() -> impl Strategy<Value = u64> {
    let near = (1..4_u64, -60..60_i64)
        .prop_map(|(periods, by)| (periods * 100_000).saturating_add_signed(by));
    prop_oneof![50_000..350_000_u64, near]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn sleeps_of_any_length_are_right(
        start in prop_oneof![1..20_000_000_u64, 1..PERIOD],
        work in 500..30_000_u64,
        shares in prop_oneof![
            share().prop_map(|share| vec![share; 24]),
            prop::collection::vec(share(), 12..30),
        ],
        is_reported: bool,
    ) {
        let ticks: Vec<u32> = shares.iter().map(|share| ticks_of(*share)).collect();
        let found = found(&sleeps(start, work, &ticks, is_reported));
        prop_assert_eq!(found.iter().count(), 0, "{:?}", found);
    }
}
