"""The web page: what it makes of files is what tband-cli makes; what is wrong is said; everybody can use it."""

import base64
import filecmp
import gzip
import io
import json
import os
import pathlib
import re
import subprocess
import tarfile

from driver import DEMO, FOLDER, IN_FIREFOX, OTHER_WAYS, ROOT, VECTORS, WAYS, Memory, accessible, chromium_only, cli, fits, main, same_numbers, stats_of, until

PAGE = f"file://{os.environ['TBAND_PAGE']}/index.html"
CORES = [VECTORS / "mc_split.core0.bin", VECTORS / "mc_split.core1.bin"]
# The formats of the page, and the command that writes the same bytes.
SAVED = {
    "perfetto": ["conv", "-m", "auto", "-o", "-"],
    "perfetto-gz": ["conv", "-m", "auto", "--gzip", "-o", "-"],
    "report": ["report", "-m", "auto", "-o", "-"],
    "stats-text": ["stats", "-m", "auto"],
    "stats-json": ["stats", "-m", "auto", "--json"],
    "stats-csv": ["stats", "-m", "auto", "--csv"],
    "check-text": ["check", "-m", "auto"],
    "check-json": ["check", "-m", "auto", "--json"],
    "dump-text": ["dump", "-m", "auto"],
    "dump-json": ["dump", "-m", "auto", "--json"],
}
PERFETTO = """<script>
window.received = null;
addEventListener("message", async ({data, source, origin}) => {
  if (data === "PING") source.postMessage("PONG", origin === "null" ? "*" : origin);
  else if (data.perfetto) window.received = {title: data.perfetto.title, bytes: [...new Uint8Array(data.perfetto.buffer)]};
});
</script>"""


def choose(page, *paths):
    page.wait_for_selector("body[data-ready]")
    page.set_input_files("#choose", [str(path) for path in paths])
    idle(page)


def idle(page):
    until(page, "!state.jobs.current && document.querySelector('#progress').hidden")


def save(page, kind):
    page.select_option("#save-as", kind)
    if IN_FIREFOX:
        # Its driver hears of no downloads: what would be one is taken from the page.
        page.evaluate("window.saved = null; window.save = (blob) => { const reader = new FileReader(); reader.onload = () => { window.saved = reader.result; }; reader.readAsDataURL(blob); }; 0")
        page.click("#save")
        until(page, "window.saved !== null")
        return base64.b64decode(page.evaluate("window.saved").split(",")[1])
    with page.expect_download() as download:
        page.click("#save")
    return pathlib.Path(download.value.path()).read_bytes()


def same_as_cli(page, paths, named=None):
    """What is saved has the bytes of the command line's output, for the files under the page's names."""
    for kind, command in SAVED.items():
        expected = subprocess.run(
            [os.environ["TBAND_CLI"], *command, *(named or [path.name for path in paths])],
            capture_output=True, cwd=paths[0].parent, stdin=subprocess.DEVNULL,
        )
        assert expected.returncode in (0, 1), expected.stderr
        assert save(page, kind) == expected.stdout, (kind, paths)
        said = [f"{it}" for it in page.locator("#messages li").all_inner_texts()]
        if kind.startswith(("perfetto", "dump")):
            assert said == expected.stderr.decode().splitlines(), (kind, said, expected.stderr)


def test_what_is_saved_is_what_the_command_line_makes(pages):
    for paths in ([DEMO], [VECTORS / "truncated.bin"], [VECTORS / "base_only.bin"]):
        # Chromium silently drops the eleventh download of a page within a second.
        with pages.open(PAGE) as page:
            choose(page, *paths)
            same_as_cli(page, paths)


def test_files_of_several_cores_are_one_recording(pages):
    with pages.open(PAGE) as page:
        choose(page, *CORES)
        assert page.locator("#files input").evaluate_all("all => all.map(it => it.value)") == ["0", "1"]
        assert "2 cores" in page.locator("#found").inner_text()
        same_as_cli(page, CORES, [f"{path.name}@{core}" for core, path in enumerate(CORES)])


