# The application's sources, for the CMakeLists.txt of a platform: sets FREERTOS_APP_SOURCES.
set(FREERTOS_APP_SOURCES
  ${CMAKE_CURRENT_LIST_DIR}/objects.c
  ${CMAKE_CURRENT_LIST_DIR}/tasks_queues.c
  ${CMAKE_CURRENT_LIST_DIR}/tasks_locks.c
  ${CMAKE_CURRENT_LIST_DIR}/tasks_life.c
  ${CMAKE_CURRENT_LIST_DIR}/uart.c
  ${CMAKE_CURRENT_LIST_DIR}/record.c
  ${CMAKE_CURRENT_LIST_DIR}/record_queues.c
  ${CMAKE_CURRENT_LIST_DIR}/truth.c)
