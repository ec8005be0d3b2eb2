/* Each function and macro of the public headers, once: what calls it, and what a task without privileges gets of that.
 *
 *   CALL(name, where, events, names, answer, statements)
 *
 * `where` is IN_TASKS if the headers forbid interrupts, else ANYWHERE. `events` and `names` are the refusals that the
 * recorder counts, as events and as metadata. `answer` is what the statements return without privileges. main.rs
 * compares the names with the headers. */

CALL(tband_tracing_enabled, ANYWHERE, 0, 0, 0, return tband_tracing_enabled();)
CALL(tband_tracing_finished, ANYWHERE, 0, 0, 0, return tband_tracing_finished();)
CALL(tband_tracing_backend_finished, ANYWHERE, 0, 0, 0, return tband_tracing_backend_finished(0);)
CALL(tband_get_metadata_buf, ANYWHERE, 0, 0, 0, return tband_get_metadata_buf(0) != NO_POINTER;)
CALL(tband_get_metadata_buf_amnt, ANYWHERE, 0, 0, 0, return AS_INT32(tband_get_metadata_buf_amnt(0));)
CALL(tband_get_metadata_dropped_cnt, ANYWHERE, 0, 0, 0, return AS_INT32(tband_get_metadata_dropped_cnt(0));)
CALL(tband_get_dropped_evt_cnt, ANYWHERE, 0, 0, 0, return AS_INT32(tband_get_dropped_evt_cnt());)
CALL(tband_gather_system_metadata, ANYWHERE, 0, 1, 0, tband_gather_system_metadata(); return 0;)
CALL(tband_timestamp_frequency_changed, ANYWHERE, 1, 0, 0, tband_timestamp_frequency_changed(); return 0;)
CALL(tband_keep_time, ANYWHERE, 1, 0, 0, tband_keep_time(); return 0;)
#if tband_configUSE_BACKEND_STREAMING
CALL(tband_start_streaming, ANYWHERE, 1, 0, -1, return tband_start_streaming();)
CALL(tband_restart_streaming, ANYWHERE, 1, 0, -1, return tband_restart_streaming();)
CALL(tband_stop_streaming, ANYWHERE, 1, 0, -1, return tband_stop_streaming();)
#endif
#if tband_configUSE_BACKEND_SNAPSHOT
CALL(tband_trigger_snapshot, ANYWHERE, 1, 0, -1, return tband_trigger_snapshot();)
CALL(tband_stop_snapshot, ANYWHERE, 1, 0, -1, return tband_stop_snapshot();)
CALL(tband_reset_snapshot, ANYWHERE, 1, 0, -1, return tband_reset_snapshot();)
CALL(tband_get_core_snapshot_buf, ANYWHERE, 0, 0, 0, return tband_get_core_snapshot_buf(0) != NO_POINTER;)
CALL(tband_get_core_snapshot_buf_amnt, ANYWHERE, 0, 0, 0, return AS_INT32(tband_get_core_snapshot_buf_amnt(0));)
#endif
#if tband_configUSE_BACKEND_POST_MORTEM
CALL(tband_start_post_mortem, ANYWHERE, 1, 0, -1, return tband_start_post_mortem();)
CALL(tband_freeze, ANYWHERE, 1, 0, -1, return tband_freeze();)
CALL(tband_freeze_after, ANYWHERE, 1, 0, -1, return tband_freeze_after(1);)
CALL(tband_post_mortem_available, ANYWHERE, 1, 0, 0, return tband_post_mortem_available();)
CALL(tband_post_mortem_amount, ANYWHERE, 1, 0, 0, return AS_INT32(tband_post_mortem_amount());)
CALL(tband_clear_post_mortem, ANYWHERE, 1, 0, -1, return tband_clear_post_mortem();)
#endif
#if TBAND_USES_PACKETS
CALL(tband_packet_take, ANYWHERE, 1, 0, 0, size_t len; return tband_packet_take(&len) != NO_POINTER;)
CALL(tband_packet_done, ANYWHERE, 2, 0, 0, size_t len; const uint8_t *const packet = tband_packet_take(&len);
     entries_sends(packet, len); tband_packet_done(); return 0;)
