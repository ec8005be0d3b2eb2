//! Every combination of switch, backend, header and source with every standard.

use tband_tests::c::Standard;

use crate::{alone, switches};

#[test]
fn every_call_compiles_with_every_switch_in_every_standard() {
    switches::every_call_compiles(|_| &Standard::OUTERMOST);
}

#[test]
fn every_source_compiles_with_every_switch() {
    switches::the_sources_compile(|_| &switches::SOURCES);
}

#[test]
fn each_header_compiles_in_every_standard() {
    alone::headers_compile(|_| Standard::ALL.to_vec());
}

#[test]
fn each_port_header_compiles_in_every_standard_of_c() {
    alone::port_headers_compile(|_| &Standard::C);
}
