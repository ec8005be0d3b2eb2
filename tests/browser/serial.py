"""Recording from a board in the browser. A double stands for the port; the bytes are those of a real recording."""

import json
import os
import pathlib

from driver import DEMO, FOLDER, VECTORS, accessible, cli, main, until

PAGE = f"file://{os.environ['TBAND_PAGE']}/index.html"

DOUBLE = """
window.board = { opened: null, closed: false };
const port = {
  readable: null,
  async open(options) {
    if (board.refuses) throw new Error("Failed to open serial port.");
    board.opened = options;
    const renew = () => {
      port.readable = new ReadableStream({ start(controller) {
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
  async close() { board.closed = true; },
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


def test_what_the_board_sends_is_counted_and_saved(pages):
    data = DEMO.read_bytes()
    with pages.open(PAGE, init=DOUBLE) as page:
        connect(page)
        until(page, "board.opened")
        assert page.evaluate("board.opened.baudRate") == 921600
        send(page, data[:6000])
        until(page, "document.querySelector('#live-bytes')?.textContent === '6,000'")
        before = int(page.locator("#live-events").inner_text().replace(",", ""))
        assert before > 100
        send(page, data[6000:])
        until(page, f"document.querySelector('#live-bytes')?.textContent === '{len(data):,}'")
        assert int(page.locator("#live-events").inner_text().replace(",", "")) > before
        accessible(page)
        page.click("#stop")
        until(page, "board.closed && document.querySelector('#found').textContent !== ''")
        with page.expect_download() as download:
            page.click("#save-capture")
        assert pathlib.Path(download.value.path()).read_bytes() == data
        page.select_option("#save-as", "perfetto")
        with page.expect_download() as download:
            page.click("#save")
        assert pathlib.Path(download.value.path()).read_bytes() == cli("conv", "-m", "auto", "-o", "-", DEMO).stdout


def test_a_board_that_is_gone_leaves_what_it_sent(pages):
    data = DEMO.read_bytes()[:5000]
    with pages.open(PAGE, init=DOUBLE) as page:
        connect(page)
        until(page, "board.opened")
        send(page, data)
        page.evaluate("board.fail('NetworkError')")
        page.wait_for_selector("#save-capture:not([hidden])")
        until(page, "document.querySelector('#messages').textContent.includes('the board is gone')")
        with page.expect_download() as download:
            page.click("#save-capture")
        assert pathlib.Path(download.value.path()).read_bytes() == data


def test_a_break_on_the_line_is_no_end(pages):
    data = DEMO.read_bytes()
    with pages.open(PAGE, init=DOUBLE) as page:
        connect(page)
        until(page, "board.opened")
        send(page, data[:3000])
        until(page, "document.querySelector('#live-bytes')?.textContent === '3,000'")
        page.evaluate("board.fail('BufferOverrunError')")
        page.wait_for_timeout(50)
        send(page, data[3000:4000])
        until(page, "document.querySelector('#live-bytes')?.textContent === '4,000'")
        page.click("#stop")
        page.wait_for_selector("#save-capture:not([hidden])")


def test_what_cannot_be_is_said(pages):
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
