# The targets that a project links: the same from the source tree and from an installed package.

include(${CMAKE_CURRENT_LIST_DIR}/TbandConfig.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/TbandIdentity.cmake)

# Defines tband::headers and tband::tband from the sources below `root` and the library `archive`, with the configuration of
# the target tband_config.
#
# The kernel is the target that TBAND_FREERTOS_TARGET names, a library or the program itself if the kernel's
# files are among its sources; if it is not set, freertos_kernel. It may be added after tband.
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

  if(NOT TARGET tband_archive_build AND NOT EXISTS "${archive}")
    message(FATAL_ERROR "tband: TBAND_LIBRARY is ${archive}, and there is no such file")
  endif()

  # One library for all configurations.
  add_library(tband_archive STATIC IMPORTED GLOBAL)
  set_target_properties(tband_archive PROPERTIES IMPORTED_LOCATION "${archive}")
  if(TARGET tband_archive_build)
    add_dependencies(tband_archive tband_archive_build)
  endif()

  set(kernel "${TBAND_FREERTOS_TARGET}")
  if(NOT kernel)
    set(kernel freertos_kernel)
  endif()
  tband_define("${root}" tband tband_config "${kernel}")
  tband_identify_programs()
  add_library(tband::tband ALIAS tband)
  add_library(tband::headers ALIAS tband_headers)
  set_property(GLOBAL PROPERTY TBAND_FREERTOS_TARGET "${TBAND_FREERTOS_TARGET}")
endfunction()

# Defines tband::<name> and tband::<name>_headers for another image in the same build, with a different configuration:
#
#   tband_add_library(<name> CONFIG <target> [FREERTOS_TARGET <target>])
#
# CONFIG is an INTERFACE library like tband_config. FREERTOS_TARGET is this image's kernel, like the variable of that name.
# Without it the image has no kernel, because a kernel that was compiled with another configuration does not fit.
function(tband_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 given "" "CONFIG;FREERTOS_TARGET" "")
  if(NOT TARGET tband_archive)
    message(FATAL_ERROR "tband: tband_add_library(${name}) comes after add_subdirectory or find_package of tband")
  elseif(given_UNPARSED_ARGUMENTS OR given_KEYWORDS_MISSING_VALUES OR NOT given_CONFIG)
    message(FATAL_ERROR "tband: write tband_add_library(${name} CONFIG target [FREERTOS_TARGET target])")
  elseif(NOT TARGET ${given_CONFIG})
    message(FATAL_ERROR "tband: CONFIG of tband_add_library(${name}) is ${given_CONFIG}, and there is no such target")
  elseif(TARGET tband_${name} OR TARGET tband::${name})
    message(FATAL_ERROR "tband: tband_add_library(${name}): there is a target tband::${name} or tband_${name} already; "
                        "take another name")
  endif()
  get_filename_component(root "${CMAKE_CURRENT_FUNCTION_LIST_DIR}" DIRECTORY)
  tband_define("${root}" tband_${name} ${given_CONFIG} "${given_FREERTOS_TARGET}")
  add_library(tband::${name} ALIAS tband_${name})
  add_library(tband::${name}_headers ALIAS tband_${name}_headers)
endfunction()

# The targets `name` and `name`_headers, with the configuration of the target `config` and the target `kernel`, if any.
function(tband_define root name config kernel)
  tband_check_config("${root}" ${config})

  add_library(${name}_headers INTERFACE)
  target_include_directories(${name}_headers INTERFACE ${root}/include ${root}/freertos-hooks)
  target_link_libraries(${name}_headers INTERFACE ${config})

  # Compiled with the project's configuration, port and kernel headers.
  add_library(${name} STATIC ${root}/port/tband_shim.c ${root}/freertos-hooks/tband_freertos.c)
  set_target_properties(${name} PROPERTIES C_STANDARD 11 C_STANDARD_REQUIRED ON OUTPUT_NAME ${name}_shim)
  # Some SDKs pass these to their programs only. With them the linker can drop the functions that a program does not call.
  target_compile_options(${name} PRIVATE $<$<C_COMPILER_ID:GNU,Clang,AppleClang,ARMClang>:-ffunction-sections;-fdata-sections>)
  # Headers that ports include: a tband_port.h that was copied elsewhere still includes them from here.
  target_include_directories(${name} PUBLIC ${root}/port)
  # The hooks need the kernel's headers, and the kernel calls the hooks.
  target_link_libraries(${name} PUBLIC ${name}_headers tband_archive)
  if(kernel STREQUAL freertos_kernel)
    target_link_libraries(${name} PUBLIC $<TARGET_NAME_IF_EXISTS:freertos_kernel>)
  endif()
  if(TARGET tband_archive_build)
    add_dependencies(${name} tband_archive_build)
  endif()

  # Later, since the kernel may be added after tband. A variable of this folder is not seen there.
  get_property(names GLOBAL PROPERTY TBAND_NAMES)
  if(NOT names)
    cmake_language(DEFER DIRECTORY ${CMAKE_SOURCE_DIR} CALL tband_meet_kernels)
  endif()
  set_property(GLOBAL APPEND PROPERTY TBAND_NAMES ${name})
  set_property(GLOBAL PROPERTY TBAND_KERNEL_OF_${name} "${kernel}")
endfunction()

# Defines tband::flux from the sources below `root` and the library `archive`, if that exists or is built. It does not need
# tband::tband.
function(tband_add_flux root archive)
  if(NOT TARGET tband_flux_archive_build AND NOT EXISTS ${archive})
    return()
  endif()
  add_library(tband_flux STATIC IMPORTED GLOBAL)
  add_library(tband::flux ALIAS tband_flux)
  set_target_properties(tband_flux PROPERTIES IMPORTED_LOCATION ${archive})
  target_include_directories(tband_flux INTERFACE ${root}/include)
  if(TARGET tband_flux_archive_build)
    add_dependencies(tband_flux tband_flux_archive_build)
  endif()
