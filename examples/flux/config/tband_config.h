/* Settings of the recording: include/tband_config_defaults.h explains all of them. */
#ifndef TBAND_CONFIG_H_
#define TBAND_CONFIG_H_

#define tband_configENABLE               1
#define tband_configUSE_BACKEND_SNAPSHOT 1
#define tband_configPACKET_COUNT         32 /* of 512 bytes */
#define tband_configFORMAT               TBAND_FORMAT_PACKETS

#endif /* TBAND_CONFIG_H_ */
