# The targets that a project links: the same from the source tree and from an installed package.

# Defines tband::headers and tband::tband from the sources below `root` and the library `archive`.
function(tband_add_targets root archive)
  if(NOT TARGET tband_config)
    message(FATAL_ERROR
      "tband: the target tband_config is missing. Before tband, add these lines, with the folder of "
      "your tband_config.h and tband_port.h:\n"
      "  add_library(tband_config INTERFACE)\n"
      "  target_include_directories(tband_config INTERFACE \${CMAKE_CURRENT_SOURCE_DIR}/config)\n"
      "tband_config.h needs at least:\n"
      "  #define tband_configENABLE 1\n"
      "  #define tband_configUSE_BACKEND_STREAMING 1\n"
      "A tband_port.h to start from is in ${root}/port/template.")
  endif()

  if(NOT TARGET tband_archive_build AND NOT EXISTS ${archive})
    message(FATAL_ERROR "tband: TBAND_LIBRARY is ${archive}, and there is no such file")
  endif()

  add_library(tband_headers INTERFACE)
  add_library(tband::headers ALIAS tband_headers)
  target_include_directories(tband_headers INTERFACE ${root}/include ${root}/freertos-hooks)
  target_link_libraries(tband_headers INTERFACE tband_config)

  add_library(tband_archive STATIC IMPORTED GLOBAL)
  set_target_properties(tband_archive PROPERTIES IMPORTED_LOCATION ${archive})

  # Compiled with the project's configuration, port and kernel headers.
  add_library(tband STATIC ${root}/port/tband_shim.c ${root}/freertos-hooks/tband_freertos.c)
  add_library(tband::tband ALIAS tband)
  set_target_properties(tband PROPERTIES C_STANDARD 11 C_STANDARD_REQUIRED ON OUTPUT_NAME tband_shim)
  # What ports are made of: a tband_port.h that was copied elsewhere still includes it from here.
  target_include_directories(tband PUBLIC ${root}/port)
  # The hooks need the kernel's headers, and the kernel calls the hooks.
  target_link_libraries(tband PUBLIC tband_headers tband_archive
                        $<TARGET_NAME_IF_EXISTS:freertos_kernel>)
  # Later, since the kernel may be added behind tband.
  cmake_language(DEFER DIRECTORY ${CMAKE_SOURCE_DIR} CALL tband_link_kernel_to_hooks)
  if(TARGET tband_archive_build)
    add_dependencies(tband tband_archive_build)
    add_dependencies(tband_archive tband_archive_build)
  endif()
endfunction()

# Told of both directions CMake repeats the two libraries on the linker's command line, as such a circle
# needs. Otherwise the hooks would be found only if something else has called for their object before.
function(tband_link_kernel_to_hooks)
  if(TARGET freertos_kernel)
    cmake_policy(PUSH)
    cmake_policy(SET CMP0079 NEW) # the kernel's target is of another folder
    target_link_libraries(freertos_kernel INTERFACE $<LINK_ONLY:tband>)
    cmake_policy(POP)
  endif()
endfunction()
