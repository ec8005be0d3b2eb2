# tband for projects with make. After the flags of your compiler, among which macros are looked at:
#
#   TBAND_CONFIG := config                  # folders with tband_config.h and tband_port.h
#   include /path/to/this/folder/tband.mk
#
# Then there are, each to be added where it belongs:
#
#   TBAND_CPPFLAGS    for the compiler, of the kernel's files too
#   TBAND_SOURCES     the C files to compile; with FreeRTOS those of TBAND_FREERTOS_SOURCES as well
#   TBAND_LIBRARY     the library, to be linked after all objects. That of the CPU which CC, CPPFLAGS and
#                     CFLAGS name, unless you set TBAND_TARGET to one of the folders in lib/
#   TBAND_LINK        before the command that links, so that recordings identify their program; empty without CMake
#
# A macro of tband that does not exist, in these two headers or in CPPFLAGS and CFLAGS, is an error: the compiler
# would ignore it, and the one that was meant would have its default.

TBAND_FOLDER := $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))

ifeq ($(wildcard $(TBAND_FOLDER)/include/tband.h),)
$(error tband: $(TBAND_FOLDER) is not a package, but of tband's sources. Make needs one, with a library in it: "cmake --install", \
  or "cargo xtask dist" for all CPUs, and include the tband.mk that is there (docs/src/guide/start/installing.md))
endif

tband_headers := $(wildcard $(foreach folder,$(TBAND_CONFIG),$(addprefix $(folder)/,tband_config.h tband_port.h)))
ifeq ($(filter %/tband_config.h,$(tband_headers)),)
$(error tband: no tband_config.h in TBAND_CONFIG ("$(TBAND_CONFIG)"): set it to the folder that has it, before tband.mk is included)
endif

TBAND_CPPFLAGS := $(addprefix -I,$(TBAND_CONFIG) $(addprefix $(TBAND_FOLDER)/,include freertos-hooks port))
TBAND_SOURCES := $(TBAND_FOLDER)/port/tband_shim.c
TBAND_FREERTOS_SOURCES := $(TBAND_FOLDER)/freertos-hooks/tband_freertos.c

# --- Macros that do not exist ----------------------------------------------------------

tband_flags = $(filter-out -M%,$(CPPFLAGS) $(CFLAGS))
tband_hash := \#
tband_name := tband_(config|port)[A-Z][A-Za-z0-9_]*
# What is written for them: the words in another order, an underscore too many or too few.
tband_alike := (config|port)_?(TBAND|tband)_?[A-Z][A-Za-z0-9_]*|tband(config|port)[A-Z][A-Za-z0-9_]*|\
TBAND_(config|port)_?[A-Z][A-Za-z0-9_]*|tband_(config|port|CONFIG|PORT)_[A-Z][A-Za-z0-9_]*
tband_alike := $(subst | ,|,$(tband_alike))
tband_known := $(shell grep -ohE '$(tband_name)' $(TBAND_FOLDER)/include/*.h $(TBAND_FOLDER)/port/*.[ch] \
  $(TBAND_FOLDER)/port/*/*.h $(TBAND_FOLDER)/freertos-hooks/*.h | sort -u)
tband_set := $(shell sed -nE \
  's/^[[:space:]]*$(tband_hash)[[:space:]]*define[[:space:]]+($(tband_name)|$(tband_alike)).*/\1/p' $(tband_headers))
tband_set += $(foreach flag,$(filter $(foreach word,tband_config tband_port configTBAND portTBAND tbandconfig tbandport \
  TBAND_config TBAND_port,-D$(word)%),$(tband_flags)),$(firstword $(subst =, ,$(patsubst -D%,%,$(flag)))))
tband_unknown := $(filter-out $(tband_known),$(tband_set))
ifneq ($(tband_unknown),)
$(error tband: $(firstword $(tband_unknown)) is not a macro of tband: it would be ignored. What was probably meant: \
  $(or $(wildcard $(TBAND_FOLDER)/bin/tband-cli),tband-cli) config $(tband_headers))
endif

# --- The identity of the program --------------------------------------------------------

tband_cmake := $(shell command -v cmake 2>/dev/null)
TBAND_LINK = $(if $(tband_cmake),cmake $(if $(OBJCOPY),-DTBAND_OBJCOPY=$(OBJCOPY)) -P $(TBAND_FOLDER)/cmake/TbandLink.cmake --)

# --- The library ---------------------------------------------------------------------

tband_no_compiler = tband: the compiler in CC, "$(CC)", does not run
tband_no_library = tband: no library for $(1) in $(TBAND_FOLDER)/lib, which has: \
  $(notdir $(patsubst %/libtband.a,%,$(wildcard $(TBAND_FOLDER)/lib/*/libtband.a))). Include tband.mk after the \
  flags of your compiler

# The architecture's name, as the shim has it, and a word that distinguishes Rust targets of the same name.
tband_cpu = $(or $(shell $(CC) $(tband_flags) -I$(TBAND_FOLDER)/port -E -P $(TBAND_FOLDER)/cmake/rust_target.c | tail -n 1),\
  $(error $(tband_no_compiler)))
tband_target = $(or $(shell sed -n 's/^$(1) //p' $(TBAND_FOLDER)/cmake/rust_targets.txt),$(firstword $(1)))
# Why there is no library for a CPU, and what to use in its place.
tband_reason = $(shell sed -n 's/^$(patsubst %_big_endian,%,$(firstword $(1))) //p' $(TBAND_FOLDER)/cmake/without_library.txt)
tband_impossible = tband: there is no library for the CPU of "$(CC)". $(tband_reason). Record with Tonbandgeraet's library, which is \
  portable C, and read its recordings with tband-cli: docs/src/guide/start/tonbandgeraet.md
tband_library = $(or $(wildcard $(TBAND_FOLDER)/lib/$(1)/libtband.a),$(error $(if $(tband_reason),$(tband_impossible),$(tband_no_library))))
tband_find = $(call tband_library,$(or $(TBAND_TARGET),$(call tband_target,$(tband_cpu))))

# Found here, and anew where the compiler or its flags are others when it is used: `CC =` may be after the line that
# includes this file. Nothing is found here for the `cc` that make has by itself.
tband_compiler = x$(CC) $(tband_flags)x
tband_compiler_here := $(tband_compiler)
ifneq ($(origin CC)$(TBAND_TARGET),default)
tband_library_here := $(tband_find)
endif
TBAND_LIBRARY = $(or $(if $(subst $(tband_compiler_here),,$(tband_compiler)),,$(tband_library_here)),$(tband_find))
# The emitter of flux: put it after your objects, if they call it.
TBAND_FLUX_LIBRARY = $(dir $(TBAND_LIBRARY))libtband_flux.a
