// One stream serves all open pages, because a browser opens six connections to a server at most.
const channel = new BroadcastChannel(`settings ${path}`);
const newest = new Map(); // The newest event of each setting, for pages that join.
let leads = false;
let source = null;
let wait = 1000;

function apply({ kind, data }) {
  if (kind === "state") {
    state.className = data === "Live" ? "live" : "";
    state.textContent = data;
    state.hidden = false;
  } else if (kind === "page") {
    root.dataset.theme = data.theme;
    $("trouble").textContent = data.trouble ?? "";
    $("trouble").hidden = !data.trouble;
    const unknown = parsed(data.unknown);
    if (!unknown.isEqualNode($("unknown"))) $("unknown").replaceWith(unknown);
  } else if (kind === "setting") {
    const made = parsed(data.html);
    const row = $(made.id);
    if (!row) return;
    if (row.dataset.tag === data.tag) waiting.delete(row.id);
    else if (isBusy(row)) waiting.set(row.id, data.html);
    else show(row, data.html);
  }
}

function tell(kind, data, key = kind) {
  const message = { kind, data };
  newest.set(key, message);
  channel.postMessage(message);
  apply(message);
}

channel.onmessage = ({ data }) => {
  if (data.kind !== "hello") apply(data);
  else if (leads) for (const message of newest.values()) channel.postMessage(message);
};

function listen() {
  if (!navigator.locks && document.hidden) return;
  leads = true;
  source = new EventSource(`${path}/events`);
  source.onopen = () => { wait = 1000; tell("state", "Live"); };
  source.addEventListener("setting", ({ data }) => {
    const event = JSON.parse(data);
    tell("setting", event, `setting ${event.row.key}`);
  });
  source.addEventListener("page", ({ data }) => tell("page", JSON.parse(data)));
  source.onerror = () => {
    source.close();
    tell("state", "Offline");
    // Refused or lost: never more often each time, and the page with its texts stays.
    setTimeout(listen, wait * (0.75 + Math.random() / 2));
    wait = Math.min(wait * 2, 60000);
  };
}

state.textContent = "Connecting";
state.hidden = false;
channel.postMessage({ kind: "hello" });
if (navigator.locks) {
  // The page that has the lock has the stream; the next one gets both when it closes.
  navigator.locks.request(`settings ${path}`, () => new Promise(listen));
} else {
  // Without TLS, only a page that is seen has a stream.
  const follow = () => {
    if (document.hidden) { source?.close(); source = null; } else if (!source) listen();
  };
  document.addEventListener("visibilitychange", follow);
  follow();
}
