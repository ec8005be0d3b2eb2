/* tband: include this file, in firmware and as the last line of FreeRTOSConfig.h.
 *
 * Generated from tband-ffi and the event registry by `cargo xtask header`; do not edit. The functions
 * meant for you are in tband_api.h and tband_freertos.h, the configuration macros in
 * tband_config_defaults.h; what is declared here is what they are built on: the library's own functions. */
/* FreeRTOSConfig.h is included by assembler files too. The assembler of IAR says so by other names. */
#if !defined(__ASSEMBLER__) && !defined(__IAR_SYSTEMS_ASM__) && !defined(__IASMARM__)

#include "tband_requirements.h"

#ifndef TBAND_H
#define TBAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Version of the event set. */
#define TBAND_FORMAT_VERSION 12U

/* Event ids. Their names have the types of the fields after id and timestamp. */
#define TBAND_EVT_U32_CORE_ID 0U
#define TBAND_EVT_U32_DROPPED_EVT_CNT 1U
#define TBAND_EVT_META_U64_TS_RESOLUTION_NS 2U
#define TBAND_EVT_META_U32_STR_ISR_NAME 3U
#define TBAND_EVT_U32_ISR_ENTER 4U
#define TBAND_EVT_U32_ISR_EXIT 5U
#define TBAND_EVT_META_U32_STR_EVTMARKER_NAME 6U
#define TBAND_EVT_U32_STR_EVTMARKER 7U
#define TBAND_EVT_U32_STR_EVTMARKER_BEGIN 8U
#define TBAND_EVT_U32_EVTMARKER_END 9U
#define TBAND_EVT_META_U32_STR_VALMARKER_NAME 10U
#define TBAND_EVT_U32_S64_VALMARKER 11U
#define TBAND_EVT_U32_TASK_SWITCHED_IN 84U
#define TBAND_EVT_U32_TASK_TO_RDY_STATE 85U
#define TBAND_EVT_U32_TASK_RESUMED 86U
#define TBAND_EVT_U32_TASK_RESUMED_FROM_ISR 87U
#define TBAND_EVT_U32_TASK_SUSPENDED 88U
#define TBAND_EVT_U32_CURTASK_DELAY 89U
#define TBAND_EVT_U32_CURTASK_DELAY_UNTIL 90U
#define TBAND_EVT_U32_U32_TASK_PRIORITY_SET 91U
#define TBAND_EVT_U32_U32_TASK_PRIORITY_INHERIT 92U
#define TBAND_EVT_U32_U32_TASK_PRIORITY_DISINHERIT 93U
#define TBAND_EVT_U32_TASK_CREATED 94U
#define TBAND_EVT_META_U32_STR_TASK_NAME 95U
#define TBAND_EVT_META_U32_U32_TASK_IS_IDLE_TASK 96U
#define TBAND_EVT_META_U32_TASK_IS_TIMER_TASK 97U
#define TBAND_EVT_U32_TASK_DELETED 98U
#define TBAND_EVT_U32_QUEUE_CREATED 99U
#define TBAND_EVT_META_U32_STR_QUEUE_NAME 100U
#define TBAND_EVT_META_U32_U32_QUEUE_KIND 101U
#define TBAND_EVT_U32_U32_QUEUE_SEND 102U
#define TBAND_EVT_U32_U32_QUEUE_SEND_FROM_ISR 103U
#define TBAND_EVT_U32_U32_QUEUE_OVERWRITE 104U
#define TBAND_EVT_U32_U32_QUEUE_OVERWRITE_FROM_ISR 105U
#define TBAND_EVT_U32_U32_QUEUE_RECEIVE 106U
#define TBAND_EVT_U32_U32_QUEUE_RECEIVE_FROM_ISR 107U
#define TBAND_EVT_U32_QUEUE_RESET 108U
#define TBAND_EVT_U32_U32_CURTASK_BLOCK_ON_QUEUE_PEEK 109U
#define TBAND_EVT_U32_U32_CURTASK_BLOCK_ON_QUEUE_SEND 110U
#define TBAND_EVT_U32_U32_CURTASK_BLOCK_ON_QUEUE_RECEIVE 111U
#define TBAND_EVT_U32_U32_QUEUE_CUR_LENGTH 112U
#define TBAND_EVT_META_U32_U32_STR_TASK_EVTMARKER_NAME 122U
#define TBAND_EVT_U32_STR_TASK_EVTMARKER 123U
#define TBAND_EVT_U32_STR_TASK_EVTMARKER_BEGIN 124U
#define TBAND_EVT_U32_TASK_EVTMARKER_END 125U
#define TBAND_EVT_META_U32_U32_STR_TASK_VALMARKER_NAME 126U
#define TBAND_EVT_U32_S64_TASK_VALMARKER 127U
#define TBAND_EVT_META_U32_U32_U32_U32_U32_TRACE_INFO 128U
#define TBAND_EVT_META_STR_BUILD_ID 129U
#define TBAND_EVT_META_U32_U32_U32_METADATA_DROPPED 130U
#define TBAND_EVT_U32_U32_U32_U32_U32_TASK_NOTIFY 131U
#define TBAND_EVT_U32_U32_U32_U32_U32_TASK_NOTIFY_FROM_ISR 132U
#define TBAND_EVT_U32_U32_U32_TASK_NOTIFY_GIVE_FROM_ISR 133U
#define TBAND_EVT_U32_U32_U32_CURTASK_NOTIFY_TAKE 134U
#define TBAND_EVT_U32_U32_U32_CURTASK_NOTIFY_WAIT 135U
#define TBAND_EVT_U32_U32_CURTASK_BLOCK_ON_NOTIFY_TAKE 136U
#define TBAND_EVT_U32_U32_CURTASK_BLOCK_ON_NOTIFY_WAIT 137U
#define TBAND_EVT_U32_U32_TASK_NOTIFY_STATE_CLEAR 138U
#define TBAND_EVT_U32_U32_U32_TASK_NOTIFY_VALUE_CLEAR 139U
#define TBAND_EVT_U32_U32_U32_STREAM_BUFFER_CREATED 140U
#define TBAND_EVT_META_U32_STR_STREAM_BUFFER_NAME 141U
#define TBAND_EVT_META_U32_U32_STREAM_BUFFER_KIND 142U
#define TBAND_EVT_U32_U32_U32_STREAM_BUFFER_SEND 143U
#define TBAND_EVT_U32_U32_U32_STREAM_BUFFER_SEND_FROM_ISR 144U
#define TBAND_EVT_U32_U32_U32_STREAM_BUFFER_RECEIVE 145U
#define TBAND_EVT_U32_U32_U32_STREAM_BUFFER_RECEIVE_FROM_ISR 146U
#define TBAND_EVT_U32_STREAM_BUFFER_RESET 147U
#define TBAND_EVT_U32_STREAM_BUFFER_RESET_FROM_ISR 148U
#define TBAND_EVT_U32_STREAM_BUFFER_DELETED 149U
#define TBAND_EVT_U32_STREAM_BUFFER_SEND_FAILED 150U
#define TBAND_EVT_U32_STREAM_BUFFER_SEND_FROM_ISR_FAILED 151U
#define TBAND_EVT_U32_STREAM_BUFFER_RECEIVE_FAILED 152U
#define TBAND_EVT_U32_STREAM_BUFFER_RECEIVE_FROM_ISR_FAILED 153U
#define TBAND_EVT_U32_U32_CURTASK_BLOCK_ON_STREAM_BUFFER_SEND 154U
#define TBAND_EVT_U32_U32_CURTASK_BLOCK_ON_STREAM_BUFFER_RECEIVE 155U
#define TBAND_EVT_U32_EVENT_GROUP_CREATED 156U
#define TBAND_EVT_META_U32_STR_EVENT_GROUP_NAME 157U
#define TBAND_EVT_U32_EVENT_GROUP_DELETED 158U
#define TBAND_EVT_U32_U32_U32_EVENT_GROUP_SET_BITS 159U
#define TBAND_EVT_U32_U32_EVENT_GROUP_SET_BITS_FROM_ISR 160U
#define TBAND_EVT_U32_U32_U32_EVENT_GROUP_CLEAR_BITS 161U
#define TBAND_EVT_U32_U32_EVENT_GROUP_CLEAR_BITS_FROM_ISR 162U
#define TBAND_EVT_U32_U32_U32_U32_CURTASK_BLOCK_ON_EVENT_GROUP_WAIT 163U
#define TBAND_EVT_U32_U32_U32_U32_EVENT_GROUP_WAIT_END 164U
#define TBAND_EVT_U32_U32_U32_U32_CURTASK_BLOCK_ON_EVENT_GROUP_SYNC 165U
#define TBAND_EVT_U32_U32_U32_U32_U32_EVENT_GROUP_SYNC_END 166U
#define TBAND_EVT_U32_U32_U32_U32_TIMER_CREATED 167U
#define TBAND_EVT_META_U32_STR_TIMER_NAME 168U
#define TBAND_EVT_U32_U32_U32_U32_TIMER_COMMAND_SENT 169U
#define TBAND_EVT_U32_U32_U32_TIMER_COMMAND_RECEIVED 170U
#define TBAND_EVT_U32_U32_TIMER_EXPIRED 171U
#define TBAND_EVT_U32_U32_U32_U32_PEND_FUNC_CALL 172U
#define TBAND_EVT_U32_U32_U32_U32_PEND_FUNC_CALL_FROM_ISR 173U
#define TBAND_EVT_U32_QUEUE_DELETED 174U
#define TBAND_EVT_U32_QUEUE_SENT_TO_FRONT 175U
#define TBAND_EVT_U32_QUEUE_PEEK 176U
#define TBAND_EVT_U32_QUEUE_PEEK_FROM_ISR 177U
#define TBAND_EVT_U32_QUEUE_SEND_FAILED 178U
#define TBAND_EVT_U32_QUEUE_SEND_FROM_ISR_FAILED 179U
#define TBAND_EVT_U32_QUEUE_RECEIVE_FAILED 180U
#define TBAND_EVT_U32_QUEUE_RECEIVE_FROM_ISR_FAILED 181U
#define TBAND_EVT_U32_QUEUE_PEEK_FAILED 182U
#define TBAND_EVT_U32_QUEUE_PEEK_FROM_ISR_FAILED 183U
#define TBAND_EVT_U32_MUTEX_CREATED 184U
#define TBAND_EVT_U32_U32_MUTEX_RECURSIVE_TAKE 185U
#define TBAND_EVT_U32_MUTEX_RECURSIVE_TAKE_FAILED 186U
#define TBAND_EVT_U32_U32_MUTEX_RECURSIVE_GIVE 187U
#define TBAND_EVT_U32_MUTEX_RECURSIVE_GIVE_FAILED 188U
#define TBAND_EVT_U32_CREATE_FAILED 189U
#define TBAND_EVT_U32_CURTASK_TO_DELAYED_LIST 190U
#define TBAND_EVT_U32_CURTASK_TO_OVERFLOW_DELAYED_LIST 191U
#define TBAND_EVT_U32_TASK_DELAY_ABORT 192U
#define TBAND_EVT_U32_U32_TASK_CORE_AFFINITY_SET 193U
#define TBAND_EVT_U32_U32_TASK_STACK_HIGH_WATER_MARK 194U
#define TBAND_EVT_U32_TASK_SWITCHED_OUT 195U
#define TBAND_EVT_U32_TASK_IN_READY_LIST 196U
#define TBAND_EVT_U32_U32_U32_HEAP_MALLOC 197U
#define TBAND_EVT_U32_U32_U32_HEAP_FREE 198U
#define TBAND_EVT_U32_LOW_POWER_IDLE_BEGIN 199U
#define TBAND_EVT_LOW_POWER_IDLE_END 200U
#define TBAND_EVT_U32_TICK 201U
#define TBAND_EVT_U32_TICK_COUNT_INCREASE 202U
#define TBAND_EVT_U32_ISR_EXIT_TO_SCHEDULER 203U
#define TBAND_EVT_U32_API_ENTER 204U
#define TBAND_EVT_U32_U32_API_RETURN 205U
#define TBAND_EVT_U64_U64_TS_FREQUENCY 206U
#define TBAND_EVT_U32_ISR_EXIT_MISSED 208U
#define TBAND_EVT_META_U32_U32_TASK_BASE_PRIORITY 209U
#define TBAND_EVT_META_U32_U32_U32_STREAM_BUFFER_INFO 210U
#define TBAND_EVT_META_U32_U32_U32_TIMER_INFO 211U
#define TBAND_EVT_U32_RUNNING_TASK 212U
#define TBAND_EVT_U32_OPEN_ISR 213U
#define TBAND_EVT_META_U8_U8_STR_EVENT_SCHEMA 214U
#define TBAND_EVT_U32_U32_FAULT 224U
#define TBAND_EVT_U32_STR_CRASH 225U
#define TBAND_EVT_META_U32_STR_CRASH_PLACES 226U
#define TBAND_EVT_U32_U32_FILTER 227U
#define TBAND_EVT_U32_S64_TRIGGER 228U
#define TBAND_EVT_U32_FROZEN 229U
#define TBAND_EVT_U32_U32_SHED 230U
#define TBAND_EVT_META_U32_U32_FORMATS_OF 231U
#define TBAND_EVT_U32_STR_RECORD 232U
#define TBAND_EVT_META_U32_STR_FORMAT 233U
#define TBAND_EVT_U32_STR_TYPED 234U
#define TBAND_EVT_META_U32_STR_SYMBOL 235U
#define TBAND_EVT_META_U32_STR_CONSTANT 236U
#define TBAND_EVT_META_U32_U32_PROGRAM 237U
#define TBAND_EVT_U32_S64_ANSWER 238U
#define TBAND_EVT_U32_S64_BITS 239U

