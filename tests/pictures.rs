//! The guide's pictures are those that `cargo xtask picture` draws from the recording beside this, and the guide
//! shows each and says so.

use std::fs;

use tband_programs::Engine;
use xtask::{picture, workspace_root};

#[test]
fn the_guide_has_the_pictures_as_they_are_drawn() {
    let Some(engine) = Engine::find() else { return };
    let root = workspace_root();
    let guide = fs::read_to_string(root.join("docs/src/guide/perfetto.md")).unwrap();
    let folder = root.join(picture::FOLDER);
    let drawn = picture::draw_all(&root, &engine).unwrap_or_else(|error| panic!("{error:#}"));
    let mut files: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    let mut names: Vec<_> = drawn.iter().map(|(file, _)| (*file).to_owned()).collect();
    names.sort();
    assert_eq!(files, names);
    for (file, svg) in drawn {
        let committed = fs::read_to_string(folder.join(file)).unwrap();
        assert!(committed == svg, "{file} is another: run `cargo xtask picture` and look at it");
        let (_, below) = guide.split_once(&format!("](pictures/{file})")).expect(file);
        let caption = below.trim_start().split("\n\n").next().unwrap();
        assert!(caption.contains("`cargo xtask picture`"), "{file}: {caption}");
    }
}
