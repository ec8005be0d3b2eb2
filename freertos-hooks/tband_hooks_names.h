/* The kernel's trace macros, and what each does under a name of tband's own: tband_traceTASK_DELAY() for
 * traceTASK_DELAY(). A macro of yours calls it by that one, in any configuration.
 *
 * Generated from the hooks (TBAND_ON_*) by `cargo xtask header`; do not edit. */
#ifndef TBAND_HOOKS_NAMES_H
#define TBAND_HOOKS_NAMES_H

#include "tband.h" /* does nothing unless this header was included alone */

/* What tband_hooks_own.h looks for. */
#define TBAND_HOOK(hook) hook

#ifdef TBAND_ON_BLOCKING_ON_QUEUE_PEEK
#define traceBLOCKING_ON_QUEUE_PEEK(...) tband_traceBLOCKING_ON_QUEUE_PEEK(__VA_ARGS__)
#define tband_traceBLOCKING_ON_QUEUE_PEEK(...) TBAND_HOOK(TBAND_ON_BLOCKING_ON_QUEUE_PEEK)(__VA_ARGS__)
#else
#define tband_traceBLOCKING_ON_QUEUE_PEEK(...) ((void)0)
#endif
#ifdef TBAND_ON_BLOCKING_ON_QUEUE_RECEIVE
#define traceBLOCKING_ON_QUEUE_RECEIVE(...) tband_traceBLOCKING_ON_QUEUE_RECEIVE(__VA_ARGS__)
#define tband_traceBLOCKING_ON_QUEUE_RECEIVE(...) TBAND_HOOK(TBAND_ON_BLOCKING_ON_QUEUE_RECEIVE)(__VA_ARGS__)
#else
#define tband_traceBLOCKING_ON_QUEUE_RECEIVE(...) ((void)0)
#endif
#ifdef TBAND_ON_BLOCKING_ON_QUEUE_SEND
#define traceBLOCKING_ON_QUEUE_SEND(...) tband_traceBLOCKING_ON_QUEUE_SEND(__VA_ARGS__)
#define tband_traceBLOCKING_ON_QUEUE_SEND(...) TBAND_HOOK(TBAND_ON_BLOCKING_ON_QUEUE_SEND)(__VA_ARGS__)
#else
#define tband_traceBLOCKING_ON_QUEUE_SEND(...) ((void)0)
#endif
#ifdef TBAND_ON_BLOCKING_ON_STREAM_BUFFER_RECEIVE
#define traceBLOCKING_ON_STREAM_BUFFER_RECEIVE(...) tband_traceBLOCKING_ON_STREAM_BUFFER_RECEIVE(__VA_ARGS__)
#define tband_traceBLOCKING_ON_STREAM_BUFFER_RECEIVE(...) \
  TBAND_HOOK(TBAND_ON_BLOCKING_ON_STREAM_BUFFER_RECEIVE)(__VA_ARGS__)
#else
#define tband_traceBLOCKING_ON_STREAM_BUFFER_RECEIVE(...) ((void)0)
#endif
#ifdef TBAND_ON_BLOCKING_ON_STREAM_BUFFER_SEND
#define traceBLOCKING_ON_STREAM_BUFFER_SEND(...) tband_traceBLOCKING_ON_STREAM_BUFFER_SEND(__VA_ARGS__)
#define tband_traceBLOCKING_ON_STREAM_BUFFER_SEND(...) TBAND_HOOK(TBAND_ON_BLOCKING_ON_STREAM_BUFFER_SEND)(__VA_ARGS__)
#else
#define tband_traceBLOCKING_ON_STREAM_BUFFER_SEND(...) ((void)0)
#endif
#ifdef TBAND_ON_CREATE_COUNTING_SEMAPHORE
#define traceCREATE_COUNTING_SEMAPHORE(...) tband_traceCREATE_COUNTING_SEMAPHORE(__VA_ARGS__)
#define tband_traceCREATE_COUNTING_SEMAPHORE(...) TBAND_HOOK(TBAND_ON_CREATE_COUNTING_SEMAPHORE)(__VA_ARGS__)
#else
#define tband_traceCREATE_COUNTING_SEMAPHORE(...) ((void)0)
#endif
#ifdef TBAND_ON_CREATE_COUNTING_SEMAPHORE_FAILED
#define traceCREATE_COUNTING_SEMAPHORE_FAILED(...) tband_traceCREATE_COUNTING_SEMAPHORE_FAILED(__VA_ARGS__)
#define tband_traceCREATE_COUNTING_SEMAPHORE_FAILED(...) \
  TBAND_HOOK(TBAND_ON_CREATE_COUNTING_SEMAPHORE_FAILED)(__VA_ARGS__)
#else
#define tband_traceCREATE_COUNTING_SEMAPHORE_FAILED(...) ((void)0)
#endif
#ifdef TBAND_ON_CREATE_MUTEX
#define traceCREATE_MUTEX(...) tband_traceCREATE_MUTEX(__VA_ARGS__)
#define tband_traceCREATE_MUTEX(...) TBAND_HOOK(TBAND_ON_CREATE_MUTEX)(__VA_ARGS__)
#else
#define tband_traceCREATE_MUTEX(...) ((void)0)
#endif
#ifdef TBAND_ON_CREATE_MUTEX_FAILED
#define traceCREATE_MUTEX_FAILED(...) tband_traceCREATE_MUTEX_FAILED(__VA_ARGS__)
#define tband_traceCREATE_MUTEX_FAILED(...) TBAND_HOOK(TBAND_ON_CREATE_MUTEX_FAILED)(__VA_ARGS__)
#else
#define tband_traceCREATE_MUTEX_FAILED(...) ((void)0)
#endif
#ifdef TBAND_ON_EVENT_GROUP_CLEAR_BITS
#define traceEVENT_GROUP_CLEAR_BITS(...) tband_traceEVENT_GROUP_CLEAR_BITS(__VA_ARGS__)
#define tband_traceEVENT_GROUP_CLEAR_BITS(...) TBAND_HOOK(TBAND_ON_EVENT_GROUP_CLEAR_BITS)(__VA_ARGS__)
#else
#define tband_traceEVENT_GROUP_CLEAR_BITS(...) ((void)0)
#endif
#ifdef TBAND_ON_EVENT_GROUP_CLEAR_BITS_FROM_ISR
#define traceEVENT_GROUP_CLEAR_BITS_FROM_ISR(...) tband_traceEVENT_GROUP_CLEAR_BITS_FROM_ISR(__VA_ARGS__)
#define tband_traceEVENT_GROUP_CLEAR_BITS_FROM_ISR(...) \
  TBAND_HOOK(TBAND_ON_EVENT_GROUP_CLEAR_BITS_FROM_ISR)(__VA_ARGS__)