/* What events look like that are described where they are recorded. */
#define TBAND_SCHEMA_FAULT "fault what:u8,is:u32"
#define TBAND_SCHEMA_CRASH "crash kind:u8,of:str"
#define TBAND_SCHEMA_CRASH_PLACES "crash_places pc:u32,places:str"
#define TBAND_SCHEMA_FILTER "filter of:u32,is:u32"
#define TBAND_SCHEMA_TRIGGER "trigger n:u32,is:s64"
#define TBAND_SCHEMA_FROZEN "frozen n:u32"
#define TBAND_SCHEMA_SHED "shed class:u32,n:u32"
#define TBAND_SCHEMA_FORMATS_OF "formats_of first:u32,second:u32"
#define TBAND_SCHEMA_RECORD "record at:u32,is:str"
#define TBAND_SCHEMA_FORMAT "format format_id:u32,text:str"
#define TBAND_SCHEMA_TYPED "typed no:u32,is:str"
#define TBAND_SCHEMA_SYMBOL "symbol symbol_id:u32,name:str"
#define TBAND_SCHEMA_CONSTANT "constant constant_id:u32,name:str"
#define TBAND_SCHEMA_PROGRAM "program first:u32,second:u32"
#define TBAND_SCHEMA_ANSWER "answer n:u32,is:s64"
#define TBAND_SCHEMA_BITS "bits of:u32,is:s64"

/* Kinds of commands of the host, and the answers of those that were not obeyed. */
#define TBAND_COMMAND_INFO 1U
#define TBAND_COMMAND_START 2U
#define TBAND_COMMAND_STOP 3U
#define TBAND_COMMAND_NAMES 4U
#define TBAND_COMMAND_FLUSH 5U
#define TBAND_COMMAND_USER 6U
#define TBAND_COMMAND_READ 7U
#define TBAND_COMMAND_WRITE 8U
#define TBAND_COMMAND_FILL 9U
#define TBAND_COMMAND_RESET 10U
#define TBAND_COMMAND_FILTER 11U
#define TBAND_COMMAND_FILTER_OBJECT 12U
#define TBAND_COMMAND_OBJECT 13U
#define TBAND_COMMAND_PEEK 14U
#define TBAND_COMMAND_POKE 15U
#define TBAND_COMMAND_SEND 16U
#define TBAND_COMMAND_NOTIFY 17U
#define TBAND_COMMAND_TRIGGER 18U
#define TBAND_COMMAND_REARM 19U
#define TBAND_COMMAND_DISARM 20U
#define TBAND_COMMAND_ARGUMENT_COUNTS {0xFFU, 0U, 0U, 0U, 0U, 0U, 4U, 2U, 3U, 4U, 0U, 3U, 6U, 2U, 2U, 4U, 6U, 3U, 6U, 1U, 1U}
#define TBAND_MAX_COMMAND_FRAME 34U
#define TBAND_COMMAND_IS_REFUSED (-1)
#define TBAND_COMMAND_IS_NOT_ALLOWED (-2)
#define TBAND_COMMAND_IS_UNKNOWN (-3)
#define TBAND_COMMAND_IS_WRONG_ARGUMENTS (-4)

/* Classes of events, for tband_filter_class(): bits of the flags of trace_info. */
#define TBAND_CLASS_MARKER 0x8U
#define TBAND_CLASS_OWN_ISR 0x10U
#define TBAND_CLASS_TASK 0x20U
#define TBAND_CLASS_QUEUE 0x40U
#define TBAND_CLASS_TASK_EXTRA 0x80U
#define TBAND_CLASS_QUEUE_EXTRA 0x100U
#define TBAND_CLASS_NOTIFICATION 0x200U
#define TBAND_CLASS_STREAM_BUFFER 0x400U
#define TBAND_CLASS_EVENT_GROUP 0x800U
#define TBAND_CLASS_TIMER 0x1000U
#define TBAND_CLASS_HEAP 0x2000U
#define TBAND_CLASS_LOW_POWER 0x4000U
#define TBAND_CLASS_ISR 0x8000U
#define TBAND_CLASS_STACK 0x10000U
#define TBAND_CLASS_SCHEDULER_STEP 0x20000U
#define TBAND_CLASS_TICK 0x40000U
#define TBAND_CLASS_API 0x80000U

/* Groups of classes, for tband_filter_group(). */
#define TBAND_GROUP_SCHEDULING 0x200A0U
#define TBAND_GROUP_COMMUNICATION 0xF40U
#define TBAND_GROUP_INTERRUPTS 0x8010U
#define TBAND_GROUP_TIME 0x45000U
#define TBAND_GROUP_MEMORY 0x12000U
#define TBAND_GROUP_APPLICATION 0x8U
#define TBAND_GROUP_CALLS 0x80000U
#define TBAND_GROUP_EVERYTHING 0xFFFF8U

/* Kinds of objects, for tband_filter_object(), by whose number events are filtered. */
#define TBAND_OBJECT_TASK 0U
#define TBAND_OBJECT_QUEUE 1U
#define TBAND_OBJECT_STREAM_BUFFER 2U
#define TBAND_OBJECT_EVENT_GROUP 3U
#define TBAND_OBJECT_TIMER 4U
#define TBAND_OBJECT_ISR 5U
#define TBAND_OBJECT_EVTMARKER 6U
#define TBAND_OBJECT_VALMARKER 7U

/* Values of fields of type queue kind. */
#define TBAND_QUEUE_KIND_QUEUE 0U
#define TBAND_QUEUE_KIND_COUNTING_SEMAPHORE 1U
#define TBAND_QUEUE_KIND_BINARY_SEMAPHORE 2U
#define TBAND_QUEUE_KIND_MUTEX 3U
#define TBAND_QUEUE_KIND_RECURSIVE_MUTEX 4U
#define TBAND_QUEUE_KIND_QUEUE_SET 5U

/* Values of fields of type notify action. */
#define TBAND_NOTIFY_ACTION_NO_ACTION 0U
#define TBAND_NOTIFY_ACTION_SET_BITS 1U
#define TBAND_NOTIFY_ACTION_INCREMENT 2U
#define TBAND_NOTIFY_ACTION_OVERWRITE 3U
#define TBAND_NOTIFY_ACTION_WRITE 4U
#define TBAND_NOTIFY_ACTION_WRITE_REFUSED 5U

/* Values of fields of type stream buffer kind. */
#define TBAND_STREAM_BUFFER_KIND_STREAM_BUFFER 0U
#define TBAND_STREAM_BUFFER_KIND_MESSAGE_BUFFER 1U
#define TBAND_STREAM_BUFFER_KIND_STREAM_BATCHING_BUFFER 2U

/* Values of fields of type timer command. */
#define TBAND_TIMER_COMMAND_START_UNTRACED 0U
#define TBAND_TIMER_COMMAND_START 1U
#define TBAND_TIMER_COMMAND_RESET 2U
#define TBAND_TIMER_COMMAND_STOP 3U
#define TBAND_TIMER_COMMAND_CHANGE_PERIOD 4U
#define TBAND_TIMER_COMMAND_DELETE 5U
#define TBAND_TIMER_COMMAND_START_FROM_ISR 6U
#define TBAND_TIMER_COMMAND_RESET_FROM_ISR 7U
#define TBAND_TIMER_COMMAND_STOP_FROM_ISR 8U
#define TBAND_TIMER_COMMAND_CHANGE_PERIOD_FROM_ISR 9U

/* Values of fields of type kernel object. */
#define TBAND_KERNEL_OBJECT_QUEUE 0U
#define TBAND_KERNEL_OBJECT_COUNTING_SEMAPHORE 1U
#define TBAND_KERNEL_OBJECT_MUTEX 2U
#define TBAND_KERNEL_OBJECT_TASK 3U
#define TBAND_KERNEL_OBJECT_EVENT_GROUP 4U
#define TBAND_KERNEL_OBJECT_STREAM_BUFFER 5U
#define TBAND_KERNEL_OBJECT_TIMER 6U

