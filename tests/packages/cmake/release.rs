//! The library once more built by cargo: with make, and for an installed package.

use tband_tests::{root, run, temp_dir, write};
use xtask::rust_target::host_target;
use xtask::tree;

use crate::{build_source_tree, cmake};

#[test]
fn from_the_source_tree_with_make() {
    build_source_tree("Unix Makefiles");
}

/// Settings for a user's other Rust programs, in the environment and in a folder above the sources, do not reach the library.
#[test]
fn settings_of_the_user_do_not_reach_the_library() {
    let folder = temp_dir();
    let source = folder.path().join("tband");
    tree::copy(root(), &source).expect("a copy");
    let build = |name: &str, settings: &[(&str, &str)]| {
        let build = folder.path().join(name);
        run(cmake().arg("-S").arg(&source).arg("-B").arg(&build));
        let mut make = cmake();
        make.arg("--build").arg(&build).envs(settings.iter().copied());
        run(&mut make);
        std::fs::read(build.join("lib/libtband.a")).expect("a library")
    };
    let usual = build("usual", &[]);
    write(
        folder.path().join(".cargo/config.toml"),
        "[build]\nrustflags = [\"-Ctarget-cpu=native\", \"-Cno-such-option\"]\ntarget = \"no-such-target\"\n\
         target-dir = \"elsewhere\"\nrustc-wrapper = \"no-such-wrapper\"\n\
         [profile.release]\ndebug = true\ndebug-assertions = true\noverflow-checks = true\nopt-level = 0\n",
    );
    let settings = [
        ("RUSTFLAGS", "-Cno-such-option"),
        ("CARGO_ENCODED_RUSTFLAGS", "-Cinstrument-coverage"),
        ("CARGO_BUILD_RUSTFLAGS", "-Cno-such-option"),
        ("CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUSTFLAGS", "-Cno-such-option"),
        ("CARGO_BUILD_TARGET", "no-such-target"),
        ("CARGO_TARGET_DIR", "/no/such/folder"),
        ("RUSTC_WRAPPER", "no-such-wrapper"),
        ("RUSTC_WORKSPACE_WRAPPER", "no-such-wrapper"),
        ("RUSTC", "no-such-compiler"),
        ("CARGO_PROFILE_FIRMWARE_OPT_LEVEL", "0"),
        ("CARGO_PROFILE_FIRMWARE_DEBUG", "2"),
        ("CARGO_PROFILE_RELEASE_LTO", "off"),
    ];
    assert!(build("with-settings", &settings) == usual);
    assert!(!source.join("elsewhere").exists());
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
