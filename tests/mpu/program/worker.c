/* The task without privileges. Whatever the kernel does for it is recorded; what it asks of the recorder
 * itself is refused, and touches nothing. */
#include "program.h"

#include "recording.h"
#include "tband.h"

/* Each call that must be refused, and how often it asks for something. */
static void ask_the_recorder(uint32_t round) {
  tband_evtmarker(MARKER_WORKER, "no");
  tband_evtmarker_begin(MARKER_WORKER, "no");
  tband_evtmarker_end(MARKER_WORKER);
  tband_valmarker(MARKER_WORKER, round);
  tband_isr_enter(99);
  tband_keep_time();
  tband_timestamp_frequency_changed();
  shared.refused += 7;
#if tband_configUSE_BACKEND_SNAPSHOT
  CHECK_BY_WORKER(tband_stop_snapshot() == -1);
  CHECK_BY_WORKER(tband_trigger_snapshot() == -1);
  CHECK_BY_WORKER(tband_reset_snapshot() == -1);
#else
  CHECK_BY_WORKER(tband_stop_streaming() == -1);
  CHECK_BY_WORKER(tband_start_streaming() == -1);
  CHECK_BY_WORKER(tband_restart_streaming() == -1);
#endif
  shared.refused += 3;

  /* These count among the metadata as well. */
  tband_evtmarker_name(MARKER_WORKER, "no");
  tband_freertos_task_evtmarker_name(MARKER_WORKER, "no"); /* the number of the task, and the name */
  tband_freertos_queue_name(shared.jobs, "no");
  tband_freertos_stream_buffer_name(shared.results, "no");
  tband_freertos_event_group_name(shared.done, "no");
  tband_freertos_timer_name(shared.timer, "no");
  tband_gather_system_metadata();
  shared.refused += 12;
  CHECK_BY_WORKER(tband_freertos_queue_number(shared.jobs) == 0);
  CHECK_BY_WORKER(tband_freertos_stream_buffer_number(shared.results) == 0);
  CHECK_BY_WORKER(tband_freertos_event_group_number(shared.done) == 0);
  CHECK_BY_WORKER(tband_freertos_timer_number(shared.timer) == 0);
  CHECK_BY_WORKER(tband_freertos_current_task_number() == 0);
  shared.refused += 5;
  tband_freertos_scheduler_started();
  shared.refused += 1;
}

/* What only reads knows nothing, and nothing is missing in the recording for that. */
static void read_the_recorder(void) {
  CHECK_BY_WORKER(!tband_tracing_enabled());
  CHECK_BY_WORKER(!tband_tracing_finished());
  CHECK_BY_WORKER(!tband_tracing_backend_finished(0));
  CHECK_BY_WORKER(tband_get_metadata_buf(0) == NULL);
  CHECK_BY_WORKER(tband_get_metadata_buf_amnt(0) == 0);
  CHECK_BY_WORKER(tband_get_metadata_dropped_cnt(0) == 0);
  CHECK_BY_WORKER(tband_get_dropped_evt_cnt() == 0);
  CHECK_BY_WORKER(tband_freertos_get_missed_isr_exit_cnt(0) == 0);
#if tband_configUSE_BACKEND_SNAPSHOT
  CHECK_BY_WORKER(tband_get_core_snapshot_buf(0) == NULL);
  CHECK_BY_WORKER(tband_get_core_snapshot_buf_amnt(0) == 0);
#endif
}

#ifdef RUST_PART
/* The same in Rust: the line of the first check that failed, or 0. */
uint32_t rust_part_unprivileged(void);
#else
static uint32_t rust_part_unprivileged(void) { return 0; }
#endif

void worker(void *parameter) {
  (void)parameter;
  expect("task_switched_in task_id=2");
  /* The recorder's state is not to be read. */
  CHECK_BY_WORKER(probe(&tband_recorder) == FORBIDDEN);
#if tband_configUSE_BACKEND_STREAMING
  CHECK_BY_WORKER(probe(&recording_ring) == FORBIDDEN);
#endif
  CHECK_BY_WORKER(probe(&shared.failures) == 0);
  for (uint32_t round = 1;; round++) {
    uint32_t job;
    expect("curtask_block_on_queue_receive queue_id=1 ticks_to_wait=%u", UINT32_MAX);
    CHECK_BY_WORKER(xQueueReceive(shared.jobs, &job, portMAX_DELAY) == pdPASS);
    expect("task_switched_in task_id=2");
    expect("queue_receive queue_id=1 len_after=0");
    CHECK_BY_WORKER(job == round);
    ask_the_recorder(round);
    read_the_recorder();
    CHECK_BY_WORKER(rust_part_unprivileged() == 0);

    /* An interrupt has privileges, though it runs on top of a task that has none. */
    expect("evtmarker evtmarker_id=2 msg=\"tick\"");
    shared.tick_is_wanted = true;
    while (shared.tick_is_wanted) {
    }

    expect("stream_buffer_send stream_buffer_id=1 amount=%u level_after=%u", sizeof job, sizeof job);
    CHECK_BY_WORKER(xStreamBufferSend(shared.results, &job, sizeof job, 0) == sizeof job);
    expect("event_group_set_bits event_group_id=1 bits=%u bits_after=%u", 1, 1);
    (void)xEventGroupSetBits(shared.done, 1);
    expect("task_notify task_id=1 index=0 action=2 value=0 value_after=1");
    CHECK_BY_WORKER(xTaskNotifyGive(shared.boss) == pdPASS);
  }
}
