// Light or dark: as the system has it, until somebody chooses.
var diperfTheme = (function () {
  "use strict";
  var dark = matchMedia("(prefers-color-scheme: dark)");
  var root = document.documentElement;
  var listeners = [];
  function chosen() { try { return localStorage.getItem("diperf-theme"); } catch (e) { return null; } }
  function isDark() { var c = chosen(); return c ? c === "dark" : dark.matches; }
  function apply() {
    root.setAttribute("data-theme", isDark() ? "dark" : "light");
    var button = document.getElementById("theme");
    if (button) { button.textContent = isDark() ? "light" : "dark"; }
    listeners.forEach(function (f) { f(); });
  }
  dark.addEventListener("change", apply);
  apply();
  document.addEventListener("DOMContentLoaded", function () {
    apply();
    document.getElementById("theme").addEventListener("click", function () {
      try { localStorage.setItem("diperf-theme", isDark() ? "light" : "dark"); } catch (e) { /* Then it lasts as long as the page. */ }
      apply();
    });
  });
  return {
    dark: isDark,
    changed: function (f) { listeners.push(f); }
  };
})();
