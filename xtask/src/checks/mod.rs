//! Checks: the tests and their tiers, the fuzzer, mutants, lints.

pub mod fuzz;
pub mod lint;
pub mod mutants;
pub mod oldest_rust;
pub mod portable;
pub mod suite;
pub mod tier;
