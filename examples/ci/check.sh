#!/bin/sh
# Builds the firmware, records it in QEMU and judges the recording, in one command:
#
#   examples/ci/check.sh [VARIANT]
#
# FREERTOS_KERNEL_PATH is the folder of the kernel's sources; TBAND_CLI the program, if it is not in PATH; BUILD the folder for what
# is built. The exit code is 0 only if all rules hold.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=${BUILD:-$here/build}
if [ ! -f "${FREERTOS_KERNEL_PATH:-}/tasks.c" ]; then
  echo "FREERTOS_KERNEL_PATH has to be the folder of the FreeRTOS kernel's sources:" >&2
  echo "  git clone --depth 1 --branch V11.2.0 https://github.com/FreeRTOS/FreeRTOS-Kernel" >&2
  exit 2
fi
cmake -S "$here" -B "$build" -DFREERTOS_KERNEL_PATH="$FREERTOS_KERNEL_PATH" -DVARIANT="${1:-none}" \
  -DCMAKE_TOOLCHAIN_FILE="$here/../mps2-an386/cortex-m4f.cmake" -DTBAND_CLI="${TBAND_CLI:-tband-cli}" \
  ${TBAND_LIBRARY:+-DTBAND_LIBRARY="$TBAND_LIBRARY"}
cmake --build "$build" --target check
