package org.diperf.analyzer.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.diperf.analyzer.Analyzer;
import org.diperf.analyzer.RunFixture;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.DetailedCall;
import org.diperf.core.plan.TraceIds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Calls that are shown whole: which ones, and how the report shows them. */
@Timeout(60)
class CallSectionTests {

    @TempDir
    Path folder;

    private int runs;

    private Analysis analysis(RunFixture run) throws Exception {
        return Analyzer.analyze(run.write(folder.resolve("run-" + runs++)), Analyzer.Options.AS_RECORDED);
    }

    private static RunFixture run() {
        RunFixture run = new RunFixture()
                .tester(1, 5_000_000_000L, 0)
                .tester(2, -1_000_000, 0)
                .closed(4, 0, 2_000);
        for (int i = 0; i < 20; i++) {
            run.call(1 + i % 2, i % 4, i * 50, i * 50, i * 50 + 10, i % 7 == 3 ? "status 500" : "ok");
        }
        return run;
    }

    @Test
    void ofAllTestersTheFirstFailuresAndTheSlowestCallsAreShown() throws Exception {
        Analysis analysis = analysis(run().said(2, 1, 300, 9, "status 500", 2, "third")
                .said(2, 1, 200, 9, "status 500", 2, "second")
                .said(1, 0, 100, 9, "status 500", 2, "first")
                .said(1, 0, 400, 20, "ok", 2, "slow")
                .said(1, 2, 500, 10, "ok", 2, "quick")
                .said(2, 3, 600, 30, "ok", 2, "slowest"));

        assertThat(analysis.details().shown())
                .extracting(DetailedCall::text)
                .containsExactly("first", "second", "slowest", "slow");
        DetailedCall first = analysis.details().shown().get(0);
        assertThat(first.endSeconds()).isBetween(0.0999, 0.1001);
        assertThat(first.tester()).isEqualTo(1);
        assertThat(first.responseMillis()).isEqualTo(9);
    }

    @Test
    void theReportShowsWhatWasSaidAndRunsNothingOfIt() throws Exception {
        Analysis analysis = analysis(run().said(
                        1,
                        0,
                        100,
                        9,
                        "status 500",
                        3,
                        "> GET /?a=\"b\" HTTP/1.1\n< <script>alert(1)</script>\n* gone\u001b"));
        Html html = new Html();
        CallSection.write(analysis, html);

        assertThat(html.toString())
                .contains(
                        "<h2 id=\"calls\">Single calls</h2>",
                        "<h3>status 500</h3>",
                        "9.00 ms · ended at 0:00 · client 0, its call 0 · tester-1",
                        "<span class=\"sent\">&gt; GET /?a=&quot;b&quot; HTTP/1.1\n</span>",
                        "<span class=\"came\">&lt; &lt;script&gt;alert(1)&lt;/script&gt;\n</span>",
                        "<span class=\"remark\">* gone·\n</span>")
                .doesNotContain("<script", "\u001b");
    }

    @Test
    void manyLongTextsLeaveTheReportSmall() throws Exception {
        RunFixture run = run();
        for (int i = 0; i < 60; i++) {
            run.said(1, 0, 100 + i, 9, "cause " + i, 3, "< " + "x".repeat(16_000));
        }
        Html html = new Html();
        CallSection.write(analysis(run), html);
        assertThat(html.length()).isLessThan(400_000);
        assertThat(html.toString()).contains(">Further calls are omitted here");
    }

    @Test
    void aRunInWhichNothingWasKeptHasNoSuchSection() throws Exception {
        Html html = new Html();
        CallSection.write(analysis(run()), html);
        assertThat(html.toString()).isEmpty();
    }

    @Test
    void aCallLeadsToItsTraceWhereThatHasAnAddress() throws Exception {
        String id = TraceIds.trace(42, 0, 0, 0);
        Html html = new Html();
        CallSection.write(
                analysis(run().traced("http://host/trace/${id}?a=1&b").said(1, 0, 100, 9, "status 500", 3, "> GET /")),
                html);
        assertThat(html.toString())
                .contains("<a href=\"http://host/trace/" + id + "?a=1&amp;b\" rel=\"noreferrer\">" + id + "</a>");

        Html without = new Html();
        CallSection.write(
                analysis(run().traced("javascript:alert(1)//${id}").said(1, 0, 100, 9, "status 500", 3, "> GET /")),
                without);
        assertThat(without.toString()).contains("trace " + id).doesNotContain("javascript");
    }
}
