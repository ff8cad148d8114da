package org.diperf.analyzer.report;

/** The style sheet of the report. */
final class Style {

    static final String SHEET = """
            :root { --ink:#1f2933; --pale:#52606d; --line:#d9dee3; --soft:#f5f7f9; --blue:#0063a0; --good:#00694d;
              --good-soft:#e3f4ee; --warn:#7a5200; --warn-soft:#fdf3d8; --bad:#a63c00; --bad-soft:#fceadf; }
            * { box-sizing:border-box; }
            body { margin:0; color:var(--ink); background:#fff; font:15px/1.45 "DejaVu Sans",Verdana,"Segoe UI",Arial,sans-serif; }
            main, header, footer { max-width:1280px; margin:0 auto; padding:0 24px; }
            header { padding-top:14px; }
            a { color:var(--blue); }
            a:focus-visible, .scroll:focus-visible { outline:3px solid #56b4e9; outline-offset:2px; }
            h1 { font-size:15px; margin:0; font-weight:700; display:inline; overflow-wrap:anywhere; }
            h2 { font-size:21px; margin:44px 0 12px; padding-top:10px; border-top:1px solid var(--line); }
            h3 { font-size:15px; margin:18px 0 6px; }
            .meta { color:var(--pale); font-size:13px; margin:2px 0 0; overflow-wrap:anywhere; }
            .finding { font-size:20px; line-height:1.35; font-weight:600; margin:10px 0 12px; overflow-wrap:anywhere; }
            nav { float:right; font-size:13px; } nav a { margin-left:14px; }
            .badge { display:inline-block; padding:2px 10px; border-radius:4px; font-weight:700; font-size:13px; }
            .good { color:var(--good); background:var(--good-soft); } .warn { color:var(--warn); background:var(--warn-soft); }
            .bad { color:var(--bad); background:var(--bad-soft); }
            .first { display:grid; grid-template-columns:minmax(0,1fr) 330px; gap:0 24px; align-items:start; }
            .first .side { order:1; }
            .side { font-size:13px; } .side h3 { margin:12px 0 4px; font-size:13px; } .side h3:first-child { margin-top:0; }
            .side ul { margin:4px 0 0; padding:0; list-style:none; } .side li { padding:3px 0; overflow-wrap:anywhere; }
            .side .threshold { display:flex; flex-wrap:wrap; gap:0 8px; padding-left:18px; position:relative; }
            .threshold .mark { position:absolute; left:0; } .threshold .seen { margin-left:auto; color:var(--pale); }
            .mark { font-weight:700; } .mark.good, .mark.bad { background:none; }
            .reasons li { border-left:3px solid #e69f00; padding-left:8px; margin:4px 0; }
            code { font:12.5px/1.5 "DejaVu Sans Mono",Menlo,Consolas,monospace; background:var(--soft); border:1px solid var(--line);
              border-radius:4px; padding:3px 7px; display:inline-block; overflow-wrap:anywhere; max-width:100%; }
            figure { margin:18px 0 30px; } figure img { width:100%; height:auto; display:block; border:1px solid var(--line); }
            .pairs { display:grid; grid-template-columns:repeat(2,minmax(0,1fr)); gap:0 24px; align-items:start; }
            .pairs figure { margin:8px 0 12px; }
            .first figure { margin:0; } .first figcaption { font-size:12px; }
            figcaption { color:var(--pale); font-size:13px; margin-top:6px; }
            .note { color:var(--pale); } .scroll { overflow-x:auto; margin:8px 0 16px; }
            table { border-collapse:collapse; font-size:13px; font-variant-numeric:tabular-nums; min-width:100%; }
            caption { text-align:left; color:var(--pale); padding:0 0 4px; font-size:12.5px; }
            th, td { padding:4px 10px; border-bottom:1px solid var(--line); white-space:nowrap; }
            thead th { background:var(--soft); font-weight:600; border-top:1px solid var(--line); }
            tbody th { font-weight:400; } .n { text-align:right; } .t { text-align:left; }
            td.t, tbody th.t { white-space:normal; overflow-wrap:anywhere; max-width:44em; min-width:8.5em; }
            dl { display:grid; grid-template-columns:minmax(9em,max-content) minmax(0,1fr); gap:4px 18px; font-size:14px; margin:6px 0 14px; }
            dt { color:var(--pale); } dd { margin:0; overflow-wrap:anywhere; }
            #chart, #chart-tools, .key { display:none; }
            .live #chart { display:block; border:1px solid var(--line); padding:6px 0; overflow:hidden; }
            .live #chart-tools { display:flex; gap:6px; align-items:center; margin:0 0 6px; }
            .live > img { display:none; }
            .live .key { display:block; margin:4px 0 0; font-size:12px; color:var(--pale); }
            .swatch { display:inline-block; width:18px; height:11px; margin:0 6px 0 14px; vertical-align:-1px; }
            .swatch.ramp { background:#e9e9e9; } .swatch.limited { background:#fef8df; }
            .swatch.generator-limited { background:#fbeca8; } .swatch.tester-lost { background:#f3d3e4; }
            .swatch.change { width:4px; background:#cc79a7; }
            .swatch.measured { width:0; border-left:2px dashed #222; }
            #chart:focus-visible, button:focus-visible, summary:focus-visible { outline:3px solid #56b4e9; outline-offset:2px; }
            #chart-tools button { font:13px/1 "DejaVu Sans",Verdana,sans-serif; min-width:32px; height:28px; padding:0 8px; cursor:pointer;
              color:var(--ink); background:var(--soft); border:1px solid #9aa5b1; border-radius:4px; }
            #chart-view { color:var(--pale); font-size:12.5px; margin-left:6px; }
            .uplot { font:12px/1.5 "DejaVu Sans",Verdana,sans-serif; } .u-legend { font-size:12px; }
            .uplot th, .uplot td { border:0; padding:0 4px; background:none; } .uplot table { min-width:0; }
            .drawing svg { display:block; font:11px/1 "DejaVu Sans",Verdana,sans-serif; }
            .drawing text { fill:var(--ink); } .drawing .name { font-size:13px; font-weight:700; text-anchor:middle; }
            .drawing .small { fill:var(--pale); text-anchor:middle; } .drawing rect { fill:var(--soft); stroke:var(--pale); }
            .drawing path, .drawing line { fill:none; stroke:var(--blue); } .drawing .much { stroke:var(--warn); stroke-dasharray:14 4; }
            .drawing .full { stroke:var(--bad); stroke-dasharray:5 3; }
            .more { font-size:inherit; border-top:1px solid var(--line); margin-top:24px; padding-top:12px; } .more > summary { font-weight:600; }
            details { font-size:13px; margin:6px 0; } summary { cursor:pointer; color:var(--blue); }
            pre.said { font:12px/1.5 "DejaVu Sans Mono",Menlo,Consolas,monospace; background:var(--soft); border:1px solid var(--line);
              padding:6px 8px; margin:4px 0 10px; overflow-x:auto; white-space:pre-wrap; overflow-wrap:anywhere; }
            .said .sent { color:var(--blue); } .said .remark { color:var(--bad); }
            footer { color:var(--pale); font-size:12.5px; margin:40px auto 24px; }
            @media (max-width:900px) { .first, .pairs { grid-template-columns:minmax(0,1fr); } .first .side { order:0; } nav { float:none; display:block; margin:6px 0; }
              nav a { margin:0 14px 0 0; } main, header, footer { padding-left:12px; padding-right:12px; } dl { display:block; } dd { margin:0 0 6px; } }
            @media screen and (max-width:700px) { figure .scroll img { width:760px; max-width:none; } }
            @media print { body { font-size:11px; } .live #chart, .live #chart-tools, .live .key, details:not(.more), summary { display:none; } .more::details-content { display:block; content-visibility:visible; } .live > img { display:block; } nav { display:none; } .scroll { overflow:visible; } figure, tr, dd { break-inside:avoid; }
              h2, h3 { break-after:avoid; } .badge, thead th { print-color-adjust:exact; -webkit-print-color-adjust:exact; }
              .first { display:block; } table { font-size:8px; } caption { font-size:9px; }
              th, td { padding:2px 4px; white-space:normal; } dl { font-size:10px; } }
            """;

    private Style() {}
}