CALL(tband_stream_read, ANYWHERE, 1, 0, 0, uint8_t bytes[16]; const size_t len = tband_stream_read(bytes, sizeof bytes);
     entries_sends(bytes, len); return AS_INT32(len);)
CALL(tband_flush, ANYWHERE, 1, 0, 0, tband_flush(); return 0;)
CALL(tband_request_metadata, ANYWHERE, 1, 0, 0, tband_request_metadata(); return 0;)
#endif

CALL(tband_isr_name, ANYWHERE, 0, 1, 0, tband_isr_name(99, "no"); return 0;)
CALL(tband_isr_enter, ANYWHERE, 1, 0, 0, tband_isr_enter(99); return 0;)
CALL(tband_isr_exit, ANYWHERE, 1, 0, 0, tband_isr_exit(99); return 0;)
CALL(tband_evtmarker_name, ANYWHERE, 0, 1, 0, tband_evtmarker_name(4, "no"); return 0;)
CALL(tband_evtmarker, ANYWHERE, 1, 0, 0, tband_evtmarker(4, "no"); return 0;)
CALL(tband_evtmarker_begin, ANYWHERE, 1, 0, 0, tband_evtmarker_begin(4, "no"); return 0;)
CALL(tband_evtmarker_end, ANYWHERE, 1, 0, 0, tband_evtmarker_end(4); return 0;)
CALL(tband_valmarker_name, ANYWHERE, 0, 1, 0, tband_valmarker_name(4, "no"); return 0;)
CALL(tband_valmarker, ANYWHERE, 1, 0, 0, tband_valmarker(4, -5000000000LL); return 0;)
CALL(tband_fn, ANYWHERE, 1, 0, 0, tband_fn(5); return 0;)
CALL(tband_fn_begin, ANYWHERE, 1, 0, 0, tband_fn_begin(6); return 0;)
CALL(tband_fn_end, ANYWHERE, 2, 0, 0, tband_fn_begin(6); tband_fn_end(); return 0;)

CALL(tband_freertos_queue_number, ANYWHERE, 0, 1, 0, return AS_INT32(tband_freertos_queue_number(entries.queue));)
CALL(tband_freertos_stream_buffer_number, ANYWHERE, 0, 1, 0,
     return AS_INT32(tband_freertos_stream_buffer_number(entries.stream_buffer));)
CALL(tband_freertos_event_group_number, ANYWHERE, 0, 1, 0,
     return AS_INT32(tband_freertos_event_group_number(entries.event_group));)
CALL(tband_freertos_timer_number, ANYWHERE, 0, 1, 0, return AS_INT32(tband_freertos_timer_number(entries.timer));)
CALL(tband_freertos_current_task_number, ANYWHERE, 0, 1, 0, return AS_INT32(tband_freertos_current_task_number());)
CALL(tband_freertos_scheduler_started, ANYWHERE, 0, 1, 0, tband_freertos_scheduler_started(); return 0;)
CALL(tband_freertos_get_missed_isr_exit_cnt, ANYWHERE, 0, 0, 0,
     return AS_INT32(tband_freertos_get_missed_isr_exit_cnt(0));)
CALL(tband_freertos_allow_queue, IN_TASKS, 1, 0, -1, return tband_freertos_allow_queue(entries.queue, 4);)
CALL(tband_freertos_allow_task, IN_TASKS, 1, 0, -1, return tband_freertos_allow_task(entries.task);)
CALL(tband_freertos_disallow, IN_TASKS, 1, 0, 0, tband_freertos_disallow(entries.queue); return 0;)
/* These ask for a number first. */
CALL(tband_freertos_queue_name, ANYWHERE, 0, 2, 0, tband_freertos_queue_name(entries.queue, "no"); return 0;)
CALL(tband_freertos_queue_name_var, ANYWHERE, 0, 2, 0, tband_freertos_queue_name_var(entries.queue); return 0;)
CALL(tband_freertos_binary_semaphore_name, ANYWHERE, 0, 2, 0,
     tband_freertos_binary_semaphore_name(entries.queue, "no"); return 0;)