def release_a_folder_of_ctf_is_that_of_the_command_line(pages):
    with pages.open(PAGE) as page:
        for paths in ([DEMO], [VECTORS / "truncated.bin"], CORES):
            choose(page, *paths)
            named = [f"{path.name}@{core}" for core, path in enumerate(paths)] if len(paths) > 1 else [paths[0].name]
            for version in ("ctf1", "ctf2"):
                folder = FOLDER / f"{paths[0].stem}.{version}"
                ran = subprocess.run([os.environ["TBAND_CLI"], "conv", "-m", "auto", "--to", version, "-o", folder, *named],
                                     capture_output=True, cwd=paths[0].parent)
                assert ran.returncode in (0, 1), ran.stderr
                with tarfile.open(fileobj=io.BytesIO(save(page, version))) as archive:
                    made = {it.name: archive.extractfile(it).read() for it in archive.getmembers()}
                wanted = {f"{folder.name}/{path.name}": path.read_bytes() for path in folder.iterdir()}
                assert len(wanted) > len(paths) and made == wanted, (paths, version, made.keys(), wanted.keys())
                said = [it for it in ran.stderr.decode().splitlines() if it.startswith(("warning", "note"))]
                assert page.locator("#messages li").all_inner_texts() == said, (paths, version, said)
            while page.locator("#files button").count() > 0:
                page.locator("#files button").first.click()


def test_options_are_those_of_the_command_line(pages):
    with pages.open(PAGE) as page:
        choose(page, DEMO)
        page.click("text=Options")
        page.fill("#from", "20ms")
        page.fill("#to", "30ms")
        page.select_option("#flows", "all")
        page.select_option("#interrupts", "rows")
        page.check("#raw_events")
        page.check("#activations")
        idle(page)
        wanted = cli("conv", "-m", "auto", "--from", "20ms", "--to", "30ms", "--flows", "all", "--interrupts", "rows",
                     "--raw-events", "--activations", "-o", "-", DEMO).stdout
        assert save(page, "perfetto") == wanted
        page.fill("#from", "nonsense")
        page.select_option("#save-as", "perfetto")
        page.click("#save")
        page.wait_for_selector("#messages .error")
        assert "a time such as 1.5ms" in page.locator("#messages").inner_text()


def test_text_is_pasted_in_any_notation(pages):
    raw = DEMO.read_bytes()[:4000]
    texts = [" ".join(f"{byte:02x}" for byte in raw), base64.b64encode(raw).decode()]
    marker = "==== {} OF TONBANDGERAET BUFFER ===="
    texts += ["\n".join(["> dump", marker.format("START"), text, marker.format("END"), "> "]) for text in texts]
    (FOLDER / "raw.bin").write_bytes(raw)
    wanted = cli("conv", "-m", "auto", "-o", "-", FOLDER / "raw.bin").stdout
    with pages.open(PAGE) as page:
        page.wait_for_selector("body[data-ready]")
        page.click("text=Paste hex or base64")
        for text in texts:
            page.fill("#text", text)
            page.click("#use-text")
            page.wait_for_selector("#files li")
            idle(page)
            assert save(page, "perfetto") == wanted
            page.click("#files button")
        (FOLDER / "raw.bin.gz").write_bytes(gzip.compress(raw))
        choose(page, FOLDER / "raw.bin.gz")
        assert save(page, "perfetto") == wanted


def test_an_example_is_shown_at_once(pages):
    # Nothing is asked of any other host: `pages` fails then.
    wanted = {
        "sensor pipeline": (7, 1, ["priority inversion", "stack low"]),
        "sensor pipeline, before and after": (7, 1, ["priority inversion", "stack low"]),
        "two cores": (10, 2, ["priority inversion"]),
        "all kinds of objects": (20, 1, []),
    }
    with pages.open(PAGE) as page:
        page.wait_for_selector("body[data-ready]")
        assert page.locator("#examples button").all_inner_texts() == list(wanted)
        for name, (tasks, cores, highlights) in wanted.items():
            page.locator("#examples").get_by_role("button", name=name, exact=True).click()
            until(page, "globalThis.tbandTimeline && tbandTimeline.operations > 0")
            idle(page)
            assert not page.locator("#examples").is_visible()
            told = page.locator("#view .summary").first.inner_text()
            assert told.startswith("whole") and f"{tasks} tasks" in told, told
            assert f"{cores} core{'s' if cores > 1 else ''} with events" in told, told
            shown = page.locator(".highlights strong").all_inner_texts()
            assert set(highlights) <= set(shown), (name, shown)
            # It is a recording like any other.
            assert len(save(page, "perfetto")) > 10_000
            while page.locator("#files button").count() > 0:
                page.locator("#files button").first.click()
            assert page.locator("#examples").is_visible() and page.locator("#view > *").count() == 0


