# Install rules: headers, sources that are compiled in the user's project, library, package file.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(tband_share ${CMAKE_INSTALL_DATADIR}/tband)
if(TARGET tband_archive_build)
  # Installing without building first would install nothing.
  set_target_properties(tband_archive_build PROPERTIES EXCLUDE_FROM_ALL OFF)
  add_custom_target(tband_archive_all ALL DEPENDS tband_archive_build)
endif()
install(FILES ${tband_archive} DESTINATION ${tband_share}/lib)
install(DIRECTORY include port freertos-hooks DESTINATION ${tband_share})
install(FILES LICENSE-MIT LICENSE-APACHE DESTINATION ${tband_share})
install(FILES cmake/TbandTargets.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tband)
configure_package_config_file(cmake/tband-config.cmake.in
  ${CMAKE_CURRENT_BINARY_DIR}/tband-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tband PATH_VARS tband_share)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/tband-config-version.cmake
  COMPATIBILITY ExactVersion ARCH_INDEPENDENT)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/tband-config.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/tband-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tband)
