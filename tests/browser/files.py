"""Files as they come: of any name, of one core, cut off, dropped in folders, given twice; and what is done meanwhile."""

import gzip
import json
import os
import pathlib
import subprocess

from driver import DEMO, FOLDER, ROOT, VECTORS, accessible, cli, fits, grouped, main, until

PAGE = f"file://{os.environ['TBAND_PAGE']}/index.html"
TYPE = "application/octet-stream"


def idle(page):
    until(page, "!state.jobs.current && document.querySelector('#progress').hidden")


def choose(page, *files):
    page.wait_for_selector("body[data-ready]")
    page.set_input_files("#choose", list(files))
    idle(page)


def save(page, kind="perfetto"):
    page.select_option("#save-as", kind)
    with page.expect_download() as download:
        page.click("#save")
    return pathlib.Path(download.value.path()).read_bytes()


def messages(page):
    return page.locator("#messages li").all_inner_texts()


def release_names_are_texts_and_nothing_else(pages):
    names = ["<img src=x onerror=alert(1)>.bin", "</script><script>alert(1)</script>.bin", "הקלטה 1.bin", "\u202egnp.bin", "x" * 300 + ".bin", "{{7*7}}.bin", ".bin"]
    longest = max(names, key=len)
    for width, chosen in ((1280, names), (360, [names[0], longest])):
        with pages.open(PAGE, width=width) as page:
            for name in chosen:
                choose(page, {"name": name, "mimeType": TYPE, "buffer": (VECTORS / "truncated.bin").read_bytes()})
                assert page.locator("#files .name").text_content() == name
                assert messages(page)[0].startswith(f"warning: {name}: byte "), messages(page)
                page.click("#show")
                until(page, "globalThis.tbandTimeline && tbandTimeline.operations > 0")
                assert page.locator("#view h1").text_content() == name
                assert page.locator("main img").count() == 0
                fits(page)
                if name in (names[0], longest):
                    accessible(page)
                page.click("#files button")
                page.evaluate("tbandTimeline = undefined")


def test_cores_are_numbers_that_there_are(pages):
    with pages.open(PAGE) as page:
        choose(page, DEMO)
        for core in ("64", "-1", "1.5", "99999999999"):
            page.fill("#files input", core)
            page.locator("#files input").blur()
            idle(page)
            assert messages(page) == [f"error: core: {DEMO.name}: a number from 0 to 63 is needed"], (core, messages(page))
        page.fill("#files input", "7")
        page.locator("#files input").blur()
        idle(page)
        ran = subprocess.run([os.environ["TBAND_CLI"], "check", "-m", "auto", f"{DEMO.name}@7"], capture_output=True, cwd=DEMO.parent)
        assert ran.returncode < 2 and messages(page) == ran.stderr.decode().splitlines(), (messages(page), ran.stderr)
        assert page.locator("#found").inner_text() != ""


def release_files_of_one_core_are_joined_in_their_order(pages):
    whole = DEMO.read_bytes()
    # In the middle of a frame too.
    parts = [whole[:4001], whole[4001:7000], whole[7000:]]
    files = [{"name": f"part{number}.bin", "mimeType": TYPE, "buffer": part} for number, part in enumerate(parts)]
    with pages.open(PAGE) as page:
        choose(page, *files)
        assert save(page) == cli("conv", "-m", "auto", "-o", "-", DEMO).stdout
        assert page.locator("#messages li").count() == 0
        # Those that are given twice are one after the other.
        page.locator("#files button").nth(2).click()
        idle(page)
        assert page.locator("#files li").count() == 2
        assert save(page) != cli("conv", "-m", "auto", "-o", "-", DEMO).stdout


