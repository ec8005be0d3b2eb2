/*
 * tband configuration of the example. Every knob and its default is described
 * in include/tband_config_defaults.h. The backend is chosen by CMakeLists.txt
 * (-DTBAND_BACKEND=...), which defines tband_configUSE_BACKEND_STREAMING or
 * tband_configUSE_BACKEND_SNAPSHOT; a program with one backend writes it here.
 */
#ifndef TBAND_CONFIG_H_
#define TBAND_CONFIG_H_

#define tband_configENABLE 1

/* Packets; -DTBAND_FORMAT=frames builds the same with frames, the format of Tonbandgeraet. */
#ifndef tband_configFORMAT
#define tband_configFORMAT TBAND_FORMAT_PACKETS
#endif

/* Of 512 bytes; and the same for frames, in the snapshot build. */
#define tband_configPACKET_COUNT              8
#define tband_configBACKEND_SNAPSHOT_BUF_SIZE 4096

/* The main loop calls tband_keep_time() in each period. */
#define tband_configTIME_IS_KEPT 1

#endif /* TBAND_CONFIG_H_ */
