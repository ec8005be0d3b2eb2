//! Names of chips and boards, and the CPUs in them.

/// Beginnings of the names of chips, in capitals, and their CPUs. The longest beginning decides. Names with several CPUs, and CPUs
/// that tband has no library for, are here too, so that they are not taken for others.
const CHIPS: [(&str, &[&str]); 106] = [
    // ST
    ("STM32C0", &["cortex-m0plus"]),
    ("STM32F0", &["cortex-m0"]),
    ("STM32F1", &["cortex-m3"]),
    ("STM32F2", &["cortex-m3"]),
    ("STM32F3", &["cortex-m4f"]),
    ("STM32F4", &["cortex-m4f"]),
    ("STM32F7", &["cortex-m7f"]),
    ("STM32G0", &["cortex-m0plus"]),
    ("STM32G4", &["cortex-m4f"]),
    ("STM32H5", &["cortex-m33f"]),
    ("STM32H7", &["cortex-m7f"]),
    ("STM32H745", &["cortex-m7f", "cortex-m4f"]),
    ("STM32H747", &["cortex-m7f", "cortex-m4f"]),
    ("STM32H755", &["cortex-m7f", "cortex-m4f"]),
    ("STM32H757", &["cortex-m7f", "cortex-m4f"]),
    ("STM32L0", &["cortex-m0plus"]),
    ("STM32L1", &["cortex-m3"]),
    ("STM32L4", &["cortex-m4f"]),
    ("STM32L5", &["cortex-m33f"]),
    ("STM32MP1", &["cortex-a7", "cortex-m4f"]),
    ("STM32MP2", &["cortex-a35", "cortex-m33f"]),
    ("STM32N6", &["cortex-m55f"]),
    ("STM32U0", &["cortex-m0plus"]),
    ("STM32U3", &["cortex-m33f"]),
    ("STM32U5", &["cortex-m33f"]),
    ("STM32WB", &["cortex-m4f"]),
    ("STM32WB0", &["cortex-m0plus"]),
    ("STM32WBA", &["cortex-m33f"]),
    ("STM32WL5", &["cortex-m4", "cortex-m0plus"]),
    ("STM32WLE", &["cortex-m4"]),
    // Nordic
    ("NRF51", &["cortex-m0"]),
    ("NRF52805", &["cortex-m4"]),
    ("NRF52810", &["cortex-m4"]),
    ("NRF52811", &["cortex-m4"]),
    ("NRF52820", &["cortex-m4"]),
    ("NRF52832", &["cortex-m4f"]),
    ("NRF52833", &["cortex-m4f"]),
    ("NRF52840", &["cortex-m4f"]),
    ("NRF5340", &["cortex-m33f", "cortex-m33"]),
    ("NRF9151", &["cortex-m33f"]),
    ("NRF9160", &["cortex-m33f"]),
    ("NRF9161", &["cortex-m33f"]),
    // Raspberry Pi. Its SDK passes floating-point numbers in integer registers.
    ("RP2040", &["cortex-m0plus"]),
    ("RP2350", &["cortex-m33"]),
    // NXP
    ("LPC11", &["cortex-m0"]),
    ("LPC11U6", &["cortex-m0plus"]),
    ("LPC11E6", &["cortex-m0plus"]),
    ("LPC13", &["cortex-m3"]),
    ("LPC15", &["cortex-m3"]),
    ("LPC17", &["cortex-m3"]),
    ("LPC18", &["cortex-m3"]),
    ("LPC43", &["cortex-m4f", "cortex-m0"]),
    ("LPC546", &["cortex-m4f"]),
    ("LPC55S06", &["cortex-m33f"]),
    ("LPC55S16", &["cortex-m33f"]),
    ("LPC55S28", &["cortex-m33f"]),
    ("LPC55S69", &["cortex-m33f", "cortex-m33"]),
    ("LPC8", &["cortex-m0plus"]),
    ("MIMXRT10", &["cortex-m7f"]),
    ("MIMXRT116", &["cortex-m7f", "cortex-m4f"]),
    ("MIMXRT117", &["cortex-m7f", "cortex-m4f"]),
    ("MIMXRT5", &["cortex-m33f"]),
    ("MIMXRT6", &["cortex-m33f"]),
    ("MK22F", &["cortex-m4f"]),
    ("MK64F", &["cortex-m4f"]),
    ("MK66F", &["cortex-m4f"]),
    ("MKE0", &["cortex-m0plus"]),
    ("MKL0", &["cortex-m0plus"]),
    ("MKL1", &["cortex-m0plus"]),
    ("MKL2", &["cortex-m0plus"]),
    ("MKL3", &["cortex-m0plus"]),
    ("MKL4", &["cortex-m0plus"]),
    ("MCXC", &["cortex-m0plus"]),
    ("MCXN", &["cortex-m33f", "cortex-m33"]),
    // Microchip
    ("ATSAMC2", &["cortex-m0plus"]),
    ("ATSAMD1", &["cortex-m0plus"]),
    ("ATSAMD2", &["cortex-m0plus"]),
    ("ATSAMD5", &["cortex-m4f"]),
    ("ATSAME5", &["cortex-m4f"]),
    ("ATSAME7", &["cortex-m7f"]),
    ("ATSAML2", &["cortex-m0plus"]),
    ("ATSAMS7", &["cortex-m7f"]),
    ("ATSAMV7", &["cortex-m7f"]),
    // Renesas
    ("R7FA2", &["cortex-m23"]),
    ("R7FA4M1", &["cortex-m4f"]),
    ("R7FA4M2", &["cortex-m33f"]),
    ("R7FA4M3", &["cortex-m33f"]),
    ("R7FA6M1", &["cortex-m4f"]),
    ("R7FA6M2", &["cortex-m4f"]),
    ("R7FA6M3", &["cortex-m4f"]),
    ("R7FA6M4", &["cortex-m33f"]),
    ("R7FA6M5", &["cortex-m33f"]),
    ("R7FA8", &["cortex-m85f"]),
    // GigaDevice, Texas Instruments
    ("GD32F1", &["cortex-m3"]),
    ("GD32F4", &["cortex-m4f"]),
    ("GD32VF103", &["rv32imac"]),
    ("TM4C", &["cortex-m4f"]),
    // Espressif
    ("ESP32", &["xtensa"]),
    ("ESP32C2", &["rv32imc"]),
    ("ESP32C3", &["rv32imc"]),
    ("ESP32C5", &["rv32imac"]),
    ("ESP32C6", &["rv32imac"]),
    ("ESP32H2", &["rv32imac"]),
    ("ESP32H4", &["rv32imafc"]),
    ("ESP32P4", &["rv32imafc"]),
    ("ESP32S31", &["rv32imafc"]),
];

