//! The kernel functions behind the ids of calls, in each of the three tables of ids.

use std::sync::LazyLock;

use tband_format::api::API_FUNCTIONS;

use super::calls::{CALLS, Table};

// A number is the id of the next function; the ids of the following ones count up. `-`: a function that the kernel itself calls, mostly
// several times in one call of the application. It is not shown.

/// Espressif's table.
const ESP: &str = "
    33 vTaskDelete vTaskDelay vTaskDelayUntil vTaskSuspend ulTaskNotifyTake
    vTaskNotifyGiveFromISR vTaskPriorityInherit vTaskResume vTaskStepTick
    xTaskPriorityDisinherit xTaskResumeFromISR xTaskGenericNotify xTaskGenericNotifyFromISR
    xTaskNotifyWait xQueueGenericCreate vQueueDelete xQueueGenericReceive xQueuePeekFromISR
    xQueueReceiveFromISR vQueueAddToRegistry xQueueGenericSend xQueueGenericSendFromISR
    vTaskPrioritySet uxTaskPriorityGetFromISR xTaskGetTickCountFromISR
    xEventGroupClearBitsFromISR xEventGroupSetBitsFromISR xEventGroupGetBitsFromISR
    xQueueGiveFromISR xQueueIsQueueEmptyFromISR xQueueIsQueueFullFromISR
    128 vTaskAllocateMPURegions uxTaskPriorityGet eTaskGetState vTaskStartScheduler
    vTaskEndScheduler vTaskSuspendAll xTaskResumeAll xTaskGetTickCount uxTaskGetNumberOfTasks
    pcTaskGetName uxTaskGetStackHighWaterMark vTaskSetApplicationTaskTag
    xTaskGetApplicationTaskTag vTaskSetThreadLocalStoragePointer
    pvTaskGetThreadLocalStoragePointer xTaskCallApplicationTaskHook xTaskGetIdleTaskHandle
    uxTaskGetSystemState vTaskList vTaskGetRunTimeStats xTaskNotifyStateClear
    xTaskGetCurrentTaskHandle vTaskSetTimeOutState xTaskCheckForTimeOut vTaskMissedYield
    xTaskGetSchedulerState xTaskGenericCreate uxTaskGetTaskNumber vTaskSetTaskNumber
    eTaskConfirmSleepModeStatus xTimerCreate pvTimerGetTimerID vTimerSetTimerID
    xTimerIsTimerActive xTimerGetTimerDaemonTaskHandle xTimerPendFunctionCallFromISR
    xTimerPendFunctionCall pcTimerGetName xTimerCreateTimerTask xTimerGenericCommand
    uxQueueMessagesWaiting uxQueueSpacesAvailable uxQueueMessagesWaitingFromISR
    xQueueAltGenericSend xQueueAltGenericReceive xQueueCRSendFromISR xQueueCRReceiveFromISR
    xQueueCRSend xQueueCRReceive xQueueCreateMutex xQueueCreateCountingSemaphore
    xQueueGetMutexHolder xQueueTakeMutexRecursive xQueueGiveMutexRecursive vQueueUnregisterQueue
    xQueueCreateSet xQueueAddToSet xQueueRemoveFromSet xQueueSelectFromSet
    xQueueSelectFromSetFromISR xQueueGenericReset - - - - - xEventGroupCreate
    xEventGroupWaitBits xEventGroupClearBits xEventGroupSetBits xEventGroupSync
    vEventGroupDelete uxEventGroupGetNumber xStreamBufferCreate vStreamBufferDelete
    xStreamBufferReset xStreamBufferSend xStreamBufferSendFromISR xStreamBufferReceive
    xStreamBufferReceiveFromISR
";

