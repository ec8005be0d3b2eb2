/* lwIP has the interface of POSIX. */
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
