/* Trace macros of the class API, and what other classes want to know of single calls: the kernel's
 * traceENTER_* and traceRETURN_*.
 *
 * Generated from the list of functions in tband-format by `cargo xtask header`; do not edit. They expand
 * at the start and the end of the kernel's functions, in any context that those are called in. */
#ifndef TBAND_HOOKS_API_H
#define TBAND_HOOKS_API_H

#include "tband.h" /* does nothing unless this header was included alone */

#if tband_configFREERTOS_API_TRACE_ENABLE != 0

#define TBAND_API_ENTER(function) TBAND_RECORD_U32(API_ENTER, (function))
#define TBAND_API_RETURN(function) \
  TBAND_HOOK(TBAND_RECORD_NUMBERS)            \
  (TBAND_EVT_U32_U32_API_RETURN | TBAND_IN_PACKETS(TBAND_LAST_IS_MISSING), 1, (function))
#define TBAND_API_RETURN_VALUE(function, value)                                             \
  TBAND_HOOK(TBAND_RECORD_NUMBERS)                                                          \
  (TBAND_EVT_U32_U32_API_RETURN | TBAND_IN_PACKETS(TBAND_LAST_IS_OPTIONAL), 2, (function), \
   TBAND_LOW_BITS(value))
#define traceENTER_eTaskConfirmSleepModeStatus(...) TBAND_API_ENTER(0)
#define traceRETURN_eTaskConfirmSleepModeStatus(...) TBAND_API_RETURN_VALUE(0, __VA_ARGS__)
#define traceENTER_eTaskGetState(...) TBAND_API_ENTER(1)
#define traceRETURN_eTaskGetState(...) TBAND_API_RETURN_VALUE(1, __VA_ARGS__)
#define traceENTER_pcQueueGetName(...) TBAND_API_ENTER(2)
#define traceRETURN_pcQueueGetName(...) TBAND_API_RETURN_VALUE(2, __VA_ARGS__)
#define traceENTER_pcTaskGetName(...) TBAND_API_ENTER(3)
#define traceRETURN_pcTaskGetName(...) TBAND_API_RETURN_VALUE(3, __VA_ARGS__)
#define traceENTER_pcTimerGetName(...) TBAND_API_ENTER(4)
#define traceRETURN_pcTimerGetName(...) TBAND_API_RETURN_VALUE(4, __VA_ARGS__)
#define traceENTER_pvTaskGetThreadLocalStoragePointer(...) TBAND_API_ENTER(5)
#define traceRETURN_pvTaskGetThreadLocalStoragePointer(...) TBAND_API_RETURN_VALUE(5, __VA_ARGS__)
#define traceENTER_pvTaskIncrementMutexHeldCount(...) TBAND_API_ENTER(6)
#define traceRETURN_pvTaskIncrementMutexHeldCount(...) TBAND_API_RETURN_VALUE(6, __VA_ARGS__)
#define traceENTER_pvTimerGetTimerID(...) TBAND_API_ENTER(7)
#define traceRETURN_pvTimerGetTimerID(...) TBAND_API_RETURN_VALUE(7, __VA_ARGS__)
#define traceENTER_ucQueueGetQueueType(...) TBAND_API_ENTER(8)
#define traceRETURN_ucQueueGetQueueType(...) TBAND_API_RETURN_VALUE(8, __VA_ARGS__)
#define traceENTER_ucStreamBufferGetStreamBufferType(...) TBAND_API_ENTER(9)
#define traceRETURN_ucStreamBufferGetStreamBufferType(...) TBAND_API_RETURN_VALUE(9, __VA_ARGS__)
#define traceENTER_ulTaskGenericNotifyTake(...) TBAND_API_ENTER(10)
#define traceRETURN_ulTaskGenericNotifyTake(...) TBAND_API_RETURN_VALUE(10, __VA_ARGS__)
#define traceRETURN_ulTaskGenericNotifyValueClear(...) TBAND_API_RETURN_VALUE(11, __VA_ARGS__)
#define traceENTER_ulTaskGetIdleRunTimeCounter(...) TBAND_API_ENTER(12)
#define traceRETURN_ulTaskGetIdleRunTimeCounter(...) TBAND_API_RETURN_VALUE(12, __VA_ARGS__)
#define traceENTER_ulTaskGetIdleRunTimePercent(...) TBAND_API_ENTER(13)
#define traceRETURN_ulTaskGetIdleRunTimePercent(...) TBAND_API_RETURN_VALUE(13, __VA_ARGS__)
#define traceENTER_ulTaskGetRunTimeCounter(...) TBAND_API_ENTER(14)
#define traceRETURN_ulTaskGetRunTimeCounter(...) TBAND_API_RETURN_VALUE(14, __VA_ARGS__)
#define traceENTER_ulTaskGetRunTimePercent(...) TBAND_API_ENTER(15)
#define traceRETURN_ulTaskGetRunTimePercent(...) TBAND_API_RETURN_VALUE(15, __VA_ARGS__)
#define traceENTER_uxEventGroupGetNumber(...) TBAND_API_ENTER(16)
#define traceRETURN_uxEventGroupGetNumber(...) TBAND_API_RETURN_VALUE(16, __VA_ARGS__)
#define traceENTER_uxListRemove(...) TBAND_API_ENTER(17)
#define traceRETURN_uxListRemove(...) TBAND_API_RETURN_VALUE(17, __VA_ARGS__)
#define traceENTER_uxQueueGetQueueItemSize(...) TBAND_API_ENTER(18)
#define traceRETURN_uxQueueGetQueueItemSize(...) TBAND_API_RETURN_VALUE(18, __VA_ARGS__)
#define traceENTER_uxQueueGetQueueLength(...) TBAND_API_ENTER(19)
#define traceRETURN_uxQueueGetQueueLength(...) TBAND_API_RETURN_VALUE(19, __VA_ARGS__)
#define traceENTER_uxQueueGetQueueNumber(...) TBAND_API_ENTER(20)
#define traceRETURN_uxQueueGetQueueNumber(...) TBAND_API_RETURN_VALUE(20, __VA_ARGS__)
#define traceENTER_uxQueueMessagesWaiting(...) TBAND_API_ENTER(21)
#define traceRETURN_uxQueueMessagesWaiting(...) TBAND_API_RETURN_VALUE(21, __VA_ARGS__)
#define traceRETURN_uxQueueMessagesWaitingFromISR(...) TBAND_API_RETURN_VALUE(22, __VA_ARGS__)
#define traceENTER_uxQueueSpacesAvailable(...) TBAND_API_ENTER(23)
#define traceRETURN_uxQueueSpacesAvailable(...) TBAND_API_RETURN_VALUE(23, __VA_ARGS__)
#define traceENTER_uxStreamBufferGetStreamBufferNotificationIndex(...) TBAND_API_ENTER(24)
#define traceRETURN_uxStreamBufferGetStreamBufferNotificationIndex(...) TBAND_API_RETURN_VALUE(24, __VA_ARGS__)
#define traceENTER_uxStreamBufferGetStreamBufferNumber(...) TBAND_API_ENTER(25)
#define traceRETURN_uxStreamBufferGetStreamBufferNumber(...) TBAND_API_RETURN_VALUE(25, __VA_ARGS__)
#define traceENTER_uxTaskBasePriorityGet(...) TBAND_API_ENTER(26)
#define traceRETURN_uxTaskBasePriorityGet(...) TBAND_API_RETURN_VALUE(26, __VA_ARGS__)
#define traceENTER_uxTaskBasePriorityGetFromISR(...) TBAND_API_ENTER(27)
#define traceRETURN_uxTaskBasePriorityGetFromISR(...) TBAND_API_RETURN_VALUE(27, __VA_ARGS__)
#define traceENTER_uxTaskGetNumberOfTasks(...) TBAND_API_ENTER(28)
#define traceRETURN_uxTaskGetNumberOfTasks(...) TBAND_API_RETURN_VALUE(28, __VA_ARGS__)
#define traceENTER_uxTaskGetStackHighWaterMark(...) TBAND_API_ENTER(29)
#define traceRETURN_uxTaskGetStackHighWaterMark(...) TBAND_API_RETURN_VALUE(29, __VA_ARGS__)
#define traceENTER_uxTaskGetStackHighWaterMark2(...) TBAND_API_ENTER(30)
#define traceRETURN_uxTaskGetStackHighWaterMark2(...) TBAND_API_RETURN_VALUE(30, __VA_ARGS__)
#define traceRETURN_uxTaskGetSystemState(...) TBAND_API_RETURN_VALUE(31, __VA_ARGS__)
#define traceENTER_uxTaskGetTaskNumber(...) TBAND_API_ENTER(32)
#define traceRETURN_uxTaskGetTaskNumber(...) TBAND_API_RETURN_VALUE(32, __VA_ARGS__)
#define traceENTER_uxTaskPriorityGet(...) TBAND_API_ENTER(33)
#define traceRETURN_uxTaskPriorityGet(...) TBAND_API_RETURN_VALUE(33, __VA_ARGS__)
#define traceENTER_uxTaskPriorityGetFromISR(...) TBAND_API_ENTER(34)
#define traceRETURN_uxTaskPriorityGetFromISR(...) TBAND_API_RETURN_VALUE(34, __VA_ARGS__)
#define traceENTER_uxTaskResetEventItemValue(...) TBAND_API_ENTER(35)
#define traceRETURN_uxTaskResetEventItemValue(...) TBAND_API_RETURN_VALUE(35, __VA_ARGS__)
#define traceENTER_uxTimerGetReloadMode(...) TBAND_API_ENTER(36)
#define traceRETURN_uxTimerGetReloadMode(...) TBAND_API_RETURN_VALUE(36, __VA_ARGS__)
#define traceENTER_uxTimerGetTimerNumber(...) TBAND_API_ENTER(37)
#define traceRETURN_uxTimerGetTimerNumber(...) TBAND_API_RETURN_VALUE(37, __VA_ARGS__)
#define traceENTER_vCoRoutineAddToDelayedList(...) TBAND_API_ENTER(38)
#define traceRETURN_vCoRoutineAddToDelayedList(...) TBAND_API_RETURN(38)
#define traceENTER_vCoRoutineSchedule(...) TBAND_API_ENTER(39)
#define traceRETURN_vCoRoutineSchedule(...) TBAND_API_RETURN(39)
#define traceENTER_vEventGroupClearBitsCallback(...) TBAND_API_ENTER(40)
#define traceRETURN_vEventGroupClearBitsCallback(...) TBAND_API_RETURN(40)
#define traceENTER_vEventGroupDelete(...) TBAND_API_ENTER(41)
#define traceRETURN_vEventGroupDelete(...) TBAND_API_RETURN(41)
#define traceENTER_vEventGroupSetBitsCallback(...) TBAND_API_ENTER(42)
#define traceRETURN_vEventGroupSetBitsCallback(...) TBAND_API_RETURN(42)
#define traceENTER_vEventGroupSetNumber(...) TBAND_API_ENTER(43)
#define traceRETURN_vEventGroupSetNumber(...) TBAND_API_RETURN(43)
#define traceENTER_vListInitialise(...) TBAND_API_ENTER(44)
#define traceRETURN_vListInitialise(...) TBAND_API_RETURN(44)
#define traceENTER_vListInitialiseItem(...) TBAND_API_ENTER(45)
#define traceRETURN_vListInitialiseItem(...) TBAND_API_RETURN(45)
#define traceENTER_vListInsert(...) TBAND_API_ENTER(46)
#define traceRETURN_vListInsert(...) TBAND_API_RETURN(46)
#define traceENTER_vListInsertEnd(...) TBAND_API_ENTER(47)
#define traceRETURN_vListInsertEnd(...) TBAND_API_RETURN(47)
#define traceENTER_vQueueAddToRegistry(...) TBAND_API_ENTER(48)
#define traceRETURN_vQueueAddToRegistry(...) TBAND_API_RETURN(48)
#define traceENTER_vQueueDelete(...) TBAND_API_ENTER(49)
#define traceRETURN_vQueueDelete(...) TBAND_API_RETURN(49)
#define traceENTER_vQueueSetQueueNumber(...) TBAND_API_ENTER(50)
#define traceRETURN_vQueueSetQueueNumber(...) TBAND_API_RETURN(50)
#define traceENTER_vQueueUnregisterQueue(...) TBAND_API_ENTER(51)
#define traceRETURN_vQueueUnregisterQueue(...) TBAND_API_RETURN(51)
#define traceENTER_vQueueWaitForMessageRestricted(...) TBAND_API_ENTER(52)
#define traceRETURN_vQueueWaitForMessageRestricted(...) TBAND_API_RETURN(52)
#define traceENTER_vStreamBufferDelete(...) TBAND_API_ENTER(53)
#define traceRETURN_vStreamBufferDelete(...) TBAND_API_RETURN(53)
#define traceENTER_vStreamBufferSetStreamBufferNotificationIndex(...) TBAND_API_ENTER(54)
#define traceRETURN_vStreamBufferSetStreamBufferNotificationIndex(...) TBAND_API_RETURN(54)
#define traceENTER_vStreamBufferSetStreamBufferNumber(...) TBAND_API_ENTER(55)
#define traceRETURN_vStreamBufferSetStreamBufferNumber(...) TBAND_API_RETURN(55)
#define traceENTER_vTaskAllocateMPURegions(...) TBAND_API_ENTER(56)
#define traceRETURN_vTaskAllocateMPURegions(...) TBAND_API_RETURN(56)
#define traceENTER_vTaskCoreAffinityGet(...) TBAND_API_ENTER(57)
#define traceRETURN_vTaskCoreAffinityGet(...) TBAND_API_RETURN_VALUE(57, __VA_ARGS__)
#define traceRETURN_vTaskCoreAffinitySet(...) TBAND_API_RETURN(58)
#define traceENTER_vTaskDelay(...) TBAND_API_ENTER(59)
#define traceRETURN_vTaskDelay(...) TBAND_API_RETURN(59)
#define traceRETURN_vTaskDelete(...) TBAND_API_RETURN(60)
#define traceENTER_vTaskEndScheduler(...) TBAND_API_ENTER(61)
#define traceRETURN_vTaskEndScheduler(...) TBAND_API_RETURN(61)
#define traceENTER_vTaskEnterCritical(...) TBAND_API_ENTER(62)
#define traceRETURN_vTaskEnterCritical(...) TBAND_API_RETURN(62)
#define traceENTER_vTaskEnterCriticalFromISR(...) TBAND_API_ENTER(63)
#define traceRETURN_vTaskEnterCriticalFromISR(...) TBAND_API_RETURN_VALUE(63, __VA_ARGS__)
#define traceENTER_vTaskExitCritical(...) TBAND_API_ENTER(64)
#define traceRETURN_vTaskExitCritical(...) TBAND_API_RETURN(64)
#define traceENTER_vTaskExitCriticalFromISR(...) TBAND_API_ENTER(65)
#define traceRETURN_vTaskExitCriticalFromISR(...) TBAND_API_RETURN(65)
#define traceENTER_vTaskGenericNotifyGiveFromISR(...) TBAND_API_ENTER(66)
#define traceRETURN_vTaskGenericNotifyGiveFromISR(...) TBAND_API_RETURN(66)
#define traceENTER_vTaskGetInfo(...) TBAND_API_ENTER(67)
#define traceRETURN_vTaskGetInfo(...) TBAND_API_RETURN(67)
#define traceENTER_vTaskGetRunTimeStatistics(...) TBAND_API_ENTER(68)
#define traceRETURN_vTaskGetRunTimeStatistics(...) TBAND_API_RETURN(68)
#define traceENTER_vTaskInternalSetTimeOutState(...) TBAND_API_ENTER(69)
#define traceRETURN_vTaskInternalSetTimeOutState(...) TBAND_API_RETURN(69)
#define traceENTER_vTaskListTasks(...) TBAND_API_ENTER(70)
#define traceRETURN_vTaskListTasks(...) TBAND_API_RETURN(70)
#define traceENTER_vTaskMissedYield(...) TBAND_API_ENTER(71)
#define traceRETURN_vTaskMissedYield(...) TBAND_API_RETURN(71)
#define traceENTER_vTaskPlaceOnEventList(...) TBAND_API_ENTER(72)
#define traceRETURN_vTaskPlaceOnEventList(...) TBAND_API_RETURN(72)
#define traceENTER_vTaskPlaceOnEventListRestricted(...) TBAND_API_ENTER(73)
#define traceRETURN_vTaskPlaceOnEventListRestricted(...) TBAND_API_RETURN(73)
#define traceENTER_vTaskPlaceOnUnorderedEventList(...) TBAND_API_ENTER(74)
#define traceRETURN_vTaskPlaceOnUnorderedEventList(...) TBAND_API_RETURN(74)
#define traceENTER_vTaskPreemptionDisable(...) TBAND_API_ENTER(75)
#define traceRETURN_vTaskPreemptionDisable(...) TBAND_API_RETURN(75)
#define traceENTER_vTaskPreemptionEnable(...) TBAND_API_ENTER(76)
#define traceRETURN_vTaskPreemptionEnable(...) TBAND_API_RETURN(76)
#define traceENTER_vTaskPriorityDisinheritAfterTimeout(...) TBAND_API_ENTER(77)
#define traceRETURN_vTaskPriorityDisinheritAfterTimeout(...) TBAND_API_RETURN(77)
#define traceENTER_vTaskPrioritySet(...) TBAND_API_ENTER(78)
#define traceRETURN_vTaskPrioritySet(...) TBAND_API_RETURN(78)
#define traceENTER_vTaskRemoveFromUnorderedEventList(...) TBAND_API_ENTER(79)
#define traceRETURN_vTaskRemoveFromUnorderedEventList(...) TBAND_API_RETURN(79)
#define traceENTER_vTaskResume(...) TBAND_API_ENTER(80)
#define traceRETURN_vTaskResume(...) TBAND_API_RETURN(80)
#define traceENTER_vTaskSetApplicationTaskTag(...) TBAND_API_ENTER(81)
#define traceRETURN_vTaskSetApplicationTaskTag(...) TBAND_API_RETURN(81)
#define traceENTER_vTaskSetTaskNumber(...) TBAND_API_ENTER(82)
#define traceRETURN_vTaskSetTaskNumber(...) TBAND_API_RETURN(82)
#define traceENTER_vTaskSetThreadLocalStoragePointer(...) TBAND_API_ENTER(83)
#define traceRETURN_vTaskSetThreadLocalStoragePointer(...) TBAND_API_RETURN(83)
#define traceENTER_vTaskSetTimeOutState(...) TBAND_API_ENTER(84)
#define traceRETURN_vTaskSetTimeOutState(...) TBAND_API_RETURN(84)
#define traceENTER_vTaskStartScheduler(...) TBAND_API_ENTER(85)
#define traceRETURN_vTaskStartScheduler(...) TBAND_API_RETURN(85)
#define traceENTER_vTaskStepTick(...) TBAND_API_ENTER(86)
#define traceRETURN_vTaskStepTick(...) TBAND_API_RETURN(86)
#define traceENTER_vTaskSuspend(...) TBAND_API_ENTER(87)
#define traceRETURN_vTaskSuspend(...) TBAND_API_RETURN(87)
#define traceENTER_vTaskSuspendAll(...) TBAND_API_ENTER(88)
#define traceRETURN_vTaskSuspendAll(...) TBAND_API_RETURN(88)
#define traceENTER_vTaskSwitchContext(...) TBAND_API_ENTER(89)
#define traceRETURN_vTaskSwitchContext(...) TBAND_API_RETURN(89)
#define traceENTER_vTaskYieldWithinAPI(...) TBAND_API_ENTER(90)
#define traceRETURN_vTaskYieldWithinAPI(...) TBAND_API_RETURN(90)
#define traceRETURN_vTimerSetReloadMode(...) TBAND_API_RETURN(91)
#define traceENTER_vTimerSetTimerID(...) TBAND_API_ENTER(92)
#define traceRETURN_vTimerSetTimerID(...) TBAND_API_RETURN(92)
#define traceENTER_vTimerSetTimerNumber(...) TBAND_API_ENTER(93)
#define traceRETURN_vTimerSetTimerNumber(...) TBAND_API_RETURN(93)
#define traceENTER_xCoRoutineCreate(...) TBAND_API_ENTER(94)
#define traceRETURN_xCoRoutineCreate(...) TBAND_API_RETURN_VALUE(94, __VA_ARGS__)
#define traceENTER_xCoRoutineRemoveFromEventList(...) TBAND_API_ENTER(95)
#define traceRETURN_xCoRoutineRemoveFromEventList(...) TBAND_API_RETURN_VALUE(95, __VA_ARGS__)
#define traceENTER_xEventGroupClearBits(...) TBAND_API_ENTER(96)
#define traceRETURN_xEventGroupClearBits(...) TBAND_API_RETURN_VALUE(96, __VA_ARGS__)
#define traceENTER_xEventGroupClearBitsFromISR(...) TBAND_API_ENTER(97)
#define traceRETURN_xEventGroupClearBitsFromISR(...) TBAND_API_RETURN_VALUE(97, __VA_ARGS__)
#define traceENTER_xEventGroupCreate(...) TBAND_API_ENTER(98)
#define traceRETURN_xEventGroupCreate(...) TBAND_API_RETURN_VALUE(98, __VA_ARGS__)
#define traceENTER_xEventGroupCreateStatic(...) TBAND_API_ENTER(99)
#define traceRETURN_xEventGroupCreateStatic(...) TBAND_API_RETURN_VALUE(99, __VA_ARGS__)
#define traceENTER_xEventGroupGetBitsFromISR(...) TBAND_API_ENTER(100)
#define traceRETURN_xEventGroupGetBitsFromISR(...) TBAND_API_RETURN_VALUE(100, __VA_ARGS__)
#define traceENTER_xEventGroupGetStaticBuffer(...) TBAND_API_ENTER(101)
#define traceRETURN_xEventGroupGetStaticBuffer(...) TBAND_API_RETURN_VALUE(101, __VA_ARGS__)
#define traceENTER_xEventGroupSetBits(...) TBAND_API_ENTER(102)
#define traceRETURN_xEventGroupSetBits(...) TBAND_API_RETURN_VALUE(102, __VA_ARGS__)
#define traceENTER_xEventGroupSetBitsFromISR(...) TBAND_API_ENTER(103)
#define traceRETURN_xEventGroupSetBitsFromISR(...) TBAND_API_RETURN_VALUE(103, __VA_ARGS__)
#define traceRETURN_xEventGroupSync(...) TBAND_API_RETURN_VALUE(104, __VA_ARGS__)
#define traceRETURN_xEventGroupWaitBits(...) TBAND_API_RETURN_VALUE(105, __VA_ARGS__)
#define traceENTER_xQueueAddToSet(...) TBAND_API_ENTER(106)
#define traceRETURN_xQueueAddToSet(...) TBAND_API_RETURN_VALUE(106, __VA_ARGS__)
#define traceENTER_xQueueCRReceive(...) TBAND_API_ENTER(107)
#define traceENTER_xQueueCRReceiveFromISR(...) TBAND_API_ENTER(108)
#define traceENTER_xQueueCRSend(...) TBAND_API_ENTER(109)
#define traceRETURN_xQueueCRSendFromISR(...) TBAND_API_RETURN_VALUE(110, __VA_ARGS__)
#define traceENTER_xQueueCreateCountingSemaphore(...) TBAND_API_ENTER(111)
#define traceRETURN_xQueueCreateCountingSemaphore(...) TBAND_API_RETURN_VALUE(111, __VA_ARGS__)
#define traceENTER_xQueueCreateCountingSemaphoreStatic(...) TBAND_API_ENTER(112)
#define traceRETURN_xQueueCreateCountingSemaphoreStatic(...) TBAND_API_RETURN_VALUE(112, __VA_ARGS__)
#define traceENTER_xQueueCreateMutex(...) TBAND_API_ENTER(113)
#define traceRETURN_xQueueCreateMutex(...) TBAND_API_RETURN_VALUE(113, __VA_ARGS__)
#define traceENTER_xQueueCreateMutexStatic(...) TBAND_API_ENTER(114)
#define traceRETURN_xQueueCreateMutexStatic(...) TBAND_API_RETURN_VALUE(114, __VA_ARGS__)
#define traceENTER_xQueueCreateSet(...) TBAND_API_ENTER(115)
#define traceRETURN_xQueueCreateSet(...) TBAND_API_RETURN_VALUE(115, __VA_ARGS__)
#define traceENTER_xQueueCreateSetStatic(...) TBAND_API_ENTER(116)
#define traceRETURN_xQueueCreateSetStatic(...) TBAND_API_RETURN_VALUE(116, __VA_ARGS__)
#define traceENTER_xQueueGenericCreate(...) TBAND_API_ENTER(117)
#define traceRETURN_xQueueGenericCreate(...) TBAND_API_RETURN_VALUE(117, __VA_ARGS__)
#define traceENTER_xQueueGenericCreateStatic(...) TBAND_API_ENTER(118)
#define traceRETURN_xQueueGenericCreateStatic(...) TBAND_API_RETURN_VALUE(118, __VA_ARGS__)
#define traceENTER_xQueueGenericGetStaticBuffers(...) TBAND_API_ENTER(119)
#define traceRETURN_xQueueGenericGetStaticBuffers(...) TBAND_API_RETURN_VALUE(119, __VA_ARGS__)
#define traceENTER_xQueueGenericSend(...) TBAND_API_ENTER(121)
#define traceRETURN_xQueueGenericSend(...) TBAND_API_RETURN_VALUE(121, __VA_ARGS__)
#define traceRETURN_xQueueGenericSendFromISR(...) TBAND_API_RETURN_VALUE(122, __VA_ARGS__)
#define traceENTER_xQueueGetMutexHolder(...) TBAND_API_ENTER(123)
#define traceRETURN_xQueueGetMutexHolder(...) TBAND_API_RETURN_VALUE(123, __VA_ARGS__)
#define traceENTER_xQueueGetMutexHolderFromISR(...) TBAND_API_ENTER(124)
#define traceRETURN_xQueueGetMutexHolderFromISR(...) TBAND_API_RETURN_VALUE(124, __VA_ARGS__)
#define traceRETURN_xQueueGiveFromISR(...) TBAND_API_RETURN_VALUE(125, __VA_ARGS__)
#define traceENTER_xQueueGiveMutexRecursive(...) TBAND_API_ENTER(126)
#define traceRETURN_xQueueGiveMutexRecursive(...) TBAND_API_RETURN_VALUE(126, __VA_ARGS__)
#define traceENTER_xQueueIsQueueEmptyFromISR(...) TBAND_API_ENTER(127)
#define traceRETURN_xQueueIsQueueEmptyFromISR(...) TBAND_API_RETURN_VALUE(127, __VA_ARGS__)
#define traceENTER_xQueueIsQueueFullFromISR(...) TBAND_API_ENTER(128)
#define traceRETURN_xQueueIsQueueFullFromISR(...) TBAND_API_RETURN_VALUE(128, __VA_ARGS__)
#define traceENTER_xQueuePeek(...) TBAND_API_ENTER(129)
#define traceRETURN_xQueuePeek(...) TBAND_API_RETURN_VALUE(129, __VA_ARGS__)
#define traceENTER_xQueuePeekFromISR(...) TBAND_API_ENTER(130)
#define traceRETURN_xQueuePeekFromISR(...) TBAND_API_RETURN_VALUE(130, __VA_ARGS__)
#define traceENTER_xQueueReceive(...) TBAND_API_ENTER(131)
#define traceRETURN_xQueueReceive(...) TBAND_API_RETURN_VALUE(131, __VA_ARGS__)
#define traceENTER_xQueueReceiveFromISR(...) TBAND_API_ENTER(132)
#define traceRETURN_xQueueReceiveFromISR(...) TBAND_API_RETURN_VALUE(132, __VA_ARGS__)
#define traceENTER_xQueueRemoveFromSet(...) TBAND_API_ENTER(133)
#define traceRETURN_xQueueRemoveFromSet(...) TBAND_API_RETURN_VALUE(133, __VA_ARGS__)
#define traceENTER_xQueueSelectFromSet(...) TBAND_API_ENTER(134)
#define traceRETURN_xQueueSelectFromSet(...) TBAND_API_RETURN_VALUE(134, __VA_ARGS__)
#define traceENTER_xQueueSelectFromSetFromISR(...) TBAND_API_ENTER(135)
#define traceRETURN_xQueueSelectFromSetFromISR(...) TBAND_API_RETURN_VALUE(135, __VA_ARGS__)
#define traceENTER_xQueueSemaphoreTake(...) TBAND_API_ENTER(136)
#define traceRETURN_xQueueSemaphoreTake(...) TBAND_API_RETURN_VALUE(136, __VA_ARGS__)
#define traceENTER_xQueueTakeMutexRecursive(...) TBAND_API_ENTER(137)
#define traceRETURN_xQueueTakeMutexRecursive(...) TBAND_API_RETURN_VALUE(137, __VA_ARGS__)
#define traceENTER_xStreamBufferBytesAvailable(...) TBAND_API_ENTER(138)
#define traceRETURN_xStreamBufferBytesAvailable(...) TBAND_API_RETURN_VALUE(138, __VA_ARGS__)
#define traceENTER_xStreamBufferGenericCreate(...) TBAND_API_ENTER(139)
#define traceRETURN_xStreamBufferGenericCreate(...) TBAND_API_RETURN_VALUE(139, __VA_ARGS__)
#define traceENTER_xStreamBufferGenericCreateStatic(...) TBAND_API_ENTER(140)
#define traceRETURN_xStreamBufferGenericCreateStatic(...) TBAND_API_RETURN_VALUE(140, __VA_ARGS__)
#define traceENTER_xStreamBufferGetStaticBuffers(...) TBAND_API_ENTER(141)
#define traceRETURN_xStreamBufferGetStaticBuffers(...) TBAND_API_RETURN_VALUE(141, __VA_ARGS__)
#define traceENTER_xStreamBufferIsEmpty(...) TBAND_API_ENTER(142)
#define traceRETURN_xStreamBufferIsEmpty(...) TBAND_API_RETURN_VALUE(142, __VA_ARGS__)
#define traceRETURN_xStreamBufferIsFull(...) TBAND_API_RETURN_VALUE(143, __VA_ARGS__)
#define traceENTER_xStreamBufferNextMessageLengthBytes(...) TBAND_API_ENTER(144)
#define traceRETURN_xStreamBufferNextMessageLengthBytes(...) TBAND_API_RETURN_VALUE(144, __VA_ARGS__)
#define traceENTER_xStreamBufferReceive(...) TBAND_API_ENTER(145)
#define traceRETURN_xStreamBufferReceive(...) TBAND_API_RETURN_VALUE(145, __VA_ARGS__)
#define traceENTER_xStreamBufferReceiveCompletedFromISR(...) TBAND_API_ENTER(146)
#define traceRETURN_xStreamBufferReceiveCompletedFromISR(...) TBAND_API_RETURN_VALUE(146, __VA_ARGS__)
#define traceENTER_xStreamBufferReceiveFromISR(...) TBAND_API_ENTER(147)
#define traceRETURN_xStreamBufferReceiveFromISR(...) TBAND_API_RETURN_VALUE(147, __VA_ARGS__)
#define traceENTER_xStreamBufferReset(...) TBAND_API_ENTER(148)
#define traceRETURN_xStreamBufferReset(...) TBAND_API_RETURN_VALUE(148, __VA_ARGS__)
#define traceENTER_xStreamBufferResetFromISR(...) TBAND_API_ENTER(149)
#define traceRETURN_xStreamBufferResetFromISR(...) TBAND_API_RETURN_VALUE(149, __VA_ARGS__)
#define traceENTER_xStreamBufferSend(...) TBAND_API_ENTER(150)
#define traceRETURN_xStreamBufferSend(...) TBAND_API_RETURN_VALUE(150, __VA_ARGS__)
#define traceENTER_xStreamBufferSendCompletedFromISR(...) TBAND_API_ENTER(151)
#define traceRETURN_xStreamBufferSendCompletedFromISR(...) TBAND_API_RETURN_VALUE(151, __VA_ARGS__)
#define traceENTER_xStreamBufferSendFromISR(...) TBAND_API_ENTER(152)
#define traceRETURN_xStreamBufferSendFromISR(...) TBAND_API_RETURN_VALUE(152, __VA_ARGS__)
#define traceENTER_xStreamBufferSetTriggerLevel(...) TBAND_API_ENTER(153)
#define traceENTER_xStreamBufferSpacesAvailable(...) TBAND_API_ENTER(154)
#define traceRETURN_xStreamBufferSpacesAvailable(...) TBAND_API_RETURN_VALUE(154, __VA_ARGS__)
#define traceRETURN_xTaskAbortDelay(...) TBAND_API_RETURN_VALUE(155, __VA_ARGS__)
#define traceENTER_xTaskCallApplicationTaskHook(...) TBAND_API_ENTER(156)
#define traceRETURN_xTaskCallApplicationTaskHook(...) TBAND_API_RETURN_VALUE(156, __VA_ARGS__)
#define traceENTER_xTaskCatchUpTicks(...) TBAND_API_ENTER(157)
#define traceRETURN_xTaskCatchUpTicks(...) TBAND_API_RETURN_VALUE(157, __VA_ARGS__)
#define traceENTER_xTaskCheckForTimeOut(...) TBAND_API_ENTER(158)
#define traceRETURN_xTaskCheckForTimeOut(...) TBAND_API_RETURN_VALUE(158, __VA_ARGS__)
#define traceENTER_xTaskCreate(...) TBAND_API_ENTER(159)
#define traceENTER_xTaskCreateAffinitySet(...) TBAND_API_ENTER(160)
#define traceENTER_xTaskCreateRestricted(...) TBAND_API_ENTER(161)
#define traceENTER_xTaskCreateRestrictedAffinitySet(...) TBAND_API_ENTER(162)
#define traceENTER_xTaskCreateRestrictedStatic(...) TBAND_API_ENTER(163)
#define traceENTER_xTaskCreateRestrictedStaticAffinitySet(...) TBAND_API_ENTER(164)
#define traceENTER_xTaskCreateStatic(...) TBAND_API_ENTER(165)
#define traceENTER_xTaskCreateStaticAffinitySet(...) TBAND_API_ENTER(166)
#define traceENTER_xTaskDelayUntil(...) TBAND_API_ENTER(167)
#define traceRETURN_xTaskDelayUntil(...) TBAND_API_RETURN_VALUE(167, __VA_ARGS__)
#define traceENTER_xTaskGenericNotify(...) TBAND_API_ENTER(168)
#define traceRETURN_xTaskGenericNotify(...) TBAND_API_RETURN_VALUE(168, __VA_ARGS__)
#define traceENTER_xTaskGenericNotifyFromISR(...) TBAND_API_ENTER(169)
#define traceRETURN_xTaskGenericNotifyFromISR(...) TBAND_API_RETURN_VALUE(169, __VA_ARGS__)
#define traceRETURN_xTaskGenericNotifyStateClear(...) TBAND_API_RETURN_VALUE(170, __VA_ARGS__)
#define traceENTER_xTaskGenericNotifyWait(...) TBAND_API_ENTER(171)
#define traceRETURN_xTaskGenericNotifyWait(...) TBAND_API_RETURN_VALUE(171, __VA_ARGS__)
#define traceENTER_xTaskGetApplicationTaskTag(...) TBAND_API_ENTER(172)
#define traceRETURN_xTaskGetApplicationTaskTag(...) TBAND_API_RETURN_VALUE(172, __VA_ARGS__)
#define traceENTER_xTaskGetApplicationTaskTagFromISR(...) TBAND_API_ENTER(173)
#define traceRETURN_xTaskGetApplicationTaskTagFromISR(...) TBAND_API_RETURN_VALUE(173, __VA_ARGS__)
#define traceENTER_xTaskGetCurrentTaskHandle(...) TBAND_API_ENTER(174)
#define traceRETURN_xTaskGetCurrentTaskHandle(...) TBAND_API_RETURN_VALUE(174, __VA_ARGS__)
#define traceENTER_xTaskGetCurrentTaskHandleForCore(...) TBAND_API_ENTER(175)
#define traceRETURN_xTaskGetCurrentTaskHandleForCore(...) TBAND_API_RETURN_VALUE(175, __VA_ARGS__)
#define traceENTER_xTaskGetHandle(...) TBAND_API_ENTER(176)
#define traceRETURN_xTaskGetHandle(...) TBAND_API_RETURN_VALUE(176, __VA_ARGS__)
#define traceENTER_xTaskGetIdleTaskHandle(...) TBAND_API_ENTER(177)
#define traceRETURN_xTaskGetIdleTaskHandle(...) TBAND_API_RETURN_VALUE(177, __VA_ARGS__)
#define traceENTER_xTaskGetIdleTaskHandleForCore(...) TBAND_API_ENTER(178)
#define traceRETURN_xTaskGetIdleTaskHandleForCore(...) TBAND_API_RETURN_VALUE(178, __VA_ARGS__)
#define traceENTER_xTaskGetMPUSettings(...) TBAND_API_ENTER(179)
#define traceRETURN_xTaskGetMPUSettings(...) TBAND_API_RETURN_VALUE(179, __VA_ARGS__)
#define traceENTER_xTaskGetSchedulerState(...) TBAND_API_ENTER(180)
#define traceRETURN_xTaskGetSchedulerState(...) TBAND_API_RETURN_VALUE(180, __VA_ARGS__)
#define traceENTER_xTaskGetStaticBuffers(...) TBAND_API_ENTER(181)
#define traceRETURN_xTaskGetStaticBuffers(...) TBAND_API_RETURN_VALUE(181, __VA_ARGS__)
#define traceENTER_xTaskGetTickCount(...) TBAND_API_ENTER(182)
#define traceRETURN_xTaskGetTickCount(...) TBAND_API_RETURN_VALUE(182, __VA_ARGS__)
#define traceENTER_xTaskGetTickCountFromISR(...) TBAND_API_ENTER(183)
#define traceRETURN_xTaskGetTickCountFromISR(...) TBAND_API_RETURN_VALUE(183, __VA_ARGS__)
#define traceENTER_xTaskIncrementTick(...) TBAND_API_ENTER(184)
#define traceRETURN_xTaskIncrementTick(...) TBAND_API_RETURN_VALUE(184, __VA_ARGS__)
#define traceENTER_xTaskPriorityDisinherit(...) TBAND_API_ENTER(185)
#define traceRETURN_xTaskPriorityDisinherit(...) TBAND_API_RETURN_VALUE(185, __VA_ARGS__)
#define traceENTER_xTaskPriorityInherit(...) TBAND_API_ENTER(186)
#define traceRETURN_xTaskPriorityInherit(...) TBAND_API_RETURN_VALUE(186, __VA_ARGS__)
#define traceENTER_xTaskRemoveFromEventList(...) TBAND_API_ENTER(187)
#define traceRETURN_xTaskRemoveFromEventList(...) TBAND_API_RETURN_VALUE(187, __VA_ARGS__)
#define traceENTER_xTaskResumeAll(...) TBAND_API_ENTER(188)
#define traceRETURN_xTaskResumeAll(...) TBAND_API_RETURN_VALUE(188, __VA_ARGS__)
#define traceENTER_xTaskResumeFromISR(...) TBAND_API_ENTER(189)
#define traceRETURN_xTaskResumeFromISR(...) TBAND_API_RETURN_VALUE(189, __VA_ARGS__)
#define traceENTER_xTimerCreate(...) TBAND_API_ENTER(190)
#define traceENTER_xTimerCreateStatic(...) TBAND_API_ENTER(191)
#define traceRETURN_xTimerCreateStatic(...) TBAND_API_RETURN_VALUE(191, __VA_ARGS__)
#define traceENTER_xTimerCreateTimerTask(...) TBAND_API_ENTER(192)
#define traceRETURN_xTimerCreateTimerTask(...) TBAND_API_RETURN_VALUE(192, __VA_ARGS__)
#define traceRETURN_xTimerGenericCommandFromISR(...) TBAND_API_RETURN_VALUE(193, __VA_ARGS__)
#define traceRETURN_xTimerGenericCommandFromTask(...) TBAND_API_RETURN_VALUE(194, __VA_ARGS__)
#define traceENTER_xTimerGetExpiryTime(...) TBAND_API_ENTER(195)
#define traceRETURN_xTimerGetExpiryTime(...) TBAND_API_RETURN_VALUE(195, __VA_ARGS__)
#define traceRETURN_xTimerGetPeriod(...) TBAND_API_RETURN_VALUE(196, __VA_ARGS__)
#define traceENTER_xTimerGetReloadMode(...) TBAND_API_ENTER(197)
#define traceRETURN_xTimerGetReloadMode(...) TBAND_API_RETURN_VALUE(197, __VA_ARGS__)
#define traceENTER_xTimerGetStaticBuffer(...) TBAND_API_ENTER(198)
#define traceRETURN_xTimerGetStaticBuffer(...) TBAND_API_RETURN_VALUE(198, __VA_ARGS__)
#define traceENTER_xTimerGetTimerDaemonTaskHandle(...) TBAND_API_ENTER(199)
#define traceRETURN_xTimerGetTimerDaemonTaskHandle(...) TBAND_API_RETURN_VALUE(199, __VA_ARGS__)
#define traceENTER_xTimerIsTimerActive(...) TBAND_API_ENTER(200)
#define traceRETURN_xTimerIsTimerActive(...) TBAND_API_RETURN_VALUE(200, __VA_ARGS__)
#define traceENTER_xTimerPendFunctionCall(...) TBAND_API_ENTER(201)
#define traceRETURN_xTimerPendFunctionCall(...) TBAND_API_RETURN_VALUE(201, __VA_ARGS__)
#define traceENTER_xTimerPendFunctionCallFromISR(...) TBAND_API_ENTER(202)
#define traceRETURN_xTimerPendFunctionCallFromISR(...) TBAND_API_RETURN_VALUE(202, __VA_ARGS__)