/// SEGGER's table for FreeRTOS V8 to V10.
const V10: &str = "
    33 vTaskAllocateMPURegions vTaskDelete vTaskDelay vTaskDelayUntil uxTaskPriorityGet
    uxTaskPriorityGetFromISR eTaskGetState vTaskPrioritySet vTaskSuspend vTaskResume
    xTaskResumeFromISR vTaskStartScheduler vTaskEndScheduler vTaskSuspendAll xTaskResumeAll
    xTaskGetTickCount xTaskGetTickCountFromISR uxTaskGetNumberOfTasks pcTaskGetTaskName
    uxTaskGetStackHighWaterMark vTaskSetApplicationTaskTag xTaskGetApplicationTaskTag
    vTaskSetThreadLocalStoragePointer pvTaskGetThreadLocalStoragePointer
    xTaskCallApplicationTaskHook xTaskGetIdleTaskHandle uxTaskGetSystemState vTaskList
    vTaskGetRunTimeStats xTaskGenericNotify xTaskGenericNotifyFromISR xTaskNotifyWait
    vTaskNotifyGiveFromISR ulTaskNotifyTake xTaskNotifyStateClear xTaskGetCurrentTaskHandle
    vTaskSetTimeOutState xTaskCheckForTimeOut vTaskMissedYield xTaskGetSchedulerState
    vTaskPriorityInherit xTaskPriorityDisinherit xTaskGenericCreate uxTaskGetTaskNumber
    vTaskSetTaskNumber vTaskStepTick eTaskConfirmSleepModeStatus xTimerCreate pvTimerGetTimerID
    vTimerSetTimerID xTimerIsTimerActive xTimerGetTimerDaemonTaskHandle
    xTimerPendFunctionCallFromISR xTimerPendFunctionCall pcTimerGetTimerName
    xTimerCreateTimerTask xTimerGenericCommand xQueueGenericSend xQueuePeekFromISR
    xQueueGenericReceive uxQueueMessagesWaiting uxQueueSpacesAvailable vQueueDelete
    xQueueGenericSendFromISR xQueueGiveFromISR xQueueReceiveFromISR xQueueIsQueueEmptyFromISR
    xQueueIsQueueFullFromISR uxQueueMessagesWaitingFromISR xQueueAltGenericSend
    xQueueAltGenericReceive xQueueCRSendFromISR xQueueCRReceiveFromISR xQueueCRSend
    xQueueCRReceive xQueueCreateMutex xQueueCreateCountingSemaphore xQueueGetMutexHolder
    xQueueTakeMutexRecursive xQueueGiveMutexRecursive vQueueAddToRegistry vQueueUnregisterQueue
    xQueueGenericCreate xQueueCreateSet xQueueAddToSet xQueueRemoveFromSet xQueueSelectFromSet
    xQueueSelectFromSetFromISR xQueueGenericReset - - - - - xEventGroupCreate
    xEventGroupWaitBits xEventGroupClearBits xEventGroupClearBitsFromISR xEventGroupSetBits
    xEventGroupSetBitsFromISR xEventGroupSync xEventGroupGetBitsFromISR vEventGroupDelete
    uxEventGroupGetNumber xStreamBufferCreate vStreamBufferDelete xStreamBufferReset
    xStreamBufferSend xStreamBufferSendFromISR xStreamBufferReceive xStreamBufferReceiveFromISR
    xQueueSetSend
";

/// SEGGER's table for FreeRTOS V11.
const V11: &str = "
    150 xQueueGenericReset xQueueGenericCreateStatic xQueueGenericCreate xQueueCreateMutex
    xQueueCreateMutexStatic xQueueGetMutexHolder xQueueGetMutexHolderFromISR
    xQueueGiveMutexRecursive xQueueTakeMutexRecursive xQueueCreateCountingSemaphoreStatic
    xQueueCreateCountingSemaphore xQueueGenericSend xQueueGenericSendFromISR xQueueGiveFromISR
    xQueueReceive xQueueSemaphoreTake xQueuePeek xQueueReceiveFromISR xQueuePeekFromISR
    uxQueueMessagesWaiting uxQueueSpacesAvailable uxQueueMessagesWaitingFromISR vQueueDelete
    uxQueueGetQueueNumber vQueueSetQueueNumber ucQueueGetQueueType xQueueIsQueueEmptyFromISR
    xQueueIsQueueFullFromISR xQueueCRSend xQueueCRReceive xQueueCRSendFromISR
    xQueueCRReceiveFromISR vQueueAddToRegistry pcQueueGetName vQueueUnregisterQueue -
    xQueueCreateSet xQueueAddToSet xQueueRemoveFromSet xQueueSelectFromSet
    xQueueSelectFromSetFromISR xTaskCreateStatic xTaskCreateRestrictedStatic
    xTaskCreateRestricted xTaskCreate vTaskDelete xTaskDelayUntil vTaskDelay eTaskGetState
    uxTaskPriorityGet uxTaskPriorityGetFromISR vTaskPrioritySet vTaskSuspend vTaskResume
    xTaskResumeFromISR vTaskStartScheduler vTaskEndScheduler - - - - uxTaskGetNumberOfTasks
    pcTaskGetName xTaskGetHandle uxTaskGetSystemState xTaskGetIdleTaskHandle vTaskStepTick
    xTaskCatchUpTicks xTaskAbortDelay - vTaskSetApplicationTaskTag xTaskGetApplicationTaskTag
    xTaskGetApplicationTaskTagFromISR xTaskCallApplicationTaskHook 225 - - - - - - - - -
    uxTaskGetTaskNumber vTaskSetTaskNumber - vTaskSetThreadLocalStoragePointer
    pvTaskGetThreadLocalStoragePointer vTaskAllocateMPURegions vTaskGetInfo
    uxTaskGetStackHighWaterMark2 uxTaskGetStackHighWaterMark - xTaskGetCurrentTaskHandle - - - -
    - - vTaskListTasks vTaskGetRunTimeStatistics - - ulTaskGenericNotifyTake
    xTaskGenericNotifyWait xTaskGenericNotify xTaskGenericNotifyFromISR
    vTaskGenericNotifyGiveFromISR xTaskGenericNotifyStateClear ulTaskGenericNotifyValueClear
    ulTaskGetIdleRunTimeCounter ulTaskGetIdleRunTimePercent - xTimerCreate xTimerCreateStatic -
    xTimerGetTimerDaemonTaskHandle xTimerGetPeriod vTimerSetReloadMode xTimerGetReloadMode
    xTimerGetExpiryTime pcTimerGetName xTimerIsTimerActive pvTimerGetTimerID vTimerSetTimerID
    xTimerPendFunctionCallFromISR xTimerPendFunctionCall uxTimerGetTimerNumber
    vTimerSetTimerNumber - - - - - xCoRoutineCreate - vCoRoutineSchedule -
    xEventGroupCreateStatic xEventGroupCreate xEventGroupSync xEventGroupWaitBits
    xEventGroupClearBits xEventGroupClearBitsFromISR xEventGroupGetBitsFromISR
    xEventGroupSetBits vEventGroupDelete - - xEventGroupSetBitsFromISR uxEventGroupGetNumber
    vEventGroupSetNumber xStreamBufferGenericCreate xStreamBufferGenericCreateStatic
    vStreamBufferDelete xStreamBufferReset xStreamBufferSetTriggerLevel
    xStreamBufferSpacesAvailable xStreamBufferBytesAvailable xStreamBufferSend
    xStreamBufferSendFromISR xStreamBufferReceive xStreamBufferNextMessageLengthBytes
    xStreamBufferReceiveFromISR xStreamBufferIsEmpty xStreamBufferIsFull
    xStreamBufferSendCompletedFromISR xStreamBufferReceiveCompletedFromISR
    uxStreamBufferGetStreamBufferNumber vStreamBufferSetStreamBufferNumber
    ucStreamBufferGetStreamBufferType xTimerGenericCommandFromISR xTimerGenericCommandFromTask
    vTaskCoreAffinitySet vTaskCoreAffinityGet vTaskPreemptionDisable vTaskPreemptionEnable - - -
    ulTaskGetRunTimeCounter