def release_any_beginning_of_a_recording_is_taken(pages):
    whole = DEMO.read_bytes()
    with pages.open(PAGE) as page:
        for length in (1, 2, 3, 5, 100, len(whole) - 1):
            name = f"cut{length}.bin"
            (FOLDER / name).write_bytes(whole[:length])
            choose(page, FOLDER / name)
            ran = subprocess.run([os.environ["TBAND_CLI"], "check", "-m", "auto", name], capture_output=True, cwd=FOLDER)
            failed = page.locator("#messages .error").count() > 0
            assert failed == (ran.returncode == 2), (length, ran.stderr, messages(page))
            if failed:
                assert messages(page) == ran.stderr.decode().splitlines()
                assert page.locator("#found").inner_text() == ""
            else:
                assert f"{grouped(length)} bytes" in page.locator("#files .size").inner_text()
                assert page.locator("#found").inner_text() != ""
            page.click("#files button")


def release_hex_may_have_what_terminals_put_around_it(pages):
    whole = (VECTORS / "base_only.bin").read_bytes()[:3000]
    (FOLDER / "whole.bin").write_bytes(whole)
    lines = "\r\n".join(" ".join(f"{byte:02X}" for byte in whole[at:at + 16]) for at in range(0, len(whole), 16))
    texts = [lines, "\ufeff" + lines, lines.replace(" ", ","), "0x" + lines.replace(" ", " 0x").replace("\r\n", "\r\n0x"),
             "# dumped by a debugger\n" + lines, "x" * 10 + lines]
    with pages.open(PAGE) as page:
        page.wait_for_selector("body[data-ready]")
        page.click("text=Paste hex or base64")
        accepted = 0
        for number, text in enumerate(texts):
            page.fill("#text", text)
            page.click("#use-text")
            page.wait_for_selector("#files li")
            idle(page)
            path = FOLDER / "pasted.txt"
            # As the text box has it.
            path.write_text(page.input_value("#text"), newline="")
            ran = subprocess.run([os.environ["TBAND_CLI"], "conv", "-m", "auto", "-o", "-", path.name], capture_output=True, cwd=FOLDER)
            if ran.returncode == 2:
                assert messages(page) == ran.stderr.decode().splitlines(), (number, messages(page), ran.stderr)
            else:
                assert save(page) == ran.stdout, number
                accepted += 1
            page.click("#files button")
        assert accepted >= 2, accepted


# Drops files, and folders, whose files are given by their paths, as a browser does that gives the entries of a folder in parts.
DROP = """(paths) => {
  const made = (name, entries) => ({ isFile: false, isDirectory: true, name, createReader: () => {
    let given = 0;
    return { readEntries: (resolve) => resolve(entries.slice(given, (given += 2))) };
  } });
  const ofFile = (path, bytes) => {
    const file = new File([new Uint8Array(bytes)], path.split("/").pop());
    return { isFile: true, isDirectory: false, name: file.name, file: (resolve) => resolve(file), whole: file };
  };
  const level = (entries) => {
    const folders = new Map(), all = [];
    for (const [path, bytes] of entries) {
      const [first, ...rest] = path.split("/");
      if (rest.length === 0) all.push(ofFile(path, bytes));
      else folders.set(first, [...(folders.get(first) ?? []), ...(rest[0] === "" ? [] : [[rest.join("/"), bytes]])]);
    }
    for (const [name, below] of folders) all.push(made(name, level(below)));
    return all;
  };
  const entries = level(Object.entries(paths));
  const files = entries.map((entry) => entry.whole ?? new File([], entry.name));
  const items = entries.map((entry) => ({ webkitGetAsEntry: () => entry }));
  dispatchEvent(Object.assign(new Event("drop"), { dataTransfer: { files, items } }));
}"""


def test_a_folder_is_no_recording(pages):
    error = "error: logs is a folder without a CTF trace: open it, and drop the recordings that are in it"
    demo = list(DEMO.read_bytes())
    with pages.open(PAGE) as page:
        page.wait_for_selector("body[data-ready]")
        for logs in ({"logs/": []}, {"logs/demo.bin": demo}):
            page.evaluate(DROP, logs)
            page.wait_for_selector("#messages li")
            assert messages(page) == [error] and page.locator("#files li").count() == 0
        page.evaluate(DROP, {"demo.bin": demo, "logs/": []})
        until(page, "document.querySelector('#found').textContent !== ''")
        idle(page)
        assert messages(page) == [error] and page.locator("#files .name").all_inner_texts() == ["demo.bin"]


