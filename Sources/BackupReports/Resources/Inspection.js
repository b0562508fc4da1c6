"use strict";

// The page holds every item as data; without this script it shows the totals, the upper folders and
// the largest items. Text comes in by textContent alone, so no name is ever read as markup.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const element = (id) => document.getElementById(id);
  const states = ["in", "mark", "place", "other"];

  // An item is [parent, name, kind, size, state, reason]; a parent comes before what is in it. If
  // another state is shown beside it, its [size, state] there come last, empty if it is missing.
  const [parent, name, kind, size, state, reason, beside] = [0, 1, 2, 3, 4, 5, 6];
  const items = data.items;
  const top = -1;
  const children = new Map([[top, []]]);
  const sums = items.map(() => [0, 0, 0, 0]);
  const paths = new Array(items.length);

  items.forEach((item, index) => {
    const above = item[parent];
    paths[index] = above === top ? item[name] : paths[above] + "/" + item[name];
    if (!children.has(above)) children.set(above, []);
    children.get(above).push(index);
  });
  for (let index = items.length - 1; index >= 0; index -= 1) {
    const item = items[index];
    sums[index][item[state]] += item[size];
    if (item[parent] === top) continue;
    for (const one of states.keys()) sums[item[parent]][one] += sums[index][one];
  }

  const total = (index) => sums[index].reduce((sum, bytes) => sum + bytes, 0);
  const bytesOf = (index) => (items[index][kind] === "d" ? total(index) : items[index][size]);
  const grouped = new Intl.NumberFormat("en");
  const bytesInWords = (bytes) => {
    const units = ["KB", "MB", "GB", "TB"];
    if (bytes < 1000) return bytes === 1 ? "1 byte" : `${bytes} bytes`;
    let unit = -1;
    let value = bytes;
    do { value /= 1000; unit += 1; } while (value >= 999.95 && unit < units.length - 1);
    return `${value.toFixed(1)} ${units[unit]}`;
  };
  // A text may break after each slash.
  const make = (tag, text, classes) => {
    const made = document.createElement(tag);
    if (text !== undefined) {
      made.append(...text.split(/(?<=\/)/).flatMap((part, index) =>
        index ? [document.createElement("wbr"), part] : [part]));
    }
    if (classes) made.className = classes;
    return made;
  };
  // What decides most of the bytes of an item, for its colour in the map.
  const mainState = (index) => {
    if (items[index][kind] !== "d" || total(index) === 0) return items[index][state];
    return sums[index].indexOf(Math.max(...sums[index]));
  };
  // Paints a folder with what a backup does with each share of its bytes.
  const statesOf = (index) => items[index][kind] === "d" && total(index) > 0
    ? sums[index].flatMap((bytes, one) => bytes > 0 ? [one] : []) : [items[index][state]];
  const paint = (made, index) => {
    const parts = statesOf(index);
    if (parts.length < 2) return made;
    let from = 0;
    const stops = parts.map((one) => {
      const to = from + 100 * sums[index][one] / total(index);
      const stop = `var(--${states[one]}-area) ${from}% ${to}%`;
      from = to;
      return stop;
    });
    made.style.backgroundImage = `linear-gradient(to right, ${stops.join(", ")})`;
    return made;
  };
  const stateWords = (index) => statesOf(index).map((one, _, all) => all.length < 2
    ? data.states[one] : `${bytesInWords(sums[index][one])} ${data.states[one]}`).join(", ");
  const say = (index) => {
    const item = items[index];
    const box = element("why");
    box.replaceChildren(
      make("span", paths[index], "path"),
      make("p", `${data.states[item[state]]}: ${data.reasons[item[reason]]}`, states[item[state]]));
    const parts = states.flatMap((_, one) =>
      sums[index][one] > 0 ? [`${data.states[one]} ${bytesInWords(sums[index][one])}`] : []);
    box.append(make("p", parts.join(" · ") || "0 bytes", "soft"));
    if (item[beside]) {
      const [bytes, one] = item[beside];
      box.append(one === undefined ? make("p", `${data.beside}: missing`, "soft")
        : make("p", `${data.beside}: ${data.states[one]}, ${bytesInWords(bytes)}`, states[one]));
    }
    const out = sums[index][0];
    if (out === 0) return;
    const whole = children.get(top).reduce((sum, one) => sum + total(one), 0);
    const left = children.get(top).reduce((sum, one) => sum + sums[one][0], 0) - out;
    box.append(make("p", `If it were marked, ${bytesInWords(left)} of ${bytesInWords(whole)} would be backed up.`, "soft"));
  };

  // The map: squares as even as can be, the largest first; what is too many is one square.
  const most = 60;
  let shown = top;
  const rowIsBetter = (row, next, side) => {
    const worst = (areas) => {
      const sum = areas.reduce((a, b) => a + b, 0);
      const edge = sum / side;
      return Math.max(...areas.map((area) => Math.max(edge * edge / area, area / (edge * edge))));
    };
    return row.length === 0 || worst([...row, next]) <= worst(row);
  };
  const squares = (areas, box) => {
    const placed = [];
    let free = { ...box };
    let rest = areas.slice();
    while (rest.length > 0) {
      const isWide = free.width >= free.height;
      const side = isWide ? free.height : free.width;
      const row = [];
      while (rest.length > 0 && rowIsBetter(row, rest[0], side)) row.push(rest.shift());
      const depth = side > 0 ? row.reduce((a, b) => a + b, 0) / side : 0;
      let along = 0;
      for (const area of row) {
        const length = depth > 0 ? area / depth : 0;
        placed.push(isWide
          ? { x: free.x, y: free.y + along, width: depth, height: length }
          : { x: free.x + along, y: free.y, width: length, height: depth });
        along += length;
      }
      free = isWide
        ? { x: free.x + depth, y: free.y, width: free.width - depth, height: free.height }
        : { x: free.x, y: free.y + depth, width: free.width, height: free.height - depth };
    }
    return placed;
  };
  // What a folder's square is made of: what is in it with a size, the largest first.
  const partsOf = (folder, most) => {
    const inside = (children.get(folder) ?? []).filter((index) => total(index) > 0)
      .sort((a, b) => total(b) - total(a));
    const single = inside.slice(0, inside.length > most ? most - 1 : most);
    const others = inside.slice(single.length);
    const parts = single.map((index) => ({ index, bytes: total(index) }));
    if (others.length > 0) {
      parts.push({ others: others.length, bytes: others.reduce((sum, one) => sum + total(one), 0) });
    }
    return parts;
  };
  // Gives each part its place, in hundredths of a box of this shape.
  const place = (parts, shape) => {
    const sum = parts.reduce((bytes, part) => bytes + part.bytes, 0);
    const areas = parts.map((part) => part.bytes / sum * 10000 * shape);
    return squares(areas, { x: 0, y: 0, width: 100 * shape, height: 100 }).map((box) => ({
      left: `${box.x / shape}%`, top: `${box.y}%`, width: `${box.width / shape}%`,
      height: `${box.height}%`, shape: box.height > 0 ? box.width / box.height : 1 }));
  };
  const put = (made, { left, top, width, height }) =>
    Object.assign(made.style, { left, top, width, height });
  // What a folder is made of, as a picture in its square.
  const picture = (folder, shape, levels) => {
    const made = make("span", undefined, "picture");
    made.setAttribute("aria-hidden", "true");
    const parts = partsOf(folder, 24);
    place(parts, shape).forEach((box, number) => {
      const { index } = parts[number];
      const part = make("span", undefined, index === undefined ? "" : states[mainState(index)]);
      put(part, box);
      if (index !== undefined) paint(part, index);
      if (levels > 1 && index !== undefined && items[index][kind] === "d" && children.has(index)) {
        part.append(picture(index, box.shape, levels - 1));
      }
      made.append(part);
    });
    return made;
  };
  const square = ({ index, others, bytes }, box) => {
    const isFolder = index !== undefined && items[index][kind] === "d";
    const label = index === undefined
      ? `${grouped.format(others)} smaller items` : items[index][name] + (isFolder ? "/" : "");
    const words = index === undefined ? "" : `, ${stateWords(index)}`;
    const button = make("button", undefined, index === undefined ? "" : states[mainState(index)]);
    button.type = "button";
    if (index !== undefined) paint(button, index);
    if (isFolder) button.append(picture(index, box.shape, 2));
    const text = make("span", undefined, "label");
    // Not by colour alone.
    text.append(make("b", label), make("span", `${bytesInWords(bytes)}${words}`));
    button.append(text);
    button.title = `${label}, ${bytesInWords(bytes)}${words}`;
    button.setAttribute("aria-label", button.title);
    put(button, box);
    button.addEventListener("click", () => {
      if (index === undefined) { filterTo(shown); return; }
      say(index);
      if (!isFolder || !children.has(index)) return;
      show(index);
      element("map").querySelector("button")?.focus();
    });
    if (index !== undefined) {
      button.addEventListener("mouseenter", () => say(index));
      button.addEventListener("focus", () => say(index));
    }
    return button;
  };
  const drawMap = () => {
    const map = element("map");
    const parts = partsOf(shown, most);
    const shape = map.clientHeight > 0 ? map.clientWidth / map.clientHeight : 2;
    const boxes = place(parts, shape);
    map.replaceChildren(...parts.map((part, number) => square(part, boxes[number])));
    if (parts.length === 0) map.append(make("p", "Nothing here has a size.", "soft"));
    const way = [];
    for (let index = shown; index !== top; index = items[index][parent]) way.unshift(index);
    element("crumbs").replaceChildren(...[top, ...way].map((index) => {
      const part = make("li");
      const button = make("button", index === top ? data.title : items[index][name]);
      button.type = "button";
      if (index === shown) button.setAttribute("aria-current", "true");
      button.addEventListener("click", () => show(index));
      part.append(button);
      return part;
    }));
  };
  const show = (index) => { shown = index; drawMap(); };

  // The table: all items, those that match the filters, in slices.
  const slice = 200;
  let order = { column: "size", isDown: true };
  let start = 0;
  let matching = [];
  const columns = {
    path: (a, b) => (paths[a] < paths[b] ? -1 : paths[a] > paths[b] ? 1 : 0),
    size: (a, b) => bytesOf(a) - bytesOf(b),
    state: (a, b) => items[a][state] - items[b][state],
  };
  const lowered = [];
  const choose = () => {
    const text = element("filter").value.toLowerCase();
    if (lowered.length === 0) for (const path of paths) lowered.push(path.toLowerCase());
    const wanted = element("state").value;
    const withFolders = element("folders").checked;
    const onlyChanged = element("changed")?.checked;
    matching = items.flatMap((item, index) =>
      (withFolders || item[kind] !== "d")
        && (!onlyChanged || item[beside])
        && (wanted === "" || String(item[state]) === wanted)
        && (text === "" || lowered[index].includes(text)) ? [index] : []);
    const compare = columns[order.column];
    matching.sort((a, b) => (order.isDown ? compare(b, a) : compare(a, b)) || columns.path(a, b));
    start = 0;
    drawTable();
  };
  const drawTable = () => {
    const rows = matching.slice(start, start + slice).map((index) => {
      const item = items[index];
      const row = make("tr");
      row.dataset.item = index;
      const open = make("button", paths[index] + (item[kind] === "d" ? "/" : ""), "open path");
      open.type = "button";
      open.title = data.reasons[item[reason]];
      open.addEventListener("click", () => say(index));
      const path = make("td");
      path.append(open);
      const bytes = make("td", bytesInWords(bytesOf(index)), "number");
      bytes.title = `${grouped.format(bytesOf(index))} bytes`;
      row.append(path, bytes, make("td", data.states[item[state]], states[item[state]]),
        make("td", data.reasons[item[reason]]));
      row.addEventListener("click", () => say(index));
      return row;
    });
    element("rows").replaceChildren(...rows);
    const bytes = matching.reduce((sum, index) => sum + items[index][size], 0);
    const end = Math.min(start + slice, matching.length);
    element("count").textContent = matching.length === 0
      ? "No item matches."
      : `Items ${grouped.format(start + 1)} to ${grouped.format(end)} of `
        + `${grouped.format(matching.length)}, ${bytesInWords(bytes)} in all`;
    element("slices").hidden = matching.length <= slice;
    element("previous").disabled = start === 0;
    element("next").disabled = end >= matching.length;
    for (const head of document.querySelectorAll("th[data-column]")) {
      const isOrder = head.dataset.column === order.column;
      head.setAttribute("aria-sort", !isOrder ? "none" : order.isDown ? "descending" : "ascending");
    }
  };
  const filterTo = (index) => {
    element("filter").value = index === top ? "" : paths[index] + "/";
    choose();
    element("filter").focus();
  };

  for (const head of document.querySelectorAll("th[data-column]")) {
    const button = make("button", head.textContent);
    button.type = "button";
    button.addEventListener("click", () => {
      const column = head.dataset.column;
      order = { column, isDown: order.column === column ? !order.isDown : column === "size" };
      choose();
    });
    head.replaceChildren(button);
  }
  element("filter").addEventListener("input", choose);
  element("state").addEventListener("change", choose);
  element("folders").addEventListener("change", choose);
  element("changed")?.addEventListener("change", choose);
  element("previous").addEventListener("click", () => { start -= slice; drawTable(); });
  element("next").addEventListener("click", () => { start += slice; drawTable(); });
  for (const part of document.querySelectorAll("[data-needs-script]")) part.hidden = false;
  // No filter is needed where it would leave all items, or where they are few.
  const fewItems = 20;
  const used = new Set(items.map((item) => item[state]));
  for (const option of element("state").querySelectorAll("option[value]:not([value=''])")) {
    if (!used.has(Number(option.value))) option.remove();
  }
  const isNeeded = {
    state: used.size > 1, folders: items.some((item) => item[kind] === "d"),
    changed: items.some((item) => item[beside]),
  };
  for (const label of document.querySelectorAll("[data-filter]")) {
    const { id } = label.querySelector("input, select");
    label.hidden = isNeeded[id] === false || (items.length <= fewItems && id !== "changed");
  }
  for (const part of document.querySelectorAll("[data-without-script]")) part.hidden = true;
  // Of many changes only the first are open.
  const later = [...document.querySelectorAll("tr[data-change]")].slice(20);
  if (later.length > 0) {
    const button = make("button", `Show ${grouped.format(later.length)} more`);
    button.type = "button";
    button.addEventListener("click", () => {
      for (const row of later) row.hidden = false;
      button.remove();
    });
    for (const row of later) row.hidden = true;
    later[0].closest("table").after(button);
  }
  const places = new Map();
  const findings = document.querySelectorAll("li[data-path]");
  if (findings.length > 0) paths.forEach((path, index) => places.set(path, index));
  for (const finding of findings) {
    const index = places.get(finding.dataset.path);
    if (index === undefined) continue;
    const button = make("button", "Show the item");
    button.type = "button";
    button.addEventListener("click", () => {
      show(items[index][parent]);
      say(index);
      element("why").scrollIntoView({ block: "center" });
    });
    finding.append(button);
  }
  show(top);
  choose();
})();
