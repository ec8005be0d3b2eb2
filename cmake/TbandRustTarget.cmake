# The Rust target that fits the user's C compiler and flags.

set(TBAND_RUST_TARGET "" CACHE STRING
    "The Rust target of the library; empty: the one that fits your compiler and its flags")

# Sets `result` to the target triple, `TBAND_RUST_TARGET` if that is set. Otherwise runs the compiler's preprocessor with the flags
# it is used with; a CPU that is not recognised is an error, never a build for the host.
function(tband_rust_target result)
  if(TBAND_RUST_TARGET)
    set(${result} ${TBAND_RUST_TARGET} PARENT_SCOPE)
    return()
  endif()
  # With CC="ccache gcc" the compiler is ccache, and gcc is its first argument.
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  separate_arguments(flags NATIVE_COMMAND "${CMAKE_C_COMPILER_ARG1} ${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${type}}")
  if(CMAKE_C_COMPILER_TARGET AND CMAKE_C_COMPILE_OPTIONS_TARGET)
    # For clang, which otherwise compiles for the host.
    list(APPEND flags "${CMAKE_C_COMPILE_OPTIONS_TARGET}${CMAKE_C_COMPILER_TARGET}")
  endif()
  get_directory_property(given COMPILE_OPTIONS)
  # The flags of a single program reach the shim through tband_config.
  if(TARGET tband_config)
    get_target_property(own tband_config INTERFACE_COMPILE_OPTIONS)
    if(own)
      list(APPEND given ${own})
    endif()
  endif()
  # Options of the language C. Other generator expressions cannot be evaluated yet; they may contain semicolons.
  while(given MATCHES "^(.*)[$]<[$]<COMPILE_LANGUAGE:([A-Za-z,]+)>:([^$<>]*)>(.*)$")
    set(others "${CMAKE_MATCH_1}${CMAKE_MATCH_4}")
    set(given "${CMAKE_MATCH_3};${others}")
    if(NOT ",${CMAKE_MATCH_2}," MATCHES ",C,")
      set(given "${others}")
    endif()
  endwhile()
  while(given MATCHES "[$]<[^$<>]*>")
    string(REGEX REPLACE "[$]<[^$<>]*>" "" given "${given}")
  endwhile()
  set(options "")
  foreach(option IN LISTS given)
    if(option MATCHES "^SHELL:(.*)$")
      separate_arguments(option NATIVE_COMMAND "${CMAKE_MATCH_1}")
    endif()
    list(APPEND options ${option})
  endforeach()
  # In the sources and in a package these are in the same places.
  set(folder "${CMAKE_CURRENT_FUNCTION_LIST_DIR}")
  execute_process(
    COMMAND ${CMAKE_C_COMPILER} ${flags} ${options} "-I${folder}/../port" -dM -E "${folder}/rust_target.c"
    OUTPUT_VARIABLE macros ERROR_VARIABLE complaint RESULT_VARIABLE failed)
  if(NOT failed)
    execute_process(
      COMMAND ${CMAKE_C_COMPILER} ${flags} ${options} "-I${folder}/../port" -E -P "${folder}/rust_target.c"
      OUTPUT_VARIABLE cpu ERROR_VARIABLE complaint RESULT_VARIABLE failed)
  endif()
  if(failed)
    message(FATAL_ERROR "tband: ${CMAKE_C_COMPILER} does not list its predefined macros "
                        "(-dM -E), so the target is not known:\n${complaint}\n"
                        "Name the target, -DTBAND_RUST_TARGET=..., or build libtband.a yourself and pass "
                        "-DTBAND_LIBRARY=/path/to/libtband.a")
  endif()

  # clang without a target compiles for the machine it runs on, and only the linker would notice.
  if(CMAKE_SYSTEM_NAME STREQUAL "Generic" AND macros MATCHES "__(linux|APPLE|MINGW32|_WIN32)__ 1")
    message(FATAL_ERROR
      "tband: CMAKE_SYSTEM_NAME is Generic, as for a microcontroller, but with these flags the compiler makes programs for "
      "the system it runs on:\n  ${CMAKE_C_COMPILER} ${CMAKE_C_FLAGS}\n"
      "Set CMAKE_C_COMPILER_TARGET (clang) or put the target and CPU into CMAKE_C_FLAGS of your toolchain file. If only a target "
      "of yours has them as options, pass them to tband too: target_compile_options(tband_config INTERFACE ...)")
  endif()

  string(STRIP "${cpu}" cpu)
  string(REGEX REPLACE "^.*\n" "" cpu "${cpu}")
  # GCC for Arm makes programs for an ARM7TDMI if no option names a CPU. Then the options of the program itself hardly do the same.
  if(cpu MATCHES "^armv4t " AND NOT "${flags};${options}" MATCHES "-m(cpu|arch)=|-target")
    tband_report_unknown_cpu("${cpu}" "${macros}" "${CMAKE_C_COMPILER} ${CMAKE_C_FLAGS}")
  endif()
  file(STRINGS "${folder}/rust_targets.txt" known REGEX "^[a-z]")
  foreach(line IN LISTS known)
    if(line MATCHES "^${cpu} ([^ ]+)$")
      set(${result} ${CMAKE_MATCH_1} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  tband_report_unknown_cpu("${cpu}" "${macros}" "${CMAKE_C_COMPILER} ${CMAKE_C_FLAGS}")
endfunction()

# Stops with an error: no Rust target is known for this CPU. Prints the macros that the compiler defines, and two ways to proceed.
function(tband_report_unknown_cpu cpu macros compiler)
  string(REGEX REPLACE " .*$" "" name "${cpu}")
  string(REGEX REPLACE "_big_endian$" "" plain "${name}")
  file(STRINGS "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/without_library.txt" reason REGEX "^${plain} ")
  if(reason)
    string(REGEX REPLACE "^[^ ]+ (.*)$" "\\1" reason "${reason}")
    message(FATAL_ERROR
      "tband: there is no library for the CPU of this compiler and these flags:\n"
      "  ${compiler}\n"
      "${reason}.\n"
      "Record with Tonbandgeraet's library, which is portable C: docs/src/guide/start/tonbandgeraet.md has the steps. tband-cli reads its "
      "recordings. If this Rust toolchain can build libtband.a all the same, pass -DTBAND_LIBRARY=/path/to/libtband.a.")
  endif()
  set(order "little endian")
  if(name MATCHES "_big_endian$")
    set(order "big endian")
  endif()
  set(pointer "")
  if(macros MATCHES "__SIZEOF_POINTER__ ([0-9]+)")
    set(pointer ", pointers of ${CMAKE_MATCH_1} bytes")
  endif()
  set(hint "")
  if(name MATCHES "^xtensa")
    set(hint "For Xtensa the compiler does not tell which chip it is: with Espressif's Rust (espup) set "
             "-DTBAND_RUST_TARGET=xtensa-esp32-none-elf (esp32s2, esp32s3).\n")
  elseif(name STREQUAL "armv4t")
    set(hint "No option names the CPU, and without one this compiler makes programs for an ARM7TDMI. If yours is one, pass "
             "-mcpu=arm7tdmi.\n")
  elseif(name MATCHES "^armv[45]")
    set(hint "Rust has targets for Armv4T (-mcpu=arm7tdmi) and Armv5TE (-mcpu=arm926ej-s), little endian.\n")
  elseif(name MATCHES "^rv.*lp64f$|^rv.*ilp32d$|^rv64.*ilp")
    set(hint "Rust has no target for this floating-point ABI: use lp64 or lp64d with 64 bits, ilp32 or ilp32f with 32.\n")
  elseif(name MATCHES "^rv")
    set(hint "Rust has targets for these extensions of RISC-V: i, im, ima, imc, imac, e, em, emc with 32 bits, im and imac with 64.\n")
  elseif(name MATCHES "^unknown")
    set(hint "The compiler defines no macro by which the CPU is known. If it is one in the list below, add the flags that choose the "
             "CPU (-mcpu, -march) to CMAKE_C_FLAGS.\n")
  endif()
  list(JOIN hint "" hint)
  message(FATAL_ERROR
    "tband: no Rust target is known for this compiler and these flags:\n"
    "  ${compiler}\n"
    "Architecture ${name}, ${order}${pointer}.\n"
    "${hint}"
    "Known are ARM7, ARM9 and ARM11, Cortex-M, Cortex-A and -R of Armv7 (-mcpu=cortex-m0 ... cortex-r52), AArch64, RISC-V of 32 and 64 bits, and Linux on x86-64 and "
    "AArch64; ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/rust_targets.txt lists them. If the CPU is given by a target's own options, pass them to tband too: "
    "target_compile_options(tband_config INTERFACE -mcpu=...), or put them into CMAKE_C_FLAGS of your toolchain file.\n"
    "If Rust has a target for this CPU (rustc --print target-list), name it: -DTBAND_RUST_TARGET=..., or build libtband.a yourself and pass "
    "-DTBAND_LIBRARY=/path/to/libtband.a.\n"
    "If it has none, record with Tonbandgeraet's library in C, whose recordings tband-cli reads: docs/src/guide/start/tonbandgeraet.md.")
endfunction()