/* Calls that another class wants to know of too. */
#ifndef TBAND_ENTER_ulTaskGenericNotifyValueClear
#define TBAND_ENTER_ulTaskGenericNotifyValueClear(...) ((void)0)
#endif
#define traceENTER_ulTaskGenericNotifyValueClear(...) \
  TBAND_ENTER_ulTaskGenericNotifyValueClear(__VA_ARGS__); TBAND_API_ENTER(11)
#ifndef TBAND_ENTER_uxQueueMessagesWaitingFromISR
#define TBAND_ENTER_uxQueueMessagesWaitingFromISR(...) ((void)0)
#endif
#define traceENTER_uxQueueMessagesWaitingFromISR(...) \
  TBAND_ENTER_uxQueueMessagesWaitingFromISR(__VA_ARGS__); TBAND_API_ENTER(22)
#ifndef TBAND_ENTER_uxTaskGetSystemState
#define TBAND_ENTER_uxTaskGetSystemState(...) ((void)0)
#endif
#define traceENTER_uxTaskGetSystemState(...) TBAND_ENTER_uxTaskGetSystemState(__VA_ARGS__); TBAND_API_ENTER(31)
#ifndef TBAND_ENTER_vTaskCoreAffinitySet
#define TBAND_ENTER_vTaskCoreAffinitySet(...) ((void)0)
#endif
#define traceENTER_vTaskCoreAffinitySet(...) TBAND_ENTER_vTaskCoreAffinitySet(__VA_ARGS__); TBAND_API_ENTER(58)
#ifndef TBAND_ENTER_vTaskDelete
#define TBAND_ENTER_vTaskDelete(...) ((void)0)
#endif
#define traceENTER_vTaskDelete(...) TBAND_ENTER_vTaskDelete(__VA_ARGS__); TBAND_API_ENTER(60)
#ifndef TBAND_ENTER_vTimerSetReloadMode
#define TBAND_ENTER_vTimerSetReloadMode(...) ((void)0)
#endif
#define traceENTER_vTimerSetReloadMode(...) TBAND_ENTER_vTimerSetReloadMode(__VA_ARGS__); TBAND_API_ENTER(91)
#ifndef TBAND_ENTER_xEventGroupSync
#define TBAND_ENTER_xEventGroupSync(...) ((void)0)
#endif
#define traceENTER_xEventGroupSync(...) TBAND_ENTER_xEventGroupSync(__VA_ARGS__); TBAND_API_ENTER(104)
#ifndef TBAND_ENTER_xEventGroupWaitBits
#define TBAND_ENTER_xEventGroupWaitBits(...) ((void)0)
#endif
#define traceENTER_xEventGroupWaitBits(...) TBAND_ENTER_xEventGroupWaitBits(__VA_ARGS__); TBAND_API_ENTER(105)
#ifndef TBAND_RETURN_xQueueCRReceive
#define TBAND_RETURN_xQueueCRReceive(...) ((void)0)
#endif
#define traceRETURN_xQueueCRReceive(...) \
  TBAND_RETURN_xQueueCRReceive(__VA_ARGS__); TBAND_API_RETURN_VALUE(107, __VA_ARGS__)
