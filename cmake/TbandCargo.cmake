# Builds libtband.a and libtband_flux.a with cargo, which knows best when they are out of date.

# Adds the target `<name>_archive_build`, which builds lib<name>.a from `package` for `triple`, and sets `result` to the
# archive.
function(tband_cargo_build package name triple result)
  get_filename_component(root ${CMAKE_CURRENT_FUNCTION_LIST_DIR} DIRECTORY)
  set(script ${root}/cmake/TbandSlim.cmake)
  find_program(TBAND_CARGO cargo HINTS $ENV{CARGO_HOME}/bin $ENV{HOME}/.cargo/bin)
  if(NOT TBAND_CARGO)
    message(FATAL_ERROR
      "tband: cargo was not found, and no prebuilt library was given. Either install Rust "
      "(https://rustup.rs), or take a package with prebuilt libraries (find_package), or pass "
      "-DTBAND_LIBRARY=/path/to/libtband.a")
  endif()

  set(folder ${CMAKE_CURRENT_BINARY_DIR}/cargo)
  set(built ${folder}/${triple}/firmware/lib${name}.a)
  set(archive ${CMAKE_CURRENT_BINARY_DIR}/lib/lib${name}.a)

  tband_find_core(${triple} core)

  add_custom_target(${name}_archive_build
    COMMAND ${CMAKE_COMMAND} -DTBAND_CARGO=${TBAND_CARGO} -DTBAND_PACKAGE=${package} -DTBAND_TRIPLE=${triple}
            -DTBAND_SOURCE=${root} -DTBAND_FOLDER=${folder} ${core}
            -P ${root}/cmake/TbandCargoBuild.cmake
    COMMAND ${CMAKE_COMMAND} -DTBAND_AR=${CMAKE_AR} -DTBAND_STRIP=${CMAKE_STRIP}
            -DTBAND_IN=${built} -DTBAND_OUT=${archive} -P ${script}
    WORKING_DIRECTORY ${root}
    BYPRODUCTS ${archive}
    COMMENT "Building lib${name}.a for ${triple}"
    VERBATIM)
  set(${result} ${archive} PARENT_SCOPE)
endfunction()

# Makes the core library of `triple` available. Sets `result` to the settings of TbandCargoBuild.cmake that compile it from its sources,
# if the toolchain has these and no compiled one; otherwise to nothing.
function(tband_find_core triple result)
  get_filename_component(root ${CMAKE_CURRENT_FUNCTION_LIST_DIR} DIRECTORY)
  set(${result} "" PARENT_SCOPE)
  find_program(TBAND_RUSTUP rustup HINTS $ENV{CARGO_HOME}/bin $ENV{HOME}/.cargo/bin)
  find_program(TBAND_RUSTC rustc HINTS $ENV{CARGO_HOME}/bin $ENV{HOME}/.cargo/bin)
  set(complaint "")
  if(TBAND_RUSTUP)
    # Without this check rustup prints that a target's core library is installed already.
    execute_process(COMMAND ${TBAND_RUSTUP} target list --installed
                    WORKING_DIRECTORY ${root}
                    OUTPUT_VARIABLE installed ERROR_QUIET)
    string(REPLACE "\n" ";" installed "${installed}")
    if(triple IN_LIST installed)
      return()
    endif()
    message(STATUS "tband: adding the Rust target ${triple}")
    execute_process(COMMAND ${TBAND_RUSTUP} target add ${triple}
                    WORKING_DIRECTORY ${root}
                    RESULT_VARIABLE failed ERROR_VARIABLE complaint)
    if(NOT failed)
      return()
    endif()
  elseif(TBAND_RUSTC)
    execute_process(COMMAND ${TBAND_RUSTC} --print target-libdir --target ${triple}
                    OUTPUT_VARIABLE libraries OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    file(GLOB compiled "${libraries}/libcore-*.rlib")
    if(compiled)
      return()
    endif()
  endif()

  set(sources "")
  if(TBAND_RUSTC)
    execute_process(COMMAND ${TBAND_RUSTC} --print sysroot WORKING_DIRECTORY ${root}
                    OUTPUT_VARIABLE sources OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    string(APPEND sources /lib/rustlib/src/rust/library)
  endif()
  if(EXISTS "${sources}/core/src/lib.rs")
    execute_process(COMMAND ${TBAND_RUSTC} --print cfg --target ${triple} WORKING_DIRECTORY ${root}
                    OUTPUT_QUIET ERROR_VARIABLE unknown)
    if(unknown MATCHES "[Cc]ould not find specification")
      message(FATAL_ERROR "tband: Rust has no target ${triple}. `rustc --print target-list` lists those that it has: name one "
                          "with -DTBAND_RUST_TARGET=...")
    endif()
    message(STATUS "tband: the core library of ${triple} is compiled from ${sources}")
    set(${result} -DTBAND_RUSTC=${TBAND_RUSTC} -DTBAND_RUST_SOURCES=${sources} PARENT_SCOPE)
  elseif(complaint MATCHES "no prebuilt artifacts|does not support")
    # A target of tier 3: there is nothing to download.
    message(FATAL_ERROR "tband: Rust has no compiled core library for ${triple}, so it is compiled from its sources, which are missing.\n"
                        "Add them with: rustup component add rust-src")
  elseif(TBAND_RUSTUP)
    message(FATAL_ERROR "tband: the Rust target ${triple} is missing and could not be added:\n"
                        "${complaint}\nAdd it with: rustup target add ${triple}")
  endif()
endfunction()
