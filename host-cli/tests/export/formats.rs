//! Formats of other tools, as files, through a pipe and as parts of a recording. Tests in `tband-export` check their contents.

use std::fs;
use std::io::Read;

use crate::support::*;
use tband_app::exports::{EXPORTS, Export, OutputKind, Setting};

/// The exports that are one file.
fn files() -> impl Iterator<Item = &'static Export> {
    EXPORTS.iter().filter(|it| matches!(it.form, OutputKind::Stream(_) | OutputKind::File(_)))
}

#[test]
fn each_format_is_a_file_or_a_stream() {
    let folder = Folder::new("export");
    let input = folder.file("r.bin", &by_hand());
    for &Export { name: format, begins: begin, .. } in files() {
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
fn refuses_options_of_other_formats() {
    let folder = Folder::new("export-refused");
    let input = folder.file("r.bin", &by_hand());
    let out = folder.path("t");
    let mut refused = 0;
    for export in EXPORTS {
        for (setting, args) in [
            (Setting::Window, &["--from", "1ms"][..]),
            (Setting::Window, &["--to", "1ms"]),
            (Setting::Window, &["--around", "1ms"]),
            (Setting::Gzip, &["--gzip"]),
            (Setting::Shown, &["--open"]),
            (Setting::Shown, &["--serve"]),
            (Setting::RawEvents, &["--raw-events"]),
            (Setting::Activations, &["--activations"]),
            (Setting::TaskLoad, &["--task-load"]),
            (Setting::Parts, &["--parts"]),
            (Setting::Interrupts, &["--interrupts", "rows"]),
            (Setting::CtfNames, &["--ctf-names", "lttng"]),
            (Setting::AllFlows, &["--flows", "all"]),
            (Setting::FluxVersion, &["--flux-version", "4"]),
            (Setting::FluxCompression, &["--flux-compression", "none"]),
        ] {
            if export.can_take(setting) {
                continue;
            }
            let args =
                [&["conv", "--output-format", export.name, "-o", &out, &input], args].concat();
            let takers = EXPORTS.iter().filter(|it| it.can_take(setting)).map(|it| it.name);
            let printed: Vec<&str> = takers.chain([args[6], export.name]).collect();
            assert_fails(&run(&args), 2, &printed);
            refused += 1;
        }
    }
    assert!(refused > 50, "{refused}");
    assert_eq!(folder.names(), ["r.bin"]);
}

/// Exports that the web page does not have: everyone who opens the page would load the packages that these need.
const NOT_ON_THE_PAGE: [&str; 8] =
    ["vcd", "fst", "flux", "qs", "speedscope", "chrome", "btf", "parquet"];

/// The web page saves every export but these, by its name and with its ending.
#[test]
fn the_web_page_has_each_format() {
    let web = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../web");
    let script = fs::read_to_string(web.join("app.js")).unwrap();
    let page = fs::read_to_string(web.join("page.html")).unwrap();
    for Export { name, ending, form, .. } in EXPORTS {
        let begin = format!("\n  {name}: [{{ command: \"conv\"");
        let is_there = script.contains(&begin);
        assert_eq!(is_there, !NOT_ON_THE_PAGE.contains(name), "web/app.js: {name}");
        if is_there {
            let line = script.lines().find(|line| line.starts_with(begin.trim_start_matches('\n')));
            let line = line.unwrap();
            let is_folder = matches!(form, OutputKind::Folder(_));
            let ending = if is_folder { format!(".{name}.tar") } else { (*ending).to_owned() };
            assert!(line.contains(&format!("\"{ending}\"")), "{line}");
            let is_named = line.contains(&format!("as: \"{name}\""));
            assert!(is_named || *name == Export::usual().name, "{line}");
            let option = format!("<option value=\"{name}\">");
            assert!(page.contains(&option), "web/page.html: {option}");
        }
    }
}

/// The page on formats, or one that it names, has each of them.
#[test]
fn the_guide_has_each_format() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/src/guide");
    let page = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    let pages =
        ["exports.md", "viewing/perfetto.md", "viewing/ctf.md", "tables.md"].map(page).concat();
    for Export { name, .. } in EXPORTS {
        let is_shown = pages.contains(&format!("--output-format {name} "));
        let is_usual = *name == Export::usual().name;
        assert!(is_shown || is_usual, "no page shows --output-format {name}");
    }
    for Export { name, .. } in files().filter(|it| *it != Export::usual()) {
        let row = format!("\n| `{name}` |");
        assert!(page("exports.md").contains(&row), "exports.md has no row for {name}");
    }
}

#[test]
fn strict_refuses_damaged_recordings() {
    let folder = Folder::new("export-strict");
    let input = folder.file("r.bin", &[small(), vec![255, 9, 9, 0]].concat());
    for &Export { name: format, .. } in files() {
        let out = folder.path("t");
        let ran = run(&["conv", "--output-format", format, "-o", &out, &input]);
        assert_eq!(ran.code, Some(1), "{format}: {}", ran.stderr);
        fs::remove_file(&out).unwrap();
        let ran = run(&["conv", "--strict", "--output-format", format, "-o", &out, &input]);
        assert_fails(&ran, 2, &["--strict"]);
        assert_eq!(folder.names(), ["r.bin"]);
    }
}

/// A user would see it.
#[cfg(unix)]
#[test]
fn binary_output_to_a_terminal_is_refused() {
    let folder = Folder::new("export-terminal");
    let input = folder.file("r.bin", &small());
    let flags = rustix::pty::OpenptFlags::RDWR | rustix::pty::OpenptFlags::CLOEXEC;
    let terminal = rustix::pty::openpt(flags).unwrap();
    rustix::pty::grantpt(&terminal).unwrap();
    rustix::pty::unlockpt(&terminal).unwrap();
    let path = rustix::pty::ptsname(&terminal, Vec::new()).unwrap().into_string().unwrap();
    for &Export { name: format, .. } in files() {
        let ran = run(&["conv", "--output-format", format, "-o", &path, &input]);
        assert_fails(&ran, 2, &["to a terminal"]);
    }
}

/// A temporary file that cannot be written is not taken for the output.
#[cfg(unix)]
#[test]
fn errors_of_temporary_files_contain_their_paths() {
    let folder = Folder::new("export-temporary");
    let inputs =
        [0, 1].map(|core| format!("{}@{core}", vector(&format!("mc_split.core{core}.bin"))));
    let [temp, out] = ["no-such-folder", "out"].map(|name| folder.path(name));
    for (format, out, more) in [
        ("speedscope", &*out, &[][..]),
        ("speedscope", "-", &[]),
        ("vcd", "-", &[]),
        ("fst", "-", &[]),
        ("chrome", "-", &["--strict"]),
    ] {
        let args = [&["conv", "--output-format", format, "-o", out], more].concat();
        let ran = finish(cli(&args).args(&inputs).env("TMPDIR", &temp));
        assert_fails(&ran, 2, &["a temporary file", &temp, "TMPDIR"]);
        assert!(folder.names().is_empty(), "{:?}", folder.names());
    }
}

#[test]
fn flux_is_of_two_versions() {
    let folder = Folder::new("export-flux");
    let input = folder.file("r.bin", &by_hand());
    let flux = |more: &[&str]| {
        run(&[&["conv", "--output-format", "flux", "-o", "-", &input], more].concat())
    };
    let old = flux(&["--flux-version", "4"]).assert_code(0);
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
