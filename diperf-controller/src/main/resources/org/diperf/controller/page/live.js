// A run under way: told by Server-Sent Events once a second, shown with the chart of the report.
(function () {
  "use strict";
  function id(name) { return document.getElementById(name); }
  var rows = [];
  var now = {};
  var chart = null;
  var looks = {
    light: { ink: "#222", grid: "#e4e4e4", tick: "#aaa" },
    dark: { ink: "#d5dbe1", grid: "#303a44", tick: "#5a6672" }
  };
  // Told apart by everybody (Okabe and Ito), and by their dashes.
  var colours = {
    light: { load: "#555", rate: "#0072b2", failed: "#cc79a7", p50: "#009e73", p90: "#e69f00", p99: "#d55e00" },
    dark: { load: "#b4bec8", rate: "#56b4e9", failed: "#e79ac6", p50: "#3ddba9", p90: "#f0b840", p99: "#ff8a4c" }
  };

  // The token is behind the #, which no browser sends. It stays in this tab alone, and leaves the address.
  var token = "";
  try {
    token = location.hash.length > 20 ? location.hash.slice(1) : sessionStorage.getItem("diperf-token") || "";
    if (token) { sessionStorage.setItem("diperf-token", token); }
  } catch (e) { token = location.hash.slice(1); }
  if (location.hash.length > 20) { history.replaceState(null, "", location.pathname); }

  function clock(s) {
    if (s == null) { return "–"; }
    var sign = s < 0 ? "-" : "", n = Math.floor(Math.abs(s));
    var two = function (v) { return (v < 10 ? "0" : "") + v; };
    var h = Math.floor(n / 3600), m = Math.floor(n / 60) % 60;
    return sign + (h ? h + ":" + two(m) : m) + ":" + two(n % 60);
  }
  function count(n) { return n == null ? "–" : n.toLocaleString("en-US"); }
  function plain(v) {
    if (v == null) { return "–"; }
    var size = Math.abs(v);
    return v.toLocaleString("en-US", { maximumFractionDigits: size >= 999.5 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3 });
  }
  function text(name, value) {
    var e = id(name);
    if (e.textContent !== value) { e.textContent = value; }
  }
  function element(name, content, kind) {
    var e = document.createElement(name);
    e.textContent = content;
    if (kind) { e.className = kind; }
    return e;
  }
  function list(name, items) {
    var into = id(name), key = items.map(function (i) { return i.textContent + i.className; }).join("\n");
    if (into.dataset.key !== key) {
      into.dataset.key = key;
      into.replaceChildren.apply(into, items);
    }
  }

  function table(name, caption, textColumns, head, body) {
    var holder = id(name);
    if (!body.length) { holder.replaceChildren(); return; }
    var tbody = holder.querySelector("tbody");
    if (!tbody) {
      var region = element("div", "", "scroll");
      region.tabIndex = 0;
      region.setAttribute("role", "region");
      region.setAttribute("aria-label", caption);
      var t = document.createElement("table"), line = document.createElement("tr"), thead = document.createElement("thead");
      t.append(element("caption", caption));
      head.forEach(function (h, i) { var th = element("th", h, i < textColumns ? "t" : "n"); th.scope = "col"; line.append(th); });
      thead.append(line);
      tbody = document.createElement("tbody");
      t.append(thead, tbody);
      region.append(t);
      holder.replaceChildren(region);
    }
    while (tbody.rows.length > body.length) { tbody.deleteRow(-1); }
    body.forEach(function (cells, r) {
      var row = tbody.rows[r];
      if (!row) {
        row = tbody.insertRow();
        cells.forEach(function (c, i) {
          var cell = document.createElement(i ? "td" : "th");
          if (!i) { cell.scope = "row"; }
          cell.className = i < textColumns ? "t" : "n";
          row.append(cell);
        });
      }
      cells.forEach(function (c, i) {
        var value = c == null ? "–" : String(c);
        if (row.cells[i].textContent !== value) { row.cells[i].textContent = value; }
      });
    });
  }

  function draw() {
    var q = now.quantum || 1;
    // A row that is not over, or still on its way, would look like a drop.
    var whole = now.over ? rows : rows.slice(0, Math.max(0, Math.floor((now.elapsed - 0.6) / q)));
    if (whole.length < 2) { return; }
    var dark = diperfTheme.dark(), c = dark ? colours.dark : colours.light;
    var column = function (i, by) { return whole.map(function (r) { return r[i] == null ? null : r[i] / (by || 1); }); };
    var times = { p99: column(6), p90: column(5), p50: column(4) };
    var most = 0, least = Infinity;
    [times.p50, times.p99].forEach(function (t) { t.forEach(function (v) { if (v > 0) { most = Math.max(most, v); least = Math.min(least, v); } }); });
    var log = most / least > 100;
    var positive = function (t) { return log ? t.map(function (v) { return v > 0 ? v : null; }) : t; };
    var name = now.closed ? "active clients" : "calls in flight";
    var end = whole.length * q;
    var series = [
      { label: name, scale: "load", colour: c.load, dash: true, values: column(now.closed ? 8 : 9) },
      { label: "calls/s", scale: "rate", colour: c.rate, dash: false, values: column(1, q) },
      { label: "failed/s", scale: "rate", colour: c.failed, dash: true, values: column(2, q) },
      { label: "p99 (ms)", scale: "ms", colour: c.p99, dash: false, values: positive(times.p99) },
      { label: "p90 (ms)", scale: "ms", colour: c.p90, dash: true, values: positive(times.p90) },
      { label: "p50 (ms)", scale: "ms", colour: c.p50, dash: false, values: positive(times.p50) }
    ];
    var data = { seconds: end, quantum: q, log: log, marks: [], colours: [], measured: [], series: series,
      timeLabel: "time since the start of the run (" + (end >= 3600 ? "h:mm:ss" : end >= 180 ? "min:s" : "s") + ")",
      loadLabel: "load (" + name + ")", rateLabel: "throughput (calls/s)",
      time: whole.map(function (r) { return (r[0] + 0.5) * q; }) };
    var look = dark ? looks.dark : looks.light;
    if (chart) { chart.update(data, look); } else { chart = diperfChart(id("figure-main"), id("chart"), data, look); }
  }

  function tiles() {
    var calls = now.calls || {}, all = now.response || {};
    var shown = [["elapsed", clock(now.elapsed) + (now.total ? "/" + clock(now.total) : "")], ["calls/s", plain(now.rate)],
      ["p50 ms", plain(now.p50)], ["p99 ms", plain(now.p99)], ["ok calls", count(calls.ok)], ["failed", count(calls.failed)],
      [now.closed ? "clients" : "dropped", now.closed ? count(now.clients) : count(calls.dropped)], ["in flight", count(now.inFlight)],
      ["p99 ms, whole run", plain(all.p99)], ["testers", now.testersWanted == null ? "–" : now.testersAlive + "/" + now.testersWanted]];
    var holder = id("tiles");
    shown.forEach(function (tile, i) {
      var box = holder.children[i];
      if (!box) {
        box = document.createElement("div");
        box.append(element("dt", ""), element("dd", ""));
        holder.append(box);
      }
      if (box.children[0].textContent !== tile[0]) { box.children[0].textContent = tile[0]; }
      if (box.children[1].textContent !== tile[1]) { box.children[1].textContent = tile[1]; }
    });
  }

  function verdict() {
    var failing = (now.thresholds || []).filter(function (t) { return t[1] === "fails"; }).length;
    var doubts = now.doubts || [];
    var badge = id("verdict");
    badge.hidden = now.elapsed == null;
    badge.textContent = (failing ? failing + (failing === 1 ? " threshold fails" : " thresholds fail") + ", " : "") +
      (doubts.length ? "numbers suspect so far" : "numbers valid so far");
    badge.className = "badge " + (failing ? "bad" : doubts.length ? "warn" : "good");
    text("doubts-head", doubts.length ? "Why the numbers are suspect so far" : "Nothing speaks against the numbers so far");
    list("doubts", doubts.concat(now.notes || []).map(function (d) { return element("li", d); }));
    text("thresholds-head", (now.thresholds || []).length ? "Thresholds so far, over all calls" : "No thresholds were set");
    var marks = { holds: ["✓", "mark good"], fails: ["✗", "mark bad"], open: ["?", "mark"], later: ["…", "mark"] };
    list("thresholds", (now.thresholds || []).map(function (t) {
      var li = element("li", "", "threshold"), mark = element("span", marks[t[1]][0], marks[t[1]][1]);
      mark.setAttribute("role", "img");
      mark.setAttribute("aria-label", t[1]);
      li.append(mark, element("span", t[0]), element("span", t[1] === "later" ? "at the end" : t[2], "seen"));
      return li;
    }));
    var failed = (now.calls || {}).failed || 0;
    text("causes-head", failed ? "Failures: " + count(failed) : "No call failed");
    var causes = (now.causes || []).map(function (c) { return element("li", count(c[1]) + " × " + c[0] + ", first at " + clock(c[2])); });
    if (now.causesAll > causes.length) { causes.push(element("li", "and " + (now.causesAll - causes.length) + " more causes")); }
    list("causes", causes);
  }

  // Calls that are shown whole come only when there are others: one that is open stays so.
  function calls(shown) {
    id("calls").hidden = !shown.length;
    var holder = id("calls-list"), open = {};
    holder.querySelectorAll("details[open]").forEach(function (d) { open[d.dataset.key] = true; });
    holder.replaceChildren.apply(holder, shown.map(function (c) {
      var d = document.createElement("details"), said = element("pre", "", "said");
      d.dataset.key = c.slice(0, 4).join(" ");
      d.open = !!open[d.dataset.key];
      c[7].split("\n").forEach(function (line) {
        said.append(element("span", line + "\n", line[0] === ">" ? "sent" : line[0] === "<" ? "came" : "remark"));
      });
      d.append(element("summary", (c[0] === "ok" ? "slowest ok calls" : c[0]) + " · " + (c[4] ? c[4] + " · " : "") + plain(c[5]) + " ms · ended at " +
        clock(c[6]) + " · client " + c[2] + ", its call " + c[3] + " · tester-" + c[1]), said);
      return d;
    }));
  }

  function finding() {
    if (now.elapsed == null) { return now.phase ? now.phase + " …" : "Waiting for the run to begin."; }
    if (now.over) { return "The load is over; its report is being made."; }
    var calls = now.calls || {}, ended = (calls.ok || 0) + (calls.failed || 0);
    return now.phase + ": " + plain(now.rate) + " calls/s" + (now.p50 == null ? "" : ", half of them within " + plain(now.p50) + " ms, 99 of 100 within " +
      plain(now.p99) + " ms") + (calls.failed ? "; " + plain(100 * calls.failed / ended) + " % have failed" : "; none has failed") + ".";
  }

  function show() {
    document.title = (now.over ? "" : now.elapsed == null ? "" : clock(now.elapsed) + " ") + (now.name || "DiPerF") + " · DiPerF";
    text("name", (now.name || "DiPerF") + (now.place ? " · " + now.place : ""));
    text("headline", now.headline || "");
    text("finding", finding());
    var bar = id("progress"), share = now.total && now.elapsed != null ? Math.min(100, 100 * now.elapsed / now.total) : null;
    bar.hidden = share == null;
    if (share != null) { bar.firstElementChild.style.width = share + "%"; bar.setAttribute("aria-valuenow", Math.round(share)); }
    tiles();
    verdict();
    var times = function (p) { return [p[0], count(p[1] + p[2]), count(p[2]), plain(p[3]), plain(p[4]), plain(p[5]), plain(p[6])]; };
    var head = ["calls", "failed", "p50", "p95", "p99", "max"];
    table("requests-table", "By request: response times in ms, ok calls, since the start", 1, ["request"].concat(head), (now.requests || []).map(times));
    table("groups-table", "By group: response times in ms, ok calls, since the start", 1, ["group"].concat(head), (now.groups || []).map(times));
    table("testers-table", "Send lag: p99 of the last seconds. CPU: of one processor. Clock: how far off it may be." +
      (now.testersAll > (now.testers || []).length ? " The first " + now.testers.length + " of " + now.testersAll + "." : ""), 3,
      ["tester", "machine", "state", "clients", "in flight", "ok", "failed", "lag ms", "CPU %", "clock ± ms"],
      (now.testers || []).map(function (t) {
        return [t[0], t[1] || "–", t[2] + (t[3] ? ": " + t[3] : ""), count(t[4]), count(t[5]), count(t[6]), count(t[7]), plain(t[8]),
          t[9] == null ? "–" : plain(100 * t[9]), plain(t[10])];
      }));
    list("events-list", (now.events || []).slice().reverse().map(function (e) {
      var li = element("li", "", e[2] ? "hand" : "");
      li.append(element("time", clock(e[0])), document.createTextNode(e[1]));
      return li;
    }));
    text("blocks", (now.testers || []).map(function (t) { return "tester " + t[0] + ": " + (t[11] || "none"); }).join("; "));
    draw();
  }

  function state(words, kind) { text("state", words); id("state").className = "badge " + kind; }
  function take(message, whole) {
    var told = JSON.parse(message.data);
    if (whole) { rows = []; }
    (told.rows || []).forEach(function (row) {
      while (rows.length < row[0]) { rows.push([rows.length, 0, 0, 0, null, null, null, null, null, null]); }
      rows[row[0]] = row;
    });
    now = told;
    if (told.shown) { calls(told.shown); }
    state(now.over ? "load over" : now.elapsed == null ? "preparing" : "under way", now.over ? "warn" : "good");
    id("stop").disabled = !!now.over;
    show();
  }

  var events = new EventSource("events");
  events.addEventListener("snapshot", function (m) { take(m, true); });
  events.addEventListener("tick", function (m) { take(m, false); });
  events.addEventListener("report", function () {
    events.close();
    state("opening the report", "good");
    location.replace("report.html");
  });
  events.addEventListener("end", function () {
    events.close();
    now.over = true;
    state("ended", "warn");
    text("finding", "The run has ended without a report; the terminal says why.");
    id("stop").disabled = true;
  });
  events.onerror = function () {
    state(events.readyState === EventSource.CLOSED ? "refused: reload later" : "connection lost, trying again", "bad");
  };

  function sure(asked) {
    id("stop").hidden = asked;
    id("stop-sure").hidden = !asked;
    id(asked ? "stop-no" : "stop").focus();
  }
  id("stop").addEventListener("click", function () {
    if (token) { sure(true); } else { text("stop-said", "To stop the run, open the whole link that diperf printed, with the token behind the #."); }
  });
  id("stop-no").addEventListener("click", function () { sure(false); });
  id("stop-yes").addEventListener("click", function () {
    sure(false);
    id("stop").disabled = true;
    fetch("stop", { method: "POST", headers: { "X-DiPerF-Token": token } }).then(function (r) { return r.text(); }).then(
      function (said) { text("stop-said", said.trim()); },
      function () { text("stop-said", "The run could not be reached."); });
  });
  diperfTheme.changed(draw);
  // For tests and the curious.
  window.diperfLive = { now: function () { return now; }, rows: function () { return rows; } };
})();
