//! What is checked: the tests and their tiers, the fuzzer, mutants, lints.

pub mod fuzz;
pub mod lint;
pub mod mutants;
pub mod suite;
pub mod tier;
