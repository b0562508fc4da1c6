"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const words = ["backed up", "marked", "excluded by place", "excluded", "missing"];
  const classes = ["in", "mark", "place", "other", "missing"];
  const shownLaneCount = 12;

  const element = (name, attributes = {}, ...children) => {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (value !== null && value !== undefined) node.setAttribute(key, value);
    }
    node.append(...children);
    return node;
  };
  const size = (bytes) => {
    if (bytes === null) return "";
    const units = ["bytes", "KB", "MB", "GB", "TB"];
    let [value, unit] = [bytes, 0];
    while (value >= 1000 && unit < units.length - 1) { value /= 1000; unit += 1; }
    return unit ? `${value.toFixed(1)} ${units[unit]}` : bytes === 1 ? "1 byte" : `${bytes} bytes`;
  };
  // Splits text so that a line may break after each slash.
  const breaking = (text) => text.split(/(?<=\/)/).flatMap((part, index) => index ? [element("wbr"), part] : [part]);
  // Returns the heading of an app's column: the action that it performs, or the keyword of the
  // step.
  const label = (step, summary) => {
    if (!/^\d/.test(step)) return step;
    const [word, ...rest] = summary.split(" ");
    return `${step} ${word === "perform" && rest.length ? rest.join(" ") : word}`;
  };
  const stepName = (step) => /^\d/.test(step) ? `step ${step}` : step;

  // Creates a legend of the colors and signs that a table uses.
  const legend = (lanes, flags) => {
    const used = new Set(lanes.flatMap((lane) => lane[2].map((state) => state[1])));
    const items = words.flatMap((word, state) => used.has(state)
      ? [element("li", {}, element("span", { class: classes[state] }, word))] : []);
    if (flags.some((flag) => flag[1] === "error")) {
      items.push(element("li", {}, element("span", { class: "wrong" }, "a broken rule, named after \u2691")));
    }
    items.push(element("li", {}, element("span", { class: "system" }, "what iOS does")));
    return element("ul", { class: "key" }, ...items);
  };

  // Creates a note for a table that is wider than its box. It says how many columns are in view.
  const scrolling = (box, head) => {
    const note = element("p", { class: "soft scrolls", hidden: "" });
    const updateNote = () => {
      const isWide = box.scrollWidth > box.clientWidth + 1;
      note.hidden = !isWide;
      if (!isWide) return;
      const [item, ...columns] = head.children;
      const [from, to] = [item.getBoundingClientRect().right, box.getBoundingClientRect().right];
      const visibleColumns = columns.filter((column) => {
        const { left, right } = column.getBoundingClientRect();
        return left >= from - 1 && right <= to + 1;
      });
      note.textContent = `${visibleColumns.length} of ${columns.length} columns are in view. Scroll sideways for the others.`;
    };
    box.addEventListener("scroll", updateNote);
    new ResizeObserver(updateNote).observe(box);
    return note;
  };

  // Creates a table with a column for each event and a row for each item. A cell spans the events
  // in which the item's state stays the same.
  const timeline = (id, run, status) => {
    const [, events, lanes, flags] = run;
    const firstEvent = lanes.some((lane) => lane[2].some((state) => state[0] < 0)) ? -1 : 0;
    const showText = (text) => { status.textContent = text; };
    const withText = (cell, text) => {
      cell.setAttribute("title", text);
      const button = element("button", { type: "button", class: "fact" });
      button.append(...cell.childNodes);
      button.addEventListener("focus", () => showText(text));
      button.addEventListener("mouseenter", () => showText(text));
      button.addEventListener("click", () => showText(text));
      cell.append(button);
      return cell;
    };
    const head = element("tr", {}, element("th", { scope: "col" }, "Item"));
    if (firstEvent < 0) head.append(element("th", { scope: "col" }, "start"));
    events.forEach(([step, line, kind, summary, files, bytes], index) => {
      const isSystem = kind !== "app" && kind !== "launch";
      const amount = bytes === null ? "" : `: ${files} file${files === 1 ? "" : "s"}, ${size(bytes)}`;
      const cell = element("th",
        { scope: "col", class: isSystem ? "system" : null, "data-event": index },
        isSystem ? summary || kind : label(step, summary));
      head.append(withText(cell, `${stepName(step)} (line ${line}): ${summary}${amount}`));
    });
    const rows = lanes.map(([path, dataClass, states], index) => {
      const row = element("tr", { hidden: index >= shownLaneCount ? "" : null },
        element("th", { scope: "row" }, element("span", { class: "path" }, ...breaking(path)),
          dataClass ? element("span", { class: "soft" }, ` ${dataClass}`) : ""));
      let nextEvent = firstEvent;
      const ownFlags = flags.filter((flag) => flag[4] === path.replace(/\/$/, ""));
      const fill = (end, state) => {
        if (end <= nextEvent) return;
        const flagInside = ownFlags.find((flag) => flag[0] > nextEvent && flag[0] < end);
        if (flagInside) { fill(flagInside[0], state); fill(end, state); return; }
        const cell = element("td", { colspan: end - nextEvent, class: state ? classes[state[1]] : "none" });
        const cellFlags = ownFlags.filter((flag) => flag[0] >= nextEvent && flag[0] < end);
        if (state) {
          const amount = state[2] === null ? "" : `, ${size(state[2])}`;
          const why = state[3] ? ` (${state[3]})` : "";
          cell.append(state[1] === 4 && state[3] ? state[3] : words[state[1]]);
          if (cellFlags.some((flag) => flag[1] === "error")) cell.classList.add("wrong");
          for (const flag of cellFlags) {
            cell.append(element("span", { class: `flag ${flag[1]}` }, ` \u2691 ${flag[2]}`));
          }
          withText(cell, [`${path}: ${words[state[1]]}${why}${amount}`,
            ...cellFlags.map((flag) => `${flag[1]}: ${flag[2]}: ${flag[3]}`)].join(". "));
        }
        row.append(cell);
        nextEvent = end;
      };
      states.forEach((state, place) => {
        fill(state[0], states[place - 1]);
        nextEvent = Math.max(nextEvent, state[0]);
      });
      fill(events.length, states[states.length - 1]);
      return row;
    });
    const table = element("table", { class: "lanes" },
      element("thead", {}, head), element("tbody", {}, ...rows));
    const box = element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": `${id} on ${run[0]}` }, table);
    const parts = [legend(lanes, flags), scrolling(box, head), box];
    const hidden = rows.length - shownLaneCount;
    if (hidden > 0) {
      const more = element("button", { type: "button" }, `Show ${hidden} more items`);
      more.addEventListener("click", () => {
        for (const row of rows) row.hidden = false;
        more.remove();
      });
      parts.push(more);
    }
    if (run[4] > 0) parts.push(element("p", { class: "soft" }, `${run[4]} more items are not on this page.`));
    return parts;
  };

  // Creates a slider that selects a backup, and a bar of the bytes of each class in that backup.
  const backups = (run, section) => {
    const backupEvents = run[1].map((event, index) => ({ event, index })).filter(({ event }) => event[5] !== null);
    if (!backupEvents.length) return [];
    const text = element("output", {});
    const bar = element("div", { class: "classes", role: "img" });
    const slider = element("input", { type: "range", min: 0, max: backupEvents.length - 1, value: backupEvents.length - 1 });
    const show = () => {
      const { event, index } = backupEvents[Number(slider.value)];
      const parts = event[6].map(([kind, bytes]) => `${kind} ${size(bytes)}`);
      text.textContent = `${event[3]} (${stepName(event[0])}): ${event[4]} file${event[4] === 1 ? "" : "s"}, `
        + size(event[5]) + (parts.length ? `: ${parts.join(", ")}` : "");
      slider.setAttribute("aria-valuetext", text.textContent);
      bar.setAttribute("aria-label", text.textContent);
      bar.hidden = !event[6].length;
      bar.replaceChildren(...event[6].map(([kind, bytes]) => {
        const part = element("span", { class: `class-${kind}`, title: `${kind} ${size(bytes)}` });
        part.style.width = `${event[5] ? 100 * bytes / event[5] : 0}%`;
        return part;
      }));
      for (const cell of section.querySelectorAll("th[data-event]")) {
        cell.classList.toggle("chosen", cell.dataset.event === String(index));
      }
    };
    slider.addEventListener("input", show);
    show();
    const label = element("label", { class: "backups" }, "Backup ");
    if (backupEvents.length > 1) label.append(slider);
    return backupEvents.length > 1 ? [label, text, bar] : [text, bar];
  };

  const draw = (details) => {
    const place = details.querySelector(".runs");
    const runs = data[Number(details.id.slice(1))];
    if (!place || place.childNodes.length) return;
    for (const run of runs) {
      const section = element("section", { class: "run" }, element("h3", {}, run[0]));
      const status = element("p", { class: "why", role: "status" },
        "Choose an event or an item.");
      if (run[1].length) {
        section.append(...timeline(details.dataset.scenario, run, status), status);
        section.append(...backups(run, section));
      } else {
        section.append(element("p", { class: "soft" }, "Nothing happened."));
      }
      place.append(section);
    }
  };

  const scenarioDetails = [...document.querySelectorAll("details[data-verdict]")];
  for (const details of scenarioDetails) {
    if (details.open) draw(details);
    details.addEventListener("toggle", () => { if (details.open) draw(details); });
  }
  const openTarget = () => {
    const target = document.getElementById(location.hash.slice(1))?.closest("details");
    if (target) target.open = true;
  };
  addEventListener("hashchange", openTarget);
  openTarget();

  for (const section of document.querySelectorAll("[data-needs-script]")) section.hidden = false;
  for (const button of document.querySelectorAll("[data-copy]")) {
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(button.dataset.copy);
        button.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(button.previousElementSibling);
        button.textContent = "Selected";
      }
    });
  }
  // A page with few scenarios, or of an exploration, has no search field.
  const [search, verdict, found] = ["search", "verdict", "found"].map((id) => document.getElementById(id));
  if (!search) return;
  const filter = () => {
    const text = search.value.toLowerCase();
    let count = 0;
    for (const details of scenarioDetails) {
      const isShown = (!verdict?.value || details.dataset.verdict === verdict.value)
        && (!text || details.textContent.toLowerCase().includes(text));
      details.hidden = !isShown;
      count += isShown ? 1 : 0;
    }
    found.textContent = `${count} of ${scenarioDetails.length} scenarios`;
  };
  search.addEventListener("input", filter);
  verdict?.addEventListener("change", filter);
  filter();
})();
