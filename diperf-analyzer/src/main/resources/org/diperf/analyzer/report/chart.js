// The chart of a run: two plots over one time axis that can be zoomed by mouse, buttons and keys, and grow while the run is under way.
// "look" has the colours of axes, which differ between light and dark.
function diperfChart(figure, holder, data, look) {
  "use strict";
  var end, step, least;
  var view = [0, 1];
  // Whether the view keeps the whole run, or the latest part of it, in sight while the run grows.
  var whole = true, latest = true;
  var plots = [];
  var FONT = '12px "DejaVu Sans",Verdana,sans-serif';

  function clock(s) {
    if (end < 180) { return String(+s.toFixed(step < 0.1 ? 3 : step < 1 ? 2 : 1)); }
    var sign = s < 0 ? "-" : "";
    s = Math.round(Math.abs(s));
    var h = Math.floor(s / 3600), m = Math.floor(s / 60) % 60, two = function (n) { return (n < 10 ? "0" : "") + n; };
    return sign + (end >= 3600 ? h + ":" + two(m) : Math.floor(s / 60)) + ":" + two(s % 60);
  }
  function number(v) {
    if (v == null) { return "–"; }
    var size = Math.abs(v);
    return v.toLocaleString("en-US", { maximumFractionDigits: size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 4 });
  }
  function shade(u) {
    var box = u.bbox, c = u.ctx;
    c.save();
    c.beginPath(); c.rect(box.left, box.top, box.width, box.height); c.clip();
    data.marks.forEach(function (m) {
      var from = u.valToPos(m[1], "x", true), to = u.valToPos(m[2], "x", true);
      c.fillStyle = data.colours[m[0]];
      c.fillRect(from, box.top, Math.max(2, to - from), box.height);
    });
    c.restore();
  }
  function edges(u) {
    var box = u.bbox, c = u.ctx;
    c.save();
    c.strokeStyle = look.ink; c.setLineDash([4, 4]); c.lineWidth = 1;
    data.measured.forEach(function (s) {
      var x = Math.round(u.valToPos(s, "x", true)) + 0.5;
      if (x >= box.left && x <= box.left + box.width) {
        c.beginPath(); c.moveTo(x, box.top); c.lineTo(x, box.top + box.height); c.stroke();
      }
    });
    c.restore();
  }
  function axis(scale, label, side, colour) {
    return { scale: scale, label: label, side: side, stroke: colour, font: FONT, labelFont: FONT, size: 64, labelSize: 20,
      grid: side === 3 ? { stroke: look.grid, width: 1 } : { show: false }, ticks: { stroke: look.tick, width: 1 },
      values: function (u, ticks) { return ticks.map(function (v) { return v == null ? "" : number(v); }); } };
  }
  function time(label) {
    return { font: FONT, labelFont: FONT, stroke: look.ink, label: label ? data.timeLabel : null, labelSize: label ? 20 : 0, size: 34,
      grid: { stroke: look.grid, width: 1 }, ticks: { stroke: look.tick, width: 1 },
      values: function (u, ticks) { return ticks.map(clock); } };
  }
  // No line shows a value whose neighbours are missing: those are drawn as dots.
  function isolated(u, i) {
    var values = u.data[i], found = [];
    for (var k = 0; k < values.length; k++) {
      if (values[k] != null && values[k - 1] == null && values[k + 1] == null) { found.push(k); }
    }
    return found.length ? found : null;
  }
  function series(s) {
    return { label: s.label, scale: s.scale, stroke: s.colour, width: 2, dash: s.dash ? [7, 4] : null,
      points: { show: false, filter: isolated, size: 5, fill: s.colour }, spanGaps: false,
      value: function (u, v) { return number(v); } };
  }
  function top(u, min, max) { return [0, max > 0 ? max * 1.07 : 1]; }
  function plot(parts, scales, axes, height, last) {
    return new uPlot({
      width: holder.clientWidth, height: height, cursor: { sync: { key: "run" }, drag: { x: true, y: false, setScale: false }, y: false },
      scales: Object.assign({ x: { time: false, range: function () { return view; } } }, scales),
      legend: { live: true, markers: { width: 3 } },
      series: [{ label: "time", value: function (u, v) { return v == null ? "–" : clock(v); } }].concat(parts.map(series)),
      axes: [time(last)].concat(axes),
      hooks: { drawClear: [shade], draw: [edges], setSelect: [function (u) {
        if (u.select.width > 4) {
          var from = u.posToVal(u.select.left, "x"), to = u.posToVal(u.select.left + u.select.width, "x");
          u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          show(from, to);
        }
      }] }
    }, [data.time].concat(parts.map(function (s) { return s.values; })), holder);
  }
  function show(from, to) {
    var width = Math.max(least, Math.min(end, to - from));
    from = Math.max(0, Math.min(end - width, from));
    view = [from, from + width];
    whole = width >= end;
    latest = from + width >= end;
    plots.forEach(function (u) { u.setScale("x", { min: view[0], max: view[1] }); });
    document.getElementById("chart-view").textContent = width >= end
      ? "the whole run, " + clock(end) + (end < 180 ? " s" : "")
      : "from " + clock(view[0]) + " to " + clock(view[1]) + (end < 180 ? " s" : "");
  }
  function zoom(factor, at) {
    var width = view[1] - view[0], middle = at == null ? (view[0] + view[1]) / 2 : at;
    var wide = Math.max(least, Math.min(end, width * factor)), part = width > 0 ? (middle - view[0]) / width : 0.5;
    show(middle - part * wide, middle + (1 - part) * wide);
  }
  function move(share) { var by = share * (view[1] - view[0]); show(view[0] + by, view[1] + by); }
  var actions = {
    "in": function () { zoom(0.5); }, "out": function () { zoom(2); }, "left": function () { move(-0.25); },
    "right": function () { move(0.25); }, "whole": function () { show(0, end); },
    "last": function () { show(end - 60, end); }
  };
  var keys = { "+": "in", "=": "in", "ArrowUp": "in", "-": "out", "_": "out", "ArrowDown": "out", "ArrowLeft": "left",
    "ArrowRight": "right", "0": "whole", "Home": "whole", "Escape": "whole" };

  function measure() {
    end = data.seconds;
    step = data.quantum;
    least = Math.min(end, 4 * step);
  }
  function shape() {
    return [data.log, data.series.map(function (s) { return s.label + s.colour; })].join();
  }
  function parts(times) { return data.series.filter(function (s) { return times === (s.scale === "ms"); }); }
  function build() {
    holder.textContent = "";
    plots = [];
    var load = parts(false), times = parts(true);
    var loadColour = load[0].colour, rateColour = load[1].colour;
    plots.push(plot(load, { load: { range: top }, rate: { range: top } },
      [axis("load", data.loadLabel, 3, loadColour), axis("rate", data.rateLabel, 1, rateColour)], 250, false));
    var ms = data.log ? { ms: { distr: 3 } } : { ms: { range: top } };
    var blank = axis("ms", "", 1, look.ink);
    blank.values = function (u, ticks) { return ticks.map(function () { return ""; }); };
    blank.ticks = { show: false };
    plots.push(plot(times, ms, [axis("ms", data.log ? "response time (ms, log scale)" : "response time (ms)", 3, look.ink), blank],
      270, true));
  }
  figure.classList.add("live");
  measure();
  try { build(); show(0, end); } catch (e) { figure.classList.remove("live"); throw e; }
  var built = shape();
  document.querySelectorAll("#chart-tools button").forEach(function (b) {
    b.addEventListener("click", function () { actions[b.value](); });
  });
  holder.addEventListener("keydown", function (e) {
    if (keys[e.key] && !e.ctrlKey && !e.metaKey && !e.altKey) { actions[keys[e.key]](); e.preventDefault(); }
  });
  holder.addEventListener("dblclick", function () { show(0, end); });
  holder.addEventListener("wheel", function (e) {
    // Scrolling the page must not be caught: zoom by wheel only with Ctrl.
    if (!e.ctrlKey) { return; }
    var u = plots[0], x = u.posToVal(e.clientX - u.over.getBoundingClientRect().left, "x");
    zoom(e.deltaY < 0 ? 0.8 : 1.25, x);
    e.preventDefault();
  }, { passive: false });
  // Also where a scroll bar takes room.
  new ResizeObserver(function () {
    plots.forEach(function (u) {
      if (holder.clientWidth > 0 && u.width !== holder.clientWidth) { u.setSize({ width: holder.clientWidth, height: u.height }); }
    });
  }).observe(holder);
  return {
    /** Shows other values; what was zoomed into stays, and the end of the run stays in sight where it was. */
    update: function (other, colours) {
      var width = view[1] - view[0];
      data = other;
      measure();
      if (colours !== look || shape() !== built) {
        look = colours;
        built = shape();
        build();
      } else {
        plots[0].setData([data.time].concat(parts(false).map(function (s) { return s.values; })), false);
        plots[1].setData([data.time].concat(parts(true).map(function (s) { return s.values; })), false);
      }
      if (whole) { show(0, end); } else if (latest) { show(end - width, end); } else { show(view[0], view[1]); }
    }
  };
}
