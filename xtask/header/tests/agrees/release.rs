//! Each file of the kernel with each class of events alone.

use crate::kernel::{SOURCES, sources_compile};

#[test]
fn every_source_of_the_kernel_compiles_with_each_class_alone() {
    sources_compile(|_| &SOURCES);
}
