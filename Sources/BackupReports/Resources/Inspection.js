"use strict";

// The page contains all items as data. Without this script, it shows the totals, the upper folders
// and the largest items. The script adds text only with textContent, so the browser never reads a
// name as markup.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const element = (id) => document.getElementById(id);
  const states = ["in", "mark", "place", "other"];

  // An item is [parent, name, kind, size, state, reason]. A folder comes before the items in it. If
  // the page compares the item with another state, that [size, state] follows, or [] if the item
  // did not exist.
  const [parent, name, kind, size, state, reason, beside] = [0, 1, 2, 3, 4, 5, 6];
  const items = data.items;
  const top = -1;
  const children = new Map([[top, []]]);
  const sums = items.map(() => [0, 0, 0, 0]);
  const paths = new Array(items.length);

  items.forEach((item, index) => {
    const parentIndex = item[parent];
    paths[index] = parentIndex === top ? item[name] : paths[parentIndex] + "/" + item[name];
    if (!children.has(parentIndex)) children.set(parentIndex, []);
    children.get(parentIndex).push(index);
  });
  for (let index = items.length - 1; index >= 0; index -= 1) {
    const item = items[index];
    sums[index][item[state]] += item[size];
    if (item[parent] === top) continue;
    for (const stateIndex of states.keys()) sums[item[parent]][stateIndex] += sums[index][stateIndex];
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
  // Creates an element. Its text may break after each slash.
  const make = (tag, text, classes) => {
    const node = document.createElement(tag);
    if (text !== undefined) {
      node.append(...text.split(/(?<=\/)/).flatMap((part, index) =>
        index ? [document.createElement("wbr"), part] : [part]));
    }
    if (classes) node.className = classes;
    return node;
  };
  // Returns the state that most bytes of an item have, for the item's color in the map.
  const mainState = (index) => {
    if (items[index][kind] !== "d" || total(index) === 0) return items[index][state];
    return sums[index].indexOf(Math.max(...sums[index]));
  };
  // Returns the states of the bytes in a folder, or the state of any other item.
  const statesOf = (index) => items[index][kind] === "d" && total(index) > 0
    ? sums[index].flatMap((bytes, stateIndex) => bytes > 0 ? [stateIndex] : []) : [items[index][state]];
  // Paints a folder with the colors of its states, each as wide as its share of the bytes.
  const paint = (node, index) => {
    const parts = statesOf(index);
    if (parts.length < 2) return node;
    let from = 0;
    const stops = parts.map((stateIndex) => {
      const to = from + 100 * sums[index][stateIndex] / total(index);
      const stop = `var(--${states[stateIndex]}-area) ${from}% ${to}%`;
      from = to;
      return stop;
    });
    node.style.backgroundImage = `linear-gradient(to right, ${stops.join(", ")})`;
    return node;
  };
  const stateWords = (index) => statesOf(index).map((stateIndex, _, all) => all.length < 2
    ? data.states[stateIndex] : `${bytesInWords(sums[index][stateIndex])} ${data.states[stateIndex]}`).join(", ");
  const explain = (index) => {
    const item = items[index];
    const box = element("why");
    box.replaceChildren(
      make("span", paths[index], "path"),
      make("p", `${data.states[item[state]]}: ${data.reasons[item[reason]]}`, states[item[state]]));
    const parts = states.flatMap((_, stateIndex) =>
      sums[index][stateIndex] > 0 ? [`${data.states[stateIndex]} ${bytesInWords(sums[index][stateIndex])}`] : []);
    box.append(make("p", parts.join(" · ") || "0 bytes", "soft"));
    if (item[beside]) {
      const [bytes, otherState] = item[beside];
      box.append(otherState === undefined ? make("p", `${data.beside}: missing`, "soft")
        : make("p", `${data.beside}: ${data.states[otherState]}, ${bytesInWords(bytes)}`, states[otherState]));
    }
    const includedBytes = sums[index][0];
    if (includedBytes === 0) return;
    const totalBytes = children.get(top).reduce((sum, child) => sum + total(child), 0);
    const remainingBytes = children.get(top).reduce((sum, child) => sum + sums[child][0], 0) - includedBytes;
    box.append(make("p", `If it were marked, ${bytesInWords(remainingBytes)} of ${bytesInWords(totalBytes)} would be backed up.`, "soft"));
  };

  // The map. The largest squares come first, and each is as close to a square as possible. Items
  // beyond the maximum share one square.
  const maximumSquareCount = 60;
  let shownFolder = top;
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
    let freeBox = { ...box };
    let remainingAreas = areas.slice();
    while (remainingAreas.length > 0) {
      const isWide = freeBox.width >= freeBox.height;
      const side = isWide ? freeBox.height : freeBox.width;
      const row = [];
      while (remainingAreas.length > 0 && rowIsBetter(row, remainingAreas[0], side)) row.push(remainingAreas.shift());
      const depth = side > 0 ? row.reduce((a, b) => a + b, 0) / side : 0;
      let along = 0;
      for (const area of row) {
        const length = depth > 0 ? area / depth : 0;
        placed.push(isWide
          ? { x: freeBox.x, y: freeBox.y + along, width: depth, height: length }
          : { x: freeBox.x + along, y: freeBox.y, width: length, height: depth });
        along += length;
      }
      freeBox = isWide
        ? { x: freeBox.x + depth, y: freeBox.y, width: freeBox.width - depth, height: freeBox.height }
        : { x: freeBox.x, y: freeBox.y + depth, width: freeBox.width, height: freeBox.height - depth };
    }
    return placed;
  };
  // Returns the parts of a folder's square: the items that have a size, the largest first. Items
  // beyond the maximum are one part.
  const partsOf = (folder, maximum) => {
    const inside = (children.get(folder) ?? []).filter((index) => total(index) > 0)
      .sort((a, b) => total(b) - total(a));
    const single = inside.slice(0, inside.length > maximum ? maximum - 1 : maximum);
    const others = inside.slice(single.length);
    const parts = single.map((index) => ({ index, bytes: total(index) }));
    if (others.length > 0) {
      parts.push({ others: others.length, bytes: others.reduce((sum, child) => sum + total(child), 0) });
    }
    return parts;
  };
  // Returns a box for each part, in percent of a box with this shape (width divided by height).
  const boxesFor = (parts, shape) => {
    const sum = parts.reduce((bytes, part) => bytes + part.bytes, 0);
    const areas = parts.map((part) => part.bytes / sum * 10000 * shape);
    return squares(areas, { x: 0, y: 0, width: 100 * shape, height: 100 }).map((box) => ({
      left: `${box.x / shape}%`, top: `${box.y}%`, width: `${box.width / shape}%`,
      height: `${box.height}%`, shape: box.height > 0 ? box.width / box.height : 1 }));
  };
  const setBox = (node, { left, top, width, height }) =>
    Object.assign(node.style, { left, top, width, height });
  // Creates a picture of a folder's items, to show inside the folder's square.
  const picture = (folder, shape, levels) => {
    const node = make("span", undefined, "picture");
    node.setAttribute("aria-hidden", "true");
    const parts = partsOf(folder, 24);
    boxesFor(parts, shape).forEach((box, number) => {
      const { index } = parts[number];
      const part = make("span", undefined, index === undefined ? "" : states[mainState(index)]);
      setBox(part, box);
      if (index !== undefined) paint(part, index);
      if (levels > 1 && index !== undefined && items[index][kind] === "d" && children.has(index)) {
        part.append(picture(index, box.shape, levels - 1));
      }
      node.append(part);
    });
    return node;
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
    // The label names the state, because not every user can tell the colors apart.
    text.append(make("b", label), make("span", `${bytesInWords(bytes)}${words}`));
    button.append(text);
    button.title = `${label}, ${bytesInWords(bytes)}${words}`;
    button.setAttribute("aria-label", button.title);
    setBox(button, box);
    button.addEventListener("click", () => {
      if (index === undefined) { filterTo(shownFolder); return; }
      explain(index);
      if (!isFolder || !children.has(index)) return;
      show(index);
      element("map").querySelector("button")?.focus();
    });
    if (index !== undefined) {
      button.addEventListener("mouseenter", () => explain(index));
      button.addEventListener("focus", () => explain(index));
    }
    return button;
  };
  const drawMap = () => {
    const map = element("map");
    const parts = partsOf(shownFolder, maximumSquareCount);
    const shape = map.clientHeight > 0 ? map.clientWidth / map.clientHeight : 2;
    const boxes = boxesFor(parts, shape);
    map.replaceChildren(...parts.map((part, number) => square(part, boxes[number])));
    if (parts.length === 0) map.append(make("p", "Nothing here has a size.", "soft"));
    const ancestors = [];
    for (let index = shownFolder; index !== top; index = items[index][parent]) ancestors.unshift(index);
    element("crumbs").replaceChildren(...[top, ...ancestors].map((index) => {
      const part = make("li");
      const button = make("button", index === top ? data.title : items[index][name]);
      button.type = "button";
      if (index === shownFolder) button.setAttribute("aria-current", "true");
      button.addEventListener("click", () => show(index));
      part.append(button);
      return part;
    }));
  };
  const show = (index) => { shownFolder = index; drawMap(); };

  // The table. It shows one slice of the items that match the filters.
  const slice = 200;
  let order = { column: "size", isDown: true };
  let start = 0;
  let matching = [];
  const columns = {
    path: (a, b) => (paths[a] < paths[b] ? -1 : paths[a] > paths[b] ? 1 : 0),
    size: (a, b) => bytesOf(a) - bytesOf(b),
    state: (a, b) => items[a][state] - items[b][state],
  };
  const lowercasePaths = [];
  const applyFilters = () => {
    const text = element("filter").value.toLowerCase();
    if (lowercasePaths.length === 0) for (const path of paths) lowercasePaths.push(path.toLowerCase());
    const wantedState = element("state").value;
    const withFolders = element("folders").checked;
    const onlyChanged = element("changed")?.checked;
    matching = items.flatMap((item, index) =>
      (withFolders || item[kind] !== "d")
        && (!onlyChanged || item[beside])
        && (wantedState === "" || String(item[state]) === wantedState)
        && (text === "" || lowercasePaths[index].includes(text)) ? [index] : []);
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
      const pathButton = make("button", paths[index] + (item[kind] === "d" ? "/" : ""), "open path");
      pathButton.type = "button";
      pathButton.title = data.reasons[item[reason]];
      pathButton.addEventListener("click", () => explain(index));
      const path = make("td");
      path.append(pathButton);
      const bytes = make("td", bytesInWords(bytesOf(index)), "number");
      bytes.title = `${grouped.format(bytesOf(index))} bytes`;
      row.append(path, bytes, make("td", data.states[item[state]], states[item[state]]),
        make("td", data.reasons[item[reason]]));
      row.addEventListener("click", () => explain(index));
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
    applyFilters();
    element("filter").focus();
  };

  for (const head of document.querySelectorAll("th[data-column]")) {
    const button = make("button", head.textContent);
    button.type = "button";
    button.addEventListener("click", () => {
      const column = head.dataset.column;
      order = { column, isDown: order.column === column ? !order.isDown : column === "size" };
      applyFilters();
    });
    head.replaceChildren(button);
  }
  element("filter").addEventListener("input", applyFilters);
  element("state").addEventListener("change", applyFilters);
  element("folders").addEventListener("change", applyFilters);
  element("changed")?.addEventListener("change", applyFilters);
  element("previous").addEventListener("click", () => { start -= slice; drawTable(); });
  element("next").addEventListener("click", () => { start += slice; drawTable(); });
  for (const part of document.querySelectorAll("[data-needs-script]")) part.hidden = false;
  // Hide a filter that would exclude no item. If there are few items, hide all filters except the
  // one for changed items.
  const fewItems = 20;
  const usedStates = new Set(items.map((item) => item[state]));
  for (const option of element("state").querySelectorAll("option[value]:not([value=''])")) {
    if (!usedStates.has(Number(option.value))) option.remove();
  }
  const isNeeded = {
    state: usedStates.size > 1, folders: items.some((item) => item[kind] === "d"),
    changed: items.some((item) => item[beside]),
  };
  for (const label of document.querySelectorAll("[data-filter]")) {
    const { id } = label.querySelector("input, select");
    label.hidden = isNeeded[id] === false || (items.length <= fewItems && id !== "changed");
  }
  for (const part of document.querySelectorAll("[data-without-script]")) part.hidden = true;
  // If there are many changes, show only the first.
  const laterRows = [...document.querySelectorAll("tr[data-change]")].slice(20);
  if (laterRows.length > 0) {
    const button = make("button", `Show ${grouped.format(laterRows.length)} more`);
    button.type = "button";
    button.addEventListener("click", () => {
      for (const row of laterRows) row.hidden = false;
      button.remove();
    });
    for (const row of laterRows) row.hidden = true;
    laterRows[0].closest("table").after(button);
  }
  const indexByPath = new Map();
  const findings = document.querySelectorAll("li[data-path]");
  if (findings.length > 0) paths.forEach((path, index) => indexByPath.set(path, index));
  for (const finding of findings) {
    const index = indexByPath.get(finding.dataset.path);
    if (index === undefined) continue;
    const button = make("button", "Show the item");
    button.type = "button";
    button.addEventListener("click", () => {
      show(items[index][parent]);
      explain(index);
      element("why").scrollIntoView({ block: "center" });
    });
    finding.append(button);
  }
  show(top);
  applyFilters();
})();
