"""For PlatformIO, named in library.json: the library for the CPU, and the headers' folders for all that is compiled.

The library is chosen by the compiler and its flags, as tband.mk does. It is that of the package with prebuilt libraries, or
what the option `custom_tband_library` of platformio.ini names.
"""
import os
import shlex
import subprocess

Import("env")  # noqa: F821, PlatformIO's

TARGETS = {
    "armv6m": "thumbv6m-none-eabi",
    "armv7m": "thumbv7m-none-eabi",
    "armv7em": "thumbv7em-none-eabi",
    "armv8m_base": "thumbv8m.base-none-eabi",
    "armv8m_main": "thumbv8m.main-none-eabi",
    "rv32imac": "riscv32imac-unknown-none-elf",
    "rv32imc": "riscv32imc-unknown-none-elf",
    "rv32im": "riscv32im-unknown-none-elf",
    "x86_64": "x86_64-unknown-linux-gnu",
    "aarch64": "aarch64-unknown-linux-gnu",
}
folder = os.getcwd()  # PlatformIO runs this in the library's folder


def target():
    """Rust's name of the target that the compiler's flags are for."""
    compiler = shlex.split(env.subst("$CC $CFLAGS $CCFLAGS"))  # noqa: F821
    flags = [flag for flag in compiler[1:] if not flag.startswith("-M")]
    source = '#include "tband_architecture.h"\nTBAND_ARCHITECTURE __ARM_PCS_VFP\n'
    command = [compiler[0], *flags, "-I" + os.path.join(folder, "port"), "-E", "-P", "-x", "c", "-"]
    answer = subprocess.run(
        command, input=source, stdout=subprocess.PIPE, check=True, universal_newlines=True, env=env["ENV"]  # noqa: F821
    )
    cpu, in_registers = answer.stdout.split()[-2:]
    triple = TARGETS.get(cpu, cpu)
    return triple + "hf" if in_registers == "1" and cpu in ("armv7em", "armv8m_main") else triple


def library():
    """The file of the library."""
    named = env.GetProjectOption("custom_tband_library", "")  # noqa: F821
    triple = "" if named else target()
    path = named or os.path.join(folder, "lib", triple, "libtband.a")
    if not os.path.isfile(path):
        raise SystemExit(
            "tband: there is no library {}. Take the package with prebuilt libraries, or build it (cargo build "
            "--manifest-path firmware/Cargo.toml -p tband-ffi --profile firmware --target {}) and name it: custom_tband_library = path".format(path, triple or "...")
        )
    return path


# The project's own files, the kernel's among them, and those of the framework.
for one in (env, DefaultEnvironment()):  # noqa: F821
    one.Append(CPPPATH=[os.path.join(folder, name) for name in ("include", "freertos-hooks", "port")])
# After all objects.
DefaultEnvironment().Append(LIBS=[File(library())])  # noqa: F821
