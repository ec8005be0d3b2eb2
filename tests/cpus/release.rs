//! All CPUs without an RTOS: those that differ in the size of words or the byte order in every way to record, the others in both
//! formats.

use crate::boards::{
    AARCH64, ARM7TDMI, ARM926, CORTEX_A9, CORTEX_R5, CORTEX_R5_BIG, RISCV32_E, RISCV32_F, RISCV64,
    XTENSA,
};
use crate::has_xtensa;

#[test]
fn an_aarch64_records_in_every_way() {
    AARCH64.assert_all_modes();
}

#[test]
fn cpus_without_atomics_record_in_every_way() {
    ARM926.assert_all_modes();
    ARM7TDMI.assert_both_formats();
}

#[test]
fn a_cortex_a9_records_in_every_way() {
    CORTEX_A9.assert_all_modes();
}

#[test]
fn a_big_endian_cortex_r5_records_in_every_way() {
    CORTEX_R5_BIG.assert_all_modes();
}

#[test]
fn a_risc_v_of_64_bits_records_in_every_way() {
    RISCV64.assert_all_modes();
}

#[test]
fn other_abis_and_byte_orders_record_in_both_formats() {
    CORTEX_R5.assert_both_formats();
    RISCV32_F.assert_both_formats();
    RISCV32_E.assert_both_formats();
}

#[test]
fn an_xtensa_records_in_every_way() {
    if has_xtensa() {
        XTENSA.assert_all_modes();
    }
}