#else
#define tband_traceEVENT_GROUP_CLEAR_BITS_FROM_ISR(...) ((void)0)
#endif
#ifdef TBAND_ON_EVENT_GROUP_CREATE
#define traceEVENT_GROUP_CREATE(...) tband_traceEVENT_GROUP_CREATE(__VA_ARGS__)
#define tband_traceEVENT_GROUP_CREATE(...) TBAND_HOOK(TBAND_ON_EVENT_GROUP_CREATE)(__VA_ARGS__)
#else
#define tband_traceEVENT_GROUP_CREATE(...) ((void)0)
#endif
#ifdef TBAND_ON_EVENT_GROUP_CREATE_FAILED
#define traceEVENT_GROUP_CREATE_FAILED(...) tband_traceEVENT_GROUP_CREATE_FAILED(__VA_ARGS__)
#define tband_traceEVENT_GROUP_CREATE_FAILED(...) TBAND_HOOK(TBAND_ON_EVENT_GROUP_CREATE_FAILED)(__VA_ARGS__)
#else
#define tband_traceEVENT_GROUP_CREATE_FAILED(...) ((void)0)
#endif
#ifdef TBAND_ON_EVENT_GROUP_DELETE
#define traceEVENT_GROUP_DELETE(...) tband_traceEVENT_GROUP_DELETE(__VA_ARGS__)
#define tband_traceEVENT_GROUP_DELETE(...) TBAND_HOOK(TBAND_ON_EVENT_GROUP_DELETE)(__VA_ARGS__)
#else
#define tband_traceEVENT_GROUP_DELETE(...) ((void)0)
#endif
#ifdef TBAND_ON_EVENT_GROUP_SET_BITS
#define traceEVENT_GROUP_SET_BITS(...) tband_traceEVENT_GROUP_SET_BITS(__VA_ARGS__)
#define tband_traceEVENT_GROUP_SET_BITS(...) TBAND_HOOK(TBAND_ON_EVENT_GROUP_SET_BITS)(__VA_ARGS__)
#else
#define tband_traceEVENT_GROUP_SET_BITS(...) ((void)0)
#endif
#ifdef TBAND_ON_EVENT_GROUP_SET_BITS_FROM_ISR
#define traceEVENT_GROUP_SET_BITS_FROM_ISR(...) tband_traceEVENT_GROUP_SET_BITS_FROM_ISR(__VA_ARGS__)
#define tband_traceEVENT_GROUP_SET_BITS_FROM_ISR(...) TBAND_HOOK(TBAND_ON_EVENT_GROUP_SET_BITS_FROM_ISR)(__VA_ARGS__)
#else
#define tband_traceEVENT_GROUP_SET_BITS_FROM_ISR(...) ((void)0)
#endif
#ifdef TBAND_ON_EVENT_GROUP_SYNC_BLOCK
#define traceEVENT_GROUP_SYNC_BLOCK(...) tband_traceEVENT_GROUP_SYNC_BLOCK(__VA_ARGS__)
#define tband_traceEVENT_GROUP_SYNC_BLOCK(...) TBAND_HOOK(TBAND_ON_EVENT_GROUP_SYNC_BLOCK)(__VA_ARGS__)
#else
#define tband_traceEVENT_GROUP_SYNC_BLOCK(...) ((void)0)
#endif
#ifdef TBAND_ON_EVENT_GROUP_SYNC_END
#define traceEVENT_GROUP_SYNC_END(...) tband_traceEVENT_GROUP_SYNC_END(__VA_ARGS__)
#define tband_traceEVENT_GROUP_SYNC_END(...) TBAND_HOOK(TBAND_ON_EVENT_GROUP_SYNC_END)(__VA_ARGS__)
#else
#define tband_traceEVENT_GROUP_SYNC_END(...) ((void)0)
#endif
#ifdef TBAND_ON_EVENT_GROUP_WAIT_BITS_BLOCK
#define traceEVENT_GROUP_WAIT_BITS_BLOCK(...) tband_traceEVENT_GROUP_WAIT_BITS_BLOCK(__VA_ARGS__)
#define tband_traceEVENT_GROUP_WAIT_BITS_BLOCK(...) TBAND_HOOK(TBAND_ON_EVENT_GROUP_WAIT_BITS_BLOCK)(__VA_ARGS__)
#else
#define tband_traceEVENT_GROUP_WAIT_BITS_BLOCK(...) ((void)0)
#endif
#ifdef TBAND_ON_EVENT_GROUP_WAIT_BITS_END
#define traceEVENT_GROUP_WAIT_BITS_END(...) tband_traceEVENT_GROUP_WAIT_BITS_END(__VA_ARGS__)
#define tband_traceEVENT_GROUP_WAIT_BITS_END(...) TBAND_HOOK(TBAND_ON_EVENT_GROUP_WAIT_BITS_END)(__VA_ARGS__)
#else
#define tband_traceEVENT_GROUP_WAIT_BITS_END(...) ((void)0)
#endif
#ifdef TBAND_ON_FREE
#define traceFREE(...) tband_traceFREE(__VA_ARGS__)
#define tband_traceFREE(...) TBAND_HOOK(TBAND_ON_FREE)(__VA_ARGS__)
#else
#define tband_traceFREE(...) ((void)0)
#endif
#ifdef TBAND_ON_GIVE_MUTEX_RECURSIVE
#define traceGIVE_MUTEX_RECURSIVE(...) tband_traceGIVE_MUTEX_RECURSIVE(__VA_ARGS__)
#define tband_traceGIVE_MUTEX_RECURSIVE(...) TBAND_HOOK(TBAND_ON_GIVE_MUTEX_RECURSIVE)(__VA_ARGS__)
#else
#define tband_traceGIVE_MUTEX_RECURSIVE(...) ((void)0)
#endif
#ifdef TBAND_ON_GIVE_MUTEX_RECURSIVE_FAILED
#define traceGIVE_MUTEX_RECURSIVE_FAILED(...) tband_traceGIVE_MUTEX_RECURSIVE_FAILED(__VA_ARGS__)
#define tband_traceGIVE_MUTEX_RECURSIVE_FAILED(...) TBAND_HOOK(TBAND_ON_GIVE_MUTEX_RECURSIVE_FAILED)(__VA_ARGS__)
#else
#define tband_traceGIVE_MUTEX_RECURSIVE_FAILED(...) ((void)0)
#endif
#ifdef TBAND_ON_INCREASE_TICK_COUNT
#define traceINCREASE_TICK_COUNT(...) tband_traceINCREASE_TICK_COUNT(__VA_ARGS__)
#define tband_traceINCREASE_TICK_COUNT(...) TBAND_HOOK(TBAND_ON_INCREASE_TICK_COUNT)(__VA_ARGS__)
#else
#define tband_traceINCREASE_TICK_COUNT(...) ((void)0)
#endif
#ifdef TBAND_ON_ISR_ENTER
#define traceISR_ENTER(...) tband_traceISR_ENTER(__VA_ARGS__)
#define tband_traceISR_ENTER(...) TBAND_HOOK(TBAND_ON_ISR_ENTER)(__VA_ARGS__)
#else
#define tband_traceISR_ENTER(...) ((void)0)
#endif
#ifdef TBAND_ON_ISR_EXIT
#define traceISR_EXIT(...) tband_traceISR_EXIT(__VA_ARGS__)
#define tband_traceISR_EXIT(...) TBAND_HOOK(TBAND_ON_ISR_EXIT)(__VA_ARGS__)
#else
#define tband_traceISR_EXIT(...) ((void)0)
#endif
#ifdef TBAND_ON_ISR_EXIT_TO_SCHEDULER
#define traceISR_EXIT_TO_SCHEDULER(...) tband_traceISR_EXIT_TO_SCHEDULER(__VA_ARGS__)
#define tband_traceISR_EXIT_TO_SCHEDULER(...) TBAND_HOOK(TBAND_ON_ISR_EXIT_TO_SCHEDULER)(__VA_ARGS__)
#else
#define tband_traceISR_EXIT_TO_SCHEDULER(...) ((void)0)
#endif
#ifdef TBAND_ON_LOW_POWER_IDLE_BEGIN
#define traceLOW_POWER_IDLE_BEGIN(...) tband_traceLOW_POWER_IDLE_BEGIN(__VA_ARGS__)
#define tband_traceLOW_POWER_IDLE_BEGIN(...) TBAND_HOOK(TBAND_ON_LOW_POWER_IDLE_BEGIN)(__VA_ARGS__)
#else
#define tband_traceLOW_POWER_IDLE_BEGIN(...) ((void)0)
#endif
#ifdef TBAND_ON_LOW_POWER_IDLE_END
#define traceLOW_POWER_IDLE_END(...) tband_traceLOW_POWER_IDLE_END(__VA_ARGS__)
#define tband_traceLOW_POWER_IDLE_END(...) TBAND_HOOK(TBAND_ON_LOW_POWER_IDLE_END)(__VA_ARGS__)
#else
#define tband_traceLOW_POWER_IDLE_END(...) ((void)0)
#endif
#ifdef TBAND_ON_MALLOC
#define traceMALLOC(...) tband_traceMALLOC(__VA_ARGS__)
#define tband_traceMALLOC(...) TBAND_HOOK(TBAND_ON_MALLOC)(__VA_ARGS__)
#else
#define tband_traceMALLOC(...) ((void)0)
#endif
#ifdef TBAND_ON_MOVED_TASK_TO_DELAYED_LIST
#define traceMOVED_TASK_TO_DELAYED_LIST(...) tband_traceMOVED_TASK_TO_DELAYED_LIST(__VA_ARGS__)
#define tband_traceMOVED_TASK_TO_DELAYED_LIST(...) TBAND_HOOK(TBAND_ON_MOVED_TASK_TO_DELAYED_LIST)(__VA_ARGS__)
#else
#define tband_traceMOVED_TASK_TO_DELAYED_LIST(...) ((void)0)
#endif
#ifdef TBAND_ON_MOVED_TASK_TO_OVERFLOW_DELAYED_LIST
#define traceMOVED_TASK_TO_OVERFLOW_DELAYED_LIST(...) tband_traceMOVED_TASK_TO_OVERFLOW_DELAYED_LIST(__VA_ARGS__)
#define tband_traceMOVED_TASK_TO_OVERFLOW_DELAYED_LIST(...) \
  TBAND_HOOK(TBAND_ON_MOVED_TASK_TO_OVERFLOW_DELAYED_LIST)(__VA_ARGS__)
