//! The other pairs of backend, format and number of cores; disabled classes of events, as in `freertos_classes` without an
//! emulator; and that the tests of masks and of nested interrupts notice faults.

use tband_tests::class_check::each_class_can_be_off;
use tband_tests::{read, write};
use xtask::demo::{Backend, Format};

use crate::{classes, freertos, masks, nesting, port, smp, wrap};

const TRUST: &str =
    "tband_configTRUST_KERNEL_CRITICAL_SECTIONS=1;tband_configCHECK_KERNEL_CRITICAL_SECTIONS=1";

#[test]
fn a_snapshot_of_frames_matches_the_firmware() {
    freertos::check(Backend::Snapshot, Format::Frames);
}

#[test]
fn in_frames_the_kernels_recording_survives_the_wrap() {
    wrap::kernel_in(Format::Frames);
}

#[test]
fn streams_of_two_cores() {
    smp::check(2, "streaming", "frames");
}

#[test]
fn snapshots_of_two_and_four_cores() {
    smp::check(4, "snapshot", "frames");
    smp::check(2, "snapshot", "packets");
}

#[test]
fn a_disabled_class_affects_no_other_class() {
    each_class_can_be_off(classes::run_without);
}

/// A hook that leaves interrupts masked, as numbers of event groups did once, is found.
#[test]
fn a_hook_that_changes_the_mask_is_found() {
    let output = masks::run("masks-wrong", "", |folder| {
        let path = folder.join("tband_hooks_event_group.h");
        let text = read(&path);
        let hook = "#define TBAND_ON_EVENT_GROUP_CREATE(xEventGroup) ";
        assert!(text.contains(hook));
        write(
            &path,
            text.replace(hook, &format!("{hook} taskENTER_CRITICAL(); taskEXIT_CRITICAL(); ")),
        );
    })
    .expect_err("the hook is wrong");
    assert!(output.contains("changes the interrupt mask"), "{output}");
}

/// One that is in a row by mistake is found where it is called, by the kernel's assertion.
#[test]
fn a_hook_that_relies_on_a_section_and_is_called_without_is_found() {
    let output = masks::run("masks-trusting-wrong", TRUST, |folder| {
        let path = folder.join("tband_freertos_hooks.h");
        let text = read(&path);
        let (right, wrong) = (
            "TBAND_RECORD_U32(CURTASK_DELAY,",
            "tband_record_masked_u32(TBAND_EVT_U32_CURTASK_DELAY,",
        );
        assert!(text.contains(right));
        write(&path, text.replace(right, wrong));
    })
    .expect_err("nothing is masked where a task delays");
    assert!(output.contains("tband_portIS_MASKED()"), "{output}");
}

/// Nested interrupts without a critical section.
#[test]
fn without_a_critical_section_it_would_be_noticed() {
    let run = nesting::run("nested-no-section", Some(port("no_critical_section")));
    let error = nesting::examine(&run.trace).err().expect("frames are torn");
    println!("{error}");
}
