//! Files that are much larger than the recording in them: preallocated files end in zeros, and images of memory begin with them, or with
//! the content of erased flash. The memory that reading takes does not depend on them, and the recorder is recognised.

use std::fs;
use std::io::{Cursor, Read};
use std::path::Path;
use std::rc::Rc;

use flate2::read::GzDecoder;
use tband_conv::diagnostics::Problem;
use tband_conv::sinks::Stats;
use tband_conv::{ConvError, CtfTrace, Input, InputFormat, Options, Summary, convert};
use tband_fuzz::{PeakAlloc, peak_of};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Zero bytes of a file.
const ZEROS: u64 = 24 << 20;
/// Memory beside that of the plain recording, at most.
const MORE: usize = 4 << 20;

/// Recordings of each importer.
const RECORDINGS: [(&str, InputFormat); 10] = [
    ("systemview/default.bin", InputFormat::SystemView),
    ("systemview/postmortem.bin", InputFormat::SystemView),
    ("percepio/4.6-stream.psf", InputFormat::TraceRecorder),
    ("percepio/4.11-ring-overwrite.bin", InputFormat::TraceRecorder),
    ("percepio/4.10-snapshot.bin", InputFormat::TraceRecorder),
    ("flux/replay.recTr", InputFormat::Flux),
    ("qp/qs.bin", InputFormat::Qs),
    ("qp/rkh.bin", InputFormat::Rkh),
    ("linux/ftrace.txt", InputFormat::Ftrace),
    ("ctf/barectf/stream", InputFormat::Ctf),
];

fn recording(name: &str) -> Rc<[u8]> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tband-import/tests/recordings");
    let packed = fs::read(folder.join(format!("{name}.gz"))).unwrap();
    let mut bytes = Vec::new();
    GzDecoder::new(&*packed).read_to_end(&mut bytes).unwrap();
    bytes.into()
}

/// Converts a recording with so many bytes of this value before and after it. Gives the memory that this takes, too.
fn converted(
    (name, format): (&str, InputFormat),
    fill: u8,
    (before, after): (u64, u64),
) -> (usize, Result<Summary, ConvError>) {
    let bytes = recording(name);
    let filled = move |count| std::io::repeat(fill).take(count);
    let open = move || {
        let recording = Cursor::new(Rc::clone(&bytes));
        Ok(Box::new(filled(before).chain(recording).chain(filled(after))) as Box<dyn Read>)
    };
    let mut input = Input::new(name, open).of_format(format);
    if format == InputFormat::Ctf {
        let metadata = recording("ctf/barectf/metadata");
        input = input.of_trace(Rc::new(CtfTrace::read(&metadata, None, 1).unwrap()));
    }
    let mut result = None;
    let peak = peak_of(|| {
        let mut stats = Stats::default();
        result = Some(convert(&[input], &Options::default(), &mut stats));
    });
    (peak, result.unwrap())
}

// One test, since bytes are counted for the whole process.
#[test]
fn zeros_around_a_recording_take_no_memory() {
    for recording in RECORDINGS {
        let (name, _) = recording;
        let (plain, summary) = converted(recording, 0, (0, 0));
        let all = summary.unwrap();
        let (peak, summary) = converted(recording, 0, (0, ZEROS));
        let padded = summary.unwrap();
        assert_eq!(padded.events, all.events, "{name}");
        assert!(peak < plain + MORE, "{name}: {plain}, then {peak} bytes");
        // A text has no zeros; the other formats end with them.
        let damage = padded.diagnostics.count(Problem::ForeignDamage);
        assert!(damage <= all.diagnostics.count(Problem::ForeignDamage) + 1, "{name}: {damage}");
        let (_, named) = recording;
        let guessed = [(InputFormat::Auto, 0), (InputFormat::Auto, 0xFF)];
        // A stream of a CTF trace is read by the metadata beside it.
        let guessed = guessed.into_iter().filter(|_| named != InputFormat::Ctf);
        for (format, fill) in [(named, 0)].into_iter().chain(guessed) {
            let (peak, summary) = converted((name, format), fill, (ZEROS, 0));
            let blank = summary.unwrap();
            assert_eq!(blank.events, all.events, "{name}: {format:?} after {fill}");
            assert!(peak < plain + MORE, "{name}: {plain}, then {peak} bytes");
            let damage = |of: &Summary| of.diagnostics.count(Problem::ForeignDamage);
            assert!(damage(&blank) <= damage(&all) + u64::from(fill == 0), "{name}: {format:?}");
        }
    }
}
