/* A scheduler of two cores takes random steps and writes its own log. Tasks are created, end, have other priorities,
 * wait for objects and for each other, hold a mutex, and move between cores; numbers are used again.
 *
 * Arguments: a number that selects the steps; files for the log, the first recording, and a second one that starts
 * later. */
#include "check.h"
#include "fake_port.h"
#include "tband.h"

enum { CORES = 2, TASKS = 6, IDLE = TASKS + 1, SEMAPHORE = 1, MUTEX = 2, MOST = 3, ISR = 5, STEPS = 1500 };
enum state { NONE, READY, RUNS, WAITS, SUSPENDED };

static struct {
  enum state state;
  uint32_t waits_for;
} tasks[IDLE + CORES];
static uint32_t running[CORES];
static uint32_t count; /* of the semaphore */
static uint32_t holder;
static uint32_t created;
static uint32_t state;
static FILE *log_file;

static uint32_t below(uint32_t limit) {
  state = (state * 1664525U) + 1013904223U;
  return (state >> 8) % limit;
}

static void note(const char *event, uint32_t first) {
  (void)fprintf(log_file, "%llu %u %s %u\n", (unsigned long long)fake_now, fake_core, event, first);
}
static void note_two(const char *event, uint32_t first, uint32_t second) {
  (void)fprintf(log_file, "%llu %u %s %u %u\n", (unsigned long long)fake_now, fake_core, event, first, second);
}

static void create(uint32_t task, uint32_t priority) {
  char name[16];
  created++;
  (void)snprintf(name, sizeof name, "t%u", created);
  (void)fprintf(log_file, "name %u %s\n", task, name);
  note("task_created", task);
  note_two("task_priority_set", task, priority);
  tband_task_create(task, name, priority);
  tasks[task].state = READY;
}

static void preempt(void);

/* The event's critical section is over when the next one begins. */
static void preempt_later(void) { fake_before_enter = preempt; }

static void run(uint32_t task) {
  const uint32_t before = running[fake_core];
  if (tasks[before].state == RUNS) {
    tasks[before].state = READY;
  }
  running[fake_core] = task;
  tasks[task].state = RUNS;
  note("task_switched_in", task);
  fake_before_enter = (below(4) == 0) ? preempt_later : NULL;
  tband_task_run(task);
  fake_before_enter = NULL;
}

/* One of the tasks in this state; 0: there is none. */
static uint32_t any(enum state wanted) {
  const uint32_t first = below(TASKS);
  for (uint32_t i = 0; i < TASKS; i++) {
    const uint32_t task = ((first + i) % TASKS) + 1U;
    if (tasks[task].state == wanted) {
      return task;
    }
  }
  return 0;
}

static void schedule(void) {
  const uint32_t task = any(READY);
  run((task != 0) ? task : (IDLE + fake_core));
}

/* An interrupt switches to another task before the call that runs a task returns. */
static void preempt(void) { schedule(); }

static void ready(uint32_t task) {
  tasks[task].state = READY;
  note("task_to_rdy_state", task);
  tband_task_ready(task);
}

static void wake_from(uint32_t object) {
  for (uint32_t task = 1; task <= TASKS; task++) {
    if ((tasks[task].state == WAITS) && (tasks[task].waits_for == object)) {
      ready(task);
      return;
    }
  }
}

static void wait_for(uint32_t task, uint32_t object) {
  tasks[task].state = WAITS;
  tasks[task].waits_for = object;
  if (object == 0) {
    note("curtask_block_on_notify_take", 0);
    tband_task_block();
  } else {
    note("curtask_block_on_queue_receive", object);
    tband_task_block_on(object);
  }
  schedule();
}

static void give(void) {
  if (count < MOST) {
    count++;
    note_two("queue_send", SEMAPHORE, count);
    tband_object_put(SEMAPHORE, count);
    wake_from(SEMAPHORE);
  }
}

static void take(uint32_t task) {
  if (count == 0) {
    wait_for(task, SEMAPHORE);
    return;
  }
  count--;
  note_two("queue_receive", SEMAPHORE, count);
  tband_object_take(SEMAPHORE, count);
}

static void lock_or_unlock(uint32_t task) {
  if (holder == 0) {
    holder = task;
    note_two("queue_receive", MUTEX, 0);
    tband_object_take(MUTEX, 0);
  } else if (holder == task) {
    holder = 0;
    note_two("queue_send", MUTEX, 1);
    tband_object_put(MUTEX, 1);
    wake_from(MUTEX);
  } else {
    wait_for(task, MUTEX);
  }
}

