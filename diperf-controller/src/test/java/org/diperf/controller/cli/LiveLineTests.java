package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.diperf.controller.progress.LiveStatus;
import org.diperf.core.experiment.SecretMask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class LiveLineTests {

    private static LiveStatus status(boolean closed, long failed, String failure) {
        return new LiveStatus(
                41,
                70,
                "measuring",
                0,
                closed,
                closed ? 20 : 0,
                4,
                Double.NaN,
                Double.NaN,
                failed,
                failure,
                0,
                1,
                1,
                1);
    }

    @Test
    void theCommonestReasonStandsBesideTheFailures() {
        assertThat(LiveLine.line("", status(true, 91, "connection refused"), true))
                .contains("  clients 20  in flight 4  failed 91 (connection refused)  testers 1/1");
        assertThat(LiveLine.line("", status(true, 91, "a".repeat(100)), true))
                .contains("failed 91 (" + "a".repeat(40) + "…)");
        assertThat(LiveLine.line("", status(true, 0, ""), true)).contains("failed 0  testers");
    }

    @Test
    void anOpenLoadHasNoClients() {
        assertThat(LiveLine.line("", status(false, 0, ""), true))
                .doesNotContain("clients")
                .contains("  in flight 4  ", "  dropped 0  ");
    }

    @Test
    void aLineThatIsRedrawnFitsTheTerminal() {
        StringWriter out = new StringWriter();
        LiveLine line = new LiveLine(new PrintWriter(out), true, 40);
        line.live(status(true, 91, "connection refused"));

        assertThat(out.toString())
                .startsWith(Terminal.emptied() + "0:41/1:10 measuring  0.0/s")
                .hasSize(Terminal.emptied().length() + 39)
                .endsWith("…");
    }

    @Test
    void whereThereIsRoomABarShowsHowMuchOfTheTimeIsOver() {
        StringWriter out = new StringWriter();
        new LiveLine(new PrintWriter(out), true, 120).live(status(true, 91, "connection refused"));

        assertThat(out.toString()).contains("0:41/1:10 ███████░░░░░ measuring").endsWith("testers 1/1");
    }

    @Test
    void elsewhereALineIsWhole() {
        StringWriter out = new StringWriter();
        new LiveLine(new PrintWriter(out), false, 40).live(status(true, 91, "connection refused"));

        assertThat(out.toString()).contains("testers 1/1\n").doesNotContain("\u001b");
    }

    @Test
    void aPathIsAbsoluteInALogAndALinkOnATerminal() {
        Path report = Path.of("runs", "latest", "report.html");
        String absolute = report.toAbsolutePath().toString();

        assertThat(Terminal.path(report)).isEqualTo(absolute);
        assertThat(Terminal.link(report).replace(SecretMask.ESCAPE, "\u001b"))
                .isEqualTo("\u001b]8;;file://" + absolute + "\u001b\\runs/latest/report.html\u001b]8;;\u001b\\");
    }
}
