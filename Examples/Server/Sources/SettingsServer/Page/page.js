"use strict";
const root = document.documentElement;
const state = document.getElementById("state");
let token = document.currentScript.dataset.token;
let work = Promise.resolve();
const waiting = new Map();
root.classList.add("live");
clearTokens(document);

// A row in which somebody types is replaced once they are done.
function isBusy(element) {
  return element.querySelector("form.dirty") !== null;
}

function clearTokens(element) {
  // The script sends its own, and rows that differ in nothing else are the same.
  for (const input of element.querySelectorAll("form:not([data-plain]) [name=token]")) {
    input.setAttribute("value", "");
  }
}

function show(id, html, marks) {
  const element = document.getElementById(id);
  if (!element) return;
  waiting.delete(id);
  const template = document.createElement("template");
  template.innerHTML = html;
  const made = template.content.firstElementChild;
  clearTokens(made);
  if (made.isEqualNode(element)) return;
  const focused = element.contains(document.activeElement) ? document.activeElement.id : "";
  element.replaceWith(made);
  if (marks) made.classList.add("changed");
  if (focused) document.getElementById(focused)?.focus();
}

function apply(answer, { isEvent, marks }) {
  if (answer.token) token = answer.token;
  if (answer.theme) root.dataset.theme = answer.theme;
  for (const [id, html] of Object.entries(answer.fragments ?? {})) {
    const element = document.getElementById(id);
    if (isEvent && element && isBusy(element)) waiting.set(id, html);
    else show(id, html, marks);
  }
}

async function send(form, button) {
  const data = new FormData(form, button);
  data.set("token", token);
  const isUpload = form.enctype === "multipart/form-data";
  const response = await fetch(form.action, {
    method: "POST",
    headers: { Accept: "application/json" },
    body: isUpload ? data : new URLSearchParams(data),
  });
  if (response.headers.get("Content-Type") !== "application/json") {
    const notice = document.getElementById("notice");
    notice.textContent = await response.text();
    notice.className = "error";
    notice.hidden = false;
    return;
  }
  apply(await response.json(), { isEvent: false, marks: false });
  if (response.ok) form.closest("details")?.removeAttribute("open");
  if (response.ok && isUpload) form.reset();
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if ("plain" in form.dataset) return;
  event.preventDefault();
  // One after the other, because each answer brings the token for the next.
  work = work.then(() => send(form, event.submitter)).catch(() => { state.textContent = "Offline"; });
});

document.addEventListener("input", (event) => {
  const form = event.target.closest("form.set");
  if (form && event.target.tagName !== "SELECT") form.classList.add("dirty");
});

document.addEventListener("change", (event) => {
  if (event.target.matches("form.set select")) event.target.form.requestSubmit();
});

document.addEventListener("animationend", (event) => event.target.classList.remove("changed"));

document.addEventListener("keydown", (event) => {
  const form = event.target.closest("form.set");
  if (event.key !== "Escape" || !form) return;
  form.reset();
  form.classList.remove("dirty");
  const row = form.closest(".row");
  if (waiting.has(row.id)) show(row.id, waiting.get(row.id), true);
});

function listen() {
  const events = new EventSource("/settings/events");
  state.hidden = false;
  state.textContent = "Connecting";
  let marks = false; // The first event after a connection is the whole page.
  events.onopen = () => { state.className = "live"; state.textContent = "Live"; marks = false; };
  events.onmessage = (event) => {
    apply(JSON.parse(event.data), { isEvent: true, marks });
    marks = true;
  };
  events.onerror = () => {
    state.className = "";
    state.textContent = "Offline";
    // Refused, such as after a sign-out elsewhere: the page itself says why.
    if (events.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), 2000);
  };
}
listen();