";

/// The function of a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Function {
    /// The table does not have this id.
    #[default]
    Unknown,
    /// The kernel calls it itself: it is not shown.
    Internal,
    /// Its name, and its number in the registry's list if that has it.
    Shown(&'static str, Option<u32>),
}

/// The functions of a table, by id.
fn functions(table: &'static str) -> Vec<Function> {
    let mut functions = vec![Function::Unknown; CALLS.end().saturating_add(1) as usize];
    let mut id = 0_usize;
    for word in table.split_whitespace() {
        if let Ok(next) = word.parse() {
            id = next;
            continue;
        }
        let number = API_FUNCTIONS.iter().position(|function| *function == word);
        let function = match word {
            "-" => Function::Internal,
            _ => Function::Shown(word, number.and_then(|number| u32::try_from(number).ok())),
        };
        if let Some(place) = functions.get_mut(id) {
            *place = function;
        }
        id += 1;
    }
    functions
}

/// The functions of the tables for Espressif, V10 and V11.
static TABLES: LazyLock<[Vec<Function>; 3]> = LazyLock::new(|| [ESP, V10, V11].map(functions));

/// Returns the function with this id.
pub fn function(table: Table, id: u32) -> Function {
    let [esp, v10, v11] = &*TABLES;
    let functions = match table {
        Table::Esp => esp,
        Table::V10 => v10,
        Table::V11 => v11,
    };
    functions.get(id as usize).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::calls::V11_IDS;
    use super::*;

    #[test]
    fn ids_are_those_of_the_headers() {
        let name = |table, id| match function(table, id) {
            Function::Unknown => "?",
            Function::Internal => "-",
            Function::Shown(name, _) => name,
        };
        let table = |table, ids: &[u32]| {
            let names: Vec<_> = ids.iter().map(|id| name(table, *id)).collect();
            names.join(" ")
        };
        assert_eq!(
            table(Table::Esp, &[32, 33, 49, 63, 64, 128, 189, 195, 207, 208]),
            "? vTaskDelete xQueueGenericReceive xQueueIsQueueFullFromISR ? vTaskAllocateMPURegions - \
             xEventGroupWaitBits xStreamBufferReceiveFromISR ?"
        );
        assert_eq!(
            table(Table::V10, &[35, 66, 92, 115, 122, 128, 143, 144, 145]),
            "vTaskDelay ulTaskNotifyTake xQueueGenericReceive xQueueGenericCreate - \
             xEventGroupWaitBits xStreamBufferReceiveFromISR xQueueSetSend ?"
        );
        assert_eq!(
            table(Table::V11, &[164, 197, 206, 207, 218, 224, 235, 244, 252, 257, 278, 293, 313]),
            "xQueueReceive vTaskDelay vTaskEndScheduler - xTaskAbortDelay ? vTaskSetTaskNumber \
             xTaskGetCurrentTaskHandle vTaskGetRunTimeStatistics xTaskGenericNotify \
             xTimerPendFunctionCall xEventGroupWaitBits xStreamBufferReceive"
        );
        // The registry's list has all that are shown.
        for id in V11_IDS {
            let function = function(Table::V11, id);
            assert!(!matches!(function, Function::Shown(_, None)), "{id}: {function:?}");
        }
    }
}
