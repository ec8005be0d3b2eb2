/* Every function and macro of the C interface, in expressions and statements, for C and C++. With
 * tracing off `all_calls` must be compiled to nothing but `return x`. */
#ifndef ALL_CALLS_H
#define ALL_CALLS_H

#include "tband.h"

static inline int all_calls(int x, void *handle) {
  {
    tband_fn(1U);
    tband_fn_end();
  }
  tband_fn_begin(2U);
  if (tband_tracing_enabled()) {
    x += 1;
  }
  x += tband_tracing_finished() ? 0 : 2;
  x += tband_tracing_backend_finished(0U) ? 0 : 4;
  x += (tband_get_metadata_buf(0U) != NULL) ? 8 : 0;
  x += (tband_get_metadata_buf_amnt(0U) > 0U) ? 16 : 0;
  x += (tband_get_metadata_dropped_cnt(0U) > 0U) ? 32 : 0;
  x += (tband_get_dropped_evt_cnt() > 0U) ? 64 : 0;
#if (tband_configENABLE == 0) || tband_configUSE_BACKEND_STREAMING
  x += tband_start_streaming() + tband_stop_streaming();
  if (tband_restart_streaming() != 0) {
    x += 128;
  }
#endif
#if (tband_configENABLE == 0) || tband_configUSE_BACKEND_SNAPSHOT
  x += tband_trigger_snapshot() + tband_stop_snapshot() + tband_reset_snapshot();
  x += (tband_get_core_snapshot_buf(0U) != NULL) ? 256 : 0;
  x += (tband_get_core_snapshot_buf_amnt(0U) > 0U) ? 512 : 0;
#endif
  tband_gather_system_metadata();
  tband_timestamp_frequency_changed();
  tband_isr_name(1U, "isr");
  tband_isr_enter(1U);
  tband_isr_exit(1U);
  tband_evtmarker_name(1U, "marker");
  tband_evtmarker(1U, "at");
  tband_evtmarker_begin(1U, "from");
  tband_evtmarker_end(1U);
  tband_valmarker_name(1U, "value");
  tband_valmarker(1U, -1);

  tband_freertos_scheduler_started();
  tband_freertos_queue_name(handle, "q");
  tband_freertos_binary_semaphore_name(handle, "q");
  tband_freertos_counting_semaphore_name(handle, "q");
  tband_freertos_mutex_name(handle, "q");
  tband_freertos_recursive_mutex_name(handle, "q");
  tband_freertos_task_evtmarker_name(1U, "t");
  tband_freertos_task_evtmarker(1U, "t");
  tband_freertos_task_evtmarker_begin(1U, "t");
  tband_freertos_task_evtmarker_end(1U);
  tband_freertos_task_valmarker_name(1U, "t");
  tband_freertos_task_valmarker(1U, 1);
  tband_fn_end();
  return x;
}

#endif