/* Values of fields of type fault fact. */
#define TBAND_FAULT_FACT_R0 0U
#define TBAND_FAULT_FACT_R1 1U
#define TBAND_FAULT_FACT_R2 2U
#define TBAND_FAULT_FACT_R3 3U
#define TBAND_FAULT_FACT_R4 4U
#define TBAND_FAULT_FACT_R5 5U
#define TBAND_FAULT_FACT_R6 6U
#define TBAND_FAULT_FACT_R7 7U
#define TBAND_FAULT_FACT_R8 8U
#define TBAND_FAULT_FACT_R9 9U
#define TBAND_FAULT_FACT_R10 10U
#define TBAND_FAULT_FACT_R11 11U
#define TBAND_FAULT_FACT_R12 12U
#define TBAND_FAULT_FACT_SP 13U
#define TBAND_FAULT_FACT_LR 14U
#define TBAND_FAULT_FACT_PC 15U
#define TBAND_FAULT_FACT_XPSR 16U
#define TBAND_FAULT_FACT_EXC_RETURN 17U
#define TBAND_FAULT_FACT_CFSR 18U
#define TBAND_FAULT_FACT_HFSR 19U
#define TBAND_FAULT_FACT_DFSR 20U
#define TBAND_FAULT_FACT_MMFAR 21U
#define TBAND_FAULT_FACT_BFAR 22U
#define TBAND_FAULT_FACT_EXCEPTION 23U
#define TBAND_FAULT_FACT_TASK 32U
#define TBAND_FAULT_FACT_STACK_BEGIN 33U
#define TBAND_FAULT_FACT_STACK_END 34U
#define TBAND_FAULT_FACT_LINE 35U
#define TBAND_FAULT_FACT_STACK_WORDS 39U
#define TBAND_FAULT_FACT_STACK_SUM0 40U
#define TBAND_FAULT_FACT_STACK_SUM1 41U
#define TBAND_FAULT_FACT_STACK_SUM2 42U
#define TBAND_FAULT_FACT_STACK_SUM3 43U
#define TBAND_FAULT_FACT_STACK_SUM4 44U
#define TBAND_FAULT_FACT_STACK_SUM5 45U
#define TBAND_FAULT_FACT_STACK_SUM6 46U
#define TBAND_FAULT_FACT_STACK_SUM7 47U
#define TBAND_FAULT_FACT_BUILD_FIRST 48U
#define TBAND_FAULT_FACT_BUILD_SECOND 49U
#define TBAND_FAULT_FACT_CODE_AT 50U
#define TBAND_FAULT_FACT_CODE_SUM 51U
#define TBAND_FAULT_FACT_RA 65U
#define TBAND_FAULT_FACT_GP 67U
#define TBAND_FAULT_FACT_TP 68U
#define TBAND_FAULT_FACT_T0 69U
#define TBAND_FAULT_FACT_T1 70U
#define TBAND_FAULT_FACT_T2 71U
#define TBAND_FAULT_FACT_S0 72U
#define TBAND_FAULT_FACT_S1 73U
#define TBAND_FAULT_FACT_A0 74U
#define TBAND_FAULT_FACT_A1 75U
#define TBAND_FAULT_FACT_A2 76U
#define TBAND_FAULT_FACT_A3 77U
#define TBAND_FAULT_FACT_A4 78U
#define TBAND_FAULT_FACT_A5 79U
#define TBAND_FAULT_FACT_A6 80U
#define TBAND_FAULT_FACT_A7 81U
#define TBAND_FAULT_FACT_S2 82U
#define TBAND_FAULT_FACT_S3 83U
#define TBAND_FAULT_FACT_S4 84U
#define TBAND_FAULT_FACT_S5 85U
#define TBAND_FAULT_FACT_S6 86U
#define TBAND_FAULT_FACT_S7 87U
#define TBAND_FAULT_FACT_S8 88U
#define TBAND_FAULT_FACT_S9 89U
#define TBAND_FAULT_FACT_S10 90U
#define TBAND_FAULT_FACT_S11 91U
#define TBAND_FAULT_FACT_T3 92U
#define TBAND_FAULT_FACT_T4 93U
#define TBAND_FAULT_FACT_T5 94U
#define TBAND_FAULT_FACT_T6 95U
#define TBAND_FAULT_FACT_MCAUSE 97U
#define TBAND_FAULT_FACT_MTVAL 98U
#define TBAND_FAULT_FACT_MSTATUS 99U

/* Values of fields of type crash kind. */
#define TBAND_CRASH_KIND_EXCEPTION 0U
#define TBAND_CRASH_KIND_FAILED_ASSERTION 1U
#define TBAND_CRASH_KIND_STACK_OVERFLOW 2U
#define TBAND_CRASH_KIND_MALLOC_FAILED 3U
#define TBAND_CRASH_KIND_WATCHDOG 4U
#define TBAND_CRASH_KIND_FATAL_ERROR 5U
#define TBAND_CRASH_KIND_PANIC 6U

/* A frame that is being written; zero if the event is not recorded. Two pointers, in registers. */
#if UINTPTR_MAX > 0xFFFFFFFFU
typedef struct tband_frame {
  uint8_t *code;
  uint8_t *at;
} tband_frame;
#else
typedef uint64_t tband_frame;
#endif


/**
 * What is chosen by `tband_filter_state_choose`: the event of id `of`.
 */
#define TBAND_FILTER_EVENT 0

/**
 * As `TBAND_FILTER_EVENT`: the classes whose bits `of` has, `TBAND_CLASS_*`.
 */
#define TBAND_FILTER_CLASSES 1

/**
 * As `TBAND_FILTER_EVENT`: everything.
 */
#define TBAND_FILTER_ALL 2

/**
 * As `TBAND_FILTER_EVENT`, plus a `TBAND_OBJECT_*`: the object of that kind whose number `of` is.
 */
#define TBAND_FILTER_OBJECT 16

/**
 * As `TBAND_FILTER_EVENT`, plus a `TBAND_OBJECT_*`: all objects of that kind.
 */
#define TBAND_FILTER_KIND 32

/**
 * The byte in `of_event` of events that are left out whatever object they are of.
 */
#define TBAND_FILTER_NOTHING 79

/**
 * Whoever changes a filter: the firmware.
 */
#define TBAND_BY_FIRMWARE 0

/**
 * As `TBAND_BY_FIRMWARE`: a command of the host.
 */
#define TBAND_BY_HOST 1

/**
 * Longest frame of an event with one number, in bytes.
 */
#define TBAND_FRAME_LEN_U32 18

/**
 * Longest frame of an event with two numbers, in bytes.
 */
#define TBAND_FRAME_LEN_U32_U32 23

/**
 * Longest frame of an event with a number and a signed value, in bytes.
 */
#define TBAND_FRAME_LEN_U32_S64 28

/**
 * Longest frame of an event with up to five numbers, in bytes.
 */
#define TBAND_FRAME_LEN_NUMBERS 38

/**
 * Flag of `tband_metadata.head`: nothing in the metadata buffers is replaced.
 */
#define TBAND_META_NEW 2048

/**
 * Flag of `tband_metadata.head`: the order to remove what there is of the object of the first number; the
 * second has bit id % 32 for each event of it.
 */
#define TBAND_META_FORGET 4096

/**
 * Flag of `tband_metadata.head`: for the metadata buffers only.
 */
#define TBAND_META_NOT_SENT 8192

/**
 * Flag of `tband_metadata.head`: for the metadata buffers only, in place of what it replaces, if that is there.
 */
#define TBAND_META_UPDATE 24576

/**
 * Flag of `tband_metadata.head`: the event has a string, though it may be empty.
 */
#define TBAND_META_TEXT 32768

/**
 * `tband_metadata.changes` for a buffer that is to be searched.
 */
#define TBAND_META_START 0

/**
 * `tband_packet_setup.policy`: without room for another packet events are counted as discarded.
 */
#define TBAND_POLICY_STREAM 0

/**
 * `tband_packet_setup.policy`: without room for another packet recording stops.
 */
#define TBAND_POLICY_SNAPSHOT 1

/**
 * `tband_packet_setup.policy`: without room for another packet the oldest is overwritten.
 */
#define TBAND_POLICY_POST_MORTEM 2

/**
 * A core's limit, the second of its pointers, is that many bytes in front of what says how far its open packet has come: a pointer to
 * where the next event goes, and the lower half of the time of the last one.
 */
#define TBAND_PACKET_TO_TAIL 12

/**
 * Longest head of an event in a packet: id, and a time of 30 bits.
 */
#define TBAND_PACKET_HEAD_LEN 5

/**
 * An event that comes so many ticks after the one before takes `tband_packet_open_next`.
 */
#define TBAND_PACKET_LONG 4194304

/**
 * Flag beside an event's id and count of numbers, in packets: the last number is a count of kernel ticks.
 */
#define TBAND_LAST_IS_TICKS 4096

/**
 * As `TBAND_LAST_IS_TICKS`: the last number may be missing, and is not.
 */
#define TBAND_LAST_IS_OPTIONAL 8192

/**
 * As `TBAND_LAST_IS_TICKS`: after the numbers one is missing.
 */
#define TBAND_LAST_IS_MISSING 16384

/**
 * Condition of a trigger: an event, whose id is the value.
 */
#define TBAND_TRIGGER_EVENT 0

/**
 * Condition of a trigger: a queue has as many items as the value, or more.
 */
#define TBAND_TRIGGER_QUEUE_FULL 1

/**
 * Condition of a trigger: a task runs more ticks of the timer than the value after it was ready.
 */
#define TBAND_TRIGGER_READY_WAIT 2

/**
 * Condition of a trigger: a task has fewer bytes of stack left than the value.
 */
#define TBAND_TRIGGER_STACK 3

/**
 * Condition of a trigger: a value marker is the value or more.
 */
#define TBAND_TRIGGER_AT_LEAST 4

/**
 * Condition of a trigger: a value marker is the value or less.
 */
#define TBAND_TRIGGER_AT_MOST 5

/**
 * Condition of a trigger: a value marker is the value.
 */
#define TBAND_TRIGGER_EQUAL 6

/**
 * Condition of a trigger: something failed.
 */
#define TBAND_TRIGGER_FAILURE 7

/**
 * Condition of a trigger: the firmware has crashed.
 */
#define TBAND_TRIGGER_CRASH 8

/**
 * The object of a trigger: any.
 */
#define TBAND_TRIGGER_ANY 4294967295

/**
 * What `tband_trigger_state_sees` returns where the recording ends.
 */
#define TBAND_TRIGGER_ENDS 128

/**
 * Added to `from` of `tband_trigger_state_sees`: a recording that ends stops.
 */
#define TBAND_TRIGGER_STOPS 256

/**
 * `value` of `tband_trigger_state_sees` for `task_to_rdy_state`: the kernel lists the task again, which was ready before.
 */
#define TBAND_TRIGGER_RELISTED 1

/**
 * Memory for the recorder's state of one core. All zero before the first use.
 */
typedef struct tband_core_state {
  uint8_t *private_pointers[2];
  uint32_t private_words[6];
} tband_core_state;

/**
 * A metadata event (`TBAND_EVT_META_*`).
 */
typedef struct tband_metadata {
  /**
   * NUL-terminated string, of which no more than `tband_configMAX_STR_LEN` bytes are read; NULL for
   * none, or for an empty one.
   */
  const char *text;
  /**
   * Numbers; there is room for three.
   */
  uint32_t *numbers;
  /**
   * Id of the event, how many numbers it has from bit 8, 1 to 3, flags `TBAND_META_*`, and from bit 16 how many
   * bytes of the string are read at most.
   */
  uint32_t head;
  /**
   * How far a metadata buffer was searched for what the event replaces.
   */
  uint8_t *at;
  /**
   * As `at`; `TBAND_META_START` for a buffer that is to be searched.
   */
  uint32_t changes;
} tband_metadata;

/**
 * Memory for the state of one core's ring of packets. All zero before the first use.
 */
typedef struct tband_ring_state {
  uint8_t *private_pointers[2];
  uint32_t private_words[3];
} tband_ring_state;

/**
 * Memory for the state of who takes packets. All zero before the first use.
 */
typedef struct tband_packet_reader {
  uint32_t private_words[4];
} tband_packet_reader;

/**
 * How much there is in a metadata buffer, for after a reset.
 */
typedef struct tband_table_measure {
  /**
   * Bytes in use.
   */
  uint16_t used;
  /**
   * Metadata events that found it full.
   */
  uint16_t dropped;
  /**
   * How large it should have been; 0 if everything did fit.
   */
  uint16_t needed;
} tband_table_measure;

/**
 * Where the metadata is that belongs to the packets in the rings.
 */
typedef struct tband_kept {
  /**
   * The metadata buffers of all cores.
   */
  uint8_t *tables;
  /**
   * Where the recording is from before a reset: for each core how much there is. Else NULL.
   */
  struct tband_table_measure *measures;
} tband_kept;

/**
 * What the shim passes to the library about packets, as a constant.
 */
