/*
 * Writes the program's own record as JSON, after tracing has stopped. README.md defines each field.
 * Needs no stdio: small C libraries cannot print 64 bits, and a chip may have no files.
 */
#include <string.h>

#include "app.h"

static struct {
  rec_text_sink sink;
  bool failed;
  bool first; /* no comma before the next member */
} json;

static void put(const char *text, size_t len) {
  if (!json.failed && !json.sink(text, len)) {
    json.failed = true;
  }
}

static void put_text(const char *text) { put(text, strlen(text)); }

/* `sign` is "" or "-". */
static void put_number(const char *sign, uint64_t magnitude) {
  char digits[20];
  size_t at = sizeof digits;
  do {
    digits[--at] = (char)('0' + (char)(magnitude % 10u));
    magnitude /= 10u;
  } while (magnitude != 0);
  put_text(sign);
  put(&digits[at], sizeof digits - at);
}

/* Names have no character that JSON escapes. */
static void put_key(const char *key) {
  put_text(json.first ? "\"" : ",\"");
  put_text(key);
  put_text("\":");
  json.first = false;
}

static void put_string(const char *key, const char *value) {
  put_key(key);
  put_text("\"");
  put_text(value);
  put_text("\"");
}

static void put_count(const char *key, unsigned count) {
  put_key(key);
  put_number("", count);
}

static void put_value(const char *key, int64_t value) {
  put_key(key);
  put_number(value < 0 ? "-" : "", value < 0 ? 0u - (uint64_t)value : (uint64_t)value);
}

/* The members of a list are on separate lines. */
static void open_list(const char *key) {
  put_text(",\n\"");
  put_text(key);
  put_text("\":[");
}
static void open_member(unsigned index) {
  put_text(index == 0 ? "\n  {" : ",\n  {");
  json.first = true;
}

static void put_task(struct rec_task *t) {
  put_string("name", t->name);
  put_key("kernel");
  put_text(t->is_kernel_task ? "true" : "false");
  put_count("priority", t->priority);
  put_count("last_priority", t->last_priority);
  put_count("created", 1);
  put_count("deleted", t->deleted);
  put_count("delays", t->delays);
  if (t->is_kernel_task) {
    put_key("delay_untils"); /* the timer task's are the kernel's business */
    put_text("null");
  } else {
    put_count("delay_untils", t->delay_untils);
  }
  put_count("suspended", t->suspended);
  put_count("resumed", t->resumed);
  put_count("resumed_from_isr", t->resumed_from_isr);
  put_count("priority_sets", t->priority_sets);
  put_count("evtmarkers", t->evtmarkers);
  put_count("evtmarker_begins", t->evtmarker_begins);
  put_count("evtmarker_ends", t->evtmarker_ends);
  put_count("valmarkers", t->valmarkers);
  put_text("}");
}

static void put_queue(struct rec_queue *q) {
  put_string("name", q->name);
  put_count("kind", (unsigned)q->kind);
  put_count("sends", q->sends);
  put_count("sends_from_isr", q->sends_from_isr);
  put_count("overwrites", q->overwrites);
  put_count("overwrites_from_isr", q->overwrites_from_isr);
  put_count("receives", q->receives);
  put_count("receives_from_isr", q->receives_from_isr);
  put_count("resets", q->resets);
  put_count("final_length", q->final_length);
  put_text("}");
}

static void put_isr(struct rec_isr *r) {
  put_count("id", r->id);
  put_string("name", r->name);
  put_count("enters", r->enters);
  put_count("exits", r->exits);
  put_text("}");
}

static void put_evtmarker(struct rec_evtmarker *m) {
  put_count("id", m->id);
  put_string("name", m->name);
  put_count("instants", m->instants);
  put_count("begins", m->begins);
  put_count("ends", m->ends);
  put_text("}");
}

static void put_valmarker(struct rec_valmarker *m) {
  put_count("id", m->id);
  put_string("name", m->name);
  put_count("values", m->values);
  put_value("last", m->last);
  put_text("}");
}

#define PUT_LIST(key, count, put_member, members) \
  do {                                            \
    open_list(key);                               \
    for (unsigned i = 0; i < (count); i++) {      \
      open_member(i);                             \
      put_member(&(members)[i]);                  \
    }                                             \
    put_text("\n]");                              \
  } while (0)

bool rec_write_truth(rec_text_sink sink, const char *backend, uint32_t refused_frames) {
  json.sink = sink;
  json.failed = false;
  json.first = true;
  put_text("{");
  put_string("backend", backend);
  put_count("rounds", app_rounds);
  put_count("refused_frames", refused_frames);
  PUT_LIST("tasks", rec.task_count, put_task, rec.tasks);
  PUT_LIST("queues", rec.queue_count, put_queue, rec.queues);
  PUT_LIST("isrs", rec.isr_count, put_isr, rec.isrs);
  PUT_LIST("evtmarkers", rec.evtmarker_count, put_evtmarker, rec.evtmarkers);
  PUT_LIST("valmarkers", rec.valmarker_count, put_valmarker, rec.valmarkers);
  json.first = false;
  put_text("\n");
  put_count("inheritances", rec.inheritances);
  put_count("disinheritances", rec.disinheritances);
  put_text("}\n");
  return !json.failed;
}
