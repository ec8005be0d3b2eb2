//! The SDK in the program, in a folder and in an archive.

use std::fs;

use crate::{cli, finish, sdk, tree};

#[test]
fn a_program_without_the_sdk_reports_the_remedy() {
    for args in [&["sdk", "--out", "none"][..], &["init", "."]] {
        let ran = finish(cli(args).current_dir(sdk()));
        assert_eq!(ran.code, Some(2));
        for part in ["built without the SDK", "install a release", "cargo xtask dist", "--sdk"] {
            assert!(ran.stderr.contains(part), "{}", ran.stderr);
        }
    }
}

/// An archive of the SDK, without a program.
fn archive() -> Vec<u8> {
    let gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let mut archive = tar::Builder::new(gzip);
    archive.append_dir_all("tband-0", sdk()).unwrap();
    archive.into_inner().unwrap().finish().unwrap()
}

#[test]
fn a_folder_and_an_archive_have_the_same_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("a.tar.gz"), archive()).unwrap();
    for (from, to) in
        [(sdk().to_str().unwrap().to_owned(), "a"), (path("a.tar.gz"), "b"), (path("a"), "c")]
    {
        let ran = finish(&mut cli(&["sdk", "--sdk", &from, "--out", &path(to)]));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let mut files = tree(folder.path().join(to).as_path());
        let program = format!("bin/tband-cli{}", std::env::consts::EXE_SUFFIX);
        let content = files.remove(&program).unwrap();
        assert!(content == fs::read(env!("CARGO_BIN_EXE_tband-cli")).unwrap());
        files.remove("bin/");
        assert!(files == tree(sdk()));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = fs::metadata(path(to) + "/bin/tband-cli").unwrap().permissions().mode();
            assert!(mode & 0o111 != 0, "{mode:o}");
        }
    }
    // An existing folder is not changed.
    let ran = finish(&mut cli(&["sdk", "--sdk", &path("a"), "--out", &path("b")]));
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("is not empty"), "{}", ran.stderr);
}

#[test]
fn other_files_are_not_taken_for_an_sdk() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let whole = archive();
    fs::write(path("cut"), &whole[..whole.len() / 2]).unwrap();
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 0xff;
    fs::write(path("flipped"), flipped).unwrap();
    // A path that leads out of the folder.
    let gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let mut outside = tar::Builder::new(gzip);
    let mut header = tar::Header::new_ustar();
    header.as_ustar_mut().unwrap().name[..13].copy_from_slice(b"tband/../evil");
    header.set_size(0);
    header.set_cksum();
    outside.append(&header, &[][..]).unwrap();
    fs::write(path("outside"), outside.into_inner().unwrap().finish().unwrap()).unwrap();
    fs::write(path("text"), "no archive").unwrap();
    fs::create_dir(path("empty")).unwrap();
    for name in ["cut", "flipped", "outside", "text", "empty", "missing"] {
        let ran = finish(&mut cli(&["sdk", "--sdk", &path(name), "--out", &path("out")]));
        assert_eq!(ran.code, Some(2), "{name}: {}", ran.stderr);
        let is_named = ran.stderr.contains(&path(name));
        assert!(is_named && !folder.path().join("out").exists(), "{}", ran.stderr);
    }
}

#[cfg(unix)]
#[test]
fn a_folder_is_checked_before_it_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    // A file that cannot be read, in folders that lack the header or the libraries.
    for name in ["other", "clone"] {
        fs::create_dir(path(name)).unwrap();
        std::os::unix::fs::symlink("loop", path(name).join("loop")).unwrap();
    }
    fs::create_dir(path("clone/include")).unwrap();
    fs::write(path("clone/include/tband.h"), "").unwrap();
    for name in ["other", "clone"] {
        let (from, to) = (path(name), path("out"));
        let args = ["sdk", "--sdk", from.to_str().unwrap(), "--out", to.to_str().unwrap()];
        let ran = finish(&mut cli(&args));
        assert_eq!(ran.code, Some(2), "{name}");
        assert!(ran.stderr.contains("it is not an SDK of tband"), "{}", ran.stderr);
    }
}

#[test]
fn wrong_usage_names_the_command() {
    let ran = finish(&mut cli(&["sdk", "--sdk", sdk().to_str().unwrap(), "--out", "-"]));
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("cannot go to stdout"), "{}", ran.stderr);
    assert!(ran.stderr.contains("tband-cli sdk"), "{}", ran.stderr);
}
