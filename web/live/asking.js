// What a page asks the target for, by way of the `tband-cli record --web` that serves it: buttons, and what the target has answered.

/** Commands with a button: its label, and its purpose. */
const ASKED = [
  ["start", "Start", "The target starts to record"],
  ["stop", "Stop", "The target stops recording"],
  ["names", "Names", "The target sends the names of what exists again"],
  ["flush", "Flush", "The target sends the packets that are open"],
];
/** Answers for which a command of the kind need not be sent again: the firmware does not allow it, or does not know it. */
const NEVER = [-2, -3];

class Asking {
  /** In a place of the page. `token` permits commands. */
  constructor(place, token) {
    Object.assign(this, { token, why: "", refused: new Map(), sent: 0 });
    const button = (kind, words, title, ask) => element("button", { type: "button", title, "data-kind": kind, on: { click: () => this.ask(ask()) } }, words);
    const form = (label, field, words, ask, kind) => element("form", { on: { submit: (event) => { event.preventDefault(); this.ask(ask(field.value)); } } },
      element("label", {}, `${label} `, field), element("button", { "data-kind": kind, type: "submit" }, words));
    const trigger = element("input", { type: "number", min: 0, max: 255, value: 0, required: true });
    const command = element("input", { id: "ask-command", maxlength: 200, required: true, spellcheck: "false", autocomplete: "off", placeholder: "user 1 2 3" });
    this.groups = element("span", { class: "ask-groups", role: "group", "aria-label": "Recorded groups of events" });
    this.answer = element("output", { id: "ask-answer" });
    this.reason = element("p", { id: "ask-reason", role: "status" });
    place.replaceChildren(element("h2", {}, "Target"),
      element("p", { class: "live-bar" }, ...ASKED.map(([kind, words, title]) => button(kind, words, title, () => kind)), this.groups),
      element("div", { class: "live-bar" }, form("Trigger", trigger, "Rearm", (text) => `rearm ${text}`, "rearm"), form("Command", command, "Send", (text) => text, ""), this.answer),
      this.reason);
    place.hidden = false;
    this.place = place;
    this.enable();
  }

  /** Takes the status of the recording, or null without a connection to the program. */
  tell(status) {
    if (status === null) this.why = "no connection to tband-cli";
    else if (status.cannot_ask) this.why = status.cannot_ask;
    else if (status.ended) this.why = "the recording has ended";
    else if (!this.token) this.why = "open the link that tband-cli has printed, which lets you ask the target";
    else this.why = "";
    // Another firmware may run when the source is there again.
    if (status?.trouble) this.refused.clear();
    if (status) this.show(status.groups);
    this.enable();
  }

  /** Groups of events, and whether each is recorded. */
  show(groups) {
    while (this.groups.children.length < groups.length) {
      const button = element("button", { type: "button", "data-kind": "filter" });
      button.addEventListener("click", () => this.ask(`filter ${button.getAttribute("aria-pressed") === "true" ? "off" : "on"} group ${button.textContent}`));
      this.groups.append(button);
    }
    groups.forEach(([name, isOn], place) => {
      const button = this.groups.children[place];
      button.textContent = name;
      button.setAttribute("aria-pressed", String(isOn));
    });
  }

  /** Enables the permitted buttons; others show the reason. */
  enable() {
    for (const field of this.place.querySelectorAll("button, input")) {
      const why = this.why || this.refused.get(field.dataset.kind);
      field.disabled = Boolean(why);
      field.dataset.title ??= field.title;
      field.title = why || field.dataset.title;
    }
    const refused = [...this.refused].map(([kind, why]) => `${kind}: ${why}`).join("; ");
    this.reason.textContent = this.why ? `The target cannot be asked: ${this.why}.` : refused;
    this.reason.hidden = !this.reason.textContent;
  }

  /** Asks for this, as of `tband-cli command`. */
  async ask(text) {
    const number = ++this.sent;
    const say = (words) => { if (number === this.sent) this.answer.textContent = words; };
    say(`${text} …`);
    try {
      const response = await fetch("command", { method: "POST", headers: { "X-Tband-Token": this.token }, body: text, cache: "no-store" });
      if (!response.ok) return say(`${text}: ${await response.text()}`);
      const { text: words, kind, is } = await response.json();
      say(words);
      if (NEVER.includes(is)) this.refused.set(kind, words.slice(text.length + 2));
      else if (is >= 0) this.refused.delete(kind);
      this.enable();
    } catch {
      say(`${text}: no connection to tband-cli`);
    }
  }
}