endfunction()

# Steps that need the kernel's target: passing its headers and settings to the hooks, linking it to them, and passing its version
# to all files that include tband.h.
function(tband_meet_kernels)
  get_property(names GLOBAL PROPERTY TBAND_NAMES)
  foreach(name IN LISTS names)
    get_property(kernel GLOBAL PROPERTY TBAND_KERNEL_OF_${name})
    tband_meet_kernel(${name} "${kernel}")
  endforeach()
endfunction()

# Does this for one library, whose kernel is the target `kernel`.
function(tband_meet_kernel name kernel)
  # Only a kernel that was named must exist.
  string(REGEX REPLACE "^tband_" "" image ${name})
  set(named_by "FREERTOS_TARGET of tband_add_library(${image})")
  if(name STREQUAL tband)
    get_property(given GLOBAL PROPERTY TBAND_FREERTOS_TARGET)
    set(named_by "")
    if(given)
      set(named_by TBAND_FREERTOS_TARGET)
    endif()
  endif()
  if(kernel AND named_by)
    if(NOT TARGET ${kernel})
      message(FATAL_ERROR "tband: ${named_by} is ${kernel}, and there is no such target. "
                          "Set it to the target that compiles the kernel's tasks.c")
    endif()
    # Its private properties, too: many projects define no interface for their kernel.
    foreach(property INCLUDE_DIRECTORIES COMPILE_DEFINITIONS COMPILE_OPTIONS)
      set(values $<TARGET_PROPERTY:${kernel},INTERFACE_${property}>)
      get_target_property(type ${kernel} TYPE)
      if(NOT type STREQUAL INTERFACE_LIBRARY)
        list(APPEND values $<TARGET_PROPERTY:${kernel},${property}>)
      endif()
      set_property(TARGET ${name} APPEND PROPERTY ${property} ${values})
    endforeach()
  endif()
  tband_kernel_version("${kernel}" version)
  if(version)
    target_compile_definitions(${name}_headers INTERFACE TBAND_FREERTOS_VERSION_FOUND=${version})
  endif()
  if(NOT TARGET "${kernel}")
    return()
  endif()
  # Also for the kernel itself, if its FreeRTOSConfig.h finds tband.h by other means.
  get_target_property(type ${kernel} TYPE)
  get_target_property(is_imported ${kernel} IMPORTED)
  if(version AND NOT is_imported)
    set(scope PRIVATE)
    if(type STREQUAL INTERFACE_LIBRARY)
      set(scope INTERFACE)
    endif()
    target_compile_definitions(${kernel} ${scope} TBAND_FREERTOS_VERSION_FOUND=${version})
  endif()
  # If the dependency is declared in both directions, CMake repeats the two libraries on the linker's command line, as this cycle
  # needs. Otherwise the linker finds the hooks only if their object was requested earlier. target_link_libraries cannot be used,
  # because the target's owner may have used its other signature.
  if(NOT type STREQUAL EXECUTABLE)
    set_property(TARGET ${kernel} APPEND PROPERTY INTERFACE_LINK_LIBRARIES $<LINK_ONLY:${name}>)
  endif()
endfunction()

# Sets `result` to the kernel's version, major * 10000 + minor * 100 + build, from task.h in the include path or the folder of the
# target `kernel`, next to its tasks.c, or below FREERTOS_KERNEL_PATH; to nothing if it is not found.
function(tband_kernel_version kernel result)
  set(${result} "" PARENT_SCOPE)
  set(folders "")
  foreach(target ${kernel} freertos_kernel_include)
    if(TARGET ${target})
      get_target_property(source ${target} SOURCE_DIR)
      get_target_property(type ${target} TYPE)
      set(properties INTERFACE_INCLUDE_DIRECTORIES INTERFACE_SOURCES)
      if(NOT type STREQUAL INTERFACE_LIBRARY)
        list(APPEND properties INCLUDE_DIRECTORIES SOURCES)
      endif()
      foreach(property IN LISTS properties)
        get_target_property(paths ${target} ${property})
        foreach(path IN LISTS paths)
          get_filename_component(path "${path}" ABSOLUTE BASE_DIR ${source})
          if(NOT property MATCHES "SOURCES$")
            list(APPEND folders ${path})
          elseif(path MATCHES "/tasks[.]c$")
            get_filename_component(folder ${path} DIRECTORY)
            list(APPEND folders ${folder}/include)
          endif()
        endforeach()
      endforeach()
      list(APPEND folders ${source}/include)
    endif()
  endforeach()
  if(FREERTOS_KERNEL_PATH)
    list(APPEND folders ${FREERTOS_KERNEL_PATH}/include)
  endif()
  foreach(folder IN LISTS folders)
    if(EXISTS ${folder}/task.h)
      set(version 0)
      file(STRINGS ${folder}/task.h lines REGEX "define[ \t]+tskKERNEL_VERSION_(MAJOR|MINOR|BUILD)")
      foreach(part MAJOR MINOR BUILD)
        if(NOT lines MATCHES "tskKERNEL_VERSION_${part}[ \t]+([0-9]+)")
          return()
        endif()
        math(EXPR version "${version} * 100 + ${CMAKE_MATCH_1}")
      endforeach()
      # Configures again if another kernel is put into the same folder.
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder}/task.h)
      set(${result} ${version} PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()