/// Names of boards, in capitals, and their chips.
const BOARDS: [(&str, &str); 12] = [
    ("PICO", "RP2040"),
    ("PICO_W", "RP2040"),
    ("RPIPICO", "RP2040"),
    ("RPIPICOW", "RP2040"),
    ("RPI_PICO", "RP2040"),
    ("PICO2", "RP2350"),
    ("PICO2_W", "RP2350"),
    ("RPIPICO2", "RP2350"),
    ("RPI_PICO2", "RP2350"),
    ("TEENSY40", "MIMXRT1062"),
    ("TEENSY41", "MIMXRT1062"),
    ("BBC_MICROBIT_V2", "NRF52833"),
];

/// Beginnings of boards whose name ends with that of an STM32.
const ST_BOARDS: [&str; 7] =
    ["NUCLEO_", "DISCO_", "BLUEPILL_", "BLACKPILL_", "GENERIC_", "GENERICSTM32", "EVAL_"];

/// Returns the CPUs of the chip whose name a word begins with: a chip's name, or that of a macro of it. Case does not matter.
pub fn of_word(word: &str) -> Option<&'static [&'static str]> {
    let name = word.to_ascii_uppercase().replace('-', "");
    let name = name.strip_prefix("CPU_").unwrap_or(&name);
    let with_vendor = name.strip_prefix("SAM").map(|rest| format!("ATSAM{rest}"));
    let name = with_vendor.as_deref().unwrap_or(name);
    if name.starts_with("NRF5340") {
        if ["CPUAPP", "APPLICATION"].iter().any(|it| name.contains(it)) {
            return Some(&["cortex-m33f"]);
        }
        if ["CPUNET", "NETWORK"].iter().any(|it| name.contains(it)) {
            return Some(&["cortex-m33"]);
        }
    }
    // Both chips of this name have Arm and RISC-V cores.
    if name.starts_with("RP2350") && name.contains("RISCV") {
        return Some(&["rv32imac"]);
    }
    let found = CHIPS.iter().filter(|(beginning, _)| name.starts_with(beginning));
    let (_, cpus) = found.max_by_key(|(beginning, _)| beginning.len())?;
    Some(cpus)
}