#ifndef TBAND_RETURN_xQueueCRReceiveFromISR
#define TBAND_RETURN_xQueueCRReceiveFromISR(...) ((void)0)
#endif
#define traceRETURN_xQueueCRReceiveFromISR(...) \
  TBAND_RETURN_xQueueCRReceiveFromISR(__VA_ARGS__); TBAND_API_RETURN_VALUE(108, __VA_ARGS__)
#ifndef TBAND_RETURN_xQueueCRSend
#define TBAND_RETURN_xQueueCRSend(...) ((void)0)
#endif
#define traceRETURN_xQueueCRSend(...) TBAND_RETURN_xQueueCRSend(__VA_ARGS__); TBAND_API_RETURN_VALUE(109, __VA_ARGS__)
#ifndef TBAND_ENTER_xQueueCRSendFromISR
#define TBAND_ENTER_xQueueCRSendFromISR(...) ((void)0)
#endif
#define traceENTER_xQueueCRSendFromISR(...) TBAND_ENTER_xQueueCRSendFromISR(__VA_ARGS__); TBAND_API_ENTER(110)
#ifndef TBAND_ENTER_xQueueGenericReset
#define TBAND_ENTER_xQueueGenericReset(...) ((void)0)
#endif
#define traceENTER_xQueueGenericReset(...) TBAND_ENTER_xQueueGenericReset(__VA_ARGS__); TBAND_API_ENTER(120)
#ifndef TBAND_RETURN_xQueueGenericReset
#define TBAND_RETURN_xQueueGenericReset(...) ((void)0)
#endif
#define traceRETURN_xQueueGenericReset(...) \
  TBAND_RETURN_xQueueGenericReset(__VA_ARGS__); TBAND_API_RETURN_VALUE(120, __VA_ARGS__)
