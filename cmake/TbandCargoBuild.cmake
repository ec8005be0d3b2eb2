# Builds a library for firmware with cargo, without settings that the user has made for other Rust programs. Script:
#   cmake -DTBAND_CARGO=cargo -DTBAND_PACKAGE=tband-ffi -DTBAND_TRIPLE=thumbv7em-none-eabi -DTBAND_SOURCE=/path/to/tband
#         -DTBAND_FOLDER=/path/for/cargo [-DTBAND_RUSTC=rustc -DTBAND_RUST_SOURCES=/path/to/library] -P TbandCargoBuild.cmake
#
# TBAND_RUST_SOURCES: the toolchain lacks the core library of the target, so it is compiled from these sources, which are those of
# TBAND_RUSTC.
#
# Optional: -DTBAND_TOOLCHAIN=esp, a toolchain of rustup in place of the default one; -DTBAND_BUILD_STD=core, for targets whose
# core library is built from its sources.
#
# Flags, targets, profiles and wrappers come from environment variables and from .cargo/config.toml in parent folders and in
# the user's home. The library must not depend on them: with target-cpu=native it would crash on another machine, and with
# instrumentation it would not link. The packages of firmware/Cargo.toml need nothing from a registry, so no network is used.
cmake_minimum_required(VERSION 3.20)

foreach(needed TBAND_CARGO TBAND_PACKAGE TBAND_TRIPLE TBAND_SOURCE TBAND_FOLDER)
  if(NOT ${needed})
    message(FATAL_ERROR "tband: ${needed} is not set")
  endif()
endforeach()

# Linkers stay: the build script of the recorder is linked.
execute_process(COMMAND ${CMAKE_COMMAND} -E environment OUTPUT_VARIABLE environment)
string(REGEX MATCHALL "(^|\n)(CARGO_(BUILD|PROFILE|UNSTABLE)_[^=\n]*|CARGO_TARGET_DIR|CARGO_TARGET_[^=\n]*_RUSTFLAGS|\
CARGO_INCREMENTAL|RUSTC|RUSTC_[^=\n]*|RUSTFLAGS)=" names "${environment}")
foreach(name IN LISTS names)
  string(REGEX REPLACE "[\n=]" "" name "${name}")
  unset(ENV{${name}})
endforeach()

set(network --offline)
set(toolchain "")
if(TBAND_TOOLCHAIN)
  set(toolchain "+${TBAND_TOOLCHAIN}")
endif()
set(core "")
if(TBAND_BUILD_STD)
  set(core "-Zbuild-std=${TBAND_BUILD_STD}")
endif()
# These replace all flags of configuration files. No folder of this machine is in the library.
set(ENV{CARGO_ENCODED_RUSTFLAGS} "--remap-path-prefix=${TBAND_SOURCE}=/tband")
if(TBAND_RUST_SOURCES)
  set(ENV{RUSTC} "${TBAND_RUSTC}")
  set(ENV{RUSTC_BOOTSTRAP} 1) # allows unstable options of a compiler that is not nightly
  set(core -Zbuild-std=core)
  # The packages that the sources need are beside them in a distribution's package. rustup's sources do without: cargo takes them from
  # crates.io, once.
  if(EXISTS "${TBAND_RUST_SOURCES}/vendor")
    list(APPEND core --config "source.crates-io.replace-with='sources'" --config "source.sources.directory='${TBAND_RUST_SOURCES}/vendor'")
  else()
    set(network "")
  endif()
endif()
execute_process(
  COMMAND "${TBAND_CARGO}" ${toolchain} build ${core} --quiet --locked ${network} --manifest-path "${TBAND_SOURCE}/firmware/Cargo.toml"
          --package ${TBAND_PACKAGE} --profile firmware --target ${TBAND_TRIPLE} --target-dir "${TBAND_FOLDER}"
          --config "build.rustc-wrapper=''" --config "build.rustc-workspace-wrapper=''"
  WORKING_DIRECTORY "${TBAND_SOURCE}"
  RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "tband: cargo could not build ${TBAND_PACKAGE} for ${TBAND_TRIPLE}; its messages are above")
endif()
