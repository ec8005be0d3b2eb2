//! The fuzzer's program: `cargo xtask fuzz` builds and runs it.

#![no_main]

/// Counts what each case allocates.
#[global_allocator]
static MEMORY: tband_fuzz::PeakAlloc = tband_fuzz::PeakAlloc;

libfuzzer_sys::fuzz_target!(|case: &[u8]| {
    tband_fuzz::run(case);
});