#ifndef TBAND_ENTER_xQueueGenericSendFromISR
#define TBAND_ENTER_xQueueGenericSendFromISR(...) ((void)0)
#endif
#define traceENTER_xQueueGenericSendFromISR(...) TBAND_ENTER_xQueueGenericSendFromISR(__VA_ARGS__); TBAND_API_ENTER(122)
#ifndef TBAND_ENTER_xQueueGiveFromISR
#define TBAND_ENTER_xQueueGiveFromISR(...) ((void)0)
#endif
#define traceENTER_xQueueGiveFromISR(...) TBAND_ENTER_xQueueGiveFromISR(__VA_ARGS__); TBAND_API_ENTER(125)
#ifndef TBAND_ENTER_xStreamBufferIsFull
#define TBAND_ENTER_xStreamBufferIsFull(...) ((void)0)
#endif
#define traceENTER_xStreamBufferIsFull(...) TBAND_ENTER_xStreamBufferIsFull(__VA_ARGS__); TBAND_API_ENTER(143)
#ifndef TBAND_RETURN_xStreamBufferSetTriggerLevel
#define TBAND_RETURN_xStreamBufferSetTriggerLevel(...) ((void)0)
#endif
#define traceRETURN_xStreamBufferSetTriggerLevel(...) \
  TBAND_RETURN_xStreamBufferSetTriggerLevel(__VA_ARGS__); TBAND_API_RETURN_VALUE(153, __VA_ARGS__)
