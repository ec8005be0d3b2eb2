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
  find_program(TBAND_RUSTUP rustup HINTS $ENV{CARGO_HOME}/bin $ENV{HOME}/.cargo/bin)

  set(folder ${CMAKE_CURRENT_BINARY_DIR}/cargo)
  set(built ${folder}/${triple}/firmware/lib${name}.a)
  set(archive ${CMAKE_CURRENT_BINARY_DIR}/lib/lib${name}.a)

  # Without this check rustup prints that a target's core library is installed already.
  if(TBAND_RUSTUP)
    execute_process(COMMAND ${TBAND_RUSTUP} target list --installed
                    WORKING_DIRECTORY ${root}
                    OUTPUT_VARIABLE installed ERROR_QUIET)
    string(REPLACE "\n" ";" installed "${installed}")
    if(NOT triple IN_LIST installed)
      message(STATUS "tband: adding the Rust target ${triple}")
      execute_process(COMMAND ${TBAND_RUSTUP} target add ${triple}
                      WORKING_DIRECTORY ${root}
                      RESULT_VARIABLE failed ERROR_VARIABLE complaint)
      if(failed)
        message(FATAL_ERROR "tband: the Rust target ${triple} is missing and could not be added:\n"
                            "${complaint}\nAdd it with: rustup target add ${triple}")
      endif()
    endif()
  endif()

  add_custom_target(${name}_archive_build
    COMMAND ${CMAKE_COMMAND} -DTBAND_CARGO=${TBAND_CARGO} -DTBAND_PACKAGE=${package} -DTBAND_TRIPLE=${triple}
            -DTBAND_SOURCE=${root} -DTBAND_FOLDER=${folder}
            -P ${root}/cmake/TbandCargoBuild.cmake
    COMMAND ${CMAKE_COMMAND} -DTBAND_AR=${CMAKE_AR} -DTBAND_STRIP=${CMAKE_STRIP}
            -DTBAND_IN=${built} -DTBAND_OUT=${archive} -P ${script}
    WORKING_DIRECTORY ${root}
    BYPRODUCTS ${archive}
    COMMENT "Building lib${name}.a for ${triple}"
    VERBATIM)
  set(${result} ${archive} PARENT_SCOPE)
endfunction()
