//! The library once more built by cargo: with make, and for an installed package.

use tband_tests::{root, run, temp_dir};
use xtask::rust_target::host_target;

use crate::{builds_from_the_source_tree, cmake};

#[test]
fn from_the_source_tree_with_make() {
    builds_from_the_source_tree("Unix Makefiles");
}

#[test]
fn installing_builds_the_library() {
    let folder = temp_dir();
    let (build, prefix) = (folder.path().join("build"), folder.path().join("prefix"));
    run(cmake().arg("-S").arg(root()).arg("-B").arg(&build));
    run(cmake().arg("--build").arg(&build));
    run(cmake().arg("--install").arg(&build).arg("--prefix").arg(&prefix));
    let library = format!("share/tband/lib/{}/libtband.a", host_target().expect("a host"));
    assert!(prefix.join(library).is_file());
}
