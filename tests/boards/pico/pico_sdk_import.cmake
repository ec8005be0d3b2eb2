# What the Pico SDK gives a project, as far as it is used: the names of its libraries and their headers.
function(pico_sdk_init)
  add_library(pico_base_headers INTERFACE)
  target_include_directories(pico_base_headers INTERFACE ${STAND_IN})
  add_library(hardware_sync_headers INTERFACE)
  add_library(pico_stdlib INTERFACE)
  target_link_libraries(pico_stdlib INTERFACE pico_base_headers)
endfunction()

function(pico_add_extra_outputs target)
endfunction()

function(pico_enable_stdio_usb target enabled)
endfunction()

function(pico_enable_stdio_uart target enabled)
endfunction()
