package org.diperf.analyzer.report;

/** What pages that are served share with the report: the same styles, and the same chart. */
public final class PageParts {

    private PageParts() {}

    /** Returns the style sheet of the report, with that of its chart. */
    public static String styles() {
        return Style.SHEET + LiveChart.sheet();
    }

    /** Returns the library that the chart is drawn with, and its licence. */
    public static String chartLibrary() {
        return LiveChart.library();
    }

    /** Returns the script of the chart, which defines {@code diperfChart(figure, holder, data, look)}. */
    public static String chart() {
        return LiveChart.drawing();
    }
}
