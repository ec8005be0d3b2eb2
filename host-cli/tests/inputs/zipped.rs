//! Recordings in zip archives.

use std::fs;

use tband_recordings::zip::zip;

use crate::support::*;

#[test]
fn commands_read_the_files_of_an_archive() {
    let folder = Folder::new("zipped");
    let sysview = imported("systemview/default.bin");
    let plain = run(&["stats", &folder.file("default.bin", &sysview)]);
    for is_deflated in [false, true] {
        let archive = zip(&[("default.bin", &sysview)], is_deflated).unwrap();
        let archive = folder.file("r.zip", &archive);
        let ran = run(&["stats", &archive]);
        assert_eq!((ran.code, &ran.stdout), (plain.code, &plain.stdout), "{}", ran.stderr);
    }
    // A trace, its mapping file, and what lies beside it.
    let (metadata, stream) = (imported("ctf/barectf/metadata"), imported("ctf/barectf/stream"));
    let files = [("t/metadata", &metadata[..]), ("t/stream", &stream), ("README.md", b"Read me.")];
    let archive = folder.file("trace.zip", &zip(&files, true).unwrap());
    let trace = std::path::PathBuf::from(folder.path("t"));
    fs::create_dir(&trace).unwrap();
    fs::write(trace.join("metadata"), &metadata).unwrap();
    fs::write(trace.join("stream"), &stream).unwrap();
    let plain = run(&["dump", trace.to_str().unwrap()]);
    let ran = run(&["dump", &archive]);
    assert_eq!((ran.code, &ran.stdout), (plain.code, &plain.stdout), "{}", ran.stderr);
    // A document is no recording.
    let files = [("README.txt", &b"Read me."[..]), ("r/a.bin", &sysview), ("r/notes.md", b"- a")];
    let printed = run(&["check", &folder.file("told.zip", &zip(&files, true).unwrap())]).text();
    assert!(printed.contains("told.zip/r/a.bin") && !printed.contains("README"), "{printed}");
    // Files of two cores are named one by one.
    let halves = [("a.bin", &sysview[..]), ("b.bin", &sysview)];
    let ran = run(&["check", &folder.file("twice.zip", &zip(&halves, true).unwrap())]);
    assert_fails(&ran, 2, &["twice.zip/a.bin and ", "twice.zip/b.bin have the same content"]);
}

#[test]
fn archives_that_cannot_be_read_are_explained() {
    let folder = Folder::new("zipped-badly");
    let content = imported("systemview/default.bin");
    let whole = zip(&[("a.bin", &content)], true).unwrap();
    let mut flipped = whole.clone();
    flipped[5000] ^= 1;
    // In the header of the file, and in the directory.
    let directory = whole.windows(4).rposition(|it| it == b"PK\x01\x02").unwrap();
    let with = |at: usize, byte: u8| {
        let mut bytes = whole.clone();
        bytes[directory + at] = byte;
        bytes
    };
    let bomb = zip(&[("a.bin", &vec![0; 65 << 20])], true).unwrap();
    for (name, bytes, error) in [
        ("flipped.zip", &flipped, "flipped.zip/a.bin: it is damaged in its zip archive ("),
        (
            "cut.zip",
            &whole[..whole.len() / 2].to_vec(),
            "cut.zip: it is compressed with zip, and cut off",
        ),
        (
            "locked.zip",
            &with(8, 1),
            "locked.zip: a.bin is encrypted: pack the files without a password",
        ),
        ("lzma.zip", &with(10, 14), "lzma.zip: a.bin is compressed by another method than deflate"),
        ("bomb.zip", &bomb, "bomb.zip: a.bin is compressed to less than a hundredth"),
        ("longer.zip", &with(24, 0), "longer.zip/a.bin: it is damaged in its zip archive ("),
        ("empty.zip", &zip(&[("a.bin", b"")], false).unwrap(), "empty.zip has no file with bytes"),
        ("none.zip", &zip(&[], false).unwrap(), "none.zip has no file with bytes"),
    ] {
        for command in ["check", "stats", "serve"] {
            assert_fails(&run(&[command, &folder.file(name, bytes)]), 2, &[error]);
        }
    }
    let piped = run_with_stdin(&["check", "-"], &whole);
    assert_fails(&piped, 2, &["stdin: it is compressed with zip", "name the whole archive"]);
    // A tar archive is named as one, compressed or not.
    let mut tar = vec![0; 1024];
    tar[..5].copy_from_slice(b"a.bin");
    tar[257..262].copy_from_slice(b"ustar");
    tar.extend(&content);
    let ran = run(&["check", &folder.file("r.tar", &tar)]);
    assert_fails(&ran, 2, &["r.tar: it is a tar archive: unpack it with 'tar -xf FILE'"]);
}
