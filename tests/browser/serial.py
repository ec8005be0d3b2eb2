"""Recording from a board in the browser. A double stands for the port; the bytes are those of a real recording."""

import contextlib
import os
import pathlib
import subprocess

from driver import DEMO, PATIENCE, ROOT, VECTORS, accessible, cli, fits, grouped, main, until

PAGE = f"file://{os.environ['TBAND_PAGE']}/index.html"

DOUBLE = """
window.board = { opened: null, closed: false };
const never = () => new Promise(() => {});
const port = {
  readable: null,
  async open(options) {
    if (board.refuses) throw new Error("Failed to open serial port.");
    board.opened = options;
    const renew = () => {
      port.readable = new ReadableStream({ cancel() { board.cancelled = true; if (board.stuck) return never(); }, start(controller) {
        board.send = (bytes) => controller.enqueue(new Uint8Array(bytes));
        board.fail = (name) => {
          const error = new DOMException("it failed", name);
          if (name === "NetworkError") port.readable = null; else renew();
          controller.error(error);
        };
      } });
    };
    renew();
  },
  async close() { board.closed = true; if (board.stuck) return never(); },
};
Object.defineProperty(navigator, "serial", { value: { requestPort: async () => {
  if (board.none) throw new DOMException("No port selected by the user.", "NotFoundError");
  return port;
} } });
"""


def connect(page, rate="921600"):
    page.wait_for_selector("body[data-ready]")
    page.click("text=Record from the board")
    page.fill("#baud", rate)
    page.click("#connect")


def send(page, data, step=1500):
    for at in range(0, len(data), step):
        page.evaluate("bytes => board.send(bytes)", list(data[at:at + step]))


def saved(page, number=0):
    """What is saved of a recording of the list."""
    with page.expect_download() as download:
        page.locator("#recordings li").nth(number).get_by_text("Save", exact=True).click()
    assert download.value.suggested_filename.startswith("recording-"), download.value.suggested_filename
    return pathlib.Path(download.value.path()).read_bytes()


def complete(data):
    """A recording of frames without the frame inside of which it ends."""
    return data[:data.rfind(0) + 1]


def recorded(page, data):
    """Records something, and stops."""
    if not page.locator("#connect").is_visible():
        page.click("text=Record from the board")
    before = page.locator("#recordings li").count()
    page.evaluate("board.opened = null")
    page.click("#connect")
    until(page, "board.opened && !document.querySelector('#stop').disabled")
    page.evaluate("bytes => board.send(bytes)", list(data))
    page.click("#stop")
    until(page, f"document.querySelectorAll('#recordings li').length === {before + 1}")
    idle(page)


def idle(page):
    until(page, "!state.jobs.current && document.querySelector('#progress').hidden")


def leave(page):
    """Whether the browser asks before it closes the page; it is left then."""
    asked = []

    def answer(dialog):
        asked.append(dialog.type)
        dialog.accept()

    page.on("dialog", answer)
    page.goto("about:blank")
    return asked == ["beforeunload"]


def test_what_the_board_sends_is_counted_and_saved(pages):
    data = DEMO.read_bytes()
    with pages.open(PAGE, init=DOUBLE) as page:
        connect(page)
        until(page, "board.opened")
        assert page.evaluate("board.opened.baudRate") == 921600
        send(page, data[:6000])
        until(page, "document.querySelector('#live-bytes')?.textContent === '6000'")
        before = int(page.locator("#live-events").inner_text().replace(",", ""))
        assert before > 100
        send(page, data[6000:])
        until(page, f"document.querySelector('#live-bytes')?.textContent === '{grouped(len(data))}'")
        assert int(page.locator("#live-events").inner_text().replace(",", "")) > before
        accessible(page)
        page.click("#stop")
        until(page, "board.closed && document.querySelector('#found').textContent !== ''")
        assert saved(page) == data
        page.select_option("#save-as", "perfetto")
        with page.expect_download() as download:
            page.click("#save")
        assert pathlib.Path(download.value.path()).read_bytes() == cli("conv", "-m", "auto", "-o", "-", DEMO).stdout


def test_a_recording_ends_after_its_last_complete_packet(pages):
    data = (ROOT / "web/examples/sensor-pipeline.bin").read_bytes()
    magic = data[:4]
    last = data.rindex(magic)
    with pages.open(PAGE, init=DOUBLE) as page:
        # Inside of a header and inside of a packet's content.
        for number, end in enumerate((last + 7, last + 60)):
            page.wait_for_selector("body[data-ready]")
            recorded(page, data[:end])
            assert saved(page, number) == data[:last]
            until(page, "document.querySelector('#messages').textContent.includes('the recording ends after its last complete packet')")
            assert "damage" not in page.locator("#found").inner_text(), page.locator("#found").inner_text()
            with page.expect_download() as download:
                page.locator("#recordings li").nth(number).get_by_text("Save the rest", exact=True).click()
            assert download.value.suggested_filename.endswith(".bin.rest")
            assert pathlib.Path(download.value.path()).read_bytes() == data[last:end]
        accessible(page)
        fits(page)


