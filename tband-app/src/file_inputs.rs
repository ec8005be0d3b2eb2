//! The inputs that the files of a zip archive are, or those of a page.

use std::io::{Cursor, Read as _};
use std::rc::Rc;

use tband_conv::encoding::notation::{BoxRead, Format};
use tband_conv::foreign::{recognised_format, recording_head};
use tband_conv::input::copies::refuse_copies;
use tband_conv::input::group::group_by_core;
use tband_conv::{ConvError, CtfMap, Input, InputFormat};

use crate::companion::{ENDING, LARGEST};
use crate::ctf_files::{self, FolderFile, Part};

/// How files are read.
#[derive(Clone, Copy, Debug, Default)]
pub struct FileSettings<'m> {
    /// How their bytes are written down.
    pub format: Format,
    /// The recorder that made them.
    pub recorder: InputFormat,
    /// The mapping file of CTF traces.
    pub map: Option<&'m CtfMap>,
}

/// The inputs of files.
#[derive(Debug, Default)]
pub struct FileInputs<'h> {
    /// Streams of CTF traces.
    pub streams: Vec<Input<'h>>,
    /// Other recordings, with the core that the user has named.
    pub recordings: Vec<(Option<u32>, Input<'h>)>,
}

impl<'h> FileInputs<'h> {
    /// Sorts files, each with the core that the user has named. A `.dic` file of QP is read in front of its recording: that of its name
    /// and folder, or all of its folder if it is the only such file there.
    ///
    /// # Errors
    /// A CTF trace cannot be read: the message has the file, the error and the remedy.
    pub fn new(
        files: Vec<(FolderFile<'h>, Option<u32>)>,
        how: FileSettings<'_>,
    ) -> Result<Self, String> {
        let FileSettings { format, recorder, map } = how;
        let is_ctf = matches!(recorder, InputFormat::Auto | InputFormat::Ctf);
        let plain: Vec<_> = files.iter().map(|(file, _)| file.clone()).collect();
        let traces = if is_ctf { ctf_files::find(&plain, map)? } else { Vec::new() };
        let is_qs = matches!(recorder, InputFormat::Auto | InputFormat::Qs);
        let (names, files) = if is_qs { NamesFile::take(files) } else { (Vec::new(), files) };
        let mut inputs = Self::default();
        for (file, core) in files {
            let part = file.part_in(&traces);
            let file = match names.iter().find(|names| names.belong_to(&file)) {
                Some(names) if is_recording_of_qs(&file, recorder) => names.in_front_of(file),
                _ => file,
            };
            let input = file.into_input().on_core(core.unwrap_or(0));
            let input = input.in_format(format).of_format(recorder);
            match part {
                Part::Description => {}
                Part::Stream(trace) => inputs.streams.push(input.of_trace(trace)),
                Part::Other => inputs.recordings.push((core, input)),
            }
        }
        Ok(inputs)
    }

    /// All of them; files of one core are one recording.
    ///
    /// # Errors
    /// Two are the same, or a core is out of range.
    pub fn all(self) -> Result<Vec<Input<'h>>, ConvError> {
        refuse_copies(self.recordings.iter().map(|(_, input)| input))?;
        let mut inputs = self.streams;
        inputs.extend(group_by_core(self.recordings)?);
        Ok(inputs)
    }
}

/// The text of a `.dic` file.
struct NamesFile {
    folder: String,
    /// The name without its ending; `None`: it belongs to all recordings of the folder.
    stem: Option<String>,
    text: Rc<[u8]>,
}

fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