typedef struct tband_packet_setup {
  /**
   * Number of cores, 1 to 64.
   */
  uint32_t core_count;
  /**
   * State of each core's ring.
   */
  struct tband_ring_state *rings;
  /**
   * Bytes of a packet (`tband_configPACKET_SIZE`).
   */
  uint32_t packet_size;
  /**
   * Packets: for each core `packet_count` times `packet_size` bytes, aligned to 8 bytes.
   */
  uint8_t *memory;
  /**
   * The last packet of the first core there.
   */
  uint8_t *last_packet;
  /**
   * Packets of a core (`tband_configPACKET_COUNT`).
   */
  uint32_t packet_count;
  /**
   * State of who takes packets, `tband_reader`. NULL with snapshots, where the library's functions that take packets have it, and
   * no other.
   */
  struct tband_packet_reader *reader;
  /**
   * Bytes of the longest event.
   */
  uint32_t max_event_len;
  /**
   * The metadata is sent again after this many packets; 0: on request only (`tband_configPACKET_METADATA_EVERY`).
   */
  uint32_t metadata_every;
  /**
   * What happens when a core has no room for another packet: `TBAND_POLICY_*`.
   */
  uint32_t policy;
  /**
   * What packets begin with: for each core `at_begin_words` words, the number of the task that runs, 0 if there is
   * none, and the complements of the numbers of the interrupts that are open, the outermost first, and then 0. A start
   * empties the interrupts.
   */
  uint32_t *at_begin;
  /**
   * Open interrupts of the class ISR, or NULL: for each core `class_isr_words` words, as those in `at_begin`.
   */
  const uint32_t *class_isrs;
  /**
   * A place for packets of metadata, as long as a packet's header, the longest frame and 64 bytes, and aligned to 4
   * bytes. NULL: they are written where a packet was that was sent.
   */
  uint8_t *metadata_slot;
  /**
   * See `at_begin`.
   */
  uint32_t at_begin_words;
  /**
   * See `class_isrs`.
   */
  uint32_t class_isr_words;
  /**
   * NULL if nothing is kept for after a reset.
   */
  const struct tband_kept *kept;
  /**
   * 1 if `tband_port_packet_closed` is to be called.
   */
  uint32_t hands_out;
  /**
   * 1 if `tband_packet_close` is called before the first event in another turn of the time's lower half.
   */
  uint32_t sees_turns;
  /**
   * Packets that may be closed and not given back: `packet_count`, or with RTT one less.
   */
  uint32_t most_waiting;
} tband_packet_setup;

/**
 * What a core sheds, and how much of it is not said. All zero: nothing.
 */
typedef struct tband_shed_state {
  /**
   * Steps of the order that are taken; 0: nothing is shed.
   */
  uint32_t level;
  uint32_t private_words[26];
} tband_shed_state;

/**
 * In which order classes are shed, and when.
 */
typedef struct tband_shed_order {
  /**
   * The steps: `TBAND_CLASS_*`, joined.
   */
  const uint32_t *steps;
  /**
   * How many there are, 1 to 32.
   */
  uint32_t count;
  /**
   * How full the ring is when the first one is taken, in percent.
   */
  uint32_t from;
  /**
   * Packets that may wait so that one more can be opened.
   */
  uint32_t last;
} tband_shed_order;

/**
 * What is chosen, what is shed beside it, and in which order: a constant of the shim.
 */
typedef struct tband_shedding {
  /**
   * The filter, a `tband_filter_state`, whose bytes and words have what any core sheds too.
   */
  void *filter;
  /**
   * An element for each core.
   */
  struct tband_shed_state *cores;
  /**
   * How many there are.
   */
  uint32_t core_count;
  /**
   * What is shed when.
   */
  struct tband_shed_order order;
} tband_shedding;

/**
 * A command of the host. See `TBAND_COMMAND_...` for kinds.
 */
typedef struct tband_command {
  /**
   * The first of them are given.
   */
  uint32_t arguments[6];
  /**
   * By which the answer names it.
   */
  uint16_t number;
  /**
   * Which one.
   */
  uint8_t kind;
  /**
   * How many arguments are given.
   */
  uint8_t count;
} tband_command;

/**
 * What hooks look at, and what was chosen. All zero: everything is recorded.
 */
typedef struct tband_filter_state {
  /**
   * By the id of an event: 0 if it is recorded, whatever object it is of; else which word from the start of this
   * struct has a bit for its number modulo 32, counted down from the uppermost by rotation.
   */
  uint8_t of_event[256];
  /**
   * Those words.
   */
  uint32_t looks[16];
  uint32_t private_words[31];
} tband_filter_state;

/**
 * A buffer in a control block of RTT, with the layout that debug probes know.
 */
typedef struct tband_rtt_buffer {
  /**
   * Its name.
   */
  const char *name;
  /**
   * Its memory; NULL: there is no such buffer.
   */
  uint8_t *memory;
  /**
   * Bytes of that.
   */
  uint32_t size;
  /**
   * Where the next byte goes.
   */
  uint32_t write;
  /**
   * Up to where it was read.
   */
  uint32_t read;
  /**
   * What the firmware does when it is full; 0: it does not wait.
   */
  uint32_t flags;
} tband_rtt_buffer;

/**
 * What hooks look at, and what was set. All zero: no trigger is armed.
 */
typedef struct tband_trigger_state {
  /**
   * By the id of an event: 0 if no trigger looks at it.
   */
  uint8_t watched[256];
  uint32_t private_words[68];
} tband_trigger_state;

/**
 * What the shim passes to the library about the user's configuration, as a constant whose name is made of
 * `tband_shim_for_library_abi_`, a number and the CPU's architecture. The number rises whenever this struct or
 * a function of the library changes, so that a shim and a library that do not belong together do not link.
 */
typedef struct tband_setup {
  /**
   * State of each core: `core_count` elements.
   */
  struct tband_core_state *cores;
  /**
   * Number of cores, 1 to 255 (`tband_portNUMBER_OF_CORES`).
   */
  uint32_t core_count;
  /**
   * Longest recorded string in bytes (`tband_configMAX_STR_LEN`).
   */
  uint32_t max_str_len;
  /**
   * Events between drop counter events; 0 turns them off (`tband_configTRACE_DROP_CNT_EVERY`).
   */
  uint32_t drop_cnt_every;
  /**
   * Bytes of each metadata buffer, at most 65535; 0 turns it off (`tband_configMETADATA_BUF_SIZE`).
   */
  uint32_t metadata_buf_size;
  /**
   * Metadata buffers: `core_count` times `metadata_buf_size` bytes.
   */
  uint8_t *metadata_bufs;
  /**
   * Snapshot buffers: `core_count` times `snapshot_buf_size` bytes. In other backends the buffers in which
   * frames are built: `core_count` times `frame_buf_size` bytes.
   */
  uint8_t *event_bufs;
  /**
   * Bytes of each snapshot buffer (`tband_configBACKEND_SNAPSHOT_BUF_SIZE`); 0 in other backends.
   */
  uint32_t snapshot_buf_size;
  /**
   * Bytes of the longest frame and of each frame buffer, `TBAND_FRAME_BUF_SIZE(max_str_len)`.
   */
  uint32_t frame_buf_size;
  /**
   * NUL-terminated name of the firmware build (`tband_configBUILD_ID`), or null.
   */
  const char *build_id;
  /**
   * Fields of the `trace_info` event: `TBAND_FORMAT_VERSION`, number of cores, flags (bit 0: kernel
   * events of FreeRTOS are recorded), kernel version as major * 10000 + minor * 100 + patch, kernel
   * ticks per second.
   */
  uint32_t trace_info[5];
  /**
   * How many of them are sent: 5, 3 without a kernel, 0 for none (`tband_configTRACE_INFO_ENABLE`).
   */
  uint32_t trace_info_count;
  /**
   * For debuggers: the timer's frequency in Hz and its divisor, or null if recordings do not begin with it. Both are 0
   * until the first start if the frequency is known at run time only.
   */
  const uint32_t *frequency;
  /**
   * NUL-terminated identity of the program, 12 characters that the link of the firmware defines
   * (`cmake/TbandIdentity.cmake`); empty or null if it does not.
   */
  const char *program;
} tband_setup;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Counts a timed event of the backend and opens its frame with id and timestamp; one
 * `tband_*_close_*` follows, in the same critical section. `ts` in ticks; `head` is the event's id and,
 * from bit 8, the length of its longest frame, `TBAND_FRAME_LEN_*`.
 * Inside the critical section of `core`, any task or interrupt.
 *
 * The caller vouches for this:
 * `core` points into `tband_setup.cores`.
 */
tband_frame tband_streaming_open(uint32_t head,
                                 struct tband_core_state *core,
                                 uint64_t ts);

/**
 * Writes the fields of an event with one number (`TBAND_EVT_U32_*`) and disposes of its frame; nothing to
 * do if there is none.
 *
 * The caller vouches for this:
 * `frame` comes from `tband_*_open` for the same core, which was given the length with these fields.
 */
void tband_streaming_close_u32(tband_frame frame,
                               struct tband_core_state *core,
                               uint32_t first);

/**
 * As `tband_*_close_u32`, with two numbers (`TBAND_EVT_U32_U32_*`).
 *
 * The caller vouches for this:
 * As `tband_*_close_u32`.
 */
void tband_streaming_close_u32_u32(tband_frame frame,
                                   struct tband_core_state *core,
                                   uint32_t first,
                                   uint32_t second);

/**
 * As `tband_*_close_u32`, with a number and a signed value (`TBAND_EVT_U32_S64_*`).
 *
 * The caller vouches for this:
 * As `tband_*_close_u32`.
 */
void tband_streaming_close_u32_s64(tband_frame frame,
                                   int64_t value,
                                   uint32_t first,
                                   struct tband_core_state *core);

/**
 * As `tband_*_close_u32`, with a number and a string (`TBAND_EVT_U32_STR_*`). `text` may be NULL, which
 * is an empty string; no more than `tband_configMAX_STR_LEN` bytes of it are read.
 *
 * The caller vouches for this:
 * As `tband_*_close_u32`; `text` is readable to its NUL or for `tband_configMAX_STR_LEN` bytes.
 */
void tband_streaming_close_u32_str(tband_frame frame,
                                   struct tband_core_state *core,
                                   uint32_t first,
                                   const char *text);

/**
 * As `tband_*_close_u32`, with up to five numbers (`TBAND_EVT_*` of three `U32` and more).
 *
 * The caller vouches for this:
 * As `tband_*_close_u32`; `count`, at most 5, numbers are at `numbers`.
 */
void tband_streaming_close_numbers(tband_frame frame,
                                   struct tband_core_state *core,
                                   const uint32_t *numbers,
                                   uint32_t count);

/**
 * For recordings that are as Tonbandgeraet's: whether a metadata event goes through the backend now.
 * Counts it, and sends the drop counter that may be due. `tband_*_send_metadata` follows then, in the same
 * critical section.
 *
 * The caller vouches for this:
 * As `tband_*_open`.
 */
bool tband_streaming_may_send_metadata(struct tband_core_state *core,
                                       uint64_t ts);

/**
 * Sends a metadata event, if recording is on. `ts` is for a `core_id` that may go before it where several cores
 * share a stream.
 *
 * The caller vouches for this:
 * As `tband_metadata_keep`.
 */
void tband_streaming_send_metadata(struct tband_core_state *core,
                                   const struct tband_metadata *event,
                                   uint64_t ts);

/**
 * Counts a timed event of the backend and opens its frame with id and timestamp; one
 * `tband_*_close_*` follows, in the same critical section. `ts` in ticks; `head` is the event's id and,
 * from bit 8, the length of its longest frame, `TBAND_FRAME_LEN_*`.
 * Inside the critical section of `core`, any task or interrupt.
 *
 * The caller vouches for this:
 * `core` points into `tband_setup.cores`.
 */
tband_frame tband_snapshot_open(uint32_t head,
                                struct tband_core_state *core,
                                uint64_t ts);

/**
 * Writes the fields of an event with one number (`TBAND_EVT_U32_*`) and disposes of its frame; nothing to
 * do if there is none.
 *
 * The caller vouches for this:
 * `frame` comes from `tband_*_open` for the same core, which was given the length with these fields.
 */
void tband_snapshot_close_u32(tband_frame frame,
                              struct tband_core_state *core,
                              uint32_t first);

/**
 * As `tband_*_close_u32`, with two numbers (`TBAND_EVT_U32_U32_*`).
 *
 * The caller vouches for this:
 * As `tband_*_close_u32`.
 */
void tband_snapshot_close_u32_u32(tband_frame frame,
                                  struct tband_core_state *core,
                                  uint32_t first,
                                  uint32_t second);

/**
 * As `tband_*_close_u32`, with a number and a signed value (`TBAND_EVT_U32_S64_*`).
 *
 * The caller vouches for this:
 * As `tband_*_close_u32`.
 */
