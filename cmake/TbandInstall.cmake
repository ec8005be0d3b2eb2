# Install rules: headers, sources that are compiled in the user's project, library, package files.
#
# All in one folder that may be moved. `cargo xtask dist` packs the same folder, with more libraries.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

if(TARGET tband_archive_build)
  # Part of the default build, because otherwise an installation without a build would install
  # nothing.
  set_target_properties(tband_archive_build tband_flux_archive_build PROPERTIES EXCLUDE_FROM_ALL OFF)
  add_custom_target(tband_archive_all ALL DEPENDS tband_archive_build tband_flux_archive_build)
endif()
if(NOT tband_rust_triple)
  tband_rust_target(tband_rust_triple)
endif()

set(tband_share ${CMAKE_INSTALL_DATADIR}/tband)
install(FILES ${tband_archive} DESTINATION ${tband_share}/lib/${tband_rust_triple} RENAME libtband.a)
if(TARGET tband_flux)
  install(FILES ${tband_flux_archive} DESTINATION ${tband_share}/lib/${tband_rust_triple} RENAME libtband_flux.a)
endif()
install(DIRECTORY include port freertos-hooks DESTINATION ${tband_share}
        FILES_MATCHING PATTERN "*.h" PATTERN "*.c" PATTERN "*.gdb" PATTERN "*.ld" PATTERN "README.md")
install(FILES LICENSE-MIT LICENSE-APACHE cmake/tband.mk library.json tband.tband.pdsc DESTINATION ${tband_share})
install(FILES cmake/platformio.py cmake/rust_target.c cmake/rust_targets.txt cmake/without_library.txt DESTINATION ${tband_share}/cmake)
install(DIRECTORY esp-idf zephyr DESTINATION ${tband_share})
install(FILES licenses/libtband.txt DESTINATION ${tband_share}/licenses)
install(FILES cmake/package.md DESTINATION ${tband_share} RENAME README.md)

# find_package searches share/tband/cmake, and cmake if the package is unpacked into a separate
# folder.
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/tband-config-version.cmake
  COMPATIBILITY ExactVersion ARCH_INDEPENDENT)
install(FILES cmake/tband-config.cmake cmake/TbandTargets.cmake cmake/TbandConfig.cmake cmake/TbandRustTarget.cmake
              cmake/TbandIdentity.cmake cmake/TbandLink.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/tband-config-version.cmake
        DESTINATION ${tband_share}/cmake)

# Once in pkg-config's default folder, once in the package's own folder.
set(tband_pc_root ../tband)
configure_file(cmake/tband.pc.in ${CMAKE_CURRENT_BINARY_DIR}/installed/tband.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/installed/tband.pc DESTINATION ${CMAKE_INSTALL_DATADIR}/pkgconfig)
set(tband_pc_root ..)
configure_file(cmake/tband.pc.in ${CMAKE_CURRENT_BINARY_DIR}/package/tband.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/package/tband.pc DESTINATION ${tband_share}/pkgconfig)
