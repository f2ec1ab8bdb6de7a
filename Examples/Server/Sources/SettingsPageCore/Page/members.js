// Shows a JSON object of plain values as a table of its members; the text area has the text.
function enhance(element) {
  for (const area of element.querySelectorAll("textarea[data-members]")) {
    area.parentElement.querySelector(".members")?.remove();
    area.hidden = false;
    let members;
    try { members = Object.entries(JSON.parse(area.value || "{}")); } catch { continue; }
    const isPlain = members.every(([, value]) => ["string", "number", "boolean"].includes(typeof value));
    // Numbers that a double cannot hold would change.
    if (!isPlain || Array.isArray(JSON.parse(area.value || "{}")) || /[0-9]{16}/.test(area.value)) continue;
    area.hidden = true;
    area.before(table(area, members));
  }
}

function table(area, members) {
  const isFixed = "fixed" in area.dataset;
  const title = area.closest(".row").querySelector("label").textContent;
  const div = document.createElement("div");
  div.className = "members";
  div.setAttribute("role", "group");
  div.setAttribute("aria-label", title);
  const add = (name, value) => {
    const line = document.createElement("div");
    const kind = area.dataset.members === "any" ? typeof value : area.dataset.members;
    const nameInput = input("text", name, "Name");
    const valueInput = input(kind === "boolean" ? "checkbox" : kind === "number" ? "number" : "text", value, name || "Value");
    line.dataset.kind = kind;
    nameInput.readOnly ||= isFixed;
    line.append(nameInput, valueInput);
    if (!isFixed && !area.readOnly) line.append(button("Remove", `Remove ${name}`, () => { line.remove(); write(); }));
    div.append(line);
    return line;
  };
  function input(type, value, label) {
    const made = document.createElement("input");
    made.type = type;
    if (type === "checkbox") made.checked = value; else made.value = value;
    if (type === "number") made.step = "any";
    made.setAttribute("aria-label", `${title}: ${label}`);
    made.readOnly = area.readOnly;
    return made;
  }
  function button(text, label, action) {
    const made = document.createElement("button");
    made.type = "button";
    made.className = "plain";
    made.textContent = text;
    made.setAttribute("aria-label", label);
    made.addEventListener("click", action);
    return made;
  }
  function write() {
    const lines = [...div.querySelectorAll("[data-kind]")].map((line) => {
      const [name, value] = line.querySelectorAll("input");
      const { kind } = line.dataset;
      const number = value.value === "" ? NaN : Number(value.value);
      return [name.value, kind === "boolean" ? value.checked : kind === "number" && !isNaN(number) ? number : value.value];
    });
    area.value = JSON.stringify(Object.fromEntries(lines));
    area.closest(".row").classList.add("dirty");
  }
  for (const [name, value] of members) add(name, value);
  div.addEventListener("input", (event) => { event.stopPropagation(); write(); });
  if (!isFixed && !area.readOnly) {
    const more = button("Add", `Add to ${title}`, () => {
      const kind = area.dataset.members;
      add("", kind === "boolean" ? false : "").querySelector("input").focus();
      div.append(more);
      write();
    });
    div.append(more);
  }
  return div;
}
enhance(document);