#else
#define tband_traceMOVED_TASK_TO_OVERFLOW_DELAYED_LIST(...) ((void)0)
#endif
#ifdef TBAND_ON_MOVED_TASK_TO_READY_STATE
#define traceMOVED_TASK_TO_READY_STATE(...) tband_traceMOVED_TASK_TO_READY_STATE(__VA_ARGS__)
#define tband_traceMOVED_TASK_TO_READY_STATE(...) TBAND_HOOK(TBAND_ON_MOVED_TASK_TO_READY_STATE)(__VA_ARGS__)
#else
#define tband_traceMOVED_TASK_TO_READY_STATE(...) ((void)0)
#endif
#ifdef TBAND_ON_PEND_FUNC_CALL
#define tracePEND_FUNC_CALL(...) tband_tracePEND_FUNC_CALL(__VA_ARGS__)
#define tband_tracePEND_FUNC_CALL(...) TBAND_HOOK(TBAND_ON_PEND_FUNC_CALL)(__VA_ARGS__)
#else
#define tband_tracePEND_FUNC_CALL(...) ((void)0)
#endif
#ifdef TBAND_ON_PEND_FUNC_CALL_FROM_ISR
#define tracePEND_FUNC_CALL_FROM_ISR(...) tband_tracePEND_FUNC_CALL_FROM_ISR(__VA_ARGS__)
#define tband_tracePEND_FUNC_CALL_FROM_ISR(...) TBAND_HOOK(TBAND_ON_PEND_FUNC_CALL_FROM_ISR)(__VA_ARGS__)
#else
#define tband_tracePEND_FUNC_CALL_FROM_ISR(...) ((void)0)
#endif
#ifdef TBAND_ON_POST_MOVED_TASK_TO_READY_STATE
#define tracePOST_MOVED_TASK_TO_READY_STATE(...) tband_tracePOST_MOVED_TASK_TO_READY_STATE(__VA_ARGS__)
#define tband_tracePOST_MOVED_TASK_TO_READY_STATE(...) TBAND_HOOK(TBAND_ON_POST_MOVED_TASK_TO_READY_STATE)(__VA_ARGS__)
#else
#define tband_tracePOST_MOVED_TASK_TO_READY_STATE(...) ((void)0)
#endif
#ifdef TBAND_ON_QUEUE_CREATE
#define traceQUEUE_CREATE(...) tband_traceQUEUE_CREATE(__VA_ARGS__)
#define tband_traceQUEUE_CREATE(...) TBAND_HOOK(TBAND_ON_QUEUE_CREATE)(__VA_ARGS__)
#else
#define tband_traceQUEUE_CREATE(...) ((void)0)
#endif
#ifdef TBAND_ON_QUEUE_CREATE_FAILED
#define traceQUEUE_CREATE_FAILED(...) tband_traceQUEUE_CREATE_FAILED(__VA_ARGS__)
#define tband_traceQUEUE_CREATE_FAILED(...) TBAND_HOOK(TBAND_ON_QUEUE_CREATE_FAILED)(__VA_ARGS__)
#else
#define tband_traceQUEUE_CREATE_FAILED(...) ((void)0)
#endif
#ifdef TBAND_ON_QUEUE_DELETE
#define traceQUEUE_DELETE(...) tband_traceQUEUE_DELETE(__VA_ARGS__)
#define tband_traceQUEUE_DELETE(...) TBAND_HOOK(TBAND_ON_QUEUE_DELETE)(__VA_ARGS__)
#else
#define tband_traceQUEUE_DELETE(...) ((void)0)
#endif
#ifdef TBAND_ON_QUEUE_GIVE_FROM_ISR
#define traceQUEUE_GIVE_FROM_ISR(...) tband_traceQUEUE_GIVE_FROM_ISR(__VA_ARGS__)
#define tband_traceQUEUE_GIVE_FROM_ISR(...) TBAND_HOOK(TBAND_ON_QUEUE_GIVE_FROM_ISR)(__VA_ARGS__)
#else
#define tband_traceQUEUE_GIVE_FROM_ISR(...) ((void)0)
#endif
#ifdef TBAND_ON_QUEUE_GIVE_FROM_ISR_FAILED
#define traceQUEUE_GIVE_FROM_ISR_FAILED(...) tband_traceQUEUE_GIVE_FROM_ISR_FAILED(__VA_ARGS__)
#define tband_traceQUEUE_GIVE_FROM_ISR_FAILED(...) TBAND_HOOK(TBAND_ON_QUEUE_GIVE_FROM_ISR_FAILED)(__VA_ARGS__)
#else
#define tband_traceQUEUE_GIVE_FROM_ISR_FAILED(...) ((void)0)
#endif
#ifdef TBAND_ON_QUEUE_PEEK
#define traceQUEUE_PEEK(...) tband_traceQUEUE_PEEK(__VA_ARGS__)
#define tband_traceQUEUE_PEEK(...) TBAND_HOOK(TBAND_ON_QUEUE_PEEK)(__VA_ARGS__)
#else
#define tband_traceQUEUE_PEEK(...) ((void)0)
#endif
#ifdef TBAND_ON_QUEUE_PEEK_FAILED
#define traceQUEUE_PEEK_FAILED(...) tband_traceQUEUE_PEEK_FAILED(__VA_ARGS__)
#define tband_traceQUEUE_PEEK_FAILED(...) TBAND_HOOK(TBAND_ON_QUEUE_PEEK_FAILED)(__VA_ARGS__)
#else
#define tband_traceQUEUE_PEEK_FAILED(...) ((void)0)
#endif
#ifdef TBAND_ON_QUEUE_PEEK_FROM_ISR
#define traceQUEUE_PEEK_FROM_ISR(...) tband_traceQUEUE_PEEK_FROM_ISR(__VA_ARGS__)
#define tband_traceQUEUE_PEEK_FROM_ISR(...) TBAND_HOOK(TBAND_ON_QUEUE_PEEK_FROM_ISR)(__VA_ARGS__)
#else
#define tband_traceQUEUE_PEEK_FROM_ISR(...) ((void)0)
#endif
#ifdef TBAND_ON_QUEUE_PEEK_FROM_ISR_FAILED
#define traceQUEUE_PEEK_FROM_ISR_FAILED(...) tband_traceQUEUE_PEEK_FROM_ISR_FAILED(__VA_ARGS__)
#define tband_traceQUEUE_PEEK_FROM_ISR_FAILED(...) TBAND_HOOK(TBAND_ON_QUEUE_PEEK_FROM_ISR_FAILED)(__VA_ARGS__)
#else
#define tband_traceQUEUE_PEEK_FROM_ISR_FAILED(...) ((void)0)
#endif
#ifdef TBAND_ON_QUEUE_RECEIVE
#define traceQUEUE_RECEIVE(...) tband_traceQUEUE_RECEIVE(__VA_ARGS__)
#define tband_traceQUEUE_RECEIVE(...) TBAND_HOOK(TBAND_ON_QUEUE_RECEIVE)(__VA_ARGS__)
#else
#define tband_traceQUEUE_RECEIVE(...) ((void)0)
#endif
#ifdef TBAND_ON_QUEUE_RECEIVE_FAILED
#define traceQUEUE_RECEIVE_FAILED(...) tband_traceQUEUE_RECEIVE_FAILED(__VA_ARGS__)
#define tband_traceQUEUE_RECEIVE_FAILED(...) TBAND_HOOK(TBAND_ON_QUEUE_RECEIVE_FAILED)(__VA_ARGS__)
#else
#define tband_traceQUEUE_RECEIVE_FAILED(...) ((void)0)
#endif
#ifdef TBAND_ON_QUEUE_RECEIVE_FROM_ISR
#define traceQUEUE_RECEIVE_FROM_ISR(...) tband_traceQUEUE_RECEIVE_FROM_ISR(__VA_ARGS__)
#define tband_traceQUEUE_RECEIVE_FROM_ISR(...) TBAND_HOOK(TBAND_ON_QUEUE_RECEIVE_FROM_ISR)(__VA_ARGS__)
#else
#define tband_traceQUEUE_RECEIVE_FROM_ISR(...) ((void)0)
#endif
#ifdef TBAND_ON_QUEUE_RECEIVE_FROM_ISR_FAILED
#define traceQUEUE_RECEIVE_FROM_ISR_FAILED(...) tband_traceQUEUE_RECEIVE_FROM_ISR_FAILED(__VA_ARGS__)
#define tband_traceQUEUE_RECEIVE_FROM_ISR_FAILED(...) TBAND_HOOK(TBAND_ON_QUEUE_RECEIVE_FROM_ISR_FAILED)(__VA_ARGS__)
#else
#define tband_traceQUEUE_RECEIVE_FROM_ISR_FAILED(...) ((void)0)
#endif
#ifdef TBAND_ON_QUEUE_REGISTRY_ADD
#define traceQUEUE_REGISTRY_ADD(...) tband_traceQUEUE_REGISTRY_ADD(__VA_ARGS__)
#define tband_traceQUEUE_REGISTRY_ADD(...) TBAND_HOOK(TBAND_ON_QUEUE_REGISTRY_ADD)(__VA_ARGS__)
#else
#define tband_traceQUEUE_REGISTRY_ADD(...) ((void)0)
#endif
#ifdef TBAND_ON_QUEUE_SEMAPHORE_RECEIVE
#define traceQUEUE_SEMAPHORE_RECEIVE(...) tband_traceQUEUE_SEMAPHORE_RECEIVE(__VA_ARGS__)
#define tband_traceQUEUE_SEMAPHORE_RECEIVE(...) TBAND_HOOK(TBAND_ON_QUEUE_SEMAPHORE_RECEIVE)(__VA_ARGS__)
#else
#define tband_traceQUEUE_SEMAPHORE_RECEIVE(...) ((void)0)
#endif
#ifdef TBAND_ON_QUEUE_SEND
#define traceQUEUE_SEND(...) tband_traceQUEUE_SEND(__VA_ARGS__)
#define tband_traceQUEUE_SEND(...) TBAND_HOOK(TBAND_ON_QUEUE_SEND)(__VA_ARGS__)
#else
#define tband_traceQUEUE_SEND(...) ((void)0)
#endif
#ifdef TBAND_ON_QUEUE_SEND_FAILED
#define traceQUEUE_SEND_FAILED(...) tband_traceQUEUE_SEND_FAILED(__VA_ARGS__)
#define tband_traceQUEUE_SEND_FAILED(...) TBAND_HOOK(TBAND_ON_QUEUE_SEND_FAILED)(__VA_ARGS__)
#else
#define tband_traceQUEUE_SEND_FAILED(...) ((void)0)
#endif
#ifdef TBAND_ON_QUEUE_SEND_FROM_ISR
#define traceQUEUE_SEND_FROM_ISR(...) tband_traceQUEUE_SEND_FROM_ISR(__VA_ARGS__)
#define tband_traceQUEUE_SEND_FROM_ISR(...) TBAND_HOOK(TBAND_ON_QUEUE_SEND_FROM_ISR)(__VA_ARGS__)
#else
#define tband_traceQUEUE_SEND_FROM_ISR(...) ((void)0)
#endif
#ifdef TBAND_ON_QUEUE_SEND_FROM_ISR_FAILED
#define traceQUEUE_SEND_FROM_ISR_FAILED(...) tband_traceQUEUE_SEND_FROM_ISR_FAILED(__VA_ARGS__)
#define tband_traceQUEUE_SEND_FROM_ISR_FAILED(...) TBAND_HOOK(TBAND_ON_QUEUE_SEND_FROM_ISR_FAILED)(__VA_ARGS__)
#else
#define tband_traceQUEUE_SEND_FROM_ISR_FAILED(...) ((void)0)
#endif
#ifdef TBAND_ON_QUEUE_SET_SEND
#define traceQUEUE_SET_SEND(...) tband_traceQUEUE_SET_SEND(__VA_ARGS__)
#define tband_traceQUEUE_SET_SEND(...) TBAND_HOOK(TBAND_ON_QUEUE_SET_SEND)(__VA_ARGS__)
#else
#define tband_traceQUEUE_SET_SEND(...) ((void)0)
#endif
#ifdef TBAND_ON_STARTING_SCHEDULER
#define traceSTARTING_SCHEDULER(...) tband_traceSTARTING_SCHEDULER(__VA_ARGS__)
#define tband_traceSTARTING_SCHEDULER(...) TBAND_HOOK(TBAND_ON_STARTING_SCHEDULER)(__VA_ARGS__)
#else
#define tband_traceSTARTING_SCHEDULER(...) ((void)0)
#endif
#ifdef TBAND_ON_STREAM_BUFFER_CREATE
#define traceSTREAM_BUFFER_CREATE(...) tband_traceSTREAM_BUFFER_CREATE(__VA_ARGS__)
#define tband_traceSTREAM_BUFFER_CREATE(...) TBAND_HOOK(TBAND_ON_STREAM_BUFFER_CREATE)(__VA_ARGS__)
#else
#define tband_traceSTREAM_BUFFER_CREATE(...) ((void)0)
#endif
#ifdef TBAND_ON_STREAM_BUFFER_CREATE_FAILED
#define traceSTREAM_BUFFER_CREATE_FAILED(...) tband_traceSTREAM_BUFFER_CREATE_FAILED(__VA_ARGS__)
#define tband_traceSTREAM_BUFFER_CREATE_FAILED(...) TBAND_HOOK(TBAND_ON_STREAM_BUFFER_CREATE_FAILED)(__VA_ARGS__)
#else
#define tband_traceSTREAM_BUFFER_CREATE_FAILED(...) ((void)0)
#endif
#ifdef TBAND_ON_STREAM_BUFFER_CREATE_STATIC_FAILED
#define traceSTREAM_BUFFER_CREATE_STATIC_FAILED(...) tband_traceSTREAM_BUFFER_CREATE_STATIC_FAILED(__VA_ARGS__)
#define tband_traceSTREAM_BUFFER_CREATE_STATIC_FAILED(...) \
  TBAND_HOOK(TBAND_ON_STREAM_BUFFER_CREATE_STATIC_FAILED)(__VA_ARGS__)
