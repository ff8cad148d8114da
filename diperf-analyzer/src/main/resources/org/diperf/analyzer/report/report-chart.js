// The chart at the top of a report. Without scripts, and on paper, the page shows the same chart as a picture.
(function () {
  "use strict";
  try {
    diperfChart(document.getElementById("figure-main"), document.getElementById("chart"),
      JSON.parse(document.getElementById("chart-data").textContent), { ink: "#222", grid: "#e4e4e4", tick: "#aaa" });
  } catch (e) {
    // The picture stands in for it.
  }
})();
