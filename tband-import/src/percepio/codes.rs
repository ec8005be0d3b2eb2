//! The codes of events: each kernel's port of the recorder has its own.

/// What nothing is shown of.
pub const SILENT: u16 = 0x02;
/// The first code that an extension can have, in a recording of TraceRecorder 4.6; later versions begin at 0xFD.
pub const EXTENSIONS: u16 = 0xF6;
/// The codes of extensions end here.
pub const END_OF_EXTENSIONS: u16 = 0x400;

/// The codes of a kernel's port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Codes {
    FreeRtos,
    BareMetal,
    Zephyr,
    /// A port whose codes are not known but for those that all ports have.
    Other,
}

impl Codes {
    /// By the platform in the header.
    pub const fn of(platform: u16) -> Self {
        match platform {
            0x1AA1 => Self::FreeRtos,
            0x1FF1 => Self::BareMetal,
            0x9AA9 => Self::Zephyr,
            _ => Self::Other,
        }
    }

    /// The code that FreeRTOS has for the same event.
    #[inline]
    pub const fn of_freertos(self, code: u16) -> u16 {
        match self {
            Self::FreeRtos => code,
            Self::BareMetal => of_bare_metal(code),
            Self::Zephyr => of_zephyr(code),
            Self::Other if matches!(code, 0x00 | 0x01 | 0x03 | 0x07) => code,
            Self::Other => SILENT,
        }
    }
}

const fn of_bare_metal(code: u16) -> u16 {
    match code {
        0x00..=0x04 => code,
        0x05 => 0x07,
        0x10 => 0x10,
        0x11 => 0x20,
        0x20 => 0x30,
        0x21 => 0x33,
        0x22 => 0x34,
        0x25 => 0x37,
        0x30 => 0x38,
        0x31 => 0x39,
        0x38 => 0x3A,
        0x39 => 0x3B,
        // State machines.
        0x40..=0x42 => code - 0x40 + 0xEC,
        0x44 => 0xF0,
        0x45 => 0xF7,
        0x47 => 0xF1,
        0x49..=0x4B => code - 0x49 + 0xF3,
        // Runnables, user events.
        0x4D..=0x4F => code - 0x4D + 0xF9,
        0x50..=0x5C => code - 0x50 + 0x90,
        0x61.. => code.saturating_add(0x100 - 0x61),
        _ => SILENT,
    }
}

const fn of_zephyr(code: u16) -> u16 {
    match code {
        0x00..=0x07
        | 0x10
        | 0x20
        | 0x30
        | 0x31
        | 0x33
        | 0x34
        | 0x37..=0x3B
        | 0x7B
        | 0x7C
        | 0x90..=0x9C
        | 0x188.. => code,
        0xEA => 0xEB,
        0x167..=0x169 => code - 0x167 + 0xF9,
        0x170..=0x172 => code - 0x170 + 0xEC,
        0x177 => 0xF0,
        0x178 => 0xF7,
        0x179..=0x17B => code - 0x179 + 0xF3,
        0x17E => 0xF1,
        _ => SILENT,
    }
}
