//! Where the real kernel records a thing before it knows its outcome, behind what followed from it, twice,
//! or though nothing happened: what is shown is what happened.

mod support;

use support::{assert_details, two_tasks};
use tband_conv::Flows;
use tband_format::Event::*;

#[test]
fn ticks_are_put_off_and_made_up_for() {
    let recording = two_tasks()
        .at(1, TickIncrement { tick_count: 7 })
        // The scheduler is suspended.
        .at(2, TickIncrement { tick_count: 8 })
        .at(3, TickIncrement { tick_count: 8 })
        // It goes on.
        .at(4, TickIncrement { tick_count: 8 })
        .at(4, TickIncrement { tick_count: 9 })
        .at(5, TickIncrement { tick_count: 10 });
    assert_details(
        &recording,
        Flows::Wakes,
        "10 0 tick count 8
         20 0 tick count 9
         40 0 tick count 10
         50 0 tick count 11
         50 end",
    );
}
