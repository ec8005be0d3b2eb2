# find_package(tband): the same targets as from the source tree, with a library that is built already.
#
# Located in the package's folder cmake/; `cmake --install` and `cargo xtask dist` make the same
# package. Needs no Rust. Selects the library for the target of the user's compiler.
if(TARGET tband::tband)
  return()
endif()
get_filename_component(tband_root "${CMAKE_CURRENT_LIST_DIR}" DIRECTORY)
include(${CMAKE_CURRENT_LIST_DIR}/TbandTargets.cmake)
if(TBAND_LIBRARY)
  tband_add_targets(${tband_root} ${TBAND_LIBRARY})
  get_filename_component(tband_flux_archive ${TBAND_LIBRARY} DIRECTORY)
  tband_add_flux(${tband_root} ${tband_flux_archive}/libtband_flux.a)
  return()
endif()

include(${CMAKE_CURRENT_LIST_DIR}/TbandRustTarget.cmake)
tband_rust_target(tband_rust_triple)
set(tband_archive ${tband_root}/lib/${tband_rust_triple}/libtband.a)
if(NOT EXISTS ${tband_archive})
  file(GLOB tband_prebuilt RELATIVE ${tband_root}/lib ${tband_root}/lib/*)
  list(JOIN tband_prebuilt "\n  " tband_prebuilt)
  message(FATAL_ERROR
    "tband: the package in ${tband_root} has no library for ${tband_rust_triple}, which is the target of\n"
    "  ${CMAKE_C_COMPILER} ${CMAKE_C_FLAGS}\n"
    "It has libraries for:\n  ${tband_prebuilt}\n"
    "Either take tband's sources instead (add_subdirectory), which build the library if Rust is "
    "installed (https://rustup.rs), or pass -DTBAND_LIBRARY=/path/to/libtband.a")
endif()
tband_add_targets(${tband_root} ${tband_archive})
tband_add_flux(${tband_root} ${tband_root}/lib/${tband_rust_triple}/libtband_flux.a)
