/* See portmacro.h. The machine's timer and software interrupts are those of a CLINT (SiFive), as most such chips
 * have. */
#include "FreeRTOS.h"
#include "task.h"

/* The timer and the interrupts of the CLINT. */
#define MSIP(core)     (((volatile uint32_t *)configCLINT_ADDRESS)[core])
#define MTIMECMP(core) ((volatile uint32_t *)(configCLINT_ADDRESS + 0x4000UL + 8UL * (uint32_t)(core)))

enum { CAUSE_IS_INTERRUPT = INT32_MIN, CAUSE_ECALL = 11 };
enum { MIE_SOFTWARE = 1 << PORT_SOFTWARE_INTERRUPT, MIE_TIMER = 1 << PORT_TIMER_INTERRUPT };
enum { MSTATUS_MPIE = 0x80, MSTATUS_MPP_MACHINE = 0x1800 };
/* Layout of the frame in context.S. */
enum { FRAME_WORDS = 32, FRAME_PC = 0, FRAME_RA = 1, FRAME_MSTATUS = 2, FRAME_A0 = 10 };
enum { TICK = configMTIME_HZ / configTICK_RATE_HZ, LATE_TICKS = 10 };

/* In context.S. */
void port_trap(void);
_Noreturn void port_start_first_task(uint8_t *interrupt_stack);
/* Called from there. */
void port_trap_of_a_task(uint32_t cause, uint32_t *frame);
void port_trap_of_a_trap(uint32_t cause);
_Noreturn void port_run_other_core(void);

/* Not zeroed at start-up, where they are in use. */
__attribute__((section(".noinit"), aligned(16))) uint8_t
    port_interrupt_stacks[configNUMBER_OF_CORES][PORT_INTERRUPT_STACK_SIZE];

/* Other harts read it while hart 0 still zeroes memory. */
__attribute__((section(".data"))) static volatile uint32_t is_running = 0;

UBaseType_t port_nesting[configNUMBER_OF_CORES];
static uint32_t raised[configNUMBER_OF_CORES];        /* reasons of software interrupts */
static bool is_to_yield[configNUMBER_OF_CORES];       /* each core's own */
static uint64_t next_tick;

/* ---- Locks ------------------------------------------------------------------------------------ */

port_lock port_isr_lock, port_task_lock;

