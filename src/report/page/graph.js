"use strict";

/* The graph page: panels over time that share their time axis, the percentile
 * curve, and a table of results. Reads `stats`, which the page holds between
 * two marker comments; records of cassandra-stress lack the keys `types`,
 * `percentiles` and `start`. */
(function () {
  const LATENCIES = ["mean", "med", ".95", ".99", ".999", "max"];
  const FIRST_METRICS = ["op/s", "med", ".99", "errors"];
  const NAMES = {
    "op/s": "Operations per second", "pk/s": "Partitions per second", "row/s": "Rows per second",
    "total ops": "Operations so far", "mean": "Mean latency", "med": "Median latency",
    ".95": "95th percentile of latency", ".99": "99th percentile of latency",
    ".999": "99.9th percentile of latency", "max": "Highest latency",
    "stderr": "Standard error of the row rate", "errors": "Failed operations",
    "gc: #": "Garbage collections", "max ms": "Longest collection", "sum ms": "Time in collections",
    "sdv ms": "Spread of collections", "mb": "Memory reclaimed",
  };
  /* Told apart by people who see few colours, too; the dash helps. */
  const LIGHT = ["#0072b2", "#d55e00", "#00896a", "#b4538c", "#b98a00", "#4a9fd8", "#6b4c9a", "#7a7a00"];
  const DARK = ["#4cb2ff", "#ff8a4c", "#2ecc9a", "#f29bd0", "#ffc14d", "#a5dcff", "#b79cf0", "#d2d24d"];
  const DASHES = [[], [7, 4], [2, 3], [10, 3, 2, 3], [14, 5], [5, 2, 2, 2, 2, 2]];
  const MARKS = ["circle", "rectRot", "triangle", "rect", "cross", "star"];
  const AGGREGATES = [
    "op rate", "partition rate", "row rate", "latency mean", "latency median", "latency 95th percentile",
    "latency 99th percentile", "latency 99.9th percentile", "latency max", "total partitions", "total errors",
    "total gc count", "total gc memory", "total gc time", "avg gc time", "stddev gc time",
    "total operation time",
  ];

  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const byId = (id) => document.getElementById(id);
  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  function element(tag, attributes, ...children) {
    const node = document.createElement(tag);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (key === "onclick") node.onclick = value;
      else if (key === "style") node.style.cssText = value;
      else node.setAttribute(key, value);
    }
    node.append(...children);
    return node;
  }

  /* ---- numbers ---- */

  function digits(value) {
    const size = Math.abs(value);
    if (size >= 100 || Number.isInteger(value)) return 0;
    return size >= 10 ? 1 : size >= 1 ? 2 : 3;
  }

  const number = (value) => value.toLocaleString("en-US", { maximumFractionDigits: digits(value) });

  function unitOf(metric) {
    if (LATENCIES.includes(metric) || metric.endsWith(" ms")) return "ms";
    if (metric.endsWith("/s")) return "per second";
    return metric === "mb" ? "MiB" : "";
  }

  /* ---- records ---- */

  /* Names in a list such as "12 op/s  [insert: 9 op/s, read1: 3 op/s]". */
  function typesOfAggregate(record) {
    const list = /\[(.*)\]/.exec(record["op rate"] || "");
    return list ? list[1].split(", ").map((item) => item.replace(/: [^:]*$/, "")).filter(Boolean) : [];
  }

  /* Rows without types: where several rows add up to the next one, that one is
   * the total and they are the types, sorted by name. */
  function guessTypes(record) {
    const at = record.metrics.indexOf("total ops");
    const names = typesOfAggregate(record);
    const types = record.intervals.map(() => "total");
    let group = [];
    if (names.length < 2) return types;
    record.intervals.forEach((row, i) => {
      const sum = group.reduce((all, k) => all + record.intervals[k][at], 0);
      if (group.length > 1 && sum === row[at]) {
        group.forEach((k, n) => { types[k] = names[n] || "other"; });
        group = [];
      } else {
        group.push(i);
        if (group.length > names.length) group.shift();
      }
    });
    return types;
  }

  function uniqueLabel(record, taken) {
    const base = record.revision || "unknown";
    let label = base;
    for (let n = 2; taken.has(label); n++) label = `${base} (${n})`;
    taken.add(label);
    return label;
  }

  function readRuns() {
    const taken = new Set();
    return ((stats && stats.stats) || []).map((record, index) => ({
      record,
      index,
      label: uniqueLabel(record, taken),
      test: record.test || "",
      types: record.types || guessTypes(record),
    }));
  }

  const runs = readRuns();
  const allTypes = [...new Set(runs.flatMap((run) => run.types))].sort((a, b) =>
    a === "total" ? -1 : b === "total" ? 1 : a < b ? -1 : 1);
  const allMetrics = (runs.length ? runs[0].record.metrics : []).filter((m) => m !== "type" && m !== "time");

  const state = {
    metrics: FIRST_METRICS.filter((m) => allMetrics.includes(m)),
    types: new Set(allTypes.slice(0, 1)),
    test: "",
    smoothing: 1,
    hidden: new Set(),
    from: null,
    to: null,
  };

  /* ---- series ---- */

  function colourOf(run) {
    const colours = dark.matches ? DARK : LIGHT;
    if (run.index < colours.length) return colours[run.index];
    return `hsl(${(run.index * 137.5) % 360} 60% ${dark.matches ? 68 : 40}%)`;
  }

  const dashOf = (type) => DASHES[allTypes.indexOf(type) % DASHES.length];
  const shownRuns = () => runs.filter((run) => !state.test || run.test === state.test);
  const shownTypes = () => allTypes.filter((type) => state.types.has(type));
  const seriesName = (run, type) => (allTypes.length > 1 ? `${run.label}, ${type}` : run.label);

  function pointsOf(run, type, metric) {
    const x = run.record.metrics.indexOf("time");
    const y = run.record.metrics.indexOf(metric);
    const total = run.types.map((t, i) => (t === "total" ? run.record.intervals[i][x] : null));
    const points = [];
    run.record.intervals.forEach((row, i) => {
      if (run.types[i] !== type) return;
      /* A type that came late has a shorter time: all use that of the total. */
      let end = i;
      while (end < total.length - 1 && total[end] === null) end++;
      points.push({ x: total[end] === null ? row[x] : total[end], y: row[y] });
    });
    return points;
  }

  /* The mean of up to `width` points around each. */
  function smoothed(points, width) {
    if (width < 2) return points;
    return points.map((point, i) => {
      const from = Math.max(0, i - Math.floor((width - 1) / 2));
      const near = points.slice(from, i + Math.floor(width / 2) + 1).map((p) => p.y).filter((v) => v !== null);
      return { x: point.x, y: near.length ? near.reduce((a, b) => a + b, 0) / near.length : null };
    });
  }

  function lineOf(run, type, data) {
    const colour = colourOf(run);
    return {
      label: seriesName(run, type),
      data,
      borderColor: colour,
      backgroundColor: colour,
      borderDash: dashOf(type),
      borderWidth: 2,
      pointRadius: data.length > 60 ? 0 : 2.5,
      pointHoverRadius: 5,
      pointStyle: MARKS[run.index % MARKS.length],
      hidden: state.hidden.has(run.index),
    };
  }

  function datasets(metric) {
    return shownRuns().flatMap((run) => shownTypes().map((type) =>
      lineOf(run, type, smoothed(pointsOf(run, type, metric), state.smoothing))))
      .filter((set) => set.data.length);
  }

  /* ---- charts ---- */

  let charts = [];
  let hover = null; /* seconds under the mouse */

  const crosshair = {
    id: "crosshair",
    afterDatasetsDraw(chart) {
      if (hover === null || !chart.options.shared) return;
      const { ctx, chartArea, scales } = chart;
      const x = scales.x.getPixelForValue(hover);
      if (x < chartArea.left || x > chartArea.right) return;
      ctx.save();
      ctx.strokeStyle = css("--quiet");
      ctx.setLineDash([3, 3]);
      ctx.beginPath();
      ctx.moveTo(x, chartArea.top);
      ctx.lineTo(x, chartArea.bottom);
      ctx.stroke();
      ctx.restore();
    },
  };

  function axis(title, more) {
    return Object.assign({
      title: { display: Boolean(title), text: title, color: css("--quiet") },
      grid: { color: css("--grid"), borderColor: css("--line") },
      ticks: { color: css("--quiet"), maxRotation: 0, callback: (value) => number(value) },
    }, more);
  }

  function tooltip(unit, title) {
    return {
      backgroundColor: css("--card"),
      borderColor: css("--line"),
      borderWidth: 1,
      titleColor: css("--text"),
      bodyColor: css("--text"),
      usePointStyle: true,
      callbacks: {
        title: (items) => (items.length ? title(items[0].parsed.x) : ""),
        label: (item) => ` ${item.dataset.label}: ${number(item.parsed.y)}${unit === "ms" ? " ms" : ""}`,
      },
    };
  }

  function options(unit, xAxis, yAxis, title) {
    return {
      animation: false,
      maintainAspectRatio: false,
      normalized: true,
      parsing: false,
      scales: { x: xAxis, y: yAxis },
      plugins: { legend: { display: false }, tooltip: tooltip(unit, title) },
    };
  }

  function lastTime() {
    const visible = shownRuns().filter((run) => !state.hidden.has(run.index));
    return Math.max(1, ...visible.map((run) => {
      const last = run.record.intervals[run.record.intervals.length - 1];
      return last ? last[run.record.metrics.indexOf("time")] : 0;
    }));
  }

  function timeAxis() {
    return axis("seconds since the start", {
      type: "linear",
      min: state.from === null ? 0 : state.from,
      max: state.to === null ? lastTime() : state.to,
    });
  }

  function panel(title, unit) {
    const canvas = element("canvas", { role: "img", "aria-label": title });
    const frame = element("div", { class: "canvas" }, canvas);
    const heading = element("h3", {}, title, element("span", { class: "unit" }, unit ? ` (${unit})` : ""));
    return { canvas, frame, node: element("div", { class: "panel" }, heading, frame) };
  }

  /* One width for all, so that the same time stands at the same place. */
  const alike = (scale) => { scale.width = Math.max(scale.width, 62); };

  function timeChart(metric) {
    const unit = unitOf(metric);
    const parts = panel(NAMES[metric] || metric, unit === "per second" ? "" : unit);
    const set = options(unit, timeAxis(), axis("", { beginAtZero: true, grace: "5%", afterFit: alike }),
      (x) => `${number(x)} s`);
    if (metric === "errors") {
      set.scales.y.suggestedMax = 5;
      set.scales.y.ticks.precision = 0;
    }
    set.events = [];
    set.shared = true;
    byId("panels").append(parts.node);
    const chart = new Chart(parts.canvas, { type: "line", data: { datasets: datasets(metric) }, options: set, plugins: [crosshair] });
    watchMouse(chart, parts.frame);
    return chart;
  }

  /* Index of the point nearest to a time; points are in order of time. */
  function nearest(points, x) {
    let low = 0;
    let high = points.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (points[middle].x < x) low = middle;
      else high = middle;
    }
    return high >= 0 && Math.abs(points[high].x - x) < Math.abs(points[low].x - x) ? high : low;
  }

  /* The same time is marked in all panels; the tooltip is shown in one. */
  function mark(x, over) {
    hover = x;
    for (const chart of charts) {
      const active = x === null ? [] : chart.data.datasets
        .map((set, datasetIndex) => ({ datasetIndex, index: nearest(set.data, x) }))
        .filter((item) => chart.isDatasetVisible(item.datasetIndex));
      chart.setActiveElements(active);
      chart.tooltip.setActiveElements(chart === over ? active : [], { x: 0, y: 0 });
      chart.update("none");
    }
  }

  function zoom(from, to) {
    state.from = from;
    state.to = to;
    byId("reset").hidden = from === null;
    for (const chart of charts) {
      chart.options.scales.x.min = from === null ? 0 : from;
      chart.options.scales.x.max = to === null ? lastTime() : to;
      chart.update("none");
    }
  }

  function watchMouse(chart, frame) {
    let start = null;
    let box = null;
    const at = (event) => event.clientX - frame.getBoundingClientRect().left;
    const time = (pixel) => chart.scales.x.getValueForPixel(pixel);
    const inside = (pixel) => Math.min(Math.max(pixel, chart.chartArea.left), chart.chartArea.right);
    const drop = () => {
      if (box) box.remove();
      box = null;
      start = null;
    };
    frame.onpointerdown = (event) => { start = inside(at(event)); };
    frame.onpointermove = (event) => {
      const x = inside(at(event));
      mark(time(x), chart);
      if (start === null || Math.abs(x - start) < 4) return;
      if (!box) frame.append((box = element("div", { class: "zoom" })));
      box.style.cssText = `left:${Math.min(x, start)}px;width:${Math.abs(x - start)}px;` +
        `top:${chart.chartArea.top}px;height:${chart.chartArea.bottom - chart.chartArea.top}px`;
    };
    frame.onpointerup = (event) => {
      const x = inside(at(event));
      const from = start;
      drop();
      if (from !== null && Math.abs(x - from) >= 4) zoom(time(Math.min(x, from)), time(Math.max(x, from)));
    };
    frame.onpointerleave = () => { drop(); mark(null, null); };
    frame.ondblclick = () => zoom(null, null);
  }

  /* Percentiles lie on a scale of 1 / (1 - p), so that each nine takes as much
   * room as the one before it. */
  const MOST = 99.999;
  const spread = (percent) => 100 / (100 - Math.min(percent, MOST));

  function percentileChart() {
    const curves = shownRuns().flatMap((run) => shownTypes().map((type) => {
      const curve = (run.record.percentiles || {})[type] || [];
      return lineOf(run, type, curve.filter((p) => p[0] < 100).map((p) => ({ x: spread(p[0]), y: p[1], percent: p[0] })));
    })).filter((set) => set.data.length);
    byId("distribution").replaceChildren();
    if (!curves.length) return null;
    const labels = [0, 50, 90, 95, 99, 99.9, 99.99];
    const parts = panel("Latency by percentile, whole run", "ms");
    const set = options("ms", axis("percentile", {
      type: "logarithmic",
      min: 1,
      afterBuildTicks: (scale) => { scale.ticks = labels.map((p) => ({ value: spread(p) })); },
    }), axis("", { beginAtZero: true, grace: "5%" }), () => "");
    set.scales.x.ticks.callback = (value) => `${+(100 - 100 / value).toFixed(3)}%`;
    set.interaction = { mode: "nearest", axis: "x", intersect: false };
    set.plugins.tooltip.callbacks.title = (items) => (items.length ? `${items[0].raw.percent}%` : "");
    byId("distribution").append(parts.node);
    return new Chart(parts.canvas, { type: "line", data: { datasets: curves }, options: set });
  }

  let distribution = null;

  function draw() {
    charts.forEach((chart) => chart.destroy());
    if (distribution) distribution.destroy();
    byId("panels").replaceChildren();
    charts = state.metrics.map(timeChart);
    distribution = percentileChart();
    drawLegend();
    drawTable();
    drawCommands();
  }

  /* ---- controls ---- */

  function chip(text, pressed, onclick, picture) {
    return element("button", { type: "button", class: "chip", "aria-pressed": String(pressed), onclick },
      ...(picture ? [picture] : []), text);
  }

  function dashPicture(type) {
    const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    picture.setAttribute("width", "34");
    picture.setAttribute("height", "8");
    picture.innerHTML = `<line x1="1" y1="4" x2="33" y2="4" stroke="currentColor" stroke-width="2" stroke-dasharray="${dashOf(type).join(" ")}"/>`;
    return picture;
  }

  function toggleMetric(metric) {
    const chosen = state.metrics.includes(metric);
    state.metrics = allMetrics.filter((m) => (m === metric ? !chosen : state.metrics.includes(m)));
  }

  function toggleType(type) {
    if (!state.types.delete(type)) state.types.add(type);
    if (!state.types.size) state.types.add(type);
  }

  function drawControls() {
    const redraw = (change) => () => { change(); drawControls(); draw(); };
    byId("metrics").replaceChildren(...allMetrics.map((metric) =>
      chip(metric, state.metrics.includes(metric), redraw(() => toggleMetric(metric)))));
    byId("types").replaceChildren(...allTypes.map((type) =>
      chip(type, state.types.has(type), redraw(() => toggleType(type)), dashPicture(type))));
    byId("type-control").hidden = allTypes.length < 2;
  }

  function drawOperations() {
    const tests = [...new Set(runs.map((run) => run.test))];
    byId("operation").replaceChildren(element("option", { value: "" }, "all"),
      ...tests.map((test) => element("option", { value: test }, test)));
    byId("operation-control").hidden = tests.length < 2;
  }

  function drawLegend() {
    byId("legend").replaceChildren(...shownRuns().map((run) => element("button", {
      type: "button",
      class: "entry",
      "aria-pressed": String(!state.hidden.has(run.index)),
      onclick: () => {
        if (!state.hidden.delete(run.index)) state.hidden.add(run.index);
        draw();
      },
    }, element("span", { class: "box", style: `background:${colourOf(run)}` }), run.label)));
  }

  /* ---- results ---- */

  function split(text) {
    const parts = /^([^[]*?)\s*(?:\[(.*)\])?$/.exec(text || "");
    return parts ? { total: parts[1], types: parts[2] ? parts[2].split(", ") : [] } : { total: text, types: [] };
  }

  const plain = (text) => parseFloat(String(text).replace(/,/g, ""));

  function difference(key, text, first) {
    const now = plain(split(text).total);
    const before = plain(split(first).total);
    if (!/rate|latency/.test(key) || !before || !isFinite(now)) return "";
    const change = 100 * (now - before) / before;
    const better = key.includes("rate") ? change > 0 : change < 0;
    const sign = change > 0 ? "+" : change < 0 ? "\u2212" : "\u00b1";
    return element("span", { class: `change ${Math.abs(change) < 0.05 ? "" : better ? "better" : "worse"}` },
      `${sign}${Math.abs(change).toFixed(1)}%`);
  }

  function cell(key, run, first) {
    const parts = split(run.record[key]);
    const lines = parts.types.length > 1 ? parts.types.map((type) => element("small", {}, type)) : [];
    const change = run === first ? "" : difference(key, run.record[key], first.record[key]);
    return element("td", {}, change, parts.total, ...lines);
  }

  function drawTable() {
    const shown = shownRuns().filter((run) => !state.hidden.has(run.index));
    if (!shown.length) {
      byId("aggregates").replaceChildren();
      return;
    }
    const head = shown.map((run) => element("th", { scope: "col" },
      element("span", { class: "box", style: `background:${colourOf(run)}` }), run.label));
    const keys = AGGREGATES.filter((key) => shown.some((run) => key in run.record));
    byId("aggregates").replaceChildren(
      element("thead", {}, element("tr", {}, element("th", {}, ""), ...head)),
      element("tbody", {}, ...keys.map((key) => element("tr", {},
        element("th", { scope: "row" }, key[0].toUpperCase() + key.slice(1).replace(/\bgc\b/, "GC")),
        ...shown.map((run) => cell(key, run, shown[0]))))));
  }

  function drawCommands() {
    byId("commands").replaceChildren(...shownRuns().flatMap((run) => {
      const start = run.record.start ? ` \u2013 ${new Date(run.record.start * 1000).toLocaleString()}` : "";
      return [element("dt", {}, run.label + start), element("dd", {}, element("code", {}, run.record.command || ""))];
    }));
  }

  /* ---- downloads ---- */

  function save(name, type, text) {
    const link = element("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  const quoted = (value) => (/[",\n]/.test(value) ? `"${String(value).replace(/"/g, '""')}"` : value);

  function csv() {
    const lines = [["revision", "test", "type", ...allMetrics, "time"]];
    for (const run of runs) {
      const at = [...allMetrics, "time"].map((metric) => run.record.metrics.indexOf(metric));
      run.record.intervals.forEach((row, i) => lines.push(
        [run.label, run.test, run.types[i], ...at.map((k) => (row[k] === null || k < 0 ? "" : row[k]))]));
    }
    return lines.map((line) => line.map(quoted).join(",") + "\n").join("");
  }

  /* ---- start ---- */

  function begin() {
    const title = (stats && stats.title) || "cstress";
    byId("title").textContent = title;
    document.title = title;
    byId("subtitle").textContent = `${runs.length} ${runs.length === 1 ? "run" : "runs"}`;
    byId("save-csv").onclick = () => save("cstress.csv", "text/csv", csv());
    byId("save-json").onclick = () => save("cstress.json", "application/json", JSON.stringify(stats, null, 1));
    byId("reset").onclick = () => zoom(null, null);
    byId("smoothing").onchange = (event) => { state.smoothing = Number(event.target.value); draw(); };
    byId("operation").onchange = (event) => { state.test = event.target.value; draw(); };
    dark.addEventListener("change", draw);
    drawOperations();
    drawControls();
    draw();
  }

  begin();
}());