#ifndef TBAND_ENTER_xTaskAbortDelay
#define TBAND_ENTER_xTaskAbortDelay(...) ((void)0)
#endif
#define traceENTER_xTaskAbortDelay(...) TBAND_ENTER_xTaskAbortDelay(__VA_ARGS__); TBAND_API_ENTER(155)
#ifndef TBAND_RETURN_xTaskCreate
#define TBAND_RETURN_xTaskCreate(...) ((void)0)
#endif
#define traceRETURN_xTaskCreate(...) TBAND_RETURN_xTaskCreate(__VA_ARGS__); TBAND_API_RETURN_VALUE(159, __VA_ARGS__)
#ifndef TBAND_RETURN_xTaskCreateAffinitySet
#define TBAND_RETURN_xTaskCreateAffinitySet(...) ((void)0)
#endif
#define traceRETURN_xTaskCreateAffinitySet(...) \
  TBAND_RETURN_xTaskCreateAffinitySet(__VA_ARGS__); TBAND_API_RETURN_VALUE(160, __VA_ARGS__)
#ifndef TBAND_RETURN_xTaskCreateRestricted
#define TBAND_RETURN_xTaskCreateRestricted(...) ((void)0)
#endif
#define traceRETURN_xTaskCreateRestricted(...) \
  TBAND_RETURN_xTaskCreateRestricted(__VA_ARGS__); TBAND_API_RETURN_VALUE(161, __VA_ARGS__)