impl NamesFile {
    /// Takes the `.dic` files that have a recording.
    fn take<'h>(
        files: Vec<(FolderFile<'h>, Option<u32>)>,
    ) -> (Vec<Self>, Vec<(FolderFile<'h>, Option<u32>)>) {
        let (candidates, mut others): (Vec<_>, Vec<_>) =
            files.into_iter().partition(|(file, _)| file.name().ends_with(ENDING));
        let mut all = Vec::new();
        for (file, core) in &candidates {
            let in_folder = |it: &&(FolderFile<'_>, _)| it.0.folder() == file.folder();
            let has_name = others
                .iter()
                .filter(in_folder)
                .any(|(other, _)| stem(other.name()) == stem(file.name()));
            let is_only = candidates.iter().filter(in_folder).count() == 1
                && others.iter().filter(in_folder).count() > 0;
            let text = file.bytes(LARGEST).unwrap_or_default();
            let is_names =
                text.len() as u64 <= LARGEST && recognised_format(&text) == Some(InputFormat::Qs);
            if is_names && (has_name || is_only) {
                let stem = has_name.then(|| stem(file.name()).to_owned());
                all.push(Self { folder: file.folder().to_owned(), stem, text: text.into() });
            } else {
                others.push((file.clone(), *core));
            }
        }
        (all, others)
    }

    fn belong_to(&self, file: &FolderFile<'_>) -> bool {
        let has_stem = |expected: &String| expected == stem(file.name());
        self.folder == file.folder() && self.stem.as_ref().is_none_or(has_stem)
    }

    /// The file with the names in front.
    fn in_front_of<'h>(&self, file: FolderFile<'h>) -> FolderFile<'h> {
        let text = Rc::clone(&self.text);
        let (folder, name) = (file.folder().to_owned(), file.name().to_owned());
        FolderFile::new(&folder, &name, move || {
            let recording = file.open()?;
            Ok(Box::new(Cursor::new(Rc::clone(&text)).chain(recording)) as BoxRead<'h>)
        })
    }
}

/// The frames of QS are in the file, without names in front.
fn is_recording_of_qs(file: &FolderFile<'_>, recorder: InputFormat) -> bool {
    recorder == InputFormat::Qs
        || file
            .open()
            .and_then(recording_head)
            .is_ok_and(|bytes| recognised_format(&bytes) == Some(InputFormat::Qs))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: &str = "-v720\nObj-Dic:\n8\n0x20000010 Table\n***\n";

    /// Frames of QS: number, record, data, checksum, end.
    fn frames() -> Vec<u8> {
        let frame = |number: u8| {
            let sum = [number, 70, 5].iter().fold(0_u8, |sum, byte| sum.wrapping_add(*byte));
            [number, 70, 5, !sum, 0x7E]
        };
        (1..40).flat_map(frame).collect()
    }

    /// The inputs of files, each with its bytes.
    fn inputs(files: &[(&str, &str, &[u8])], recorder: InputFormat) -> Vec<(String, Vec<u8>)> {
        let file = |(folder, name, bytes): &(&str, &str, &[u8])| {
            let bytes: Rc<[u8]> = (*bytes).into();
            let open = move || Ok(Box::new(Cursor::new(Rc::clone(&bytes))) as BoxRead<'_>);
            (FolderFile::new(folder, name, open), None)
        };
        let how = FileSettings { recorder, ..FileSettings::default() };
        let inputs = FileInputs::new(files.iter().map(file).collect(), how).unwrap();
        let read = |(_, input): &(Option<u32>, Input<'_>)| {
            let mut bytes = Vec::new();
            input.open().unwrap().read_to_end(&mut bytes).unwrap();
            (input.name(), bytes)
        };
        inputs.recordings.iter().map(read).collect()
    }

    #[test]
    fn names_are_read_in_front_of_their_recording() {
        let frames = frames();
        let named = [NAMES.as_bytes(), &frames].concat();
        let auto = InputFormat::Auto;
        let is = |name: &str, bytes: &[u8]| (name.to_owned(), bytes.to_vec());
        let names = NAMES.as_bytes();
        // The only one of a folder belongs to each recording in it.
        let found =
            inputs(&[("", "a.bin", &frames), ("", "x.dic", names), ("", "b.bin", &frames)], auto);
        assert_eq!(found, [is("a.bin", &named), is("b.bin", &named)]);
        // One of two belongs to the recording of its name, and to no other.
        let files = [
            ("", "a.bin", &frames[..]),
            ("", "a.dic", names),
            ("", "c.dic", names),
            ("", "b.bin", &frames),
        ];
        let found = inputs(&files, auto);
        assert!(found.contains(&is("a.bin", &named)) && found.contains(&is("b.bin", &frames)));
        // Not to a recording in another folder, whatever its name.
        let found = inputs(&[("p", "a.bin", &frames), ("q", "a.dic", names)], auto);
        assert!(found.contains(&is("p/a.bin", &frames)) && found.len() == 2);
    }

    #[test]
    fn names_are_not_read_in_front_of_other_recordings() {
        let (frames, names) = (frames(), NAMES.as_bytes());
        let other = [&b"; Version"[..], &[0; 10], &[10, 1, 11, 1]].concat();
        let found = inputs(&[("", "a.bin", &other), ("", "a.dic", names)], InputFormat::Auto);
        assert_eq!(found, [("a.bin".to_owned(), other.clone())]);
        // The user names the format: what the bytes look like does not count.
        let found = inputs(&[("", "a.bin", &other), ("", "a.dic", names)], InputFormat::Qs);
        assert_eq!(found, [("a.bin".to_owned(), [names, &other].concat())]);
        let found = inputs(&[("", "a.bin", &frames), ("", "a.dic", names)], InputFormat::Rkh);
        assert_eq!(found.len(), 2);
        // A text that has no names of QP is a separate recording.
        let found = inputs(&[("", "a.bin", &frames), ("", "a.dic", b"words")], InputFormat::Auto);
        assert!(found.contains(&("a.bin".to_owned(), frames)) && found.len() == 2);
    }
}