void tband_snapshot_close_u32_s64(tband_frame frame,
                                  int64_t value,
                                  uint32_t first,
                                  struct tband_core_state *core);

/**
 * As `tband_*_close_u32`, with a number and a string (`TBAND_EVT_U32_STR_*`). `text` may be NULL, which
 * is an empty string; no more than `tband_configMAX_STR_LEN` bytes of it are read.
 *
 * The caller vouches for this:
 * As `tband_*_close_u32`; `text` is readable to its NUL or for `tband_configMAX_STR_LEN` bytes.
 */
void tband_snapshot_close_u32_str(tband_frame frame,
                                  struct tband_core_state *core,
                                  uint32_t first,
                                  const char *text);

/**
 * As `tband_*_close_u32`, with up to five numbers (`TBAND_EVT_*` of three `U32` and more).
 *
 * The caller vouches for this:
 * As `tband_*_close_u32`; `count`, at most 5, numbers are at `numbers`.
 */
void tband_snapshot_close_numbers(tband_frame frame,
                                  struct tband_core_state *core,
                                  const uint32_t *numbers,
                                  uint32_t count);

/**
 * For recordings that are as Tonbandgeraet's: whether a metadata event goes through the backend now.
 * Counts it, and sends the drop counter that may be due. `tband_*_send_metadata` follows then, in the same
 * critical section.
 *
 * The caller vouches for this:
 * As `tband_*_open`.
 */
bool tband_snapshot_may_send_metadata(struct tband_core_state *core,
                                      uint64_t ts);

/**
 * Sends a metadata event, if recording is on. `ts` is for a `core_id` that may go before it where several cores
 * share a stream.
 *
 * The caller vouches for this:
 * As `tband_metadata_keep`.
 */
void tband_snapshot_send_metadata(struct tband_core_state *core,
                                  const struct tband_metadata *event,
                                  uint64_t ts);

/**
 * Counts a timed event of the backend and opens its frame with id and timestamp; one
 * `tband_*_close_*` follows, in the same critical section. `ts` in ticks; `head` is the event's id and,
 * from bit 8, the length of its longest frame, `TBAND_FRAME_LEN_*`.
 * Inside the critical section of `core`, any task or interrupt.
 *
 * The caller vouches for this:
 * `core` points into `tband_setup.cores`.
 */
tband_frame tband_external_open(uint32_t head,
                                struct tband_core_state *core,
                                uint64_t ts);

/**
 * Writes the fields of an event with one number (`TBAND_EVT_U32_*`) and disposes of its frame; nothing to
 * do if there is none.
 *
 * The caller vouches for this:
 * `frame` comes from `tband_*_open` for the same core, which was given the length with these fields.
 */
void tband_external_close_u32(tband_frame frame,
                              struct tband_core_state *core,
                              uint32_t first);

/**
 * As `tband_*_close_u32`, with two numbers (`TBAND_EVT_U32_U32_*`).
 *
 * The caller vouches for this:
 * As `tband_*_close_u32`.
 */
void tband_external_close_u32_u32(tband_frame frame,
                                  struct tband_core_state *core,
                                  uint32_t first,
                                  uint32_t second);

/**
 * As `tband_*_close_u32`, with a number and a signed value (`TBAND_EVT_U32_S64_*`).
 *
 * The caller vouches for this:
 * As `tband_*_close_u32`.
 */
void tband_external_close_u32_s64(tband_frame frame,
                                  int64_t value,
                                  uint32_t first,
                                  struct tband_core_state *core);

/**
 * As `tband_*_close_u32`, with a number and a string (`TBAND_EVT_U32_STR_*`). `text` may be NULL, which
 * is an empty string; no more than `tband_configMAX_STR_LEN` bytes of it are read.
 *
 * The caller vouches for this:
 * As `tband_*_close_u32`; `text` is readable to its NUL or for `tband_configMAX_STR_LEN` bytes.
 */
void tband_external_close_u32_str(tband_frame frame,
                                  struct tband_core_state *core,
                                  uint32_t first,
                                  const char *text);

/**
 * As `tband_*_close_u32`, with up to five numbers (`TBAND_EVT_*` of three `U32` and more).
 *
 * The caller vouches for this:
 * As `tband_*_close_u32`; `count`, at most 5, numbers are at `numbers`.
 */
void tband_external_close_numbers(tband_frame frame,
                                  struct tband_core_state *core,
                                  const uint32_t *numbers,
                                  uint32_t count);

/**
 * For recordings that are as Tonbandgeraet's: whether a metadata event goes through the backend now.
 * Counts it, and sends the drop counter that may be due. `tband_*_send_metadata` follows then, in the same
 * critical section.
 *
 * The caller vouches for this:
 * As `tband_*_open`.
 */
bool tband_external_may_send_metadata(struct tband_core_state *core,
                                      uint64_t ts);

/**
 * Sends a metadata event, if recording is on. `ts` is for a `core_id` that may go before it where several cores
 * share a stream.
 *
 * The caller vouches for this:
 * As `tband_metadata_keep`.
 */
void tband_external_send_metadata(struct tband_core_state *core,
                                  const struct tband_metadata *event,
                                  uint64_t ts);

/**
 * Makes room for an event that does not fit into the open packet of `core`, or comes long after the one before it:
 * opens another packet, or has the event write a long time. Not NULL: try again; NULL: it is not recorded, since
 * recording is off, or there is no room. `begin` is its time in ticks, all of it. Inside the critical section of `core`,
 * any task or interrupt.
 *
 * The caller vouches for this:
 * `core` points into `tband_setup.cores`, and `setup` is `tband_shim_packets`.
 */
uint8_t *tband_packet_open_next_cores(struct tband_core_state *core,
                                      const struct tband_packet_setup *setup,
                                      uint64_t begin);

/**
 * As `tband_core_refuse`, with packets.
 *
 * The caller vouches for this:
 * As `tband_core_refuse`.
 */
void tband_packet_refuse_cores(struct tband_core_state *core, bool is_metadata);

/**
 * Counts so many events of `core` as lost: they were left out, and no packet says so. Inside the critical section of
 * `core`.
 *
 * The caller vouches for this:
 * `core` points into `tband_setup.cores`.
 */
void tband_packet_discard_cores(struct tband_core_state *core,
                                uint32_t events);

/**
 * A packet of `core` was opened: takes steps of the order of shedding, or takes them back, as its packets wait, and hooks
 * follow. Inside the critical section of `core`; recording is on.
 *
 * The caller vouches for this:
 * `core` points into `tband_setup.cores`; `of` is the shim's.
 */
void tband_packet_shed_turn_cores(struct tband_core_state *core,
                                  const struct tband_shedding *of);

/**
 * `tband_packet_shed_turn` would take a step back if the open packet was closed now. Context as of there.
 *
 * The caller vouches for this:
 * As `tband_packet_shed_turn`.
 */
bool tband_packet_shed_may_turn_back_cores(struct tband_core_state *core,
                                           const struct tband_shedding *of);

/**
 * Closes the open packet of `core`, and of no other core, at time `now`. Inside the critical section of `core`.
 *
 * The caller vouches for this:
 * `core` points into `tband_setup.cores`.
 */
void tband_packet_close_own_cores(struct tband_core_state *core,
                                  uint64_t now);

/**
 * As `tband_filter_state_apply`, with what cores shed.
 *
 * The caller vouches for this:
 * `of` is the shim's.
 */
void tband_packet_shed_apply_cores(const struct tband_shedding *of);

/**
 * With several cores: counts of what was shed are to be written, as `tband_packet_is_due` has it of other things. The one
 * reader.
 *
 * The caller vouches for this:
 * `of` is the shim's.
 */
bool tband_packet_shed_is_due_cores(const struct tband_shedding *of);

/**
 * Writes them. The one reader, inside the critical section.
 *
 * The caller vouches for this:
 * `of` is the shim's.
 */
void tband_packet_write_shed_cores(const struct tband_shedding *of);

/**
 * Starts recording into the rings, after what they hold. Returns 0, or -1 if it is on or a core is still inside an
 * event. Inside the critical section.
 */
int32_t tband_packet_start_cores(void);

/**
 * As `tband_packet_start`, with several cores: what was shed before it is said or counted, and nothing is shed.
 *
 * The caller vouches for this:
 * `of` is the shim's.
 */
int32_t tband_packet_start_shedding_cores(const struct tband_shedding *of);

/**
 * Stops recording. Returns 0, or -1 if it was not on. Inside the critical section.
 */
int32_t tband_packet_stop_cores(void);

/**
 * Empties the rings. Returns 0, or -1 while recording is on or a core is inside an event. Inside the critical section;
 * nobody is taking packets.
 */
int32_t tband_packet_clear_cores(void);

/**
 * Closes the open packet of `core` if it is more than `age` ticks old; 0: in any case. `now` is the time in ticks; that of
 * the packet's last event if it is before that. Inside the critical section of `core`.
 *
 * The caller vouches for this:
 * `core` points into `tband_setup.cores`.
 */
void tband_packet_close_cores(struct tband_core_state *core,
                              uint32_t age,
                              uint64_t now);

/**
 * Finds the packets that a recording before a reset has left, so that they are taken as those of one that was stopped.
 * Returns whether there are any. Nothing was recorded since the reset; whoever starts recordings. Some 30 instructions a
 * packet, and 10 a byte of the metadata.
 */
bool tband_packet_recover_cores(void);

/**
 * Writes down how much there is in the metadata buffer of a core. Inside the critical section, and the lock.
 *
 * The caller vouches for this:
 * `core_id` is below the number of cores; `measure` is written to.
 */
void tband_packet_measure_cores(uint32_t core_id,
                                struct tband_table_measure *measure);

/**
 * Recording stops when a core has closed as many more packets; 0: at once. Inside the critical section.
 */
void tband_packet_freeze_after_cores(uint16_t packets);

/**
 * Bytes of the packets that can be taken now, without metadata. Recording is off.
 */
size_t tband_packet_amount_cores(void);

/**
 * Whether `tband_packet_write_due` has something to write, before which `tband_packet_next` gives nothing. The one reader.
 */
bool tband_packet_is_due_cores(void);

/**
 * Writes the next packet of metadata, or what ends a recording that was stopped, for `tband_packet_next`. The one reader,
 * inside the critical section; some twelve instructions a byte of metadata.
 */
void tband_packet_write_due_cores(void);

/**
 * The next packet, with its check, and how long it is; NULL if there is none. The one reader.
 *
 * The caller vouches for this:
 * `len` is written to.
 */
const uint8_t *tband_packet_next_cores(size_t *len);

/**
 * Gives the packet back that `tband_packet_next` gave. The one reader.
 */
void tband_packet_give_back_cores(void);

/**
 * Copies the next bytes of a packet that `tband_packet_next` gave to `to`, at most `len`, and returns how many there
 * were; after the last one gives it back. The one reader.
 *
 * The caller vouches for this:
 * There is room for `len` bytes.
 */
size_t tband_packet_read_cores(uint8_t *to,
                               size_t len,
                               const uint8_t *packet,
                               size_t packet_len);

/**
 * Asks for the metadata to be sent again, with the next packets that are taken. Any context.
 */
void tband_packet_request_metadata_cores(void);

/**
 * Memory of a core's packets: NULL for cores that do not exist. Any context.
 */
const uint8_t *tband_packet_memory_cores(unsigned int core_id);

/**
 * Bytes of a core's packets that are closed; 0 until the core has finished. Any context.
 */
size_t tband_packet_memory_amount_cores(unsigned int core_id);

/**
 * Makes room for an event that does not fit into the open packet of `core`, or comes long after the one before it:
 * opens another packet, or has the event write a long time. Not NULL: try again; NULL: it is not recorded, since
 * recording is off, or there is no room. `begin` is its time in ticks, all of it. Inside the critical section of `core`,
 * any task or interrupt.
 *
 * The caller vouches for this:
 * `core` points into `tband_setup.cores`, and `setup` is `tband_shim_packets`.
 */
