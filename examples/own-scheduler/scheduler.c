#include "scheduler.h"

#include "tband.h"

static struct {
  void (*step)(void);
  uint32_t priority;
  bool is_ready;
} tasks[16];
static uint32_t count, running, queues;

uint32_t spawn(const char *name, uint32_t priority, void (*step)(void)) {
  const uint32_t task = ++count;
  tasks[task].step = step;
  tasks[task].priority = priority;
  tasks[task].is_ready = true;
  tband_task_create(task, name, priority);
  note("create", task);
  return task;
}

void wake(uint32_t task) {
  if (!tasks[task].is_ready && (tasks[task].step != NULL)) {
    tasks[task].is_ready = true;
    tband_task_ready(task);
    note("ready", task);
  }
}

void sleep_until_woken(void) {
  tasks[running].is_ready = false;
  tband_task_block();
  note("block", running);
}

void end(void) {
  tasks[running].is_ready = false;
  tasks[running].step = NULL;
  tband_task_end(running);
  note("end", running);
}

void create(queue *it, const char *name) {
  it->number = ++queues;
  tband_object_create(it->number, TBAND_QUEUE_KIND_QUEUE, name, 0);
}

void put(queue *it) {
  it->level++;
  tband_object_put(it->number, it->level);
  note("put", it->level);
  if (it->waits != 0U) {
    wake(it->waits);
    it->waits = 0;
  }
}

bool take(queue *it) {
  if (it->level == 0U) {
    it->waits = running;
    tasks[running].is_ready = false;
    tband_task_block_on(it->number);
    note("block_on", it->number);
    return false;
  }
  it->level--;
  tband_object_take(it->number, it->level);
  note("take", it->level);
  return true;
}

bool dispatch(void) {
  uint32_t next = 1;
  for (uint32_t task = 1; task <= count; task++) {
    if (tasks[task].is_ready && (tasks[task].priority > tasks[next].priority)) {
      next = task;
    }
  }
  if (next != running) {
    running = next;
    tband_task_run(next);
    note("run", next);
  }
  tasks[next].step();
  return next != 1U;
}
