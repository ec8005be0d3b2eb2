/* tband configuration of the test: a snapshot, in the board's big memory. */
#ifndef TBAND_CONFIG_H_
#define TBAND_CONFIG_H_

#define tband_configENABLE                    1
#define tband_configFREERTOS_TRACE_ENABLE     0
#define tband_configUSE_BACKEND_SNAPSHOT      1
#define tband_configMETADATA_BUF_SIZE         2048
#define tband_configBACKEND_SNAPSHOT_BUF_SIZE (64 * 1024)
#define tband_configPACKET_COUNT              128
#define tband_configMAX_STR_LEN               40

#endif /* TBAND_CONFIG_H_ */