def release_with_a_recording_the_page_has_room_for_it(pages):
    for width, most in ((1280, 100), (360, 270)):
        with pages.open(PAGE, width=width) as page:
            page.wait_for_selector("body[data-ready]")
            height = lambda: page.locator("#sources").bounding_box()["height"]
            before = height()
            choose(page, VECTORS / "freertos_sim.bin")
            assert height() < min(most, before), (width, height(), before)
            page.click("#show")
            until(page, "globalThis.tbandTimeline && tbandTimeline.operations > 0")
            fits(page)
            accessible(page)
            # One way to write numbers: thin spaces, as in the tables.
            told = page.locator("body").inner_text()
            assert "60\u202f003 bytes" in told and not re.search(r"\d,\d{3}", told), re.findall(r".*\d,\d{3}.*", told)
            # The ways to another recording are still there.
            page.click("text=Paste hex or base64")
            assert page.locator("#text").is_visible()
            fits(page)
            page.click("#files button")
            assert height() >= before


def test_other_files_are_reported_as_on_the_command_line(pages):
    cases = {"empty.bin": b"", "text.bin": b"Hello, this is not a recording at all.\n" * 20, "trace.pftrace": cli("conv", "-o", "-", DEMO).stdout}
    with pages.open(PAGE) as page:
        for name, content in cases.items():
            path = FOLDER / name
            path.write_bytes(content)
            choose(page, path)
            ran = subprocess.run([os.environ["TBAND_CLI"], "check", "-m", "auto", name], capture_output=True, cwd=FOLDER)
            assert ran.returncode == 2
            assert page.locator("#messages li").all_inner_texts() == ran.stderr.decode().splitlines(), name
            page.click("#files button")


def test_the_page_shows_what_the_report_shows(pages):
    with pages.open(PAGE) as page:
        choose(page, DEMO)
        page.click("#show")
        until(page, "globalThis.tbandTimeline && tbandTimeline.operations > 0")
        same_numbers(page, stats_of(DEMO))
        page.locator("#table-interrupts a[href^='#t=']").first.click()
        until(page, "tbandTimeline.view.perPixel * tbandTimeline.view.width < tbandTimeline.picture.length / 2")


def objects(session, prototype):
    """How many objects of a class there are, after what nobody needs was collected."""
    session.send("HeapProfiler.collectGarbage")
    found = session.send("Runtime.evaluate", {"expression": prototype, "objectGroup": "counted"})["result"]["objectId"]
    all_of_it = session.send("Runtime.queryObjects", {"prototypeObjectId": found, "objectGroup": "counted"})["objects"]["objectId"]
    # A class that extends it has such an object too, as its prototype.
    counted = {"functionDeclaration": "function () { return this.filter((it) => !Object.hasOwn(it, 'constructor')).length; }", "objectId": all_of_it}
    count = session.send("Runtime.callFunctionOn", counted)["result"]["value"]
    session.send("Runtime.releaseObjectGroup", {"objectGroup": "counted"})
    return count


def listeners(session):
    return session.send("Memory.getDOMCounters")["jsEventListeners"]


@chromium_only
def release_a_view_that_is_shown_no_more_is_forgotten(pages):
    counted = ("Timeline.prototype", "Lane.prototype", "ResizeObserver.prototype", "MediaQueryList.prototype")
    with pages.open(PAGE) as page:
        session = page.context.new_cdp_session(page)
        choose(page, DEMO)
        had = []
        for _ in range(4):
            page.evaluate("globalThis.tbandTimeline = null")
            page.click("#show")
            until(page, "globalThis.tbandTimeline && tbandTimeline.operations > 0")
            idle(page)
            had.append([*(objects(session, it) for it in counted), listeners(session)])
        assert had[0][0] == 1 and had[0][1] > 5, had
        assert had[1:] == had[:1] * 3, had
        # Nor is anything kept of it when other files are chosen.
        choose(page, VECTORS / "truncated.bin")
        assert [objects(session, it) for it in counted[:3]] == [0, 0, 0]