/// Returns names of this table, in small letters, that begin like an unknown one.
pub fn similar(word: &str) -> Vec<String> {
    const MIN: usize = 3;
    const MAX: usize = 12;
    let name = word.to_ascii_uppercase().replace('-', "");
    let in_common =
        |it: &str| name.bytes().zip(it.bytes()).take_while(|(one, other)| one == other).count();
    let known = || CHIPS.iter().map(|it| it.0).chain(BOARDS.iter().map(|it| it.0));
    let most = known().map(in_common).max().unwrap_or_default();
    let similar = known().filter(|it| most >= MIN && in_common(it) == most);
    similar.take(MAX).map(str::to_ascii_lowercase).collect()
}

/// Returns the CPUs of a board.
pub fn of_board(word: &str) -> Option<&'static [&'static str]> {
    let name = word.to_ascii_uppercase();
    if let Some((_, chip)) = BOARDS.iter().find(|(board, _)| *board == name) {
        return of_word(chip);
    }
    let chip = ST_BOARDS.iter().find_map(|it| name.strip_prefix(it))?;
    of_word(&format!("STM32{chip}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_beginning_decides() {
        for (word, cpus) in [
            ("STM32F407VGTx", &["cortex-m4f"][..]),
            ("stm32h743zi", &["cortex-m7f"]),
            ("STM32H747XIHx", &["cortex-m7f", "cortex-m4f"]),
            ("STM32WB55RG", &["cortex-m4f"]),
            ("STM32WBA52", &["cortex-m33f"]),
            ("NRF52840_XXAA", &["cortex-m4f"]),
            ("nrf5340dk_nrf5340_cpunet", &["cortex-m33"]),
            ("CPU_MK64FN1M0VLL12", &["cortex-m4f"]),
            ("esp32-c6-devkitc-1", &["rv32imac"]),
            ("esp32-s31", &["rv32imafc"]),
            ("esp32-s3-devkitc-1", &["xtensa"]),
            ("esp32dev", &["xtensa"]),
            ("SAMD21G18A", &["cortex-m0plus"]),
            ("rp2350-riscv", &["rv32imac"]),
        ] {
            assert_eq!(of_word(word), Some(cpus), "{word}");
        }
        for word in ["", "STM32", "nrf52", "main", "STM3"] {
            assert_eq!(of_word(word), None, "{word}");
        }
        assert_eq!(of_board("nucleo_f401re"), Some(&["cortex-m4f"][..]));
        assert_eq!(of_board("genericSTM32F103C8"), Some(&["cortex-m3"][..]));
        assert_eq!(of_board("pico"), Some(&["cortex-m0plus"][..]));
        assert_eq!(of_board("unknown"), None);
    }

    #[test]
    fn names_that_begin_alike_are_similar() {
        for (word, names) in [
            ("rp2041", &["rp2040"][..]),
            ("NRF52-834", &["nrf52832", "nrf52833"]),
            ("STM32WBX", &["stm32wb", "stm32wb0", "stm32wba"]),
            ("cortex-m5", &[]),
            ("", &[]),
        ] {
            assert_eq!(similar(word), names, "{word}");
        }
        assert!(similar("stm32").len() <= 12);
    }
}