def test_a_board_that_is_gone_leaves_what_it_sent(pages):
    data = DEMO.read_bytes()[:5000]
    with pages.open(PAGE, init=DOUBLE) as page:
        connect(page)
        until(page, "board.opened")
        send(page, data)
        page.evaluate("board.fail('NetworkError')")
        page.wait_for_selector("#recordings li")
        until(page, "document.querySelector('#messages').textContent.includes('the board is gone')")
        assert saved(page) == complete(data)


def release_a_break_on_the_line_is_no_end(pages):
    data = DEMO.read_bytes()
    with pages.open(PAGE, init=DOUBLE) as page:
        connect(page)
        until(page, "board.opened")
        send(page, data[:3000])
        until(page, "document.querySelector('#live-bytes')?.textContent === '3000'")
        page.evaluate("board.fail('BufferOverrunError')")
        page.wait_for_timeout(50)
        send(page, data[3000:4000])
        until(page, "document.querySelector('#live-bytes')?.textContent === '4000'")
        page.click("#stop")
        page.wait_for_selector("#recordings li")
        assert saved(page) == complete(data[:4000])


def release_stop_takes_what_is_queued(pages):
    data = DEMO.read_bytes()
    with pages.open(PAGE, init=DOUBLE) as page:
        connect(page)
        until(page, "board.opened && !document.querySelector('#stop').disabled")
        page.evaluate("""bytes => {
          for (let turn = 0; turn < 100; turn++) {
            for (let at = 0; at < bytes.length; at += 100) board.send(bytes.slice(at, at + 100));
          }
          document.querySelector("#stop").click();
        }""", list(data))
        page.wait_for_selector("#recordings li")
        assert saved(page) == data * 100
        assert page.evaluate("board.cancelled && board.closed")


def release_a_board_that_goes_on_sending_is_stopped(pages):
    with pages.open(PAGE, init=DOUBLE) as page:
        for again in (False, True):
            page.wait_for_selector("body[data-ready]")
            if not again:
                page.click("text=Record from the board")
            page.click("#connect")
            until(page, "board.opened && !document.querySelector('#stop').disabled")
            page.evaluate("board.sent = 0; board.timer = setInterval(() => { if (!board.closed) board.send([board.sent++ % 251 + 1]); }, 1)")
            until(page, "board.sent > 20")
            page.click("#stop")
            if again:
                page.click("#stop")
            until(page, f"document.querySelectorAll('#recordings li').length === {1 + again}")
            page.evaluate("clearInterval(board.timer); board.closed = false")
            data = saved(page, int(again))
            assert len(data) >= 20 and all(byte == number % 251 + 1 for number, byte in enumerate(data)), data[:30]


def release_a_port_that_does_not_close_keeps_nothing_back(pages):
    data = DEMO.read_bytes()
    with pages.open(PAGE, init=DOUBLE + "board.stuck = true;") as page:
        page.wait_for_selector("body[data-ready]")
        recorded(page, data)
        assert saved(page) == data
        # Another one is recorded all the same.
        recorded(page, data[:3000])
        assert saved(page, 1) == complete(data[:3000])


def release_what_was_there_before_stays(pages):
    data = DEMO.read_bytes()
    with pages.open(PAGE, init=DOUBLE) as page:
        page.wait_for_selector("body[data-ready]")
        recorded(page, data)
        recorded(page, data[:5000])
        # The last one is looked at; both can be saved.
        assert page.locator("#files .size").all_inner_texts() == [f"{len(complete(data[:5000]))} bytes"]
        assert [saved(page, 1), saved(page, 0)] == [complete(data[:5000]), data]
        names = page.locator("#recordings .name").all_inner_texts()
        assert len(set(names)) == 2, names
        page.locator("#recordings li").first.locator("button", has_text="Look at").click()
        idle(page)
        assert page.locator("#files .name").all_inner_texts() == names[:1]
        page.click("#files button")
        page.set_input_files("#choose", [str(VECTORS / "base_only.bin")])
        idle(page)
        recorded(page, data[:7000])
        assert page.locator("#files .name").all_inner_texts() == ["base_only.bin"]
        assert "the files that you have chosen are as they were" in page.locator("#messages").inner_text()
        assert saved(page, 2) == complete(data[:7000])
        page.locator("#recordings li").nth(2).locator("button", has_text="Look at").click()
        idle(page)
        assert page.locator("#files li").count() == 2
        accessible(page)
        fits(page)
        recorded(page, data[:100])
        page.once("dialog", lambda dialog: dialog.dismiss())
        page.locator("#recordings li").nth(3).locator("button", has_text="Discard").click()
        assert page.locator("#recordings li").count() == 4
        page.once("dialog", lambda dialog: dialog.accept())
        page.locator("#recordings li").nth(3).locator("button", has_text="Discard").click()
        assert page.locator("#recordings li").count() == 3


