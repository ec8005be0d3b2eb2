/*
 * tband configuration of the example. Every knob and its default is described
 * in include/tband_config_defaults.h.
 */
#ifndef TBAND_CONFIG_H_
#define TBAND_CONFIG_H_

#define tband_configENABLE                1
#define tband_configFREERTOS_TRACE_ENABLE 1
#define tband_configUSE_BACKEND_STREAMING 1

/* Names given before and while recording. */
#define tband_configMETADATA_BUF_SIZE 4096

#endif /* TBAND_CONFIG_H_ */