CALL(tband_freertos_counting_semaphore_name, ANYWHERE, 0, 2, 0,
     tband_freertos_counting_semaphore_name(entries.queue, "no"); return 0;)
CALL(tband_freertos_mutex_name, ANYWHERE, 0, 2, 0, tband_freertos_mutex_name(entries.queue, "no"); return 0;)
CALL(tband_freertos_recursive_mutex_name, ANYWHERE, 0, 2, 0,
     tband_freertos_recursive_mutex_name(entries.queue, "no"); return 0;)
CALL(tband_freertos_stream_buffer_name, ANYWHERE, 0, 2, 0,
     tband_freertos_stream_buffer_name(entries.stream_buffer, "no"); return 0;)
CALL(tband_freertos_stream_buffer_name_var, ANYWHERE, 0, 2, 0,
     tband_freertos_stream_buffer_name_var(entries.stream_buffer);
     return 0;)
CALL(tband_freertos_event_group_name, ANYWHERE, 0, 2, 0,
     tband_freertos_event_group_name(entries.event_group, "no"); return 0;)
CALL(tband_freertos_event_group_name_var, ANYWHERE, 0, 2, 0,
     tband_freertos_event_group_name_var(entries.event_group); return 0;)
CALL(tband_freertos_timer_name, ANYWHERE, 0, 2, 0, tband_freertos_timer_name(entries.timer, "no"); return 0;)
CALL(tband_freertos_task_evtmarker_name, IN_TASKS, 0, 2, 0, tband_freertos_task_evtmarker_name(4, "no"); return 0;)
CALL(tband_freertos_task_evtmarker, IN_TASKS, 1, 0, 0, tband_freertos_task_evtmarker(4, "no"); return 0;)
CALL(tband_freertos_task_evtmarker_begin, IN_TASKS, 1, 0, 0, tband_freertos_task_evtmarker_begin(4, "no"); return 0;)
CALL(tband_freertos_task_evtmarker_end, IN_TASKS, 1, 0, 0, tband_freertos_task_evtmarker_end(4); return 0;)
CALL(tband_freertos_task_valmarker_name, IN_TASKS, 0, 2, 0, tband_freertos_task_valmarker_name(4, "no"); return 0;)
CALL(tband_freertos_task_valmarker, IN_TASKS, 1, 0, 0, tband_freertos_task_valmarker(4, 1); return 0;)

/* Arguments are evaluated only where the record is. */
CALL(TBAND_RECORD, ANYWHERE, 3, 0, 0, int count = 0; TBAND_RECORD("no"); TBAND_RECORD("no %d", count++);
     TBAND_RECORD("no %s %f", "text", 1.5 * count++); return count;)
CALL(TBAND_RECORD_BEGIN, ANYWHERE, 1, 0, 0, TBAND_RECORD_BEGIN("no %u %u", 1U, 2U); return 0;)
CALL(TBAND_RECORD_END, ANYWHERE, 1, 0, 0, TBAND_RECORD_END("no %p", TBAND_MEM("abc", 3)); return 0;)
CALL(TBAND_MEM, ANYWHERE, 1, 0, 0, TBAND_RECORD("no %p", TBAND_MEM("abc", 3)); return 0;)
CALL(TBAND_CHARS, ANYWHERE, 1, 0, 0, TBAND_RECORD("no %s", TBAND_CHARS("abc", 3)); return 0;)
CALL(TBAND_FUN, ANYWHERE, 1, 0, 0, TBAND_RECORD("no %p", TBAND_FUN(entries_restore)); return 0;)
CALL(TBAND_BEGIN, ANYWHERE, 1, 0, 0, TBAND_BEGIN(1, &entries.queue) TBAND_END() return 0;)
CALL(TBAND_END, ANYWHERE, 1, 0, 0, TBAND_BEGIN(1, NO_POINTER) TBAND_STR("no") TBAND_END() return 0;)
CALL(TBAND_END_NOCRIT, ANYWHERE, 1, 0, 0,
     entries_mask(); TBAND_BEGIN(1, NO_POINTER) TBAND_STR("no") TBAND_END_NOCRIT() entries_unmask();
     return 0;)
