/* The workload: two tasks play ping-pong over two queues of length 1, and take a mutex once a round. */
#ifndef WORKLOAD_H
#define WORKLOAD_H

enum { WORKLOAD_ROUNDS = 1000 };

/* Called once before the first round, in the lower task, where events are measured. */
void workload_begin(void);
/* Called at the end of each round, in the lower task; the workload ends when it returns 0. */
int workload_next(int round);
/* Called once after the last round, in the lower task. Does not return. */
_Noreturn void workload_end(void);

/* Creates tasks, queues and mutex and starts the kernel. */
_Noreturn void workload_run(void);

#endif
