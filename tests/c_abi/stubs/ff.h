/* FatFs' types and functions that the guide's block and the sender use. */
typedef unsigned int UINT;
typedef enum { FR_OK = 0 } FRESULT;
typedef struct {
  int private_state;
} FIL;
FRESULT f_write(FIL *file, const void *data, UINT len, UINT *written);
FRESULT f_sync(FIL *file);