#ifndef TBAND_RETURN_xTaskCreateRestrictedAffinitySet
#define TBAND_RETURN_xTaskCreateRestrictedAffinitySet(...) ((void)0)
#endif
#define traceRETURN_xTaskCreateRestrictedAffinitySet(...) \
  TBAND_RETURN_xTaskCreateRestrictedAffinitySet(__VA_ARGS__); TBAND_API_RETURN_VALUE(162, __VA_ARGS__)
#ifndef TBAND_RETURN_xTaskCreateRestrictedStatic
#define TBAND_RETURN_xTaskCreateRestrictedStatic(...) ((void)0)
#endif
#define traceRETURN_xTaskCreateRestrictedStatic(...) \
  TBAND_RETURN_xTaskCreateRestrictedStatic(__VA_ARGS__); TBAND_API_RETURN_VALUE(163, __VA_ARGS__)
#ifndef TBAND_RETURN_xTaskCreateRestrictedStaticAffinitySet
#define TBAND_RETURN_xTaskCreateRestrictedStaticAffinitySet(...) ((void)0)
#endif
#define traceRETURN_xTaskCreateRestrictedStaticAffinitySet(...) \
  TBAND_RETURN_xTaskCreateRestrictedStaticAffinitySet(__VA_ARGS__); TBAND_API_RETURN_VALUE(164, __VA_ARGS__)
