# The library for a chip of ESP-IDF: that of the package, or built with Rust.

# Sets `result` to libtband.a for the Rust target `triple`. If the package has none, and Rust can build it, adds the target
# tband_library_build. Espressif's compiler builds those for Xtensa, with core from its sources.
function(tband_esp_library root triple result)
  set(packaged ${root}/lib/${triple}/libtband.a)
  if(EXISTS ${packaged})
    set(${result} ${packaged} PARENT_SCOPE)
    return()
  endif()

  find_program(TBAND_CARGO cargo HINTS $ENV{CARGO_HOME}/bin $ENV{HOME}/.cargo/bin)
  find_program(TBAND_RUSTUP rustup HINTS $ENV{CARGO_HOME}/bin $ENV{HOME}/.cargo/bin)
  set(arguments "")
  set(can_build OFF)
  if(triple MATCHES "^xtensa")
    set(install "espup install --targets ${IDF_TARGET}          # https://docs.espressif.com/projects/rust")
    set(build "cargo +esp build -Zbuild-std=core")
    set(arguments -DTBAND_TOOLCHAIN=esp -DTBAND_BUILD_STD=core)
    if(TBAND_RUSTUP)
      execute_process(COMMAND ${TBAND_RUSTUP} run esp cargo --version RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
      if(failed EQUAL 0)
        set(can_build ON)
      endif()
    endif()
  else()
    set(install "rustup target add ${triple}")
    set(build "cargo build")
    if(TBAND_RUSTUP)
      execute_process(COMMAND ${TBAND_RUSTUP} target list --installed WORKING_DIRECTORY ${root}
                      OUTPUT_VARIABLE installed ERROR_QUIET)
      if("\n${installed}" MATCHES "\n${triple}\n")
        set(can_build ON)
      endif()
    endif()
  endif()

  if(can_build AND TBAND_CARGO AND EXISTS ${root}/firmware/Cargo.toml)
    set(folder ${CMAKE_CURRENT_BINARY_DIR}/cargo)
    set(archive ${folder}/${triple}/firmware/libtband.a)
    add_custom_target(tband_library_build
      COMMAND ${CMAKE_COMMAND} -DTBAND_CARGO=${TBAND_CARGO} -DTBAND_PACKAGE=tband-ffi -DTBAND_TRIPLE=${triple}
              -DTBAND_SOURCE=${root} -DTBAND_FOLDER=${folder} ${arguments} -P ${root}/cmake/TbandCargoBuild.cmake
      BYPRODUCTS ${archive}
      COMMENT "Building libtband.a for ${triple}"
      VERBATIM)
    set(${result} ${archive} PARENT_SCOPE)
    return()
  endif()

  set(again "")
  if(EXISTS ${root}/firmware/Cargo.toml)
    set(again "and configure again, or build it ")
  endif()
  message(FATAL_ERROR "tband: ${packaged} is not there, and Rust on this machine cannot build it. Install Rust, then:\n"
                      "  ${install}\n"
                      "${again}in tband's sources:\n"
                      "  ${build} --manifest-path firmware/Cargo.toml -p tband-ffi --profile firmware --target ${triple}\n"
                      "and pass -DTBAND_LIBRARY=.../firmware/target/${triple}/firmware/libtband.a")
endfunction()
