/* Two cores with a snapshot buffer each: each names its core, the first that is full stops both, and
 * a core inside an event holds up "finished". Includes the shim, to put a core inside an event.
 * Writes both buffers. */
#include <stdlib.h>

#include "tband_shim.c"

#include "check.h"

/* cores_snapshot BYTES: so many bytes describe events outside of the base. */
int main(int argc, char **argv) {
  const size_t described = (argc > 1) ? strtoul(argv[1], NULL, 10) : 0U;
  fake_core = 1;
  fake_now = 20;
  CHECK_EQ(tband_trigger_snapshot(), 0);
  tband_isr_enter(1);
  fake_core = 0;
  tband_isr_enter(2);

  tband_lib_core_enter(&tband_cores[1]);
  CHECK_EQ(tband_stop_snapshot(), 0);
  CHECK(!tband_tracing_enabled());
  CHECK(!tband_tracing_finished());
  CHECK(tband_tracing_backend_finished(0));
  CHECK(!tband_tracing_backend_finished(1));
  CHECK(tband_tracing_backend_finished(2));
  const size_t amount = tband_get_core_snapshot_buf_amnt(0);
  CHECK(amount > 0);
  CHECK_EQ(tband_get_core_snapshot_buf_amnt(1), 0);
  CHECK_EQ(tband_trigger_snapshot(), -1);
  CHECK_EQ(tband_reset_snapshot(), -1);
  CHECK_EQ(tband_get_core_snapshot_buf_amnt(0), amount);
  tband_lib_core_exit(&tband_cores[1]);
  CHECK(tband_tracing_finished());
  CHECK(tband_get_core_snapshot_buf_amnt(1) > 0);
  CHECK(tband_get_core_snapshot_buf(0) != tband_get_core_snapshot_buf(1));
  CHECK(tband_get_core_snapshot_buf(2) == NULL);
  for (unsigned int core = 0; core < 2; core++) {
    fake_print(tband_get_core_snapshot_buf(core), tband_get_core_snapshot_buf_amnt(core));
  }

  CHECK_EQ(tband_reset_snapshot(), 0);
  CHECK_EQ(tband_trigger_snapshot(), 0);
  fake_core = 1;
  while (tband_tracing_enabled()) {
    tband_isr_enter(3);
  }
  CHECK_EQ(fake_fulls, 1);
  fake_core = 0;
  tband_isr_enter(4);
  CHECK_EQ(fake_fulls, 1);
  CHECK(tband_get_core_snapshot_buf_amnt(1) > 100);
  /* its core_id, trace_info and descriptions at most */
  CHECK(tband_get_core_snapshot_buf_amnt(0) < 20U + described);
  return 0;
}