#ifndef TBAND_RETURN_xTaskCreateStatic
#define TBAND_RETURN_xTaskCreateStatic(...) ((void)0)
#endif
#define traceRETURN_xTaskCreateStatic(...) \
  TBAND_RETURN_xTaskCreateStatic(__VA_ARGS__); TBAND_API_RETURN_VALUE(165, __VA_ARGS__)
#ifndef TBAND_RETURN_xTaskCreateStaticAffinitySet
#define TBAND_RETURN_xTaskCreateStaticAffinitySet(...) ((void)0)
#endif
#define traceRETURN_xTaskCreateStaticAffinitySet(...) \
  TBAND_RETURN_xTaskCreateStaticAffinitySet(__VA_ARGS__); TBAND_API_RETURN_VALUE(166, __VA_ARGS__)
#ifndef TBAND_ENTER_xTaskGenericNotifyStateClear
#define TBAND_ENTER_xTaskGenericNotifyStateClear(...) ((void)0)
#endif
#define traceENTER_xTaskGenericNotifyStateClear(...) \
  TBAND_ENTER_xTaskGenericNotifyStateClear(__VA_ARGS__); TBAND_API_ENTER(170)
#ifndef TBAND_RETURN_xTimerCreate
#define TBAND_RETURN_xTimerCreate(...) ((void)0)
#endif
#define traceRETURN_xTimerCreate(...) TBAND_RETURN_xTimerCreate(__VA_ARGS__); TBAND_API_RETURN_VALUE(190, __VA_ARGS__)
#ifndef TBAND_ENTER_xTimerGenericCommandFromISR
#define TBAND_ENTER_xTimerGenericCommandFromISR(...) ((void)0)
#endif
#define traceENTER_xTimerGenericCommandFromISR(...) \
  TBAND_ENTER_xTimerGenericCommandFromISR(__VA_ARGS__); TBAND_API_ENTER(193)
#ifndef TBAND_ENTER_xTimerGenericCommandFromTask
#define TBAND_ENTER_xTimerGenericCommandFromTask(...) ((void)0)
#endif
#define traceENTER_xTimerGenericCommandFromTask(...) \
  TBAND_ENTER_xTimerGenericCommandFromTask(__VA_ARGS__); TBAND_API_ENTER(194)
