//! Compresses in blocks, several at a time, each a member of the gzip file. So the output does not depend on the number of
//! threads. Readers treat the members as one file.
//!
//! Memory is bounded: a block for each thread, and the output of one. A stream that could not be written completely ends with
//! an incomplete member, so decompressing it fails.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;

use tband_conv::ConvError;
use tband_report::gzip::{BLOCK, member};

/// Maximum number of useful threads: one thread produces their input.
const MAX_THREADS: usize = 8;
/// Runs `make` with a writer that compresses into `out`.
pub fn gzipped<T>(
    out: &mut dyn Write,
    make: impl FnOnce(&mut dyn Write) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let threads = thread::available_parallelism().map_or(1, usize::from).min(MAX_THREADS);
    with_threads(threads, out, make)
}

fn with_threads<T>(
    threads: usize,
    out: &mut dyn Write,
    make: impl FnOnce(&mut dyn Write) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    thread::scope(|scope| {
        let mut workers = VecDeque::new();
        for _ in 0..threads.max(1) {
            let (give, blocks) = mpsc::sync_channel::<Vec<u8>>(1);
            let (packed, take) = mpsc::sync_channel(1);
            scope.spawn(move || {
                for block in blocks {
                    // The caller may have given up.
                    if packed.send(member(&block)).is_err() {
                        return;
                    }
                }
            });
            workers.push_back(Worker { give, take, busy: 0 });
        }
        let mut blocks = Blocks { out, workers, block: Vec::new(), any: false };
        let made = make(&mut blocks);
        match made {
            Ok(made) => {
                blocks.finish().map_err(ConvError::Write)?;
                Ok(made)
            }
            Err(error) => {
                // The beginning of a member without an end. An error is reported already.
                let _ = blocks.out.write_all(&[0x1F, 0x8B, 8]);
                Err(error)
            }
        }
    })
}

/// A thread that compresses.
struct Worker {
    give: SyncSender<Vec<u8>>,
    take: Receiver<io::Result<Vec<u8>>>,
    /// Blocks that it has.
    busy: usize,
}

/// Passes blocks to the threads in turn, and takes their output in the same order.
struct Blocks<'w> {
    out: &'w mut dyn Write,
    /// The next worker is first.
    workers: VecDeque<Worker>,
    block: Vec<u8>,
    /// There was a block.
    any: bool,
}

fn closed_error() -> io::Error {
    io::Error::other("a thread that compresses has ended")
}

impl Blocks<'_> {
    fn give(&mut self) -> io::Result<()> {
        let block = std::mem::take(&mut self.block);
        self.any = true;
        let mut worker = self.workers.pop_front().ok_or_else(closed_error)?;
        // Its last block is the oldest of all.
        let taken = if worker.busy > 0 { take(&mut worker, self.out) } else { Ok(()) };
        let given = worker.give.send(block).map_err(|_| closed_error());
        worker.busy += 1;
        self.workers.push_back(worker);
        taken.and(given)
    }

    fn finish(&mut self) -> io::Result<()> {
        if !self.block.is_empty() || !self.any {
            self.give()?;
        }
        for worker in &mut self.workers {
            while worker.busy > 0 {
                take(worker, self.out)?;
            }
        }
        self.out.flush()
    }
}

fn take(worker: &mut Worker, out: &mut dyn Write) -> io::Result<()> {
    worker.busy = worker.busy.saturating_sub(1);
    out.write_all(&worker.take.recv().map_err(|_| closed_error())??)
}

impl Write for Blocks<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.block.capacity() == 0 {
            self.block.reserve_exact(BLOCK);
        }
        let room = BLOCK.saturating_sub(self.block.len()).min(bytes.len());
        self.block.extend_from_slice(bytes.get(..room).unwrap_or_default());
        if self.block.len() >= BLOCK {
            self.give()?;
        }
        Ok(room)
    }

    fn flush(&mut self) -> io::Result<()> {
        // An incomplete block is compressed at the end.
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::MultiGzDecoder;

    use super::*;

    fn unzip(bytes: &[u8]) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        MultiGzDecoder::new(bytes).read_to_end(&mut text).map(|_| text)
    }

    fn text(len: usize) -> Vec<u8> {
        (0..len as u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 28) as u8).collect()
    }

    #[test]
    fn any_number_of_threads_gives_the_same() {
        for len in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 5 * BLOCK + 77] {
            let text = text(len);
            let zip = |threads, step: usize| {
                let mut zipped = Vec::new();
                with_threads(threads, &mut zipped, |out| {
                    for part in text.chunks(step) {
                        out.write_all(part)?;
                    }
                    Ok(())
                })
                .unwrap();
                zipped
            };
            let one = zip(1, 1 << 30);
            assert!(unzip(&one).unwrap() == text, "{len}");
            for (threads, step) in [(1, 1000), (2, 1 << 30), (3, 70_001), (8, 5_000_000)] {
                assert!(zip(threads, step) == one, "{len}: {threads}");
            }
        }
    }

    #[test]
    fn what_fails_half_way_has_no_end() {
        for len in [0, 100_000, 3 * BLOCK] {
            let mut cut = Vec::new();
            let result: anyhow::Result<()> = gzipped(&mut cut, |out| {
                out.write_all(&text(len))?;
                anyhow::bail!("no more")
            });
            assert_eq!(result.unwrap_err().to_string(), "no more");
            assert!(unzip(&cut).is_err(), "{len}");
        }
    }

    /// A disk that is full ends it, whichever thread is at work.
    #[test]
    fn what_cannot_be_written_ends_it() {
        struct FullFile(usize);

        impl Write for FullFile {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::StorageFull)?;
                Ok(bytes.len())
            }

            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }

        for room in [0, 10, 10_000] {
            let mut full = FullFile(room);
            let result = gzipped(&mut full, |out| Ok(out.write_all(&text(6 * BLOCK))?));
            let error = result.unwrap_err();
            let error = error.chain().find_map(|it| it.downcast_ref::<io::Error>()).unwrap();
            assert_eq!(error.kind(), io::ErrorKind::StorageFull, "{room}");
        }
    }
}