def test_events_are_listed_with_filters(pages):
    with pages.open(PAGE) as page:
        choose(page, DEMO)
        page.click("text=Look at single events")
        page.fill("#dump-event", "task_switched_in")
        page.fill("#dump-limit", "7")
        page.click("#dump")
        idle(page)
        until(page, "document.querySelector('#lines').textContent !== ''")
        wanted = cli("dump", "-m", "auto", "--event", "task_switched_in", "--limit", "7", DEMO).stdout.decode()
        assert page.locator("#lines").text_content() == wanted


def test_perfetto_gets_the_trace_from_window_to_window(pages):
    with pages.context(allowed=("https://ui.perfetto.dev",)) as context:
        context.route("https://ui.perfetto.dev/**", lambda route: route.fulfill(body=PERFETTO, content_type="text/html"))
        page = context.new_page()
        page.goto(PAGE)
        choose(page, DEMO)
        with context.expect_page() as opened:
            page.click("#perfetto")
        perfetto = opened.value
        # It begins as an empty page.
        perfetto.wait_for_url("https://ui.perfetto.dev/**")
        until(perfetto, "window.received")
        received = perfetto.evaluate("window.received")
        assert bytes(received["bytes"]) == cli("conv", "-m", "auto", "-o", "-", DEMO).stdout
        assert received["title"] == "demo"


def release_a_page_that_does_not_answer_delays_no_other(pages):
    with pages.context(allowed=("https://ui.perfetto.dev",)) as context:
        context.route("https://ui.perfetto.dev/**", lambda route: route.fulfill(body="", content_type="text/html"))
        page = context.new_page()
        page.goto(PAGE)
        choose(page, DEMO)
        with context.expect_page():
            page.click("#perfetto")
        until(page, "document.querySelector('#what').textContent.startsWith('Waiting')")
        # Saving works while the page waits.
        assert save(page, "perfetto") == cli("conv", "-m", "auto", "-o", "-", DEMO).stdout
        page.click("#perfetto")
        until(page, "document.querySelector('#what').textContent.startsWith('Waiting') && !document.querySelector('#progress').hidden")
        page.click("#cancel")
        idle(page)
        assert page.locator("#messages").inner_text().endswith("note: cancelled: Perfetto's page has not answered")


def test_a_browser_that_cannot_run_it_is_reported(pages):
    with pages.open(PAGE, init="WebAssembly.compile = async () => { throw new Error('simd unsupported'); };") as page:
        page.wait_for_selector("#messages .error")
        said = page.locator("#messages").inner_text()
        assert said == "error: the converter does not start: simd unsupported; a newer browser may be needed", said


def test_a_conversion_is_cancelled_and_another_one_begins(pages):
    with pages.open(PAGE) as page:
        choose(page, DEMO)
        # A worker that never ends replaces one that takes long.
        page.evaluate("state.jobs.cancel(); state.jobs.worker = new Worker(URL.createObjectURL(new Blob(['onmessage = () => { for (;;); }'])))")
        page.select_option("#save-as", "perfetto")
        page.click("#save")
        page.wait_for_selector("#progress:not([hidden])")
        page.click("#cancel")
        idle(page)
        assert "cancelled" in page.locator("#messages").inner_text()
        assert save(page, "perfetto") == cli("conv", "-m", "auto", "-o", "-", DEMO).stdout


def test_the_page_is_for_everybody(pages):
    for_everybody(pages, WAYS)


def release_the_page_is_for_everybody(pages):
    for_everybody(pages, OTHER_WAYS)


def for_everybody(pages, ways):
    for width, scheme in ways:
        with pages.open(PAGE, width=width, scheme=scheme) as page:
            choose(page, VECTORS / "truncated.bin")
            for details in page.locator("details:not([open]) > summary").all():
                if details.is_visible():
                    details.click()
            page.click("#show")
            until(page, "globalThis.tbandTimeline && tbandTimeline.operations > 0")
            accessible(page)
            fits(page)


