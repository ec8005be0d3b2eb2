"""For PlatformIO, named in library.json: the library for the CPU, and the headers' folders for all that is compiled.

The library is chosen by the compiler and its flags, as tband.mk does. It is that of the package with prebuilt libraries, or
what the option `custom_tband_library` of platformio.ini names.
"""
import os
import shlex
import subprocess

Import("env")  # noqa: F821, PlatformIO's

folder = os.getcwd()  # PlatformIO runs this in the library's folder


def target():
    """Rust's name of the target that the compiler's flags are for."""
    compiler = shlex.split(env.subst("$CC $CFLAGS $CCFLAGS"))  # noqa: F821
    flags = [flag for flag in compiler[1:] if not flag.startswith("-M")]
    source = os.path.join(folder, "cmake", "rust_target.c")
    command = [compiler[0], *flags, "-I" + os.path.join(folder, "port"), "-E", "-P", source]
    answer = subprocess.run(
        command, stdout=subprocess.PIPE, check=True, universal_newlines=True, env=env["ENV"]  # noqa: F821
    )
    cpu = answer.stdout.split()[-2:]
    with open(os.path.join(folder, "cmake", "rust_targets.txt"), encoding="ascii") as lines:
        known = [line.split() for line in lines if not line.startswith("#")]
    return next((triple for *of, triple in known if of == cpu), cpu[0])


def library():
    """The file of the library."""
    named = env.GetProjectOption("custom_tband_library", "")  # noqa: F821
    triple = "" if named else target()
    path = named or os.path.join(folder, "lib", triple, "libtband.a")
    if not os.path.isfile(path):
        with open(os.path.join(folder, "cmake", "without_library.txt"), encoding="ascii") as lines:
            reasons = dict(line.strip().split(" ", 1) for line in lines if not line.startswith("#"))
        name = triple[: -len("_big_endian")] if triple.endswith("_big_endian") else triple
        if name in reasons:
            raise SystemExit(
                "tband: there is no library for this CPU. {}. Record with Tonbandgeraet's library, which is portable C, and read its "
                "recordings with tband-cli: docs/src/guide/start/tonbandgeraet.md".format(reasons[name])
            )
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
