//! Structs and sizes that C and Rust share: the library's own definitions against what the C compiler
//! makes of the header.

use std::collections::BTreeMap;
use std::mem::{align_of, offset_of, size_of};

use tband_tests::c::Firmware;

/// The very source of the library.
#[path = "../../../../tband-ffi/src/setup.rs"]
#[allow(dead_code, non_camel_case_types, reason = "only its layout is used")]
mod setup;

/// See `setup`.
#[path = "../../../../tband-ffi/src/command.rs"]
#[allow(dead_code, non_camel_case_types, reason = "only its layout is used")]
mod command;

/// See `setup`.
#[path = "../../../../tband-ffi/src/packet_setup.rs"]
#[allow(dead_code, non_camel_case_types, reason = "only its layout is used")]
mod packet_setup;

/// The layout that bindgen computed for C, as its checks state it: "Size of x", "Alignment of x",
/// "Offset of field: x::y" and the number.
fn c_layout() -> BTreeMap<String, usize> {
    let text = crate::bindings("#include \"tband.h\"", ".*/include/tband_library\\.h", &[]);
    // Each check is `["Size of tband_setup"][size_of::<tband_setup>() - 88usize];`, maybe in lines.
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    text.split("[\"")
        .skip(1)
        .filter_map(|check| {
            let (what, rest) = check.split_once("\"]")?;
            let (_, number) = rest.split_once(" - ")?;
            let number = number.split_once("usize")?.0;
            Some((what.to_owned(), number.parse().ok()?))
        })
        .collect()
}

#[test]
fn shared_structs_have_the_same_layout() {
    let mut rust = BTreeMap::new();
    macro_rules! layout {
        ($setup:ident :: $name:ident { $($field:ident),* $(,)? }) => {
            let name = stringify!($name);
            rust.insert(format!("Size of {name}"), size_of::<$setup::$name>());
            rust.insert(format!("Alignment of {name}"), align_of::<$setup::$name>());
            $(rust.insert(
                format!("Offset of field: {name}::{}", stringify!($field)),
                offset_of!($setup::$name, $field),
            );)*
        };
    }
    layout!(setup::tband_setup {
        cores,
        core_count,
        max_str_len,
        drop_cnt_every,
        metadata_buf_size,
        metadata_bufs,
        event_bufs,
        snapshot_buf_size,
        frame_buf_size,
        build_id,
        trace_info,
        trace_info_count,
        frequency,
        program,
    });
    layout!(command::tband_command { arguments, number, kind, count });
    layout!(setup::tband_metadata { text, numbers, head, at, changes });
    layout!(packet_setup::tband_packet_setup {
        core_count,
        rings,
        packet_size,
        memory,
        last_packet,
        packet_count,
        reader,
        max_event_len,
        metadata_every,
        policy,
        at_begin,
        class_isrs,
        metadata_slot,
        at_begin_words,
        class_isr_words,
        kept,
        hands_out,
        sees_turns,
        most_waiting,
    });
    layout!(packet_setup::tband_rtt_buffer { name, memory, size, write, read, flags });
    layout!(packet_setup::tband_shed_order { steps, count, from, last });
    layout!(packet_setup::tband_shedding { filter, cores, core_count, order });
    layout!(packet_setup::tband_kept { tables, measures });
    layout!(packet_setup::tband_table_measure { used, dropped, needed });
    let mut c = c_layout();
    // The fields of these are private to each side: only the memory is shared.
    for (name, size, align) in [
        (
            "tband_core_state",
            size_of::<setup::tband_core_state>(),
            align_of::<setup::tband_core_state>(),
        ),
        // The shim reads the first fields of it; the library has a check of them.
        (
            "tband_filter_state",
            size_of::<tband_core::filter::Filter>(),
            align_of::<tband_core::filter::Filter>(),
        ),
        (
            "tband_shed_state",
            size_of::<tband_core::shedding::Shed>(),
            align_of::<tband_core::shedding::Shed>(),
        ),
        (
            "tband_trigger_state",
            size_of::<tband_core::triggers::Triggers>(),
            align_of::<tband_core::triggers::Triggers>(),
        ),
        ("tband_frame", size_of::<tband_core::RawFrame>(), align_of::<tband_core::RawFrame>()),
        (
            "tband_ring_state",
            size_of::<tband_core::ring::Ring>(),
            align_of::<tband_core::ring::Ring>(),
        ),
        (
            "tband_packet_reader",
            size_of::<tband_core::ring::Reader>(),
            align_of::<tband_core::ring::Reader>(),
        ),
    ] {
        c.retain(|what, _| !what.starts_with(&format!("Offset of field: {name}::")));
        rust.insert(format!("Size of {name}"), size);
        rust.insert(format!("Alignment of {name}"), align);
    }
    assert_eq!(c, rust);
    assert_eq!(size_of::<setup::tband_core_state>(), size_of::<tband_core::CoreState>());
    assert!(align_of::<setup::tband_core_state>() >= align_of::<tband_core::CoreState>());
}

#[test]
fn the_shim_s_frame_buffers_have_the_size_that_the_recorder_wants() {
    let config = [("tband_configUSE_BACKEND_STREAMING", "1")];
    let printed = Firmware::new("frame_buf_size", &config).run(&[]);
    let printed = String::from_utf8(printed).expect("text");
    let mut count = 0;
    for line in printed.lines() {
        let (len, size) = line.split_once(' ').expect("two numbers");
        let (len, size): (u32, usize) = (len.parse().expect("len"), size.parse().expect("size"));
        assert_eq!(size, tband_core::emit::frame_buf_size(len), "strings of {len} bytes");
        count += 1;
    }
    assert!(count > 2000, "{count}");
}