static void set_priority(uint32_t task) {
  if (tasks[task].state != NONE) {
    const uint32_t priority = 1U + below(5);
    note_two("task_priority_set", task, priority);
    tband_task_set_priority(task, priority);
  }
}

static void suspend(uint32_t task) {
  if ((tasks[task].state == READY) || (tasks[task].state == WAITS) || (task == running[fake_core])) {
    tasks[task].state = SUSPENDED;
    note("task_suspended", task);
    tband_task_suspend(task);
    if (task == running[fake_core]) {
      schedule();
    }
  }
}

static void end(uint32_t task) {
  if (holder != task) {
    note("task_deleted", task);
    tband_task_end(task);
    tasks[task].state = NONE;
    schedule();
  }
}

static void wake_one(void) {
  uint32_t task = any(SUSPENDED);
  if (task == 0) {
    task = any(WAITS);
    if ((task != 0) && (tasks[task].waits_for != 0)) {
      return;
    }
  }
  if (task != 0) {
    ready(task);
  }
}

static void interrupt(void) {
  note("isr_enter", ISR);
  tband_isr_enter(ISR);
  fake_now += 1U + below(9);
  if (below(2) == 0) {
    give();
  } else {
    wake_one();
  }
  note("isr_exit", ISR);
  tband_isr_exit(ISR);
}

static void step(void) {
  fake_core = below(CORES);
  fake_now += 1U + below(30);
  const uint32_t task = running[fake_core];
  const uint32_t free_one = any(NONE);
  const uint32_t action = below(16);
  if (action == 0) {
    interrupt();
  } else if ((task >= IDLE) || (action == 1)) {
    if (any(READY) != 0) {
      schedule();
    } else if (free_one != 0) {
      create(free_one, 1U + below(5));
    } else {
      wake_one();
    }
  } else if (action < 4) {
    give();
  } else if (action < 7) {
    take(task);
  } else if (action < 10) {
    lock_or_unlock(task);
  } else if (action == 10) {
    wait_for(task, 0);
  } else if (action == 11) {
    set_priority(1U + below(TASKS));
  } else if (action == 12) {
    suspend((below(3) == 0) ? task : 1U + below(TASKS));
  } else if ((action == 13) && (below(3) == 0)) {
    end(task);
  } else if ((action == 14) && (free_one != 0)) {
    create(free_one, 1U + below(5));
  } else {
    wake_one();
  }
}

static void drain(FILE *file) {
  static uint8_t piece[4096];
  size_t len;
  while ((len = tband_stream_read(piece, sizeof piece)) > 0) {
    CHECK_EQ(fwrite(piece, 1, len, file), len);
  }
}

static FILE *open_file(const char *name) {
  FILE *file = fopen(name, "wb");
  CHECK(file != NULL);
  return file;
}

static void record(const char *name) {
  FILE *file = open_file(name);
  for (uint32_t i = 0; i < STEPS; i++) {
    step();
    drain(file);
  }
  /* The timeline gives the last state some time, too. */
  fake_now += 10;
  note_two("valmarker", 1, 0);
  tband_valmarker(1, 0);
  (void)fprintf(log_file, "stop\n");
  (void)tband_stop_streaming();
  drain(file);
  CHECK_EQ(fclose(file), 0);
}

int main(int argc, char **argv) {
  CHECK_EQ(argc, 5);
  state = (uint32_t)strtoul(argv[1], NULL, 10);
  log_file = open_file(argv[2]);
  fake_step = 0;
  fake_now = 1000;
  CHECK_EQ(tband_start_streaming(), 0);
  note("queue_created", SEMAPHORE);
  note_two("queue_cur_length", SEMAPHORE, 0);
  tband_object_create(SEMAPHORE, TBAND_QUEUE_KIND_COUNTING_SEMAPHORE, "semaphore", 0);
  note("queue_created", MUTEX);
  note_two("queue_cur_length", MUTEX, 1);
  tband_object_create(MUTEX, TBAND_QUEUE_KIND_MUTEX, "mutex", 1);
  for (uint32_t core = 0; core < CORES; core++) {
    fake_core = core;
    create(IDLE + core, 0);
    tband_task_is_idle(IDLE + core, core);
    fake_now++; /* the timeline gives each state some time */
    run(IDLE + core);
  }
  record(argv[3]);
  for (uint32_t i = 0; i < STEPS; i++) {
    step();
  }
  (void)fprintf(log_file, "start\n");
  fake_now += 1;
  CHECK_EQ(tband_start_streaming(), 0);
  record(argv[4]);
  CHECK_EQ(fclose(log_file), 0);
  return 0;
}
