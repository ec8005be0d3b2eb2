/* A producer, a consumer, and a worker that another task wakes and that ends. The recording is written to trace.bin,
 * the scheduler's own log to log.txt. */
#include <stdio.h>

#include "scheduler.h"
#include "tband.h"

static queue numbers;
static uint32_t consumer_task, producer_task, worker_task, produced, consumed, rounds;
static FILE *log_file;
static FILE *trace;

void note(const char *what, uint32_t which) { (void)fprintf(log_file, "%s %u\n", what, (unsigned)which); }

static void idle(void) {}

static void produce(void) {
  tband_evtmarker(1, "produces");
  put(&numbers);
  produced++;
  if ((produced % 3U) == 0U) {
    wake(worker_task);
  }
  sleep_until_woken();
}

static void consume(void) {
  while (take(&numbers)) {
    consumed++;
  }
}

static void work(void) {
  if (produced >= 30U) {
    end();
    return;
  }
  sleep_until_woken();
}

static void drain(void) {
  static uint8_t bytes[4096];
  size_t len;
  while ((len = tband_stream_read(bytes, sizeof bytes)) > 0) {
    (void)fwrite(bytes, 1, len, trace);
  }
}

int main(void) {
  log_file = fopen("log.txt", "w");
  trace = fopen("trace.bin", "wb");
  if ((log_file == NULL) || (trace == NULL)) {
    return 1;
  }
  tband_gather_system_metadata();
  if (tband_start_streaming() != 0) {
    return 1;
  }
  tband_evtmarker_name(1, "producer");
  tband_task_is_idle(spawn("idle", 0, idle), 0);
  create(&numbers, "numbers");
  producer_task = spawn("producer", 2, produce);
  consumer_task = spawn("consumer", 3, consume);
  worker_task = spawn("worker", 1, work);
  while (rounds < 50U) {
    if (!dispatch()) {
      wake(producer_task);
      rounds++;
      drain();
    }
  }
  (void)tband_stop_streaming();
  drain();
  (void)fclose(trace);
  (void)fclose(log_file);
  return (consumed == produced) ? 0 : 1;
}
