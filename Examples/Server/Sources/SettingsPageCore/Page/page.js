"use strict";
const root = document.documentElement;
const path = document.currentScript.dataset.path;
const $ = (id) => document.getElementById(id);
const state = $("state");
const waiting = new Map(); // The newest row of each that must not be touched now.
const sending = new Set();
root.classList.add("live");

// MARK: Rows

const field = (row) => row.querySelector("form.set [name=text]:not([type=hidden]), form.set [name=date]");
const textOf = (input) =>
  input.type === "checkbox" ? String(input.checked)
    : input.name === "date" && input.value ? input.value + (input.value.length === 16 ? ":00Z" : "Z")
      : input.value;

// Nothing that somebody has typed or is about to type is ever replaced.
function isBusy(row) {
  const active = document.activeElement;
  return row.classList.contains("dirty") || sending.has(row.id)
    || (row.contains(active) && active.matches("input, textarea, select"));
}

function say(row, text, { isError = false, actions = [] } = {}) {
  const said = row.querySelector(".said");
  said.className = isError ? "said error" : "said";
  said.replaceChildren(text);
  // A region that stays is read to those who do not see it.
  $("live").textContent = text && `${row.querySelector("label").textContent}: ${text}`;
  for (const [name, action] of actions) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "plain";
    button.textContent = name;
    button.setAttribute("aria-label", `${name}: ${row.querySelector("label").textContent}`);
    button.addEventListener("click", action);
    said.append(" ", button);
  }
  const input = field(row);
  if (isError) input.setAttribute("aria-invalid", "true");
  else input.removeAttribute("aria-invalid");
}

function parsed(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content.firstElementChild;
}

// Returns the row that is there now.
function show(row, html, { always = false } = {}) {
  waiting.delete(row.id);
  const made = parsed(html);
  if (made.dataset.tag === row.dataset.tag && !always) return row;
  const focused = row.contains(document.activeElement) ? document.activeElement.id : null;
  made.querySelector(".more").open = row.querySelector(".more").open;
  if (made.dataset.text !== row.dataset.text) made.classList.add("changed");
  row.replaceWith(made);
  enhance(made);
  if (focused !== null) ($(focused) ?? field(made)).focus();
  filter();
  return made;
}

function showWaiting(row) {
  if (waiting.has(row.id) && !isBusy(row)) show(row, waiting.get(row.id));
}

// MARK: Changes

async function change(row, text, { tag = row.dataset.tag, isUndo = false } = {}) {
  if (sending.has(row.id)) return;
  const before = { text: row.dataset.text, isStored: row.dataset.stored === "true" };
  const headers = { Accept: "text/html", "If-Match": tag };
  if (text !== null) headers["Content-Type"] = "application/json";
  sending.add(row.id);
  say(row, "Saving…");
  try {
    const response = await fetch(`${path}/${encodeURIComponent(row.dataset.key)}`, {
      method: text === null ? "DELETE" : "PUT",
      headers,
      body: text === null ? undefined : JSON.stringify({ text }),
      signal: AbortSignal.timeout(15000),
    });
    sending.delete(row.id);
    if (response.ok) return saved(row, await response.text(), text, before, isUndo);
    const answer = await response.json().catch(() => ({ error: `Error ${response.status}.` }));
    if (response.status === 412) return conflict(row, text, response.headers.get("ETag"), answer);
    row.classList.toggle("dirty", text !== null);
    const saysAll = [422, 503].includes(response.status);
    say(row, saysAll ? answer.error : `Not saved: ${answer.error}`, { isError: true });
  } catch {
    sending.delete(row.id);
    row.classList.toggle("dirty", text !== null);
    say(row, "Not saved: the server does not answer. Your text is kept.", { isError: true });
  }
}

function saved(row, html, text, before, isUndo) {
  // What was typed since then is another change.
  if (text !== null && textOf(field(row)) !== text) {
    const made = parsed(html);
    Object.assign(row.dataset, { tag: made.dataset.tag, stored: made.dataset.stored });
    waiting.set(row.id, html);
    return say(row, "Saved. Your newer text is not saved yet.");
  }
  row.classList.remove("dirty");
  const made = show(row, html, { always: true });
  const undo = () => change(made, before.isStored ? before.text : null, { isUndo: true });
  const hasUndo = !isUndo && (before.text !== undefined || !before.isStored);
  say(made, isUndo ? "Undone." : "Saved.", { actions: hasUndo ? [["Undo", undo]] : [] });
}