#else
#define tband_traceSTREAM_BUFFER_CREATE_STATIC_FAILED(...) ((void)0)
#endif
#ifdef TBAND_ON_STREAM_BUFFER_DELETE
#define traceSTREAM_BUFFER_DELETE(...) tband_traceSTREAM_BUFFER_DELETE(__VA_ARGS__)
#define tband_traceSTREAM_BUFFER_DELETE(...) TBAND_HOOK(TBAND_ON_STREAM_BUFFER_DELETE)(__VA_ARGS__)
#else
#define tband_traceSTREAM_BUFFER_DELETE(...) ((void)0)
#endif
#ifdef TBAND_ON_STREAM_BUFFER_RECEIVE
#define traceSTREAM_BUFFER_RECEIVE(...) tband_traceSTREAM_BUFFER_RECEIVE(__VA_ARGS__)
#define tband_traceSTREAM_BUFFER_RECEIVE(...) TBAND_HOOK(TBAND_ON_STREAM_BUFFER_RECEIVE)(__VA_ARGS__)
#else
#define tband_traceSTREAM_BUFFER_RECEIVE(...) ((void)0)
#endif
#ifdef TBAND_ON_STREAM_BUFFER_RECEIVE_FAILED
#define traceSTREAM_BUFFER_RECEIVE_FAILED(...) tband_traceSTREAM_BUFFER_RECEIVE_FAILED(__VA_ARGS__)
#define tband_traceSTREAM_BUFFER_RECEIVE_FAILED(...) TBAND_HOOK(TBAND_ON_STREAM_BUFFER_RECEIVE_FAILED)(__VA_ARGS__)
#else
#define tband_traceSTREAM_BUFFER_RECEIVE_FAILED(...) ((void)0)
#endif
#ifdef TBAND_ON_STREAM_BUFFER_RECEIVE_FROM_ISR
#define traceSTREAM_BUFFER_RECEIVE_FROM_ISR(...) tband_traceSTREAM_BUFFER_RECEIVE_FROM_ISR(__VA_ARGS__)
#define tband_traceSTREAM_BUFFER_RECEIVE_FROM_ISR(...) TBAND_HOOK(TBAND_ON_STREAM_BUFFER_RECEIVE_FROM_ISR)(__VA_ARGS__)
#else
#define tband_traceSTREAM_BUFFER_RECEIVE_FROM_ISR(...) ((void)0)
#endif
#ifdef TBAND_ON_STREAM_BUFFER_RESET
#define traceSTREAM_BUFFER_RESET(...) tband_traceSTREAM_BUFFER_RESET(__VA_ARGS__)
#define tband_traceSTREAM_BUFFER_RESET(...) TBAND_HOOK(TBAND_ON_STREAM_BUFFER_RESET)(__VA_ARGS__)
#else
#define tband_traceSTREAM_BUFFER_RESET(...) ((void)0)
#endif
#ifdef TBAND_ON_STREAM_BUFFER_RESET_FROM_ISR
#define traceSTREAM_BUFFER_RESET_FROM_ISR(...) tband_traceSTREAM_BUFFER_RESET_FROM_ISR(__VA_ARGS__)
#define tband_traceSTREAM_BUFFER_RESET_FROM_ISR(...) TBAND_HOOK(TBAND_ON_STREAM_BUFFER_RESET_FROM_ISR)(__VA_ARGS__)
#else
#define tband_traceSTREAM_BUFFER_RESET_FROM_ISR(...) ((void)0)
#endif
#ifdef TBAND_ON_STREAM_BUFFER_SEND
#define traceSTREAM_BUFFER_SEND(...) tband_traceSTREAM_BUFFER_SEND(__VA_ARGS__)
#define tband_traceSTREAM_BUFFER_SEND(...) TBAND_HOOK(TBAND_ON_STREAM_BUFFER_SEND)(__VA_ARGS__)
#else
#define tband_traceSTREAM_BUFFER_SEND(...) ((void)0)
#endif
#ifdef TBAND_ON_STREAM_BUFFER_SEND_FAILED
#define traceSTREAM_BUFFER_SEND_FAILED(...) tband_traceSTREAM_BUFFER_SEND_FAILED(__VA_ARGS__)
#define tband_traceSTREAM_BUFFER_SEND_FAILED(...) TBAND_HOOK(TBAND_ON_STREAM_BUFFER_SEND_FAILED)(__VA_ARGS__)
#else
#define tband_traceSTREAM_BUFFER_SEND_FAILED(...) ((void)0)
#endif
#ifdef TBAND_ON_STREAM_BUFFER_SEND_FROM_ISR
#define traceSTREAM_BUFFER_SEND_FROM_ISR(...) tband_traceSTREAM_BUFFER_SEND_FROM_ISR(__VA_ARGS__)
#define tband_traceSTREAM_BUFFER_SEND_FROM_ISR(...) TBAND_HOOK(TBAND_ON_STREAM_BUFFER_SEND_FROM_ISR)(__VA_ARGS__)
#else
#define tband_traceSTREAM_BUFFER_SEND_FROM_ISR(...) ((void)0)
#endif
#ifdef TBAND_ON_TAKE_MUTEX_RECURSIVE
#define traceTAKE_MUTEX_RECURSIVE(...) tband_traceTAKE_MUTEX_RECURSIVE(__VA_ARGS__)
#define tband_traceTAKE_MUTEX_RECURSIVE(...) TBAND_HOOK(TBAND_ON_TAKE_MUTEX_RECURSIVE)(__VA_ARGS__)
#else
#define tband_traceTAKE_MUTEX_RECURSIVE(...) ((void)0)
#endif
#ifdef TBAND_ON_TAKE_MUTEX_RECURSIVE_FAILED
#define traceTAKE_MUTEX_RECURSIVE_FAILED(...) tband_traceTAKE_MUTEX_RECURSIVE_FAILED(__VA_ARGS__)
#define tband_traceTAKE_MUTEX_RECURSIVE_FAILED(...) TBAND_HOOK(TBAND_ON_TAKE_MUTEX_RECURSIVE_FAILED)(__VA_ARGS__)
#else
#define tband_traceTAKE_MUTEX_RECURSIVE_FAILED(...) ((void)0)
#endif
#ifdef TBAND_ON_TASK_CREATE
#define traceTASK_CREATE(...) tband_traceTASK_CREATE(__VA_ARGS__)
#define tband_traceTASK_CREATE(...) TBAND_HOOK(TBAND_ON_TASK_CREATE)(__VA_ARGS__)
#else
#define tband_traceTASK_CREATE(...) ((void)0)
#endif
#ifdef TBAND_ON_TASK_DELAY
#define traceTASK_DELAY(...) tband_traceTASK_DELAY(__VA_ARGS__)
#define tband_traceTASK_DELAY(...) TBAND_HOOK(TBAND_ON_TASK_DELAY)(__VA_ARGS__)
#else
#define tband_traceTASK_DELAY(...) ((void)0)
#endif
#ifdef TBAND_ON_TASK_DELAY_UNTIL
#define traceTASK_DELAY_UNTIL(...) tband_traceTASK_DELAY_UNTIL(__VA_ARGS__)
#define tband_traceTASK_DELAY_UNTIL(...) TBAND_HOOK(TBAND_ON_TASK_DELAY_UNTIL)(__VA_ARGS__)
#else
#define tband_traceTASK_DELAY_UNTIL(...) ((void)0)
#endif
#ifdef TBAND_ON_TASK_DELETE
#define traceTASK_DELETE(...) tband_traceTASK_DELETE(__VA_ARGS__)
#define tband_traceTASK_DELETE(...) TBAND_HOOK(TBAND_ON_TASK_DELETE)(__VA_ARGS__)
#else
#define tband_traceTASK_DELETE(...) ((void)0)
#endif
#ifdef TBAND_ON_TASK_INCREMENT_TICK
#define traceTASK_INCREMENT_TICK(...) tband_traceTASK_INCREMENT_TICK(__VA_ARGS__)
#define tband_traceTASK_INCREMENT_TICK(...) TBAND_HOOK(TBAND_ON_TASK_INCREMENT_TICK)(__VA_ARGS__)
#else
#define tband_traceTASK_INCREMENT_TICK(...) ((void)0)
#endif
#ifdef TBAND_ON_TASK_NOTIFY
#define traceTASK_NOTIFY(...) tband_traceTASK_NOTIFY(__VA_ARGS__)
#define tband_traceTASK_NOTIFY(...) TBAND_HOOK(TBAND_ON_TASK_NOTIFY)(__VA_ARGS__)
#else
#define tband_traceTASK_NOTIFY(...) ((void)0)
#endif
#ifdef TBAND_ON_TASK_NOTIFY_FROM_ISR
#define traceTASK_NOTIFY_FROM_ISR(...) tband_traceTASK_NOTIFY_FROM_ISR(__VA_ARGS__)
#define tband_traceTASK_NOTIFY_FROM_ISR(...) TBAND_HOOK(TBAND_ON_TASK_NOTIFY_FROM_ISR)(__VA_ARGS__)
#else
#define tband_traceTASK_NOTIFY_FROM_ISR(...) ((void)0)
#endif
#ifdef TBAND_ON_TASK_NOTIFY_GIVE_FROM_ISR
#define traceTASK_NOTIFY_GIVE_FROM_ISR(...) tband_traceTASK_NOTIFY_GIVE_FROM_ISR(__VA_ARGS__)
#define tband_traceTASK_NOTIFY_GIVE_FROM_ISR(...) TBAND_HOOK(TBAND_ON_TASK_NOTIFY_GIVE_FROM_ISR)(__VA_ARGS__)
#else
#define tband_traceTASK_NOTIFY_GIVE_FROM_ISR(...) ((void)0)
#endif
#ifdef TBAND_ON_TASK_NOTIFY_TAKE
#define traceTASK_NOTIFY_TAKE(...) tband_traceTASK_NOTIFY_TAKE(__VA_ARGS__)
#define tband_traceTASK_NOTIFY_TAKE(...) TBAND_HOOK(TBAND_ON_TASK_NOTIFY_TAKE)(__VA_ARGS__)
#else
#define tband_traceTASK_NOTIFY_TAKE(...) ((void)0)
#endif
#ifdef TBAND_ON_TASK_NOTIFY_TAKE_BLOCK
#define traceTASK_NOTIFY_TAKE_BLOCK(...) tband_traceTASK_NOTIFY_TAKE_BLOCK(__VA_ARGS__)
#define tband_traceTASK_NOTIFY_TAKE_BLOCK(...) TBAND_HOOK(TBAND_ON_TASK_NOTIFY_TAKE_BLOCK)(__VA_ARGS__)
#else
#define tband_traceTASK_NOTIFY_TAKE_BLOCK(...) ((void)0)
#endif
#ifdef TBAND_ON_TASK_NOTIFY_WAIT
#define traceTASK_NOTIFY_WAIT(...) tband_traceTASK_NOTIFY_WAIT(__VA_ARGS__)
#define tband_traceTASK_NOTIFY_WAIT(...) TBAND_HOOK(TBAND_ON_TASK_NOTIFY_WAIT)(__VA_ARGS__)
#else
#define tband_traceTASK_NOTIFY_WAIT(...) ((void)0)
#endif
#ifdef TBAND_ON_TASK_NOTIFY_WAIT_BLOCK
#define traceTASK_NOTIFY_WAIT_BLOCK(...) tband_traceTASK_NOTIFY_WAIT_BLOCK(__VA_ARGS__)
#define tband_traceTASK_NOTIFY_WAIT_BLOCK(...) TBAND_HOOK(TBAND_ON_TASK_NOTIFY_WAIT_BLOCK)(__VA_ARGS__)
#else
#define tband_traceTASK_NOTIFY_WAIT_BLOCK(...) ((void)0)
#endif
#ifdef TBAND_ON_TASK_PRIORITY_DISINHERIT
#define traceTASK_PRIORITY_DISINHERIT(...) tband_traceTASK_PRIORITY_DISINHERIT(__VA_ARGS__)
#define tband_traceTASK_PRIORITY_DISINHERIT(...) TBAND_HOOK(TBAND_ON_TASK_PRIORITY_DISINHERIT)(__VA_ARGS__)
#else
#define tband_traceTASK_PRIORITY_DISINHERIT(...) ((void)0)
#endif
#ifdef TBAND_ON_TASK_PRIORITY_INHERIT
#define traceTASK_PRIORITY_INHERIT(...) tband_traceTASK_PRIORITY_INHERIT(__VA_ARGS__)
#define tband_traceTASK_PRIORITY_INHERIT(...) TBAND_HOOK(TBAND_ON_TASK_PRIORITY_INHERIT)(__VA_ARGS__)
#else
#define tband_traceTASK_PRIORITY_INHERIT(...) ((void)0)
#endif
#ifdef TBAND_ON_TASK_PRIORITY_SET
#define traceTASK_PRIORITY_SET(...) tband_traceTASK_PRIORITY_SET(__VA_ARGS__)
#define tband_traceTASK_PRIORITY_SET(...) TBAND_HOOK(TBAND_ON_TASK_PRIORITY_SET)(__VA_ARGS__)
#else
#define tband_traceTASK_PRIORITY_SET(...) ((void)0)
#endif
#ifdef TBAND_ON_TASK_RESUME
#define traceTASK_RESUME(...) tband_traceTASK_RESUME(__VA_ARGS__)
#define tband_traceTASK_RESUME(...) TBAND_HOOK(TBAND_ON_TASK_RESUME)(__VA_ARGS__)
#else
#define tband_traceTASK_RESUME(...) ((void)0)
#endif
#ifdef TBAND_ON_TASK_RESUME_FROM_ISR
#define traceTASK_RESUME_FROM_ISR(...) tband_traceTASK_RESUME_FROM_ISR(__VA_ARGS__)
#define tband_traceTASK_RESUME_FROM_ISR(...) TBAND_HOOK(TBAND_ON_TASK_RESUME_FROM_ISR)(__VA_ARGS__)
#else
#define tband_traceTASK_RESUME_FROM_ISR(...) ((void)0)
#endif
#ifdef TBAND_ON_TASK_SUSPEND
#define traceTASK_SUSPEND(...) tband_traceTASK_SUSPEND(__VA_ARGS__)
#define tband_traceTASK_SUSPEND(...) TBAND_HOOK(TBAND_ON_TASK_SUSPEND)(__VA_ARGS__)
#else
#define tband_traceTASK_SUSPEND(...) ((void)0)
#endif
#ifdef TBAND_ON_TASK_SWITCHED_IN
#define traceTASK_SWITCHED_IN(...) tband_traceTASK_SWITCHED_IN(__VA_ARGS__)
#define tband_traceTASK_SWITCHED_IN(...) TBAND_HOOK(TBAND_ON_TASK_SWITCHED_IN)(__VA_ARGS__)
#else
#define tband_traceTASK_SWITCHED_IN(...) ((void)0)
#endif
#ifdef TBAND_ON_TASK_SWITCHED_OUT
#define traceTASK_SWITCHED_OUT(...) tband_traceTASK_SWITCHED_OUT(__VA_ARGS__)
#define tband_traceTASK_SWITCHED_OUT(...) TBAND_HOOK(TBAND_ON_TASK_SWITCHED_OUT)(__VA_ARGS__)
#else
#define tband_traceTASK_SWITCHED_OUT(...) ((void)0)
#endif
#ifdef TBAND_ON_TIMER_COMMAND_RECEIVED
#define traceTIMER_COMMAND_RECEIVED(...) tband_traceTIMER_COMMAND_RECEIVED(__VA_ARGS__)
#define tband_traceTIMER_COMMAND_RECEIVED(...) TBAND_HOOK(TBAND_ON_TIMER_COMMAND_RECEIVED)(__VA_ARGS__)
#else
#define tband_traceTIMER_COMMAND_RECEIVED(...) ((void)0)
#endif
#ifdef TBAND_ON_TIMER_COMMAND_SEND
#define traceTIMER_COMMAND_SEND(...) tband_traceTIMER_COMMAND_SEND(__VA_ARGS__)
#define tband_traceTIMER_COMMAND_SEND(...) TBAND_HOOK(TBAND_ON_TIMER_COMMAND_SEND)(__VA_ARGS__)
#else
#define tband_traceTIMER_COMMAND_SEND(...) ((void)0)
#endif
#ifdef TBAND_ON_TIMER_CREATE
#define traceTIMER_CREATE(...) tband_traceTIMER_CREATE(__VA_ARGS__)
#define tband_traceTIMER_CREATE(...) TBAND_HOOK(TBAND_ON_TIMER_CREATE)(__VA_ARGS__)
#else
#define tband_traceTIMER_CREATE(...) ((void)0)
#endif
#ifdef TBAND_ON_TIMER_EXPIRED
#define traceTIMER_EXPIRED(...) tband_traceTIMER_EXPIRED(__VA_ARGS__)
#define tband_traceTIMER_EXPIRED(...) TBAND_HOOK(TBAND_ON_TIMER_EXPIRED)(__VA_ARGS__)
#else
#define tband_traceTIMER_EXPIRED(...) ((void)0)
#endif

#endif /* TBAND_HOOKS_NAMES_H */
