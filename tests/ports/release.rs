//! Every port for each core with each backend and in each format.

use crate::{BACKENDS, chips, ports_compile};

#[test]
fn every_port_compiles_with_every_backend() {
    ports_compile(|_| BACKENDS);
}

#[test]
fn every_chip_s_port_compiles_in_every_format() {
    chips::chips_compile(|_| &chips::FORMATS);
}