LATE_CONVERTER = """{
  const compile = WebAssembly.compile;
  const started = new Promise((resolve) => { window.startCompiler = resolve; });
  WebAssembly.compile = (bytes) => started.then(() => compile(bytes));
}"""


def release_what_is_done_before_the_converter_is_compiled_has_its_effect(pages):
    with pages.open(PAGE, init=LATE_CONVERTER) as page:
        page.set_input_files("#choose", str(DEMO))
        page.click("#licences > summary")
        until(page, "document.querySelector('#licences pre').textContent !== ''")
        notices = (ROOT / "licenses/web.txt").read_text()
        assert page.evaluate("document.querySelector('#licences pre').textContent") == notices
        assert page.locator("body[data-ready]").count() == 0
        page.evaluate("startCompiler()")
        page.wait_for_selector("body[data-ready]")
        until(page, "document.querySelectorAll('#files > *').length === 1")
        idle(page)
        assert page.is_visible("#show")


def test_it_is_done_by_keyboard_alone(pages):
    with pages.open(PAGE) as page:
        choose(page, DEMO)
        reached = []
        page.locator("#choose").focus()
        for _ in range(40):
            page.keyboard.press("Tab")
            reached.append(page.evaluate("document.activeElement.id"))
            if reached[-1] == "show":
                page.keyboard.press("Enter")
                break
        until(page, "globalThis.tbandTimeline && tbandTimeline.operations > 0")
        assert "perfetto" in reached, reached


@chromium_only
def test_served_it_works_without_the_server(pages):
    served = subprocess.Popen([os.environ["TBAND_CLI"], "web", "--port", "0", "--dir", os.environ["TBAND_PAGE"]],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        link = served.stdout.readline().strip()
        with pages.context(allowed=(link,)) as context:
            page = context.new_page()
            page.goto(link)
            page.wait_for_selector("body[data-ready]")
            page.evaluate("navigator.serviceWorker.ready.then(() => {})")
            manifest = page.evaluate("fetch('manifest.webmanifest').then(it => it.json())")
            assert manifest["icons"] and manifest["start_url"]
            # What keeps a browser from offering to install it: a private window, as tests have.
            errors = context.new_cdp_session(page).send("Page.getInstallabilityErrors")["installabilityErrors"]
            assert [it["errorId"] for it in errors] in ([], ["in-incognito"]), errors
            context.set_offline(True)
            page.reload()
            choose(page, DEMO)
            assert save(page, "perfetto") == cli("conv", "-m", "auto", "-o", "-", DEMO).stdout
    finally:
        served.kill()
        served.wait()


@chromium_only
def large_files_are_streamed_in_bounded_memory(pages):
    """100 MB within 300 MB, of all processes of the browser more than before; most of it is the trace, until it is saved."""
    small = (FOLDER / "large.bin").read_bytes()
    large = FOLDER / "100MB.bin"
    with large.open("wb") as file:
        while file.tell() < 100_000_000:
            file.write(small)
    with pages.open(PAGE) as page:
        choose(page, DEMO)
        # The page's memory for the small file does not count as memory of the large one.
        page.context.new_cdp_session(page).send("HeapProfiler.collectGarbage")
        with Memory(pages.browser) as memory:
            page.click("#files button")
            choose(page, large)
            page.select_option("#save-as", "perfetto")
            # One that is cancelled in its middle leaves nothing.
            page.click("#save")
            until(page, "document.querySelector('#bar').value > 0.4")
            page.click("#cancel")
            idle(page)
            assert page.locator("#messages li").all_inner_texts() == ["note: cancelled"]
            with page.expect_download() as download:
                page.click("#save")
            trace = pathlib.Path(download.value.path())
        wanted = FOLDER / "100MB.pftrace"
        cli("conv", "-q", "-m", "auto", "-o", wanted, large)
        assert filecmp.cmp(trace, wanted, shallow=False)
        assert wanted.stat().st_size > 100_000_000 and memory.looks > 20
        assert memory.most_in_renderer < 200_000_000, memory.most_in_renderer
        assert memory.growth < 300_000_000, memory.growth
        print(f"page {memory.most_in_renderer / 1e6:.0f} MB, all {memory.growth / 1e6:.0f} MB more than before")
    for path in (large, wanted):
        path.unlink()


main(globals())
