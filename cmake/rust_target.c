/* Never compiled. The build tools run the preprocessor over this file with the flags of your project, and look up its
 * last line in rust_targets.txt: the name of the architecture, and the features that distinguish Rust targets of the
 * same name. */
#include "tband_architecture.h"
#if defined(__linux__)
TBAND_ARCHITECTURE for_linux
#elif defined(__APPLE__)
TBAND_ARCHITECTURE for_macos
#elif defined(__ARM_PCS_VFP)
TBAND_ARCHITECTURE hard_float
#elif defined(__aarch64__) && (!defined(__ARM_FP) || !defined(__ARM_NEON))
TBAND_ARCHITECTURE soft_float
#else
TBAND_ARCHITECTURE bare
#endif
