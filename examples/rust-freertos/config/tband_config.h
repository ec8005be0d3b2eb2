/*
 * tband configuration of the example. Every knob and its default is described
 * in include/tband_config_defaults.h.
 */
#ifndef TBAND_CONFIG_H_
#define TBAND_CONFIG_H_

#define tband_configENABLE                1
#define tband_configFREERTOS_TRACE_ENABLE 1
#define tband_configUSE_BACKEND_STREAMING 1

/* Packets; CFLAGS=-Dtband_configFORMAT=TBAND_FORMAT_FRAMES builds the same with frames, the format of Tonbandgeraet. */
#ifndef tband_configFORMAT
#define tband_configFORMAT TBAND_FORMAT_PACKETS
#endif

/* Names given before and while recording. */
#define tband_configMETADATA_BUF_SIZE 4096

#endif /* TBAND_CONFIG_H_ */
