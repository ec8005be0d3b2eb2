//! Panics, in a C program on an emulated board: the argument selects which.
#![cfg_attr(target_os = "none", no_std)]

unsafe extern "C" {
    /// The function of the program where it stops.
    safe fn hold();
}

/// How the program ends, which `tband` calls after it has recorded the panic.
#[unsafe(no_mangle)]
extern "C" fn tband_panicked() -> ! {
    loop {
        hold();
    }
}

/// Returns an element of a list of three.
#[inline(never)]
fn pick(list: &[u32; 3], index: usize) -> u32 {
    list[index] // the index is too large
}

#[inline(never)]
fn demand(value: Option<u32>) -> u32 {
    value.expect("a value was promised")
}

#[inline(never)]
fn refuse(value: u32) -> u32 {
    if value > 2 {
        panic!("no such value: {value}");
    }
    value
}

/// Panics in one of three ways.
#[unsafe(no_mangle)]
extern "C" fn rust_panics(way: u32, value: u32) -> u32 {
    match way {
        0 => pick(&[1, 2, 3], value as usize),
        1 => demand((value < 3).then_some(value)),
        2 => refuse(value),
        3 => {
            tband::crash::assertion_failed(c"assert.rs", 77);
            hold();
            0
        }
        _ => {
            tband::crash::fatal(c"given up");
            hold();
            0
        }
    }
}
