/*
 * Common declarations of the application: objects, ids and task functions, and the functions that
 * the platform must provide (see the end). Everything is created in objects.c while the recording
 * already runs.
 */
#ifndef APP_H_
#define APP_H_

#include "platform.h" /* the platform's ids of interrupts */
#include "record.h"

/* Ids of global markers. */
enum {
  EVT_PHASE = 1,
  EVT_BATCH = 2,
  EVT_BUS = 3,
  EVT_UART_NOTE = 4,
  EVT_FN_CHECKSUM = 10,
  EVT_FN_FILTER = 11,
};
enum { VAL_TEMPERATURE = 1, VAL_EXTREMES = 2, VAL_CONSUMED = 3 };

/* Task-local markers have their own ids in each task. */
enum { TASK_EVT_WORK = 1, TASK_EVT_NOTE = 2, TASK_VAL = 1 };

enum { ITEMS_PER_BATCH = 6, SAMPLES_PER_ROUND = 5 };

/* Number of rounds that every task runs; set by the platform before anything else. */
extern unsigned app_rounds;

extern struct rec_queue *q_data, *q_mailbox, *q_scratch, *q_uart_rx, *q_uart_tx, *q_latest;
extern struct rec_queue *set_events;
extern struct rec_queue *m_bus, *m_config;
extern struct rec_queue *s_slots, *s_dma_done, *s_wake_mid, *s_wake_high, *s_blink_go, *s_done;
extern TimerHandle_t timer_heartbeat;
extern struct rec_task *t_display, *t_blinker, *t_sleeper;

void app_create_objects(void);
void app_create_tasks(void);

/* Every long-lived task ends here: notifies the control task, suspends itself. */
__attribute__((noreturn)) void app_task_finished(void);

/* tasks_life.c: the sleeper is suspended, or about to be */
extern atomic_bool sleeper_wants_waking;

/* tasks_queues.c */
void producer_task(void *arg);
void consumer_task(void *arg);
void sensor_task(void *arg);
void display_task(void *arg);

/* tasks_locks.c */
void low_task(void *arg);
void mid_task(void *arg);
void high_task(void *arg);
void config_user_task(void *arg);

/* tasks_life.c */
void control_task(void *arg);
void operator_task(void *arg);
void blinker_task(void *arg);
void sleeper_task(void *arg);
void heartbeat_callback(TimerHandle_t timer);

/* uart.c: a simulated UART, and the task that serves it */
void uart_enable(void);
void uart_disable(void);
void driver_task(void *arg);

/*
 * The platform calls this as the handler of the UART's interrupt, every few
 * ticks. True if a task of a higher priority than the interrupted one is ready.
 */
bool uart_isr(void);

/* The handler of the DMA's interrupt; the UART's raises it with app_raise_dma(). The same result. */
bool dma_isr(void);

/* --- Written by the platform -------------------------------------------------------- */

/* Names the platform's interrupts with rec_isr_name(). */
void app_name_isrs(void);

/* Makes dma_isr() run, if possible as an interrupt of the UART's handler. */
void app_raise_dma(void);

/* Stops the recording; called by the control task in a critical section. */
void app_stop_tracing(void);

/* All is done; called by the control task. Saves the files and ends the program, now or soon. */
void app_finished(void);

#endif /* APP_H_ */
