//! Formats of other tools, as files, through a pipe and as parts of a recording. What is in them is tried in
//! `tband-export`.

mod support;

use std::fs;
use std::io::Read;

use support::*;

/// Name, and what its files begin with.
const FORMATS: [(&str, &[u8]); 5] = [
    ("vcd", b"$version"),
    ("fst", b"\0\0\0\0\0\0\0\x01\x49"),
    ("flux", b"\0\x01flux\x06"),
    ("speedscope", b"{\"$schema\""),
    ("chrome", b"{\"displayTimeUnit\""),
];

#[test]
fn each_format_is_a_file_or_a_stream() {
    let folder = Folder::new("export");
    let input = folder.file("r.bin", &by_hand());
    for (format, begin) in FORMATS {
        let out = folder.path(format);
        let ran = run(&["conv", "--output-format", format, "-o", &out, &input]);
        assert_eq!(ran.code, Some(0), "{format}: {}", ran.stderr);
        let file = fs::read(&out).unwrap();
        assert!(file.starts_with(begin), "{format}: {:?}", &file[..20]);
        let piped = run(&["conv", "--output-format", format, "-o", "-", &input]);
        assert_eq!((piped.code, &piped.stdout), (Some(0), &file), "{format}: {}", piped.stderr);
        let read = run_with_stdin(&["conv", "--output-format", format, "-o", "-", "-"], &by_hand());
        assert_eq!((read.code, &read.stdout), (Some(0), &file), "{format}: {}", read.stderr);
        let zip = folder.path("zipped.gz");
        assert_eq!(run(&["conv", "--output-format", format, "-o", &zip, &input]).code, Some(0));
        let mut unzipped = Vec::new();
        let zip = fs::File::open(zip).unwrap();
        flate2::read::GzDecoder::new(zip).read_to_end(&mut unzipped).unwrap();
        assert_eq!(unzipped, file, "{format}");
        let part = run(&["conv", "--output-format", format, "--to", "20us", "-o", "-", &input]);
        assert_eq!(part.code, Some(0), "{format}: {}", part.stderr);
        assert!(part.stdout.starts_with(begin) && part.stdout != file, "{format}");
    }
}

#[test]
fn what_is_of_other_formats_is_refused() {
    let folder = Folder::new("export-refused");
    let input = folder.file("r.bin", &by_hand());
    let out = folder.path("t");
    for (format, _) in FORMATS {
        for more in [
            &["--open"][..],
            &["--raw-events"],
            &["--interrupts", "rows"],
            &["--ctf-names", "lttng"],
            &["--flows", "all"],
            &["--flux-version", "4"],
            &["--flux-compression", "none"],
        ] {
            // It has arrows.
            if format == "flux" && more[0].starts_with("--fl") {
                continue;
            }
            let args = [&["conv", "--output-format", format, "-o", &out, &input], more].concat();
            assert_fails(&run(&args), 2, &[more[0]]);
        }
    }
    assert_eq!(folder.names(), ["r.bin"]);
}

#[test]
fn nothing_is_written_of_what_is_not_clean_if_that_is_wanted() {
    let folder = Folder::new("export-strict");
    let input = folder.file("r.bin", &[small(), vec![255, 9, 9, 0]].concat());
    for (format, _) in FORMATS {
        let out = folder.path("t");
        let ran = run(&["conv", "--output-format", format, "-o", &out, &input]);
        assert_eq!(ran.code, Some(1), "{format}: {}", ran.stderr);
        fs::remove_file(&out).unwrap();
        let ran = run(&["conv", "--strict", "--output-format", format, "-o", &out, &input]);
        assert_fails(&ran, 2, &["--strict"]);
        assert_eq!(folder.names(), ["r.bin"]);
    }
}

/// It would be seen by somebody.
#[cfg(unix)]
#[test]
fn nothing_is_written_to_a_terminal() {
    let folder = Folder::new("export-terminal");
    let input = folder.file("r.bin", &small());
    let terminal = rustix::pty::openpt(rustix::pty::OpenptFlags::RDWR).unwrap();
    rustix::pty::grantpt(&terminal).unwrap();
    rustix::pty::unlockpt(&terminal).unwrap();
    let path = rustix::pty::ptsname(&terminal, Vec::new()).unwrap().into_string().unwrap();
    for (format, _) in FORMATS {
        let ran = run(&["conv", "--output-format", format, "-o", &path, &input]);
        assert_fails(&ran, 2, &["to a terminal"]);
    }
}

#[test]
fn flux_is_of_two_versions() {
    let folder = Folder::new("export-flux");
    let input = folder.file("r.bin", &by_hand());
    let flux = |more: &[&str]| {
        run(&[&["conv", "--output-format", "flux", "-o", "-", &input], more].concat())
    };
    let old = flux(&["--flux-version", "4"]);
    assert_eq!(old.code, Some(0), "{}", old.stderr);
    assert!(old.stdout.starts_with(b"\0\x01flux\x04"));
    let sizes = ["none", "lz4", "zlib"].map(|how| flux(&["--flux-compression", how]).stdout.len());
    assert!(sizes[0] > sizes[1] && sizes[1] > sizes[2], "{sizes:?}");
    assert!(flux(&["--flows", "all"]).stdout.len() > 100);
    let zlib = flux(&["--flux-version", "4", "--flux-compression", "zlib"]);
    assert_fails(&zlib, 2, &["version 6"]);
    for other in ["perfetto", "ctf1"] {
        let args = ["conv", "--output-format", other, "--flux-version", "4", "-o", "-", &input];
        assert_fails(&run(&args), 2, &["--output-format flux"]);
    }
}
