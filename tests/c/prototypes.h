/* The types of all functions of the C interface: a pointer of another type is a warning, and so an
 * error. Macros of the interface are in all_calls.h. */
#ifndef PROTOTYPES_H
#define PROTOTYPES_H

#include "tband.h"

#define SAME_TYPE(name, result, ...)                  \
  do {                                                \
    result (*const function)(__VA_ARGS__) = name;     \
    (void)function;                                   \
  } while (0)

static inline void check_prototypes(void) {
  SAME_TYPE(tband_tracing_enabled, bool, void);
  SAME_TYPE(tband_tracing_finished, bool, void);
  SAME_TYPE(tband_tracing_backend_finished, bool, unsigned int);
  SAME_TYPE(tband_get_metadata_buf, const volatile uint8_t *, unsigned int);
  SAME_TYPE(tband_get_metadata_buf_amnt, size_t, unsigned int);
#if (tband_configENABLE == 0) || tband_configUSE_BACKEND_STREAMING
  SAME_TYPE(tband_start_streaming, int, void);
  SAME_TYPE(tband_restart_streaming, int, void);
  SAME_TYPE(tband_stop_streaming, int, void);
#endif
#if (tband_configENABLE == 0) || tband_configUSE_BACKEND_SNAPSHOT
  SAME_TYPE(tband_trigger_snapshot, int, void);
  SAME_TYPE(tband_stop_snapshot, int, void);
  SAME_TYPE(tband_reset_snapshot, int, void);
  SAME_TYPE(tband_get_core_snapshot_buf, const volatile uint8_t *, unsigned int);
  SAME_TYPE(tband_get_core_snapshot_buf_amnt, size_t, unsigned int);
#endif
#if (tband_configENABLE == 0) || tband_configUSE_BACKEND_EXTERNAL
  SAME_TYPE(tband_submit_to_backend, bool, uint8_t *, size_t, bool);
#endif
  SAME_TYPE(tband_gather_system_metadata, void, void);
  SAME_TYPE(tband_isr_name, void, uint32_t, const char *);
  SAME_TYPE(tband_isr_enter, void, uint32_t);
  SAME_TYPE(tband_isr_exit, void, uint32_t);
  SAME_TYPE(tband_evtmarker_name, void, uint32_t, const char *);
  SAME_TYPE(tband_evtmarker, void, uint32_t, const char *);
  SAME_TYPE(tband_evtmarker_begin, void, uint32_t, const char *);
  SAME_TYPE(tband_evtmarker_end, void, uint32_t);
  SAME_TYPE(tband_valmarker_name, void, uint32_t, const char *);
  SAME_TYPE(tband_valmarker, void, uint32_t, int64_t);
  SAME_TYPE(tband_freertos_scheduler_started, void, void);
  SAME_TYPE(tband_freertos_queue_name, void, void *, const char *);
  SAME_TYPE(tband_freertos_binary_semaphore_name, void, void *, const char *);
  SAME_TYPE(tband_freertos_counting_semaphore_name, void, void *, const char *);
  SAME_TYPE(tband_freertos_mutex_name, void, void *, const char *);
  SAME_TYPE(tband_freertos_recursive_mutex_name, void, void *, const char *);
  SAME_TYPE(tband_freertos_task_evtmarker_name, void, uint32_t, const char *);
  SAME_TYPE(tband_freertos_task_evtmarker, void, uint32_t, const char *);
  SAME_TYPE(tband_freertos_task_evtmarker_begin, void, uint32_t, const char *);
  SAME_TYPE(tband_freertos_task_evtmarker_end, void, uint32_t);
  SAME_TYPE(tband_freertos_task_valmarker_name, void, uint32_t, const char *);
  SAME_TYPE(tband_freertos_task_valmarker, void, uint32_t, int64_t);
}

#endif
