// All runs of a folder: list, trend, comparison.
(function () {
  "use strict";
  function id(name) { return document.getElementById(name); }
  var FOLDER = 0, NAME = 1, START = 2, SECONDS = 3, CALLS = 4, RUNS = 5, VERDICT = 6, RATE = 7, FAILED = 8, P50 = 9, P99 = 10, LIVE = 11;
  var runs = [], ticked = [], sortBy = START, descending = true, plot = null, trend = null, away = false;
  var columns = [["", null], ["run", FOLDER], ["experiment", NAME], ["start (UTC)", START], ["length", SECONDS], ["calls", CALLS], ["calls/s", RATE],
    ["p50 ms", P50], ["p99 ms", P99], ["failed %", FAILED], ["verdict", VERDICT]];

  function element(name, content, kind) {
    var e = document.createElement(name);
    e.textContent = content;
    if (kind) { e.className = kind; }
    return e;
  }
  function plain(v) {
    if (v == null) { return "–"; }
    var size = Math.abs(v);
    return v.toLocaleString("en-US", { maximumFractionDigits: size >= 999.5 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3 });
  }
  function clock(s) {
    if (s == null) { return "–"; }
    var n = Math.floor(s), two = function (v) { return (v < 10 ? "0" : "") + v; }, h = Math.floor(n / 3600), m = Math.floor(n / 60) % 60;
    return (h ? h + ":" + two(m) : m) + ":" + two(n % 60);
  }
  function start(t) { return t ? t.replace("T", " ").replace(/(:\d\d):.*/, "$1") : "–"; }
  function address(run) { return "runs/" + encodeURIComponent(run[FOLDER]) + "/report.html"; }

  function shown() {
    var words = id("search").value.toLowerCase().split(/\s+/).filter(Boolean), name = id("name").value, verdict = id("verdict").value;
    return runs.filter(function (r) {
      var text = (r[FOLDER] + " " + r[NAME] + " " + r[VERDICT]).toLowerCase();
      return (!name || r[NAME] === name) && (!verdict || r[VERDICT].indexOf(verdict) >= 0) && words.every(function (w) { return text.indexOf(w) >= 0; });
    }).sort(function (a, b) {
      var x = a[sortBy], y = b[sortBy];
      if (x == null || y == null) { return x == null ? y == null ? 0 : 1 : -1; }
      var order = typeof x === "number" ? x - y : String(x) < String(y) ? -1 : String(x) > String(y) ? 1 : 0;
      return descending ? -order : order;
    });
  }

  function head() {
    id("head").replaceChildren.apply(id("head"), columns.map(function (c, i) {
      var th = element("th", "", i < 4 || c[1] === VERDICT ? "t" : "n");
      th.scope = "col";
      if (c[1] == null) { th.textContent = "✓"; th.setAttribute("aria-label", "ticked"); return th; }
      var button = element("button", c[0] + (sortBy === c[1] ? descending ? " ▼" : " ▲" : ""), "sort");
      button.type = "button";
      th.setAttribute("aria-sort", sortBy === c[1] ? descending ? "descending" : "ascending" : "none");
      button.addEventListener("click", function () {
        descending = sortBy === c[1] ? !descending : typeof (runs[0] || [])[c[1]] === "number" || c[1] === START;
        sortBy = c[1];
        list();
        id("head").children[i].firstElementChild.focus();
      });
      th.append(button);
      return th;
    }));
  }

  function list() {
    head();
    var found = shown();
    id("rows").replaceChildren.apply(id("rows"), found.map(function (r) {
      var tr = document.createElement("tr"), tick = document.createElement("input"), box = element("td", "", "t"), link = element("a", r[FOLDER]);
      tick.type = "checkbox";
      tick.checked = ticked.indexOf(r[FOLDER]) >= 0;
      tick.setAttribute("aria-label", "compare " + r[FOLDER]);
      tick.addEventListener("change", function () {
        ticked = ticked.filter(function (f) { return f !== r[FOLDER]; });
        if (tick.checked) { ticked.push(r[FOLDER]); }
        mark();
      });
      box.append(tick);
      link.href = r[LIVE] || address(r);
      var name = document.createElement("th");
      name.scope = "row";
      name.className = "t";
      name.append(link);
      tr.append(box, name);
      [r[NAME] || "–", start(r[START]), clock(r[SECONDS]), r[CALLS] == null ? "–" : r[CALLS].toLocaleString("en-US"), plain(r[RATE]), plain(r[P50]), plain(r[P99]),
        plain(r[FAILED]), r[VERDICT] + (r[RUNS] ? " (" + r[RUNS] + " runs)" : "") + (r[LIVE] ? ": watch" : "")].forEach(function (text, i) {
        tr.append(element("td", text, i < 2 || i === 8 ? "t" : "n"));
      });
      return tr;
    }));
    id("count").textContent = found.length + " of " + runs.length + (runs.length === 1 ? " run" : " runs");
  }
  function mark() {
    id("compare").disabled = ticked.length !== 2;
    id("said").textContent = ticked.length === 2 ? "the older one is the measure" : ticked.length ? ticked.length + " ticked" : "";
  }

  function names() {
    var all = runs.map(function (r) { return r[NAME]; }).filter(function (n, i, a) { return n && a.indexOf(n) === i; }).sort();
    [["name", true], ["trend-name", false]].forEach(function (which) {
      var select = id(which[0]), chosen = select.value;
      select.replaceChildren.apply(select, (which[1] ? [new Option("all", "")] : []).concat(all.map(function (n) { return new Option(n, n); })));
      if (all.indexOf(chosen) >= 0) { select.value = chosen; }
    });
  }

  function draw() {
    var holder = id("trend-chart");
    holder.textContent = "";
    if (plot) { plot.destroy(); plot = null; }
    if (!trend || !trend.points.length) { return; }
    var dark = diperfTheme.dark(), ink = dark ? "#d5dbe1" : "#222", grid = dark ? "#303a44" : "#e4e4e4";
    var x = trend.points.map(function (p) { return Date.parse(p[1]) / 1000; });
    var line = function (i) { return trend.points.map(function (p) { return p[i]; }); };
    var axis = { stroke: ink, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 } };
    var day = function (t) { return new Date(t * 1000).toISOString(); };
    var times = { space: 90, values: function (u, ticks) {
      var days = ticks.length > 1 && ticks[1] - ticks[0] >= 86400;
      return ticks.map(function (t) { return days ? day(t).slice(0, 10) : day(t).slice(5, 10) + " " + day(t).slice(11, 16); });
    } };
    plot = new uPlot({
      width: holder.clientWidth, height: 260, tzDate: function (ts) { return uPlot.tzDate(new Date(ts * 1000), "Etc/UTC"); },
      cursor: { drag: { x: true, y: false } },
      scales: { x: { range: function (u, min, max) { return x.length > 1 ? [min, max] : [x[0] - 43200, x[0] + 43200]; } }, y: { range: function (u, min, max) { return [Math.min(0, min), max > 0 ? max * 1.07 : 1]; } } },
      axes: [Object.assign(times, axis), Object.assign({ size: 70, label: id("number").value + (trend.unit ? " (" + trend.unit + ")" : "") }, axis)],
      bands: [{ series: [3, 2], fill: dark ? "rgba(86,180,233,.25)" : "rgba(0,114,178,.18)" }],
      series: [{ label: "start (UTC)", value: function (u, v) { return v == null ? "–" : day(v).slice(0, 16).replace("T", " "); } }, { label: id("number").value, stroke: dark ? "#56b4e9" : "#0072b2", width: 2, points: { show: true, size: 8 } },
        { label: "at least", stroke: grid, width: 1 }, { label: "at most", stroke: grid, width: 1 }]
    }, [x, line(2), line(3), line(4)], holder);
  }
  function follow() {
    if (!id("trend-name").value) { return Promise.resolve(); }
    return fetch("trend.json?name=" + encodeURIComponent(id("trend-name").value) + "&number=" + encodeURIComponent(id("number").value.trim()))
      .then(function (r) { return r.ok ? r.json() : r.text().then(function (t) { throw new Error(t.trim()); }); })
      .then(function (told) {
        trend = told;
        id("trend-said").textContent = told.points.length ? "" : "No run of this name has that number.";
        draw();
        var table = document.createElement("table"), body = document.createElement("tbody"), line = document.createElement("tr");
        ["run", "start (UTC)", "value" + (told.unit ? ", " + told.unit : ""), "at least", "at most"].forEach(function (h, i) {
          var th = element("th", h, i < 2 ? "t" : "n");
          th.scope = "col";
          line.append(th);
        });
        told.points.slice().reverse().forEach(function (p) {
          var tr = document.createElement("tr");
          [p[0], start(p[1]), plain(p[2]), plain(p[3]), plain(p[4])].forEach(function (t, i) { tr.append(element("td", t, i < 2 ? "t" : "n")); });
          body.append(tr);
        });
        var thead = document.createElement("thead"), region = element("div", "", "scroll");
        thead.append(line);
        table.append(thead, body);
        region.append(table);
        id("trend-table").replaceChildren(region);
      }, function (e) { id("trend-said").textContent = e.message; });
  }

  function load() {
    return fetch("runs.json").then(function (r) { return r.json(); }).then(function (told) {
      var same = JSON.stringify(runs) === JSON.stringify(told.runs);
      runs = told.runs;
      id("folder").textContent = told.folder;
      if (!id("numbers").children.length) { id("numbers").replaceChildren.apply(id("numbers"), told.numbers.map(function (n) { return new Option(n); })); }
      if (!same) { names(); list(); }
      if (!same || away) { mark(); }
      away = false;
    }, function () { away = true; id("said").textContent = "The list could not be brought up to date; is diperf serve still running?"; });
  }
  ["search", "name", "verdict"].forEach(function (which) { id(which).addEventListener("input", list); });
  id("filters").addEventListener("submit", function (e) { e.preventDefault(); });
  id("trend-form").addEventListener("submit", function (e) { e.preventDefault(); follow(); });
  id("compare").addEventListener("click", function () {
    var two = runs.filter(function (r) { return ticked.indexOf(r[FOLDER]) >= 0; }).sort(function (a, b) { return String(a[START]) < String(b[START]) ? -1 : 1; });
    var began = Date.now(), comparing = function () {
      id("said").textContent = "comparing: reading all calls of both runs … " + clock((Date.now() - began) / 1000);
    };
    comparing();
    var ticking = setInterval(comparing, 1000);
    id("compare").disabled = true;
    fetch("compare?a=" + encodeURIComponent(two[0][FOLDER]) + "&b=" + encodeURIComponent(two[1][FOLDER])).then(function (r) {
      clearInterval(ticking);
      if (r.ok) { location.assign(r.url); } else { return r.text().then(function (t) { id("said").textContent = t.trim(); id("compare").disabled = false; }); }
    }, function () { clearInterval(ticking); id("said").textContent = "The runs could not be compared."; id("compare").disabled = false; });
  });
  diperfTheme.changed(draw);
  window.addEventListener("resize", function () { if (plot) { plot.setSize({ width: id("trend-chart").clientWidth, height: 260 }); } });
  load().then(follow).then(function () { document.body.dataset.ready = "yes"; });
  setInterval(function () { if (!document.hidden) { load(); } }, 5000);
})();