def test_the_browser_asks_before_a_recording_is_lost(pages):
    data = DEMO.read_bytes()
    with pages.open(PAGE, init=DOUBLE) as page:
        connect(page)
        until(page, "board.opened && !document.querySelector('#stop').disabled")
        assert leave(page), "while it runs"
    with pages.open(PAGE, init=DOUBLE) as page:
        page.wait_for_selector("body[data-ready]")
        recorded(page, data)
        assert leave(page), "not saved"
    with pages.open(PAGE, init=DOUBLE) as page:
        page.wait_for_selector("body[data-ready]")
        recorded(page, data)
        saved(page)
        assert not leave(page), "saved"
    with pages.open(PAGE, init=DOUBLE) as page:
        page.wait_for_selector("body[data-ready]")
        page.set_input_files("#choose", [str(DEMO)])
        assert not leave(page), "files are on the disk"


# Steps of iterators, and bytes that are moved, while a function runs.
COUNT = """
window.counted = { steps: 0, bytes: 0 };
const Iterator = Object.getPrototypeOf([][Symbol.iterator]());
const next = Iterator.next;
Iterator.next = function () { counted.steps++; return next.call(this); };
for (const name of ["set", "slice"]) {
  const own = Object.getPrototypeOf(Uint8Array.prototype)[name];
  Object.getPrototypeOf(Uint8Array.prototype)[name] = function (...all) {
    const made = own.apply(this, all);
    counted.bytes += name === "set" ? all[0].length : made.length;
    return made;
  };
}
const OwnBlob = Blob;
window.Blob = class extends OwnBlob { constructor(parts, ...more) { super(parts, ...more); counted.steps += parts?.length ?? 0; } };
"""


def release_bytes_that_come_one_by_one_cost_as_much_as_there_are(pages):
    costs = []
    for count in (3000, 12000):
        with pages.open(PAGE, init=COUNT + DOUBLE) as page:
            connect(page)
            until(page, "board.opened && !document.querySelector('#stop').disabled")
            # The counters are busy during this loop, as on a slow computer.
            page.evaluate("""count => {
              counted.steps = counted.bytes = 0;
              for (let at = 0; at < count; at++) board.send([at % 250 + 1]);
              document.querySelector("#stop").click();
            }""", count)
            page.wait_for_selector("#recordings li")
            until(page, f"document.querySelector('#live-bytes')?.textContent === '{grouped(count)}'")
            costs.append(page.evaluate("counted.steps + counted.bytes"))
            assert len(saved(page)) == count
    assert 3000 < costs[0] < 12_000 * 4 and costs[1] < costs[0] * 6, costs


def release_a_recording_goes_on_without_its_counters(pages):
    data = DEMO.read_bytes()
    with pages.open(PAGE, init=DOUBLE) as page:
        connect(page)
        until(page, "board.opened && !document.querySelector('#stop').disabled")
        page.evaluate("WebAssembly.Instance = null; state.jobs.source = 0; Jobs.prototype.run = async () => ({ answer: { failed: true, messages: [['error', 'it broke']] } })")
        send(page, data)
        assert page.locator("#live-error").inner_text() == "it broke"
        page.click("#stop")
        page.wait_for_selector("#recordings li")
        assert saved(page) == data