#define OF_ELEMENT(element) TBAND_BEGIN(1, NO_POINTER) element TBAND_END() return 0;
CALL(TBAND_U8, ANYWHERE, 1, 0, 0, OF_ELEMENT(TBAND_U8(1)))
CALL(TBAND_I8, ANYWHERE, 1, 0, 0, OF_ELEMENT(TBAND_I8(-1)))
CALL(TBAND_U16, ANYWHERE, 1, 0, 0, OF_ELEMENT(TBAND_U16(1)))
CALL(TBAND_I16, ANYWHERE, 1, 0, 0, OF_ELEMENT(TBAND_I16(-1)))
CALL(TBAND_U32, ANYWHERE, 1, 0, 0, OF_ELEMENT(TBAND_U32(1)))
CALL(TBAND_I32, ANYWHERE, 1, 0, 0, OF_ELEMENT(TBAND_I32(-1)))
CALL(TBAND_U64, ANYWHERE, 1, 0, 0, OF_ELEMENT(TBAND_U64(1)))
CALL(TBAND_I64, ANYWHERE, 1, 0, 0, OF_ELEMENT(TBAND_I64(-1)))
CALL(TBAND_BOOL, ANYWHERE, 1, 0, 0, OF_ELEMENT(TBAND_BOOL(true)))
CALL(TBAND_F32, ANYWHERE, 1, 0, 0, OF_ELEMENT(TBAND_F32(1.5F)))
CALL(TBAND_F64, ANYWHERE, 1, 0, 0, OF_ELEMENT(TBAND_F64(1.5)))
CALL(TBAND_STR, ANYWHERE, 1, 0, 0, OF_ELEMENT(TBAND_STR("no")))
CALL(TBAND_BYTES, ANYWHERE, 1, 0, 0, OF_ELEMENT(TBAND_BYTES("no", 2)))
CALL(TBAND_OBJ, ANYWHERE, 1, 0, 0, OF_ELEMENT(TBAND_OBJ(&entries.queue)))
CALL(TBAND_FUNCTION, ANYWHERE, 1, 0, 0, OF_ELEMENT(TBAND_FUNCTION(entries_restore)))
CALL(TBAND_SIG, ANYWHERE, 1, 0, 0, OF_ELEMENT(TBAND_SIG(3)))
CALL(TBAND_ENUM, ANYWHERE, 1, 0, 0, OF_ELEMENT(TBAND_ENUM(1, 3)))
CALL(TBAND_OBJ_DICTIONARY, ANYWHERE, 0, 1, 0, TBAND_OBJ_DICTIONARY(&entries.queue); return 0;)
CALL(TBAND_FUN_DICTIONARY, ANYWHERE, 0, 1, 0, TBAND_FUN_DICTIONARY(entries_restore); return 0;)
CALL(TBAND_SIG_DICTIONARY, ANYWHERE, 0, 1, 0, TBAND_SIG_DICTIONARY(3); return 0;)
CALL(TBAND_TYPE_DICTIONARY, ANYWHERE, 0, 1, 0, TBAND_TYPE_DICTIONARY(1); return 0;)
CALL(TBAND_ENUM_DICTIONARY, ANYWHERE, 0, 1, 0, TBAND_ENUM_DICTIONARY(1, 3); return 0;)