uint8_t *tband_packet_open_next_one_post_mortem(struct tband_core_state *core,
                                                const struct tband_packet_setup *setup,
                                                uint64_t begin);

/**
 * As `tband_core_refuse`, with packets.
 *
 * The caller vouches for this:
 * As `tband_core_refuse`.
 */
void tband_packet_refuse_one_post_mortem(struct tband_core_state *core, bool is_metadata);

/**
 * Counts so many events of `core` as lost: they were left out, and no packet says so. Inside the critical section of
 * `core`.
 *
 * The caller vouches for this:
 * `core` points into `tband_setup.cores`.
 */
void tband_packet_discard_one_post_mortem(struct tband_core_state *core,
                                          uint32_t events);

/**
 * A packet of `core` was opened: takes steps of the order of shedding, or takes them back, as its packets wait, and hooks
 * follow. Inside the critical section of `core`; recording is on.
 *
 * The caller vouches for this:
 * `core` points into `tband_setup.cores`; `of` is the shim's.
 */
void tband_packet_shed_turn_one_post_mortem(struct tband_core_state *core,
                                            const struct tband_shedding *of);

/**
 * `tband_packet_shed_turn` would take a step back if the open packet was closed now. Context as of there.
 *
 * The caller vouches for this:
 * As `tband_packet_shed_turn`.
 */
bool tband_packet_shed_may_turn_back_one_post_mortem(struct tband_core_state *core,
                                                     const struct tband_shedding *of);

/**
 * Closes the open packet of `core`, and of no other core, at time `now`. Inside the critical section of `core`.
 *
 * The caller vouches for this:
 * `core` points into `tband_setup.cores`.
 */
void tband_packet_close_own_one_post_mortem(struct tband_core_state *core,
                                            uint64_t now);

/**
 * As `tband_filter_state_apply`, with what cores shed.
 *
 * The caller vouches for this:
 * `of` is the shim's.
 */
void tband_packet_shed_apply_one_post_mortem(const struct tband_shedding *of);

/**
 * With several cores: counts of what was shed are to be written, as `tband_packet_is_due` has it of other things. The one
 * reader.
 *
 * The caller vouches for this:
 * `of` is the shim's.
 */
bool tband_packet_shed_is_due_one_post_mortem(const struct tband_shedding *of);

/**
 * Writes them. The one reader, inside the critical section.
 *
 * The caller vouches for this:
 * `of` is the shim's.
 */
void tband_packet_write_shed_one_post_mortem(const struct tband_shedding *of);

/**
 * Starts recording into the rings, after what they hold. Returns 0, or -1 if it is on or a core is still inside an
 * event. Inside the critical section.
 */
int32_t tband_packet_start_one_post_mortem(void);

/**
 * As `tband_packet_start`, with several cores: what was shed before it is said or counted, and nothing is shed.
 *
 * The caller vouches for this:
 * `of` is the shim's.
 */
int32_t tband_packet_start_shedding_one_post_mortem(const struct tband_shedding *of);

/**
 * Stops recording. Returns 0, or -1 if it was not on. Inside the critical section.
 */
int32_t tband_packet_stop_one_post_mortem(void);

/**
 * Empties the rings. Returns 0, or -1 while recording is on or a core is inside an event. Inside the critical section;
 * nobody is taking packets.
 */
int32_t tband_packet_clear_one_post_mortem(void);

/**
 * Closes the open packet of `core` if it is more than `age` ticks old; 0: in any case. `now` is the time in ticks; that of
 * the packet's last event if it is before that. Inside the critical section of `core`.
 *
 * The caller vouches for this:
 * `core` points into `tband_setup.cores`.
 */
void tband_packet_close_one_post_mortem(struct tband_core_state *core,
                                        uint32_t age,
                                        uint64_t now);

/**
 * Finds the packets that a recording before a reset has left, so that they are taken as those of one that was stopped.
 * Returns whether there are any. Nothing was recorded since the reset; whoever starts recordings. Some 30 instructions a
 * packet, and 10 a byte of the metadata.
 */
bool tband_packet_recover_one_post_mortem(void);

/**
 * Writes down how much there is in the metadata buffer of a core. Inside the critical section, and the lock.
 *
 * The caller vouches for this:
 * `core_id` is below the number of cores; `measure` is written to.
 */
void tband_packet_measure_one_post_mortem(uint32_t core_id,
                                          struct tband_table_measure *measure);

/**
 * Recording stops when a core has closed as many more packets; 0: at once. Inside the critical section.
 */
void tband_packet_freeze_after_one_post_mortem(uint16_t packets);

/**
 * Bytes of the packets that can be taken now, without metadata. Recording is off.
 */
size_t tband_packet_amount_one_post_mortem(void);

/**
 * Whether `tband_packet_write_due` has something to write, before which `tband_packet_next` gives nothing. The one reader.
 */
bool tband_packet_is_due_one_post_mortem(void);

/**
 * Writes the next packet of metadata, or what ends a recording that was stopped, for `tband_packet_next`. The one reader,
 * inside the critical section; some twelve instructions a byte of metadata.
 */
void tband_packet_write_due_one_post_mortem(void);

/**
 * The next packet, with its check, and how long it is; NULL if there is none. The one reader.
 *
 * The caller vouches for this:
 * `len` is written to.
 */
const uint8_t *tband_packet_next_one_post_mortem(size_t *len);

/**
 * Gives the packet back that `tband_packet_next` gave. The one reader.
 */
void tband_packet_give_back_one_post_mortem(void);

/**
 * Copies the next bytes of a packet that `tband_packet_next` gave to `to`, at most `len`, and returns how many there
 * were; after the last one gives it back. The one reader.
 *
 * The caller vouches for this:
 * There is room for `len` bytes.
 */
size_t tband_packet_read_one_post_mortem(uint8_t *to,
                                         size_t len,
                                         const uint8_t *packet,
                                         size_t packet_len);

/**
 * Asks for the metadata to be sent again, with the next packets that are taken. Any context.
 */
void tband_packet_request_metadata_one_post_mortem(void);

/**
 * Memory of a core's packets: NULL for cores that do not exist. Any context.
 */
const uint8_t *tband_packet_memory_one_post_mortem(unsigned int core_id);

/**
 * Bytes of a core's packets that are closed; 0 until the core has finished. Any context.
 */
size_t tband_packet_memory_amount_one_post_mortem(unsigned int core_id);

/**
 * Makes room for an event that does not fit into the open packet of `core`, or comes long after the one before it:
 * opens another packet, or has the event write a long time. Not NULL: try again; NULL: it is not recorded, since
 * recording is off, or there is no room. `begin` is its time in ticks, all of it. Inside the critical section of `core`,
 * any task or interrupt.
 *
 * The caller vouches for this:
 * `core` points into `tband_setup.cores`, and `setup` is `tband_shim_packets`.
 */
uint8_t *tband_packet_open_next_one_snapshot(struct tband_core_state *core,
                                             const struct tband_packet_setup *setup,
                                             uint64_t begin);

/**
 * As `tband_core_refuse`, with packets.
 *
 * The caller vouches for this:
 * As `tband_core_refuse`.
 */
void tband_packet_refuse_one_snapshot(struct tband_core_state *core, bool is_metadata);

/**
 * Counts so many events of `core` as lost: they were left out, and no packet says so. Inside the critical section of
 * `core`.
 *
 * The caller vouches for this:
 * `core` points into `tband_setup.cores`.
 */
void tband_packet_discard_one_snapshot(struct tband_core_state *core,
                                       uint32_t events);

/**
 * A packet of `core` was opened: takes steps of the order of shedding, or takes them back, as its packets wait, and hooks
 * follow. Inside the critical section of `core`; recording is on.
 *
 * The caller vouches for this:
 * `core` points into `tband_setup.cores`; `of` is the shim's.
 */
void tband_packet_shed_turn_one_snapshot(struct tband_core_state *core,
                                         const struct tband_shedding *of);

/**
 * `tband_packet_shed_turn` would take a step back if the open packet was closed now. Context as of there.
 *
 * The caller vouches for this:
 * As `tband_packet_shed_turn`.
 */
bool tband_packet_shed_may_turn_back_one_snapshot(struct tband_core_state *core,
                                                  const struct tband_shedding *of);

/**
 * Closes the open packet of `core`, and of no other core, at time `now`. Inside the critical section of `core`.
 *
 * The caller vouches for this:
 * `core` points into `tband_setup.cores`.
 */
void tband_packet_close_own_one_snapshot(struct tband_core_state *core,
                                         uint64_t now);

/**
 * As `tband_filter_state_apply`, with what cores shed.
 *
 * The caller vouches for this:
 * `of` is the shim's.
 */
void tband_packet_shed_apply_one_snapshot(const struct tband_shedding *of);

/**
 * With several cores: counts of what was shed are to be written, as `tband_packet_is_due` has it of other things. The one
 * reader.
 *
 * The caller vouches for this:
 * `of` is the shim's.
 */
bool tband_packet_shed_is_due_one_snapshot(const struct tband_shedding *of);

/**
 * Writes them. The one reader, inside the critical section.
 *
 * The caller vouches for this:
 * `of` is the shim's.
 */
void tband_packet_write_shed_one_snapshot(const struct tband_shedding *of);

/**
 * Starts recording into the rings, after what they hold. Returns 0, or -1 if it is on or a core is still inside an
 * event. Inside the critical section.
 */
int32_t tband_packet_start_one_snapshot(void);

/**
 * As `tband_packet_start`, with several cores: what was shed before it is said or counted, and nothing is shed.
 *
 * The caller vouches for this:
 * `of` is the shim's.
 */
int32_t tband_packet_start_shedding_one_snapshot(const struct tband_shedding *of);

/**
 * Stops recording. Returns 0, or -1 if it was not on. Inside the critical section.
 */
int32_t tband_packet_stop_one_snapshot(void);

/**
 * Empties the rings. Returns 0, or -1 while recording is on or a core is inside an event. Inside the critical section;
 * nobody is taking packets.
 */
int32_t tband_packet_clear_one_snapshot(void);

/**
 * Closes the open packet of `core` if it is more than `age` ticks old; 0: in any case. `now` is the time in ticks; that of
 * the packet's last event if it is before that. Inside the critical section of `core`.
 *
 * The caller vouches for this:
 * `core` points into `tband_setup.cores`.
 */
void tband_packet_close_one_snapshot(struct tband_core_state *core,
                                     uint32_t age,
                                     uint64_t now);

/**
 * Finds the packets that a recording before a reset has left, so that they are taken as those of one that was stopped.
 * Returns whether there are any. Nothing was recorded since the reset; whoever starts recordings. Some 30 instructions a
 * packet, and 10 a byte of the metadata.
 */
bool tband_packet_recover_one_snapshot(void);

/**
 * Writes down how much there is in the metadata buffer of a core. Inside the critical section, and the lock.
 *
 * The caller vouches for this:
 * `core_id` is below the number of cores; `measure` is written to.
 */
void tband_packet_measure_one_snapshot(uint32_t core_id,
                                       struct tband_table_measure *measure);

/**
 * Recording stops when a core has closed as many more packets; 0: at once. Inside the critical section.
 */
void tband_packet_freeze_after_one_snapshot(uint16_t packets);

/**
 * Bytes of the packets that can be taken now, without metadata. Recording is off.
 */
size_t tband_packet_amount_one_snapshot(void);

/**
 * Whether `tband_packet_write_due` has something to write, before which `tband_packet_next` gives nothing. The one reader.
 */
bool tband_packet_is_due_one_snapshot(void);

/**
 * Writes the next packet of metadata, or what ends a recording that was stopped, for `tband_packet_next`. The one reader,
 * inside the critical section; some twelve instructions a byte of metadata.
 */
void tband_packet_write_due_one_snapshot(void);

/**
 * The next packet, with its check, and how long it is; NULL if there is none. The one reader.
 *
 * The caller vouches for this:
 * `len` is written to.
 */
