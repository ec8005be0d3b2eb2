/* What is recorded: include/tband_config_defaults.h explains every setting. */
#ifndef TBAND_CONFIG_H_
#define TBAND_CONFIG_H_

#define tband_configENABLE                    1
#define tband_configUSE_BACKEND_SNAPSHOT      1
#define tband_configBACKEND_SNAPSHOT_BUF_SIZE 16384

#endif /* TBAND_CONFIG_H_ */
