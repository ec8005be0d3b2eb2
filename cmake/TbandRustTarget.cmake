# The Rust target that fits the user's C compiler and flags.

# Sets `result` to the target triple. Asks the compiler for its predefined macros with the flags it is
# used with; what is not recognised is an error, never a build for the host.
function(tband_rust_target result)
  # With CC="ccache gcc" the compiler is ccache, and gcc is its first argument.
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  separate_arguments(flags NATIVE_COMMAND "${CMAKE_C_COMPILER_ARG1} ${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${type}}")
  if(CMAKE_C_COMPILER_TARGET AND CMAKE_C_COMPILE_OPTIONS_TARGET)
    # Of clang, which otherwise compiles for the machine it runs on.
    list(APPEND flags "${CMAKE_C_COMPILE_OPTIONS_TARGET}${CMAKE_C_COMPILER_TARGET}")
  endif()
  get_directory_property(given COMPILE_OPTIONS)
  # Those of one program reach the shim by tband_config.
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
  set(null_file "${CMAKE_CURRENT_BINARY_DIR}/tband_empty.c")
  file(WRITE "${null_file}" "")
  execute_process(
    COMMAND ${CMAKE_C_COMPILER} ${flags} ${options} -dM -E "${null_file}"
    OUTPUT_VARIABLE macros ERROR_VARIABLE complaint RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "tband: ${CMAKE_C_COMPILER} does not list its predefined macros "
                        "(-dM -E), so the target is not known:\n${complaint}\n"
                        "Build libtband.a yourself and pass -DTBAND_LIBRARY=/path/to/libtband.a")
  endif()

  # clang without a target compiles for the machine it runs on, and only the linker would notice.
  if(CMAKE_SYSTEM_NAME STREQUAL "Generic" AND macros MATCHES "__(linux|APPLE|MINGW32|_WIN32)__ 1")
    message(FATAL_ERROR
      "tband: CMAKE_SYSTEM_NAME is Generic, as for a microcontroller, but with these flags the compiler makes programs for "
      "the system it runs on:\n  ${CMAKE_C_COMPILER} ${CMAKE_C_FLAGS}\n"
      "Set CMAKE_C_COMPILER_TARGET (clang) or put the target and CPU into CMAKE_C_FLAGS of your toolchain file. If only a target "
      "of yours has them as options, pass them to tband too: target_compile_options(tband_config INTERFACE ...)")
  endif()

  set(abi "eabi")
  if(macros MATCHES "__ARM_PCS_VFP 1")
    set(abi "eabihf")
  endif()
  if(macros MATCHES "__ARM_ARCH_6M__ 1")
    set(triple thumbv6m-none-eabi)
  elseif(macros MATCHES "__ARM_ARCH_7M__ 1")
    set(triple thumbv7m-none-eabi)
  elseif(macros MATCHES "__ARM_ARCH_7EM__ 1")
    set(triple thumbv7em-none-${abi})
  elseif(macros MATCHES "__ARM_ARCH_8M_BASE__ 1")
    set(triple thumbv8m.base-none-eabi)
  elseif(macros MATCHES "__ARM_ARCH_8M_MAIN__ 1" OR macros MATCHES "__ARM_ARCH_8_1M_MAIN__ 1")
    set(triple thumbv8m.main-none-${abi})
  elseif(macros MATCHES "__riscv_xlen 32" AND NOT macros MATCHES "__linux__ 1")
    if(macros MATCHES "__riscv_float_abi_(single|double) 1")
      message(FATAL_ERROR "tband: no library for RISC-V with a floating-point ABI; "
                          "use -mabi=ilp32, or pass -DTBAND_LIBRARY=/path/to/libtband.a")
    elseif(macros MATCHES "__riscv_32e 1" OR NOT macros MATCHES "__riscv_mul 1")
      message(FATAL_ERROR "tband: no library for RISC-V without the M extension (multiplication) or "
                          "with 16 registers (rv32e); pass -DTBAND_LIBRARY=/path/to/libtband.a")
    elseif(NOT macros MATCHES "__riscv_compressed 1")
      set(triple riscv32im-unknown-none-elf)
    elseif(macros MATCHES "__riscv_atomic 1")
      set(triple riscv32imac-unknown-none-elf)
    else()
      set(triple riscv32imc-unknown-none-elf)
    endif()
  elseif(macros MATCHES "__linux__ 1" AND macros MATCHES "__x86_64__ 1" AND macros MATCHES "__LP64__ 1")
    set(triple x86_64-unknown-linux-gnu)
  elseif(macros MATCHES "__linux__ 1" AND macros MATCHES "__aarch64__ 1")
    set(triple aarch64-unknown-linux-gnu)
  else()
    message(FATAL_ERROR
      "tband: no Rust target is known for this compiler and these flags:\n"
      "  ${CMAKE_C_COMPILER} ${CMAKE_C_FLAGS}\n"
      "Known are Cortex-M (-mcpu=cortex-m0 … cortex-m55, -mthumb), RISC-V 32 bit (-march=rv32im…) "
      "and Linux on x86-64 and AArch64. If the CPU is given by a target's own options, pass them to tband too: "
      "target_compile_options(tband_config INTERFACE -mcpu=...), or put them into "
      "CMAKE_C_FLAGS of your toolchain file; for anything else build "
      "libtband.a yourself and pass -DTBAND_LIBRARY=/path/to/libtband.a")
  endif()
  set(${result} ${triple} PARENT_SCOPE)
endfunction()