const uint8_t *tband_packet_next_one_snapshot(size_t *len);

/**
 * Gives the packet back that `tband_packet_next` gave. The one reader.
 */
void tband_packet_give_back_one_snapshot(void);

/**
 * Copies the next bytes of a packet that `tband_packet_next` gave to `to`, at most `len`, and returns how many there
 * were; after the last one gives it back. The one reader.
 *
 * The caller vouches for this:
 * There is room for `len` bytes.
 */
size_t tband_packet_read_one_snapshot(uint8_t *to,
                                      size_t len,
                                      const uint8_t *packet,
                                      size_t packet_len);

/**
 * Asks for the metadata to be sent again, with the next packets that are taken. Any context.
 */
void tband_packet_request_metadata_one_snapshot(void);

/**
 * Memory of a core's packets: NULL for cores that do not exist. Any context.
 */
const uint8_t *tband_packet_memory_one_snapshot(unsigned int core_id);

/**
 * Bytes of a core's packets that are closed; 0 until the core has finished. Any context.
 */
size_t tband_packet_memory_amount_one_snapshot(unsigned int core_id);

/**
 * Makes room for an event that does not fit into the open packet of `core`, or comes long after the one before it:
 * opens another packet, or has the event write a long time. Not NULL: try again; NULL: it is not recorded, since
 * recording is off, or there is no room. `begin` is its time in ticks, all of it. Inside the critical section of `core`,
 * any task or interrupt.
 *
 * The caller vouches for this:
 * `core` points into `tband_setup.cores`, and `setup` is `tband_shim_packets`.
 */
uint8_t *tband_packet_open_next_one_stream(struct tband_core_state *core,
                                           const struct tband_packet_setup *setup,
                                           uint64_t begin);

/**
 * As `tband_core_refuse`, with packets.
 *
 * The caller vouches for this:
 * As `tband_core_refuse`.
 */
void tband_packet_refuse_one_stream(struct tband_core_state *core, bool is_metadata);

/**
 * Counts so many events of `core` as lost: they were left out, and no packet says so. Inside the critical section of
 * `core`.
 *
 * The caller vouches for this:
 * `core` points into `tband_setup.cores`.
 */
void tband_packet_discard_one_stream(struct tband_core_state *core,
                                     uint32_t events);

/**
 * A packet of `core` was opened: takes steps of the order of shedding, or takes them back, as its packets wait, and hooks
 * follow. Inside the critical section of `core`; recording is on.
 *
 * The caller vouches for this:
 * `core` points into `tband_setup.cores`; `of` is the shim's.
 */
void tband_packet_shed_turn_one_stream(struct tband_core_state *core,
                                       const struct tband_shedding *of);

/**
 * `tband_packet_shed_turn` would take a step back if the open packet was closed now. Context as of there.
 *
 * The caller vouches for this:
 * As `tband_packet_shed_turn`.
 */
bool tband_packet_shed_may_turn_back_one_stream(struct tband_core_state *core,
                                                const struct tband_shedding *of);

/**
 * Closes the open packet of `core`, and of no other core, at time `now`. Inside the critical section of `core`.
 *
 * The caller vouches for this:
 * `core` points into `tband_setup.cores`.
 */
void tband_packet_close_own_one_stream(struct tband_core_state *core,
                                       uint64_t now);

/**
 * As `tband_filter_state_apply`, with what cores shed.
 *
 * The caller vouches for this:
 * `of` is the shim's.
 */
void tband_packet_shed_apply_one_stream(const struct tband_shedding *of);

/**
 * With several cores: counts of what was shed are to be written, as `tband_packet_is_due` has it of other things. The one
 * reader.
 *
 * The caller vouches for this:
 * `of` is the shim's.
 */
bool tband_packet_shed_is_due_one_stream(const struct tband_shedding *of);

/**
 * Writes them. The one reader, inside the critical section.
 *
 * The caller vouches for this:
 * `of` is the shim's.
 */
void tband_packet_write_shed_one_stream(const struct tband_shedding *of);

/**
 * Starts recording into the rings, after what they hold. Returns 0, or -1 if it is on or a core is still inside an
 * event. Inside the critical section.
 */
int32_t tband_packet_start_one_stream(void);

/**
 * As `tband_packet_start`, with several cores: what was shed before it is said or counted, and nothing is shed.
 *
 * The caller vouches for this:
 * `of` is the shim's.
 */
int32_t tband_packet_start_shedding_one_stream(const struct tband_shedding *of);

/**
 * Stops recording. Returns 0, or -1 if it was not on. Inside the critical section.
 */
int32_t tband_packet_stop_one_stream(void);

/**
 * Empties the rings. Returns 0, or -1 while recording is on or a core is inside an event. Inside the critical section;
 * nobody is taking packets.
 */
int32_t tband_packet_clear_one_stream(void);

/**
 * Closes the open packet of `core` if it is more than `age` ticks old; 0: in any case. `now` is the time in ticks; that of
 * the packet's last event if it is before that. Inside the critical section of `core`.
 *
 * The caller vouches for this:
 * `core` points into `tband_setup.cores`.
 */
void tband_packet_close_one_stream(struct tband_core_state *core,
                                   uint32_t age,
                                   uint64_t now);

/**
 * Finds the packets that a recording before a reset has left, so that they are taken as those of one that was stopped.
 * Returns whether there are any. Nothing was recorded since the reset; whoever starts recordings. Some 30 instructions a
 * packet, and 10 a byte of the metadata.
 */
bool tband_packet_recover_one_stream(void);

/**
 * Writes down how much there is in the metadata buffer of a core. Inside the critical section, and the lock.
 *
 * The caller vouches for this:
 * `core_id` is below the number of cores; `measure` is written to.
 */
void tband_packet_measure_one_stream(uint32_t core_id,
                                     struct tband_table_measure *measure);

/**
 * Recording stops when a core has closed as many more packets; 0: at once. Inside the critical section.
 */
void tband_packet_freeze_after_one_stream(uint16_t packets);

/**
 * Bytes of the packets that can be taken now, without metadata. Recording is off.
 */
size_t tband_packet_amount_one_stream(void);

/**
 * Whether `tband_packet_write_due` has something to write, before which `tband_packet_next` gives nothing. The one reader.
 */
bool tband_packet_is_due_one_stream(void);

/**
 * Writes the next packet of metadata, or what ends a recording that was stopped, for `tband_packet_next`. The one reader,
 * inside the critical section; some twelve instructions a byte of metadata.
 */
void tband_packet_write_due_one_stream(void);

/**
 * The next packet, with its check, and how long it is; NULL if there is none. The one reader.
 *
 * The caller vouches for this:
 * `len` is written to.
 */
const uint8_t *tband_packet_next_one_stream(size_t *len);

/**
 * Gives the packet back that `tband_packet_next` gave. The one reader.
 */
void tband_packet_give_back_one_stream(void);

/**
 * Copies the next bytes of a packet that `tband_packet_next` gave to `to`, at most `len`, and returns how many there
 * were; after the last one gives it back. The one reader.
 *
 * The caller vouches for this:
 * There is room for `len` bytes.
 */
size_t tband_packet_read_one_stream(uint8_t *to,
                                    size_t len,
                                    const uint8_t *packet,
                                    size_t packet_len);

/**
 * Asks for the metadata to be sent again, with the next packets that are taken. Any context.
 */
void tband_packet_request_metadata_one_stream(void);

/**
 * Memory of a core's packets: NULL for cores that do not exist. Any context.
 */
const uint8_t *tband_packet_memory_one_stream(unsigned int core_id);

/**
 * Bytes of a core's packets that are closed; 0 until the core has finished. Any context.
 */
size_t tband_packet_memory_amount_one_stream(unsigned int core_id);

/**
 * Reads the command in a frame of `len` bytes, without the zero byte after it. False if it is damaged, or none; arguments of
 * `command` may have changed then. Any context; some 100 bytes of stack, and a few instructions a byte.
 *
 * The caller vouches for this:
 * `frame` points to `len` bytes that nothing changes meanwhile, and `command` to one that may be written.
 */
bool tband_command_read(const uint8_t *frame,
                        size_t len,
                        struct tband_command *command);

/**
 * A core is about to record; several cores only, before the event's calls. Returns true if recording is on:
 * then that holds until `tband_core_exit`, for which whoever stops the recording waits.
 *
 * The caller vouches for this:
 * `core` points into `tband_setup.cores`. Inside the critical section.
 */
bool tband_core_enter(struct tband_core_state *core);

/**
 * Ends what `tband_core_enter` began.
 *
 * The caller vouches for this:
 * As `tband_core_enter`.
 */
void tband_core_exit(struct tband_core_state *core);

/**
 * Counts an event that the function which takes the frames of the core has called for: none can begin
 * inside another. `is_metadata` if that event is. In the function, which is inside the critical section.
 *
 * The caller vouches for this:
 * `core` points into `tband_setup.cores`.
 */
void tband_core_refuse(struct tband_core_state *core,
                       bool is_metadata);

/**
 * Counts an event while nothing is recorded, for recordings that are as Tonbandgeraet's: its periodic drop
 * counts go on then. Inside the critical section of `core`.
 *
 * The caller vouches for this:
 * `core` points into `tband_setup.cores`.
 */
void tband_core_pass(struct tband_core_state *core);

/**
 * Recording is off and no core is inside an event. Any context.
 */
bool tband_recorder_finished(void);

/**
 * Recording is off and this core is not inside an event; cores that do not exist never are. Any
 * context.
 */
bool tband_core_finished(unsigned int core_id);

/**
 * Start of a core's metadata buffer; NULL if there is none. Any context.
 */
const uint8_t *tband_core_metadata(unsigned int core_id);

/**
 * Bytes in a core's metadata buffer; 0 if there is none. Any context.
 */
size_t tband_core_metadata_amount(unsigned int core_id);

/**
 * Metadata events of a core that found its metadata buffer full; stays at 65535. Any context.
 */
uint32_t tband_core_metadata_dropped(unsigned int core_id);

/**
 * Events dropped since reset, all cores together, modulo 2^32. Any context.
 */
uint32_t tband_recorder_dropped(void);

/**
 * Sends what made the recording, which the other backends send at their start. Inside the critical
 * section of `core`.
 *
 * The caller vouches for this:
 * `core` points into `tband_setup.cores`.
 */
void tband_external_send_trace_info(uint64_t ts, struct tband_core_state *core);

/**
 * Chooses what is recorded; hooks follow with `tband_filter_state_apply`. Returns false, and nothing changes, if there is no
 * such thing, it is always recorded, or there is no room for another object. Inside the critical section, one core at
 * a time.
 *
 * The caller vouches for this:
 * `state` is the shim's.
 */
bool tband_filter_state_choose(struct tband_filter_state *state,
                               uint32_t what,
                               uint32_t of,
                               bool on,
                               uint32_t by);

/**
 * Hooks record what was chosen from here on; if they ask they look twice at each event, whether it is left out or not. Context as of
 * `tband_filter_state_choose`.
 *
 * The caller vouches for this:
 * `state` is the shim's.
 */
void tband_filter_state_apply(struct tband_filter_state *state,
                              bool asks);

/**
 * The event of this id, whose first number is this one, is not recorded. For hooks, where `looks` has the bit.
 *
 * The caller vouches for this:
 * `state` is the shim's.
 */
bool tband_filter_state_is_off(const struct tband_filter_state *state,
                               uint32_t id,
                               uint32_t number);

/**
 * Fields of the event that says fact number `at` of the filter, from 0 on. Returns false after the last one, and if
 * nobody has ever changed the filter.
 *
 * The caller vouches for this:
 * `state` is the shim's, and `fields` has room for two.
 */
bool tband_filter_state_fact(const struct tband_filter_state *state,
                             uint32_t at,
                             uint32_t *fields);

/**
 * Rises with each change of the filter; odd while one is under way. Facts are of one filter if it is even before the first one
 * and the same after the last. For several cores.
 *
 * The caller vouches for this:
 * `state` is the shim's.
 */
