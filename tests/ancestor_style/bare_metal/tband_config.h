#ifndef TBAND_CONFIG_H_
#define TBAND_CONFIG_H_

#define tband_configENABLE (1)
#define tband_configUSE_BACKEND_STREAMING (1)
#define tband_configMETADATA_BUF_SIZE (128)

#endif /* TBAND_CONFIG_H_ */
