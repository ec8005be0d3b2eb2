//! A port written for Tonbandgerät, in the style of its documentation, compiles unmodified and
//! records: critical sections that declare variables, a core id without parentheses.

use tband_tests::c::{Firmware, Standard, compile_text, config_text};
use tband_tests::events::{STREAMED, assert_events, trace_info};
use tband_tests::{root, temp_dir, write};

#[test]
fn a_port_in_the_style_of_the_documentation_records() {
    let c = root().join("tests/c");
    let port = c.join("drop_in_port");
    let stream = Firmware::with_port(
        &[&c.join("drop_in.c"), &port.join("platform.c")],
        &port,
        &[("tband_configUSE_BACKEND_STREAMING", "1")],
    )
    .run(&[]);
    assert_events(
        &stream,
        &[
            "0 core_id core_id=0",
            "- ts_resolution_ns ns_per_ts=10",
            &trace_info(1, STREAMED),
            "77 dropped_evt_cnt cnt=0",
            "77 isr_enter isr_id=1",
            "77 evtmarker evtmarker_id=2 msg=\"task\"",
        ],
    );
}

#[test]
fn it_compiles_for_every_backend() {
    let shim = root().join("port/tband_shim.c");
    for backend in ["STREAMING", "SNAPSHOT", "EXTERNAL"] {
        let folder = temp_dir();
        let backend = format!("tband_configUSE_BACKEND_{backend}");
        write(folder.path().join("tband_config.h"), config_text(&[(&backend, "1")]));
        for standard in [Standard::C11, Standard::C17] {
            compile_text(
                standard,
                &["-Wall", "-Wextra", "-Werror"],
                &[folder.path(), &root().join("tests/c/drop_in_port")],
                &format!("#include \"{}\"\n", shim.display()),
                &folder.path().join("shim.o"),
            )
            .unwrap_or_else(|complaint| panic!("{backend}: {complaint}"));
        }
    }
}