uint32_t tband_filter_state_changes(const struct tband_filter_state *state);

/**
 * The number of the object of this kind, `TBAND_OBJECT_*`, and name, by the metadata buffer `buf` of core `of`. Returns
 * false if there is none. Inside the critical section; with several cores with the lock.
 *
 * The caller vouches for this:
 * `of` points into `tband_setup.cores`, and `buf` is that core's. `name` is readable to its NUL or for `max_str_len` bytes,
 * and `number` may be written.
 */
bool tband_metadata_number_of(const struct tband_core_state *of,
                              uint8_t *buf,
                              uint32_t kind,
                              const char *name,
                              uint32_t max_str_len,
                              uint32_t *number);

/**
 * A step of an event through the metadata buffer `buf` of core `of`, with several cores: what the event replaces is
 * turned into zeros. Returns true if there is more to do there. Between two steps the critical section may be left, but
 * not between the one that has found what the event replaces, which gives it the flag `TBAND_META_NEW`, and
 * `tband_metadata_keep`.
 *
 * A step goes through 64 bytes, gaps counted, and on to the end of the entry. If something was stored in any buffer
 * since the last step, or moved, `changes` is another after it, and the buffer is searched from its start. Whether
 * recording or not; inside the critical section, any task or interrupt; with several cores with the lock.
 *
 * The caller vouches for this:
 * `of` points into `tband_setup.cores`, and `buf` is that core's. The numbers of `event` are there.
 */
bool tband_metadata_tidy(struct tband_metadata *event,
                         struct tband_core_state *of,
                         uint8_t *buf);

/**
 * As `tband_metadata_tidy` with one core, and with several for events with the flag `TBAND_META_NEW`. After the last
 * step, or when it has found what the event replaces, the event is stored, if it is one to be kept: in the foremost gap
 * that was made since something was stored last, if it is large enough; or after the last entry; or, when gaps have
 * been closed, in what they leave together. What does not fit is counted.
 *
 * The caller vouches for this:
 * As `tband_metadata_tidy`; `buf` has `size` bytes, and the text is readable to its NUL or for
 * `tband_configMAX_STR_LEN` bytes.
 */
bool tband_metadata_keep(struct tband_metadata *event,
                         struct tband_core_state *of,
                         uint8_t *buf,
                         uint32_t size);

/**
 * Sends `len` bytes of whole frames (`tband_portBACKEND_STREAM_DATA`). Returns true if they were
 * dropped. Called inside the critical section, from any task or interrupt; with several cores
 * also with the recorder's lock held.
 */
extern bool tband_port_stream(const uint8_t *data, size_t len);

/**
 * Hands one frame to the user's `tband_submit_to_backend`. Returns true if it was dropped.
 * Context as `tband_port_stream`.
 */
extern bool tband_port_submit(const uint8_t *data, size_t len, bool is_metadata);

/**
 * A snapshot buffer is full and recording has stopped
 * (`tband_portBACKEND_SNAPSHOT_BUF_FULL_CALLBACK`). Called once, inside the critical section of
 * the event that did not fit.
 */
extern void tband_port_snapshot_full(void);

/**
 * Nanoseconds per timestamp tick (`tband_portTIMESTAMP_RESOLUTION_NS`), below 2^32. Called at the
 * start of a recording, inside the critical section.
 */
extern uint32_t tband_port_ts_resolution_ns(void);

/**
 * The time now in ticks (`tband_portTIMESTAMP`). Packets only; inside the critical section.
 */
extern uint64_t tband_port_packet_timestamp(void);

/**
 * Numerator, in the lower half, and denominator of the timer's frequency in Hz; 0 if it is not known, or a
 * recording is not to say it. Packets, and the streaming backend.
 */
extern uint64_t tband_port_frequency(void);

/**
 * A packet was closed. Called inside the critical section where `tband_packet_setup.hands_out` is 1.
 */
extern void tband_port_packet_closed(void);

/**
 * Takes the lock between cores: nothing with one core, else `tband_spin_lock` or
 * `tband_portSPIN_LOCK`. Inside the critical section.
 */
extern void tband_port_lock(void);

/**
 * Releases the lock between cores.
 */
extern void tband_port_unlock(void);

/**
 * Waits for a lock between cores and takes it. For `tband_port_lock`; not there on chips without
 * compare-and-swap.
 */
void tband_spin_lock(void);

/**
 * Releases what `tband_spin_lock` took.
 *
 * The caller vouches for this:
 * The caller holds the lock.
 */
void tband_spin_unlock(void);

/**
 * Gives back what the probe has read, and lets it read what is closed. Inside the critical section.
 *
 * The caller vouches for this:
 * `buffer` has the memory of the packets.
 */
void tband_rtt_sync(struct tband_rtt_buffer *buffer);

/**
 * As `tband_rtt_sync`, and writes what is due: metadata, or what ends a recording that was stopped. `now` is the time in
 * ticks. Inside the critical section, outside of any event.
 *
 * The caller vouches for this:
 * As `tband_rtt_sync`; `core` points into `tband_setup.cores`.
 */
void tband_rtt_turn(struct tband_core_state *core,
                    struct tband_rtt_buffer *buffer,
                    uint64_t now);

/**
 * Starts recording. Returns 0, or -1 if it is on. `was_announced`: after `tband_rtt_announce`. Inside the critical
 * section.
 *
 * The caller vouches for this:
 * As `tband_rtt_sync`.
 */
int32_t tband_rtt_start(struct tband_rtt_buffer *buffer,
                        bool was_announced);

/**
 * Lets the probe read what the recording says of itself, before it is started. Returns 0, or -1 if it is on. Inside the
 * critical section.
 *
 * The caller vouches for this:
 * As `tband_rtt_sync`.
 */
int32_t tband_rtt_announce(struct tband_rtt_buffer *buffer);

/**
 * Whether the probe has read all there was. Inside the critical section.
 *
 * The caller vouches for this:
 * As `tband_rtt_sync`.
 */
bool tband_rtt_was_read(struct tband_rtt_buffer *buffer);

/**
 * The event of this id at this time, whose first number is this one, is not recorded on the core. If that is since it is shed alone, it
 * is counted. Inside the critical section of the core, as all of these.
 *
 * The caller vouches for this:
 * `of` is the shim's, and has core `index`.
 */
bool tband_shedding_leaves_out(const struct tband_shedding *of,
                               uint32_t index,
                               uint32_t id,
                               uint32_t number,
                               uint32_t now);

/**
 * The core sheds events of this id.
 *
 * The caller vouches for this:
 * As `tband_shedding_leaves_out`.
 */
bool tband_shedding_sheds(const struct tband_shedding *of, uint32_t index, uint32_t id);

/**
 * As `tband_filter_state_fact`, of both, on the core; there always is one.
 *
 * The caller vouches for this:
 * As `tband_shedding_leaves_out`; `fields` has room for two.
 */
bool tband_shedding_fact(const struct tband_shedding *of,
                         uint32_t index,
                         uint32_t at,
                         uint32_t *fields);

/**
 * Fields of the event that says how many events of a class were shed, of one for which that is not said. Returns false if
 * there is none.
 *
 * The caller vouches for this:
 * As `tband_shedding_leaves_out`; `fields` has room for two.
 */
bool tband_shedding_unsaid(const struct tband_shedding *of,
                           uint32_t index,
                           uint32_t *fields);

/**
 * What `tband_shedding_unsaid` has given is said.
 *
 * The caller vouches for this:
 * As `tband_shedding_leaves_out`.
 */
void tband_shedding_said(const struct tband_shedding *of, uint32_t index);

/**
 * Nothing is shed on the only core, and nothing was: a recording starts.
 *
 * The caller vouches for this:
 * `of` is the shim's.
 */
void tband_shedding_begin(const struct tband_shedding *of);

/**
 * Starts recording into the snapshot buffers, after what they hold. Returns 0, or -1 if recording
 * is on or a core is still inside an event. Inside the critical section of core `core_id`.
 */
int32_t tband_snapshot_trigger(uint32_t core_id);

/**
 * As `tband_snapshot_trigger`, byte for byte as Tonbandgeraet starts one.
 */
int32_t tband_snapshot_trigger_plain(void);

/**
 * Stops recording. Returns 0, or -1 if it was not on. Inside the critical section.
 */
int32_t tband_snapshot_stop(void);

/**
 * Empties the snapshot buffers. Returns 0, or -1 while recording is on or a core is inside an event.
 * Inside the critical section.
 */
int32_t tband_snapshot_reset(void);

/**
 * Start of a core's snapshot buffer; NULL for cores that do not exist. Any context.
 */
const uint8_t *tband_core_snapshot(unsigned int core_id);

/**
 * Bytes in a core's snapshot buffer; 0 until the core has finished. Any context.
 */
size_t tband_core_snapshot_amount(unsigned int core_id);

/**
 * Starts the stream: metadata of every core, what made the recording if `with_metadata`, then events. Returns 0,
 * -1 if it is on already, -2 if the port dropped part of that (recording is off then; if not `with_metadata` a
 * drop is counted only). Inside the critical section of core `core_id`; `ts` is the time now in ticks.
 */
int32_t tband_streaming_start(uint64_t ts,
                              uint32_t core_id,
                              bool with_metadata);

/**
 * As `tband_streaming_start`, byte for byte as Tonbandgeraet starts a stream.
 */
int32_t tband_streaming_start_plain(uint32_t core_id, bool with_metadata);

/**
 * Stops the stream. Returns 0, or -1 if it was not on. Inside the critical section.
 */
int32_t tband_streaming_stop(void);

/**
 * Sets and arms a trigger; returns its number, or -1 if there is no room or it would never fire. Inside the critical section,
 * and with the lock, as all of these.
 *
 * The caller vouches for this:
 * `state` is the shim's.
 */
int32_t tband_trigger_state_set(struct tband_trigger_state *state,
                                uint32_t condition,
                                uint32_t of,
                                int64_t value,
                                uint32_t nth,
                                uint32_t after);

/**
 * Arms a trigger as it was set, or disarms it. False if it was never set.
 *
 * The caller vouches for this:
 * `state` is the shim's.
 */
bool tband_trigger_state_arm(struct tband_trigger_state *state, uint32_t at, bool armed);

/**
 * A trigger is armed.
 *
 * The caller vouches for this:
 * `state` is the shim's.
 */
bool tband_trigger_state_is_armed(const struct tband_trigger_state *state, uint32_t at);

/**
 * A recording starts.
 *
 * The caller vouches for this:
 * `state` is the shim's.
 */
void tband_trigger_state_start(struct tband_trigger_state *state);

/**
 * Events of tasks were left out: which tasks are ready, and since when, is not known.
 *
 * The caller vouches for this:
 * `state` is the shim's.
 */
void tband_trigger_state_forget(struct tband_trigger_state *state);

/**
 * An event was recorded on this core; what follows from it, which the caller records without the lock. 0: nothing.
 * `TBAND_TRIGGER_ENDS`: the event `frozen`, with `n`; then the recording ends. Else the event `trigger`, with `n` and `is`; then the
 * caller asks again, with what was returned as `from`, which is 0 before. `from` may have `TBAND_TRIGGER_STOPS`.
 *
 * The caller vouches for this:
 * `state` is the shim's, and `n` and `is` may be written.
 */
uint32_t tband_trigger_state_sees(struct tband_trigger_state *state,
                                  uint32_t from,
                                  uint32_t id,
                                  uint32_t number,
                                  int64_t value,
                                  uint32_t now,
                                  uint32_t core,
                                  uint32_t *n,
                                  int64_t *is);

/**
 * How often any trigger has fired since the last reset, modulo 2^32.
 *
 * The caller vouches for this:
 * `state` is the shim's.
 */
uint32_t tband_trigger_state_fired(const struct tband_trigger_state *state);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* TBAND_H */

#include "tband_api.h"

#endif /* not an assembler */