def trace(folder=""):
    """The files of a CTF trace whose events a mapping file defines, and that file."""
    recordings = ROOT / "tband-import" / "tests" / "recordings" / "ctf" / "barectf"
    files = {f"{folder}{name}": gzip.decompress((recordings / f"{name}.gz").read_bytes()) for name in ("metadata", "stream")}
    guide = (ROOT / "docs" / "src" / "guide" / "viewing" / "ctf-traces.md").read_text()
    return files, guide.split("```toml\n")[1].split("```")[0].encode()


def test_a_folder_of_a_trace_is_a_recording(pages):
    files, mapping = trace("run7/kernel/")
    for path, content in {**files, "run7/kernel/tband-map.toml": mapping}.items():
        (FOLDER / path).parent.mkdir(parents=True, exist_ok=True)
        (FOLDER / path).write_bytes(content)
    (FOLDER / "map.toml").write_bytes(mapping)
    stats = cli("stats", "-m", "auto", "--json", "run7", cwd=FOLDER).stdout
    dropped = {path: list(content) for path, content in files.items()}
    dropped |= {"run7/notes/a.txt": [65], "run7/kernel/.hidden": [65], "run7/kernel/empty": []}
    with pages.open(PAGE) as page:
        page.wait_for_selector("body[data-ready]")
        page.evaluate(DROP, dropped)
        until(page, "document.querySelector('#found').textContent !== ''")
        idle(page)
        assert page.locator("#files .name").all_inner_texts() == ["run7/kernel/metadata", "run7/kernel/stream"]
        assert b'"Consumer"' not in save(page, "stats-json")
        # The mapping file may be chosen afterwards.
        choose(page, FOLDER / "map.toml")
        saved = save(page, "stats-json")
        assert json.loads(saved)["tasks"] == json.loads(stats)["tasks"] and b'"Consumer"' in saved
        # One of a mistake is named with its line.
        page.get_by_label("Remove map.toml").click()
        idle(page)
        page.set_input_files("#choose", [{"name": "map.toml", "mimeType": TYPE, "buffer": b"idle = 3"}])
        page.wait_for_selector("#messages .error")
        assert messages(page) == ["error: map.toml: line 1: a list is needed: idle = [\"IDLE\"]"], messages(page)


def test_files_of_a_trace_are_a_recording(pages):
    files, mapping = trace()
    chosen = [{"name": name, "mimeType": TYPE, "buffer": content} for name, content in {**files, "my.toml": mapping}.items()]
    with pages.open(PAGE) as page:
        choose(page, *chosen)
        assert b'"Consumer"' in save(page, "stats-json") and messages(page) == []


def test_a_missing_file_is_reported(pages):
    path = FOLDER / "gone.bin"
    path.write_bytes(DEMO.read_bytes())
    with pages.open(PAGE) as page:
        choose(page, path)
        path.unlink()
        page.click("#show")
        idle(page)
        assert messages(page) == ["error: cannot read gone.bin: the browser could not read the file; was it changed or removed?"], messages(page)


def release_what_is_asked_for_last_is_done(pages):
    with pages.open(PAGE) as page:
        choose(page, DEMO)
        wanted = cli("stats", "-m", "auto", "--json", DEMO).stdout
        for _ in range(3):
            # All at once: each ends the one before.
            page.evaluate("document.querySelector('#show').click(); document.querySelector('#dump').click(); document.querySelector('#show').click()")
            assert b'"tasks"' in save(page, "stats-json")
            idle(page)
        assert len(save(page, "stats-json")) > len(wanted) / 2
        assert page.evaluate("state.jobs.worker === null")


main(globals())