/* Only the owner has its own number there, so a core that reads its own number has the lock. */
void port_lock_get(port_lock *lock, BaseType_t core) {
  const uint32_t self = (uint32_t)core + 1U;
  if (__atomic_load_n(&lock->owner, __ATOMIC_RELAXED) != self) {
    uint32_t no_owner = 0;
    while (!__atomic_compare_exchange_n(&lock->owner, &no_owner, self, true, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
      no_owner = 0;
    }
  }
  lock->count++;
}

void port_lock_release(port_lock *lock, BaseType_t core) {
  configASSERT(lock->owner == (uint32_t)core + 1U && lock->count > 0U);
  lock->count--;
  if (lock->count == 0U) {
    __atomic_store_n(&lock->owner, 0U, __ATOMIC_RELEASE);
  }
}

/* ---- Software interrupts between cores ------------------------------------------------------- */

void port_raise(BaseType_t core, uint32_t reasons) {
  __atomic_fetch_or(&raised[core], reasons, __ATOMIC_RELEASE);
  __asm volatile("fence w, o" ::: "memory");
  MSIP(core) = 1;
}

void port_yield_core(BaseType_t core) { port_raise(core, PORT_REASON_YIELD); }

/* Cleared first: a reason that is set after that raises the interrupt again. */
uint32_t port_software_interrupt(void) {
  const BaseType_t core = portGET_CORE_ID();
  MSIP(core) = 0;
  __asm volatile("fence o, rw" ::: "memory");
  const uint32_t reasons = __atomic_exchange_n(&raised[core], 0U, __ATOMIC_ACQUIRE);
  if ((reasons & (uint32_t)PORT_REASON_YIELD) != 0U) {
    is_to_yield[core] = true;
  }
  return reasons & ~(uint32_t)PORT_REASON_YIELD;
}

/* ---- The timer ----------------------------------------------------------------------------------- */

void port_set_timer(BaseType_t core, uint64_t time) {
  MTIMECMP(core)[1] = UINT32_MAX; /* nothing comes in between */
  MTIMECMP(core)[0] = (uint32_t)time;
  MTIMECMP(core)[1] = (uint32_t)(time >> 32);
}

void port_tick(void) {
  const BaseType_t core = portGET_CORE_ID();
  next_tick += TICK;
  const uint64_t now = port_time();
  if (now > next_tick + LATE_TICKS * TICK) {
    next_tick = now + TICK; /* the emulator did not run in time: its ticks are lost */
  }
  port_set_timer(core, next_tick);
  const UBaseType_t before = portENTER_CRITICAL_FROM_ISR();
  if (xTaskIncrementTick() != pdFALSE) {
    is_to_yield[core] = true;
  }
  portEXIT_CRITICAL_FROM_ISR(before);
}

/* ---- Traps -------------------------------------------------------------------------------------- */

void port_yield_at_end_of_interrupt(void) {
  const UBaseType_t before = port_mask();
  is_to_yield[portGET_CORE_ID()] = true;
  port_unmask(before);
}

void port_trap_of_a_task(uint32_t cause, uint32_t *frame) {
  const BaseType_t core = portGET_CORE_ID();
  if ((int32_t)cause < 0) {
    application_interrupt(core, cause & INT32_MAX);
  } else {
    configASSERT(cause == (uint32_t)CAUSE_ECALL);
    frame[FRAME_PC] += 4U; /* after the ecall */
    is_to_yield[core] = true;
  }
  if (is_to_yield[core]) {
    is_to_yield[core] = false;
    vTaskSwitchContext(core);
  }
}

void port_trap_of_a_trap(uint32_t cause) {
  configASSERT((int32_t)cause < 0);
  application_interrupt(portGET_CORE_ID(), cause & INT32_MAX);
}

/* ---- Tasks ---------------------------------------------------------------------------------------- */

static void task_returned(void) { configASSERT(!"a task returned"); }

StackType_t *pxPortInitialiseStack(StackType_t *pxTopOfStack, TaskFunction_t pxCode, void *pvParameters) {
  StackType_t *const frame = pxTopOfStack - FRAME_WORDS;
  for (size_t word = 0; word < FRAME_WORDS; word++) {
    frame[word] = 0;
  }
  frame[FRAME_PC] = (StackType_t)pxCode;
  frame[FRAME_RA] = (StackType_t)task_returned;
  frame[FRAME_MSTATUS] = MSTATUS_MPP_MACHINE | MSTATUS_MPIE;
  frame[FRAME_A0] = (StackType_t)pvParameters;
  return frame;
}

static _Noreturn void start_core(BaseType_t core) {
  __asm volatile("csrw mtvec, %0" ::"r"(port_trap));
  __asm volatile("csrw mie, %0" ::"r"(MIE_SOFTWARE | MIE_TIMER));
  port_start_first_task(port_interrupt_stacks[core] + PORT_INTERRUPT_STACK_SIZE);
}

void port_run_other_core(void) {
  while (__atomic_load_n(&is_running, __ATOMIC_ACQUIRE) == 0U) {
  }
  start_core(portGET_CORE_ID());
}

/* On hart 0, with interrupts off. */
BaseType_t xPortStartScheduler(void) {
  for (BaseType_t core = 0; core < configNUMBER_OF_CORES; core++) {
    port_set_timer(core, UINT64_MAX);
  }
  next_tick = port_time() + TICK;
  port_set_timer(configTICK_CORE, next_tick);
  __atomic_store_n(&is_running, 1U, __ATOMIC_RELEASE);
  start_core(0);
}

void vPortEndScheduler(void) { configASSERT(!"the scheduler never ends"); }