CALL(tband_filter_event, ANYWHERE, 1, 0, -1, return tband_filter_event(TBAND_EVT_U32_STR_EVTMARKER, false);)
CALL(tband_filter_class, ANYWHERE, 1, 0, -1, return tband_filter_class(TBAND_CLASS_QUEUE, false);)
CALL(tband_filter_group, ANYWHERE, 1, 0, -1, return tband_filter_group(TBAND_GROUP_APPLICATION, false);)
CALL(tband_filter_object, ANYWHERE, 1, 0, -1, return tband_filter_object(TBAND_OBJECT_QUEUE, 1, false);)
CALL(tband_filter_objects, ANYWHERE, 1, 0, -1, return tband_filter_objects(TBAND_OBJECT_QUEUE, false);)
CALL(tband_filter_object_by_name, ANYWHERE, 1, 0, -1,
     return tband_filter_object_by_name(TBAND_OBJECT_QUEUE, "jobs", false);)
CALL(tband_filter_reset, ANYWHERE, 1, 0, -1, return tband_filter_reset();)

CALL(tband_trigger_arm, ANYWHERE, 1, 0, -1,
     return tband_trigger_arm(TBAND_TRIGGER_EVENT, 250, TBAND_EVT_U32_STR_EVTMARKER, 1, 9);)
CALL(tband_trigger_rearm, ANYWHERE, 1, 0, -1, return tband_trigger_rearm(0);)
CALL(tband_trigger_disarm, ANYWHERE, 1, 0, -1, return tband_trigger_disarm(0);)
CALL(tband_trigger_is_armed, ANYWHERE, 0, 0, 0, return tband_trigger_is_armed(0);)
CALL(tband_trigger_count, ANYWHERE, 0, 0, 0, return AS_INT32(tband_trigger_count());)
CALL(tband_trigger_event, ANYWHERE, 1, 0, -1, return tband_trigger_event(TBAND_EVT_U32_STR_EVTMARKER, 250, 1, 9);)
CALL(tband_trigger_queue_full, ANYWHERE, 1, 0, -1, return tband_trigger_queue_full(250, 3, 1, 9);)
CALL(tband_trigger_ready_wait, ANYWHERE, 1, 0, -1, return tband_trigger_ready_wait(250, 1000, 1, 9);)
CALL(tband_trigger_stack, ANYWHERE, 1, 0, -1, return tband_trigger_stack(250, 100, 1, 9);)
CALL(tband_trigger_value, ANYWHERE, 1, 0, -1, return tband_trigger_value(250, TBAND_TRIGGER_AT_LEAST, 3, 1, 9);)
CALL(tband_trigger_failure, ANYWHERE, 1, 0, -1, return tband_trigger_failure(250, 1, 9);)
CALL(tband_trigger_crash, ANYWHERE, 1, 0, -1, return tband_trigger_crash(9);)

#if ENTRIES_HAVE_COMMANDS
CALL(tband_received, ANYWHERE, 1, 0, 1, static const uint8_t zero[1] = {0}; return tband_received(zero, sizeof zero);)
CALL(tband_obey, IN_TASKS, 1, 0, 0, return tband_obey();)
#endif
#if ENTRIES_HAVE_FAULTS
CALL(tband_fault_assert, ANYWHERE, 1, 0, 0, tband_fault_assert("calls.h", 1); return 0;)
CALL(tband_fault_stack_overflow, ANYWHERE, 1, 0, 0, tband_fault_stack_overflow("no"); return 0;)
CALL(tband_fault_malloc_failed, ANYWHERE, 1, 0, 0, tband_fault_malloc_failed(); return 0;)
CALL(tband_fault_fatal, ANYWHERE, 1, 0, 0, tband_fault_fatal("no"); return 0;)
CALL(tband_fault_taken, ANYWHERE, 1, 0, 0,
     uint32_t words[26] = {0}; tband_fault_taken(TBAND_CRASH_KIND_WATCHDOG, words, words);
     return 0;)
#endif
