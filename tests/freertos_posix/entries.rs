//! Every entry point in each context of the POSIX port: none fails, blocks or leaves the recorder unable to record.

use std::fs;
use std::process::Command;

use tband_tests::entries::called;
use tband_tests::{archive, root, run, temp_dir};
use xtask::kernel;

#[test]
fn every_entry_point_works_in_each_context() {
    let kernel = kernel::path(root()).unwrap_or_else(|error| panic!("{error:#}"));
    for format in ["TBAND_FORMAT_FRAMES", "TBAND_FORMAT_PACKETS"] {
        let folder = root().join("target/test-posix").join(format!("entries-{format}"));
        run(Command::new("cmake")
            .arg("-S")
            .arg(root().join("tests/freertos_posix/entries"))
            .arg("-B")
            .arg(&folder)
            .arg(format!("-DFREERTOS_KERNEL_PATH={}", kernel.display()))
            .arg(format!("-DTBAND_LIBRARY={}", archive().display()))
            .arg(format!("-DFORMAT={format}")));
        run(Command::new("cmake").arg("--build").arg(&folder).args(["--parallel", "2"]));
        let out = temp_dir();
        run(Command::new(folder.join("entries")).current_dir(out.path()));
        let output = fs::read_to_string(out.path().join("failures.txt")).expect("a file");
        let count =
            output.trim_end().strip_suffix(" entries").unwrap_or_else(|| panic!("{output}"));
        let count: usize = count.parse().unwrap_or_else(|_| panic!("{output}"));
        // Those of other backends and of faults are not there.
        assert!(count + 25 > called().len() && count > 100, "{count} of {}", called().len());
    }
}
