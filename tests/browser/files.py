"""Files as they come: of any name, of one core, cut off, dropped in folders, given twice; and what is done meanwhile."""

import os
import pathlib
import subprocess

from driver import DEMO, FOLDER, VECTORS, accessible, cli, fits, grouped, main, until

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


def test_a_folder_is_no_recording(pages):
    drop = """([bytes, folder]) => {
      const files = bytes ? [new File([new Uint8Array(bytes)], "demo.bin")] : [];
      const items = files.map(() => ({ webkitGetAsEntry: () => ({ isDirectory: false, name: "demo.bin" }) }));
      if (folder) {
        files.push(new File([], folder));
        items.push({ webkitGetAsEntry: () => ({ isDirectory: true, name: folder }) });
      }
      dispatchEvent(Object.assign(new Event("drop"), { dataTransfer: { files, items } }));
    }"""
    error = "error: logs is a folder: open it, and drop the recordings that are in it"
    with pages.open(PAGE) as page:
        page.wait_for_selector("body[data-ready]")
        page.evaluate(drop, [None, "logs"])
        page.wait_for_selector("#messages li")
        assert messages(page) == [error] and page.locator("#files li").count() == 0
        page.evaluate(drop, [list(DEMO.read_bytes()), "logs"])
        until(page, "document.querySelector('#found').textContent !== ''")
        idle(page)
        assert messages(page) == [error] and page.locator("#files .name").all_inner_texts() == ["demo.bin"]


def test_a_file_that_is_gone_is_said(pages):
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