@contextlib.contextmanager
def served(pages, **how):
    """The page from a server: only there a browser has a private file system for it."""
    server = subprocess.Popen([os.environ["TBAND_CLI"], "web", "--port", "0", "--dir", os.environ["TBAND_PAGE"]],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        link = server.stdout.readline().strip()
        with pages.context(allowed=(link,), init=DOUBLE, **how) as context:
            yield context, link
    finally:
        server.kill()
        server.wait()


def begun(page, link, data):
    """Records something, and waits until the browser has it."""
    page.goto(link)
    connect(page)
    until(page, "board.opened && !document.querySelector('#stop').disabled")
    send(page, data)
    until(page, "document.querySelector('#kept').textContent.includes('keeps a copy')")
    for _ in range(PATIENCE // 20):
        if page.evaluate(KEPT) == len(data):
            return
        page.wait_for_timeout(20)
    raise AssertionError(page.evaluate(KEPT))


# Bytes of all stored recordings. One that the page removes during the count does not count.
KEPT = """(async () => {
  const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle("recordings", { create: true });
  let sum = 0;
  for await (const handle of folder.values()) {
    try {
      sum += (await handle.getFile()).size;
    } catch (error) {
      if (error.name !== "NotFoundError") throw error;
    }
  }
  return sum;
})()"""


def found(page, link, count=1):
    page.goto(link)
    page.wait_for_selector("body[data-ready]")
    until(page, f"document.querySelectorAll('#recordings li').length === {count}")


def release_a_recording_is_found_again_after_a_reload_and_a_crash(pages):
    data = DEMO.read_bytes()
    for crash in (False, True):
        with served(pages) as (context, link):
            page = context.new_page()
            begun(page, link, data)
            if crash:
                with page.expect_event("crash"):
                    with contextlib.suppress(Exception):
                        page.goto("chrome://crash", wait_until="commit", timeout=2000)
                page.close()
                page = context.new_page()
                page.goto(link)
            else:
                page.on("dialog", lambda dialog: dialog.accept())
                page.reload()
            page.wait_for_selector("#recordings li")
            assert "from an earlier visit, not saved yet" in page.locator("#recordings").inner_text()
            accessible(page)
            page.locator("#recordings button", has_text="Look at").click()
            idle(page)
            page.select_option("#save-as", "perfetto")
            with page.expect_download() as download:
                page.click("#save")
            assert pathlib.Path(download.value.path()).read_bytes() == cli("conv", "-m", "auto", "-o", "-", DEMO).stdout
            assert saved(page) == data
            assert page.locator("#files li").count() == 1
            # The page cannot know whether the download was complete.
            found(page, link)
            assert "bytes, saved" in page.locator("#recordings").inner_text()
            page.locator("#recordings button", has_text="Look at").click()
            idle(page)
            page.locator("#recordings button", has_text="Discard").click()
            until(page, "document.querySelectorAll('#recordings li, #files li').length === 0")
            for _ in range(PATIENCE // 20):
                if page.evaluate(KEPT) == 0:
                    break
                page.wait_for_timeout(20)
            found(page, link, 0)
            assert page.evaluate(KEPT) == 0


def release_a_recording_is_left_to_the_page_that_makes_it(pages):
    data = DEMO.read_bytes()[:7000]
    with served(pages) as (context, link):
        first, second = context.new_page(), context.new_page()
        begun(first, link, data)
        found(second, link, 0)
        first.click("#stop")
        first.wait_for_selector("#recordings li")
        assert saved(first) == complete(data)
        second.wait_for_timeout(200)
        assert second.locator("#recordings li").count() == 0
        # The second page shows the recording when the first page is closed.
        first.close()
        second.wait_for_selector("#recordings li")
        assert saved(second) == complete(data)


def test_a_missing_storage_is_reported(pages):
    with pages.open(PAGE, init=DOUBLE) as page:
        connect(page)
        until(page, "document.querySelector('#kept').textContent.includes('keeps no copy of this recording: the page was opened from the disk')")
        send(page, DEMO.read_bytes())
        page.click("#stop")
        page.wait_for_selector("#recordings li")


def release_nothing_is_kept_of_a_board_that_sent_nothing(pages):
    with served(pages) as (context, link):
        page = context.new_page()
        begun(page, link, b"")
        page.click("#stop")
        page.wait_for_selector("#messages .warning")
        assert "nothing came from the board" in page.locator("#messages").inner_text()
        found(page, link, 0)
        assert page.evaluate("(async () => { let count = 0; for await (const _ of (await (await navigator.storage.getDirectory()).getDirectoryHandle('recordings')).keys()) count++; return count; })()") == 0


def test_impossible_requests_are_reported(pages):
    with pages.open(PAGE, init=DOUBLE + "board.refuses = true;") as page:
        connect(page)
        page.wait_for_selector("#messages .error")
        assert "the port cannot be opened: Failed to open serial port." in page.locator("#messages").inner_text()
    with pages.open(PAGE, init=DOUBLE + "board.none = true;") as page:
        connect(page)
        page.wait_for_timeout(50)
        assert page.locator("#messages li").count() == 0
        page.fill("#baud", "")
        page.click("#connect")
        page.wait_for_selector("#messages .error")
        assert "baud rate" in page.locator("#messages").inner_text()
    with pages.open(PAGE, init=DOUBLE) as page:
        connect(page)
        until(page, "board.opened")
        page.click("#stop")
        page.wait_for_selector("#messages .warning")
        assert "nothing came from the board" in page.locator("#messages").inner_text()
    with pages.open(PAGE, init="Object.defineProperty(Navigator.prototype, 'serial', {}); delete Navigator.prototype.serial;") as page:
        page.wait_for_selector("body[data-ready]")
        page.click("text=Record from the board")
        assert "has no WebSerial" in page.locator("#serial").inner_text()


main(globals())
