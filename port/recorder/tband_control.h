/* Calls of the library by functions that start and stop a recording. Part of the shim, for the headers of backends. */
#ifndef TBAND_CONTROL_H
#define TBAND_CONTROL_H

/* Runs a control function of the library in the critical section and returns its result. */
#define TBAND_CONTROL(call)                \
  do {                                     \
    if (TBAND_IS_REFUSED(false)) {         \
      return -1;                           \
    }                                      \
    tband_portENTER_CRITICAL_FROM_ANY();   \
    const int tband_result = (int)(call);  \
    TBAND_FILTER_RESTS();                  \
    tband_portEXIT_CRITICAL_FROM_ANY();    \
    return tband_result;                   \
  } while (0)

/* As above, for calls that are refused unless recording has finished. `first` runs before everything, `before` runs
 * before the call and inside the section, `after` runs after it. A core that tests whether recording is on, for example
 * to name an object, is marked as recording for a few instructions; that is not a reason to refuse. */
#define TBAND_IS_REFUSED_IN_VAIN(result) \
  ((TBAND_CORES > 1U) && ((result) == -1) && tband_lib_recorder_finished())
#define TBAND_CONTROL_WITH(first, before, call, after)  \
  do {                                                \
    int tband_result;                                 \
    if (TBAND_IS_REFUSED(false)) {                    \
      return -1;                                      \
    }                                                 \
    first;                                            \
    do {                                              \
      tband_portENTER_CRITICAL_FROM_ANY();            \
      before;                                         \
      tband_result = (int)(call);                     \
      TBAND_FILTER_RESTS();                           \
      tband_portEXIT_CRITICAL_FROM_ANY();             \
    } while (TBAND_IS_REFUSED_IN_VAIN(tband_result)); \
    after;                                            \
    return tband_result;                              \
  } while (0)
#define TBAND_CONTROL_FINISHED(call) TBAND_CONTROL_WITH((void)0, (void)0, call, (void)0)

/* A start, which starts the timer too. The first event reports its frequency. */
#define TBAND_TELL_FREQUENCY()                                \
  do {                                                        \
    if (TBAND_STARTS_WITH_FREQUENCY && (tband_result == 0)) { \
      TBAND_RECORD_FREQUENCY();                               \
    }                                                         \
  } while (0)
#if defined(TBAND_SHIM) && tband_configUSE_SHEDDING && TBAND_DESCRIBES_BEFORE_START
static void tband_filter_describes(void);
#define TBAND_DESCRIBE()         \
  do {                           \
    if (!tband_is_recording()) { \
      tband_filter_describes();  \
    }                            \
  } while (0)
#else
#define TBAND_DESCRIBE() ((void)0)
#endif
#if defined(TBAND_SHIM) && tband_configUSE_FILTERS && !tband_configUSE_BACKEND_EXTERNAL && !TBAND_DESCRIBES_BEFORE_START
static void tband_filter_record_at_start(void);
#define TBAND_TELL_FILTER()         \
  do {                              \
    if (tband_result == 0) {        \
      tband_filter_record_at_start(); \
    }                               \
  } while (0)
#else
#define TBAND_TELL_FILTER() ((void)0)
#endif
#if defined(TBAND_SHIM) && tband_configUSE_TRIGGERS && !tband_configUSE_BACKEND_EXTERNAL
static void tband_triggers_start(void);
#define TBAND_TRIGGERS_START() tband_triggers_start()
#else
#define TBAND_TRIGGERS_START() ((void)0)
#endif
#if defined(TBAND_SHIM) && tband_configUSE_TRIGGERS && !tband_configUSE_BACKEND_EXTERNAL && !TBAND_DESCRIBES_BEFORE_START
static void tband_trigger_record_at_start(void);
#define TBAND_TELL_TRIGGERS()        \
  do {                               \
    if (tband_result == 0) {         \
      tband_trigger_record_at_start(); \
    }                                \
  } while (0)
#else
#define TBAND_TELL_TRIGGERS() ((void)0)
#endif
#if defined(TBAND_SHIM) && !tband_configUSE_METADATA_BUF && (tband_configUSE_FILTERS || tband_configUSE_TRIGGERS)
#define TBAND_FORGET_DESCRIBED()   \
  do {                             \
    if (!tband_is_recording()) {   \
      tband_described = 0;         \
    }                              \
  } while (0)
#else
#define TBAND_FORGET_DESCRIBED() ((void)0)
#endif
#define TBAND_BEFORE_START()     \
  do {                           \
    TBAND_TRIGGERS_START();      \
    TBAND_FORGET_DESCRIBED();    \
    tband_portTIMESTAMP_START(); \
  } while (0)
#define TBAND_AFTER_START_ALONE() \
  do {                            \
    TBAND_TELL_FILTER();          \
    TBAND_TELL_TRIGGERS();        \
  } while (0)
#define TBAND_AFTER_START()    \
  do {                         \
    TBAND_TELL_FREQUENCY();    \
    TBAND_AFTER_START_ALONE(); \
  } while (0)
#define TBAND_START(call) TBAND_CONTROL_WITH(TBAND_DESCRIBE(), TBAND_BEFORE_START(), call, TBAND_AFTER_START())

/* For a start that reports the frequency itself. */
#define TBAND_START_ALONE(call) \
  TBAND_CONTROL_WITH(TBAND_DESCRIBE(), TBAND_BEFORE_START(), call, TBAND_AFTER_START_ALONE())

#endif /* TBAND_CONTROL_H */