#ifndef TBAND_ENTER_xTimerGetPeriod
#define TBAND_ENTER_xTimerGetPeriod(...) ((void)0)
#endif
#define traceENTER_xTimerGetPeriod(...) TBAND_ENTER_xTimerGetPeriod(__VA_ARGS__); TBAND_API_ENTER(196)

#else /* class API */

#ifdef TBAND_ENTER_ulTaskGenericNotifyValueClear
#define traceENTER_ulTaskGenericNotifyValueClear(...) TBAND_ENTER_ulTaskGenericNotifyValueClear(__VA_ARGS__)
#endif
#ifdef TBAND_ENTER_uxQueueMessagesWaitingFromISR
#define traceENTER_uxQueueMessagesWaitingFromISR(...) TBAND_ENTER_uxQueueMessagesWaitingFromISR(__VA_ARGS__)
#endif
#ifdef TBAND_ENTER_uxTaskGetSystemState
#define traceENTER_uxTaskGetSystemState(...) TBAND_ENTER_uxTaskGetSystemState(__VA_ARGS__)
#endif
#ifdef TBAND_ENTER_vTaskCoreAffinitySet
#define traceENTER_vTaskCoreAffinitySet(...) TBAND_ENTER_vTaskCoreAffinitySet(__VA_ARGS__)
#endif
#ifdef TBAND_ENTER_vTaskDelete
#define traceENTER_vTaskDelete(...) TBAND_ENTER_vTaskDelete(__VA_ARGS__)
#endif
#ifdef TBAND_ENTER_vTimerSetReloadMode
#define traceENTER_vTimerSetReloadMode(...) TBAND_ENTER_vTimerSetReloadMode(__VA_ARGS__)
#endif
#ifdef TBAND_ENTER_xEventGroupSync
#define traceENTER_xEventGroupSync(...) TBAND_ENTER_xEventGroupSync(__VA_ARGS__)
#endif
#ifdef TBAND_ENTER_xEventGroupWaitBits
#define traceENTER_xEventGroupWaitBits(...) TBAND_ENTER_xEventGroupWaitBits(__VA_ARGS__)
#endif
#ifdef TBAND_RETURN_xQueueCRReceive
#define traceRETURN_xQueueCRReceive(...) TBAND_RETURN_xQueueCRReceive(__VA_ARGS__)
#endif
#ifdef TBAND_RETURN_xQueueCRReceiveFromISR
#define traceRETURN_xQueueCRReceiveFromISR(...) TBAND_RETURN_xQueueCRReceiveFromISR(__VA_ARGS__)
#endif
#ifdef TBAND_RETURN_xQueueCRSend
#define traceRETURN_xQueueCRSend(...) TBAND_RETURN_xQueueCRSend(__VA_ARGS__)
#endif
#ifdef TBAND_ENTER_xQueueCRSendFromISR
#define traceENTER_xQueueCRSendFromISR(...) TBAND_ENTER_xQueueCRSendFromISR(__VA_ARGS__)
#endif
#ifdef TBAND_ENTER_xQueueGenericReset
#define traceENTER_xQueueGenericReset(...) TBAND_ENTER_xQueueGenericReset(__VA_ARGS__)
#endif
#ifdef TBAND_RETURN_xQueueGenericReset
#define traceRETURN_xQueueGenericReset(...) TBAND_RETURN_xQueueGenericReset(__VA_ARGS__)
#endif
#ifdef TBAND_ENTER_xQueueGenericSendFromISR
#define traceENTER_xQueueGenericSendFromISR(...) TBAND_ENTER_xQueueGenericSendFromISR(__VA_ARGS__)
#endif
#ifdef TBAND_ENTER_xQueueGiveFromISR
#define traceENTER_xQueueGiveFromISR(...) TBAND_ENTER_xQueueGiveFromISR(__VA_ARGS__)
#endif
#ifdef TBAND_ENTER_xStreamBufferIsFull
#define traceENTER_xStreamBufferIsFull(...) TBAND_ENTER_xStreamBufferIsFull(__VA_ARGS__)
#endif
#ifdef TBAND_RETURN_xStreamBufferSetTriggerLevel
#define traceRETURN_xStreamBufferSetTriggerLevel(...) TBAND_RETURN_xStreamBufferSetTriggerLevel(__VA_ARGS__)
#endif
#ifdef TBAND_ENTER_xTaskAbortDelay
#define traceENTER_xTaskAbortDelay(...) TBAND_ENTER_xTaskAbortDelay(__VA_ARGS__)
#endif
#ifdef TBAND_RETURN_xTaskCreate
#define traceRETURN_xTaskCreate(...) TBAND_RETURN_xTaskCreate(__VA_ARGS__)
#endif
#ifdef TBAND_RETURN_xTaskCreateAffinitySet
#define traceRETURN_xTaskCreateAffinitySet(...) TBAND_RETURN_xTaskCreateAffinitySet(__VA_ARGS__)
#endif
#ifdef TBAND_RETURN_xTaskCreateRestricted
#define traceRETURN_xTaskCreateRestricted(...) TBAND_RETURN_xTaskCreateRestricted(__VA_ARGS__)
#endif
#ifdef TBAND_RETURN_xTaskCreateRestrictedAffinitySet
#define traceRETURN_xTaskCreateRestrictedAffinitySet(...) TBAND_RETURN_xTaskCreateRestrictedAffinitySet(__VA_ARGS__)
#endif
#ifdef TBAND_RETURN_xTaskCreateRestrictedStatic
#define traceRETURN_xTaskCreateRestrictedStatic(...) TBAND_RETURN_xTaskCreateRestrictedStatic(__VA_ARGS__)
#endif
#ifdef TBAND_RETURN_xTaskCreateRestrictedStaticAffinitySet
#define traceRETURN_xTaskCreateRestrictedStaticAffinitySet(...) \
  TBAND_RETURN_xTaskCreateRestrictedStaticAffinitySet(__VA_ARGS__)
#endif
#ifdef TBAND_RETURN_xTaskCreateStatic
#define traceRETURN_xTaskCreateStatic(...) TBAND_RETURN_xTaskCreateStatic(__VA_ARGS__)
#endif
#ifdef TBAND_RETURN_xTaskCreateStaticAffinitySet
#define traceRETURN_xTaskCreateStaticAffinitySet(...) TBAND_RETURN_xTaskCreateStaticAffinitySet(__VA_ARGS__)
#endif
#ifdef TBAND_ENTER_xTaskGenericNotifyStateClear
#define traceENTER_xTaskGenericNotifyStateClear(...) TBAND_ENTER_xTaskGenericNotifyStateClear(__VA_ARGS__)
#endif
#ifdef TBAND_RETURN_xTimerCreate
#define traceRETURN_xTimerCreate(...) TBAND_RETURN_xTimerCreate(__VA_ARGS__)
#endif
#ifdef TBAND_ENTER_xTimerGenericCommandFromISR
#define traceENTER_xTimerGenericCommandFromISR(...) TBAND_ENTER_xTimerGenericCommandFromISR(__VA_ARGS__)
#endif
#ifdef TBAND_ENTER_xTimerGenericCommandFromTask
#define traceENTER_xTimerGenericCommandFromTask(...) TBAND_ENTER_xTimerGenericCommandFromTask(__VA_ARGS__)
#endif
#ifdef TBAND_ENTER_xTimerGetPeriod
#define traceENTER_xTimerGetPeriod(...) TBAND_ENTER_xTimerGetPeriod(__VA_ARGS__)
#endif

#endif /* class API */

#endif /* TBAND_HOOKS_API_H */