function conflict(row, text, tag, { current }) {
  const theirs = current.isSecret || current.text === null ? "" : ` It is now “${current.text}”.`;
  row.classList.add("dirty");
  say(row, `Somebody else has changed this setting.${theirs} Yours is kept here.`, {
    isError: true,
    actions: [["Store mine", () => change(row, text, { tag })], ["Take theirs", () => restore(row)]],
  });
}

// Gives up what was typed.
async function restore(row) {
  row.classList.remove("dirty");
  row.querySelector("form.set").reset();
  enhance(row);
  say(row, "");
  const url = `${path}/${encodeURIComponent(row.dataset.key)}`;
  if (!waiting.has(row.id)) {
    const answer = await fetch(url, { headers: { Accept: "text/html" } }).catch(() => null);
    if (answer?.ok) waiting.set(row.id, await answer.text());
  }
  if (row.classList.contains("dirty") || !waiting.has(row.id)) return;
  show(row, waiting.get(row.id), { always: true });
}

// Import, reset of all, and removal of unknown keys: the events show what they change.
async function send(form, button) {
  const data = new FormData(form, button);
  const isUpload = form.enctype === "multipart/form-data";
  const notice = $("notice");
  let error = "Not saved: the server does not answer.";
  try {
    const response = await fetch(form.getAttribute("action"), {
      method: "POST",
      headers: { Accept: "application/json" },
      body: isUpload ? data : new URLSearchParams(data),
      signal: AbortSignal.timeout(15000),
    });
    const answer = response.status === 204 ? {} : await response.json();
    error = answer.error;
    notice.textContent = error ?? "Saved.";
    if (answer.ignored?.length) notice.textContent += ` Ignored keys: ${answer.ignored.join(", ")}.`;
  } catch {
    notice.textContent = error;
  }
  notice.className = error ? "error" : "success";
  notice.hidden = false;
  if (!error) {
    form.closest("details")?.removeAttribute("open");
    form.reset();
  }
}

// MARK: What a person does

document.addEventListener("submit", (event) => {
  const form = event.target;
  const row = form.closest(".row");
  if (form.matches("form.search, .plain-form")) return event.preventDefault();
  event.preventDefault();
  if (!row) send(form, event.submitter);
  else if (form.matches(".reset")) change(row, null);
  else if (field(row).validity.badInput) {
    say(row, row.querySelector(".facts").firstChild.textContent, { isError: true });
  } else change(row, textOf(field(row)));
});

document.addEventListener("input", (event) => {
  const row = event.target.closest("form.set")?.closest(".row");
  if (row && event.target.type !== "checkbox" && event.target.tagName !== "SELECT") {
    row.classList.add("dirty");
  }
});

// A menu that the keys change is saved when it is left, or by Enter.
let menuKeys = false;
document.addEventListener("pointerdown", () => { menuKeys = false; }, true);
document.addEventListener("change", (event) => {
  const input = event.target;
  const form = input.closest("form.set");
  if (!form) return;
  if (input.type === "checkbox" && input.name === "text") form.requestSubmit();
  else if (input.tagName === "SELECT" && !menuKeys) form.requestSubmit();
  else if (input.tagName === "SELECT") form.closest(".row").classList.add("dirty");
});
document.addEventListener("focusout", (event) => {
  const row = event.target.closest(".row");
  if (!row) return;
  if (event.target.matches("form.set select") && row.classList.contains("dirty")) {
    event.target.form.requestSubmit();
  } else setTimeout(() => showWaiting(row));
});
document.addEventListener("click", (event) => {
  if (event.target.matches("[aria-disabled=true]")) event.preventDefault();
});
document.addEventListener("keydown", (event) => {
  const form = event.target.closest("form.set");
  if (!form) return;
  menuKeys = event.target.tagName === "SELECT";
  if (menuKeys && event.key === "Enter") {
    event.preventDefault();
    form.requestSubmit();
  }
  if (event.key === "Escape") restore(form.closest(".row"));
});
document.addEventListener("animationend", (event) => event.target.classList.remove("changed"));
addEventListener("beforeunload", (event) => {
  if (document.querySelector(".row.dirty")) event.preventDefault();
});

// MARK: Search

function filter() {
  const [search, changedOnly] = [$("search"), $("changed-only")];
  if (!search) return;
  const words = search.value.toLowerCase();
  for (const row of document.querySelectorAll(".row")) {
    row.hidden = !row.querySelector(".what").textContent.toLowerCase().includes(words)
      || (changedOnly.checked && row.querySelector(".badge").dataset.source === "default");
  }
  for (const card of document.querySelectorAll(".card:has(.rows)")) {
    card.hidden = !card.querySelector(".row:not([hidden])");
  }
}
document.querySelector(".search")?.addEventListener("input", filter);
document.querySelector(".search")?.removeAttribute("hidden");
