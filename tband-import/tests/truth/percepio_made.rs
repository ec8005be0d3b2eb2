//! TraceRecorder's streams in other layouts than those that were recorded.

use tband_conv::{EventReader, Item, Mode};
use tband_format::Event;

use crate::made::{Layout, rewritten, two_cores};
use crate::support::recording;

/// All events of a stream as text, without their places.
fn events(bytes: &[u8]) -> Vec<String> {
    let mut events = EventReader::new(bytes, 0, Mode::FreeRtos);
    let mut all = Vec::new();
    while let Some(Item { core, event, .. }) = events.next_item().unwrap() {
        all.push(format!("{core} {event:?}"));
    }
    all
}

#[test]
fn each_layout_has_the_same_events() {
    let stream = recording("percepio/4.11-stream.psf");
    let original = events(&stream);
    assert!(original.len() > 3500);
    for (version, is_big, is_wide) in [
        (0x0A, false, false),
        (0x0A, true, true),
        (0x0B, true, false),
        (0x0C, false, true),
        (0x0D, false, true),
        (0x0E, true, true),
    ] {
        let layout = Layout { is_big, is_wide, version };
        let made = events(&rewritten(&stream, layout));
        let different = made.iter().zip(&original).find(|(made, original)| made != original);
        assert_eq!(different, None, "{layout:?}");
        assert_eq!(made.len(), original.len(), "{layout:?}");
    }
    let same = Layout { is_big: false, is_wide: false, version: 0x0E };
    assert_eq!(rewritten(&stream, same), stream);
    let big = recording("percepio/4.11-stream-big-endian-made.psf");
    let layout = Layout { is_big: true, is_wide: false, version: 0x0E };
    assert_eq!(rewritten(&stream, layout), big);
}

#[test]
fn each_core_has_its_own_events_and_losses() {
    let switches = |bytes: &[u8]| {
        let mut events = EventReader::new(bytes, 0, Mode::FreeRtos);
        let (mut switches, mut lost, mut before) = ([0, 0], Vec::new(), [0, 0]);
        while let Some(Item { core, event, .. }) = events.next_item().unwrap() {
            let event = event.unwrap();
            let core = core as usize;
            if let Some(ts) = event.ts {
                assert!(ts >= before[core]);
                before[core] = ts;
            }
            match event.event {
                Event::TaskSwitchedIn { task_id } => {
                    assert_eq!((task_id >> 9 & 1) as usize, core);
                    switches[core] += 1;
                }
                Event::DroppedEvtCnt { cnt } => lost.push((core, cnt)),
                _ => {}
            }
        }
        (switches, lost, before)
    };
    let (all, lost, ends) = switches(&two_cores(0..0));
    assert_eq!((all, lost), ([4500, 4500], vec![]));
    assert_eq!(ends, [1000 + 8998 * 10, 1000 + 8999 * 10 - 15]);
    // The total is of both cores.
    let (some, lost, _) = switches(&two_cores(4000..4100));
    assert_eq!((some, lost), ([4450, 4450], vec![(0, 50), (1, 100)]));
}
