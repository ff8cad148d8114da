package org.diperf.plugins.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.diperf.core.contract.ReadingsProbe;
import org.diperf.core.spi.Regex;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Access logs. */
@Timeout(10)
class LogMonitorTests {

    private static final String FORMAT = "$msec $status $bytes_sent $request_time";

    @TempDir
    Path folder;

    @Test
    void aTimeThatWasCutToMillisecondsStandsForTheMiddleOfThem() {
        LogFormat.Line line = LogFormat.ofNginx(FORMAT).read("1700000000.123 200 512 0.004");
        assertThat(line).isEqualTo(new LogFormat.Line(1_700_000_000_123_500_000L, 4_000_000, 200, 512));
    }

    @ParameterizedTest
    @CsvSource({
        "2023-11-14T22:13:20Z, 500000000",
        "2023-11-14T22:13:20.123Z, 123500000",
        "2023-11-14T23:13:20.123456+01:00, 123456500",
        "2023-11-14T22:13:20.123456789Z, 123456789",
        "14/Nov/2023:22:13:20 +0000, 500000000",
        "20231114221320.5, 550000000",
    })
    void theMiddleIsThatOfTheLastDigitWhateverTheForm(String time, long nanos) {
        assertThat(LogFormat.ofRegex("(?<time>.*)", "s").read(time))
                .isEqualTo(new LogFormat.Line(1_700_000_000_000_000_000L + nanos, -1, 0, 0));
    }

    @Test
    void nginxsOwnFormatIsUnderstoodWithWhatElseStandsInIt() {
        LogFormat format = LogFormat.ofNginx(
                "$remote_addr - $remote_user [$time_local] \"$request\" $status $body_bytes_sent \"$http_user_agent\""
                        + " rt=$request_time");
        LogFormat.Line line = format.read(
                "127.0.0.1 - - [14/Nov/2023:22:13:20 +0000] \"GET /a b?[x] HTTP/1.1\" 503 7 \"curl (a) \" rt=1.500");
        assertThat(line).isEqualTo(new LogFormat.Line(1_700_000_000_500_000_000L, 1_500_000_000, 503, 7));
        assertThat(format.read("something else")).isNull();
    }

    @Test
    void aRegularExpressionServesOtherLogs() {
        LogFormat format = LogFormat.ofRegex("(?<time>\\S+) took (?<duration>[0-9]+)us", "us");
        assertThat(format.read("2023-11-14T22:13:20Z took 1500us"))
                .isEqualTo(new LogFormat.Line(1_700_000_000_500_000_000L, 1_500_000, 0, 0));
        assertThatThrownBy(() -> LogFormat.ofRegex("(?<status>x)", "s")).hasMessageContaining("(?<time>");
        assertThatThrownBy(() -> LogFormat.ofNginx("$status")).hasMessageContaining("$msec");
    }

    @Test
    void theTransfersOfAGridFtpServerTakeFromTheirStartToTheirLine() {
        LogFormat.Line line = LogFormat.ofGridFtp()
                .read("DATE=20231114221320.768692 HOST=vm PROG=globus-gridftp-server NL.EVNT=FTP_INFO"
                        + " START=20231114221319.753870 USER=anonymous FILE=/f BUFFER=131072 BLOCK=262144 NBYTES=10000000 VOLUME=/"
                        + " STREAMS=1 STRIPES=1 DEST=[127.0.0.1] TYPE=RETR CODE=226 TASKID=none retrans=0");
        assertThat(line).isEqualTo(new LogFormat.Line(1_700_000_000_768_692_500L, 1_014_822_000, 226, 10_000_000));
        assertThat(LogFormat.ofGridFtp().read("something else")).isNull();
    }

    @Test
    void onlyWhatWasWrittenSinceTheBeginCounts() throws Exception {
        Path log = folder.resolve("access.log");
        Files.writeString(log, "1.000 200 1 0.001\n");
        LogMonitor monitor = new LogMonitor(log, LogFormat.ofNginx(FORMAT), Regex.compile(""));
        Files.writeString(
                log, "2.000 200 10 0.001\n3.000 404 5 -\n4.000 499 0 0.002\nnonsense\n", StandardOpenOption.APPEND);
        ReadingsProbe seen = new ReadingsProbe();
        monitor.sample(seen);
        assertThat(seen.served).isEmpty();
        monitor.finish(seen);
        assertThat(seen.served)
                .containsExactly(
                        "2000500000 1000000 ok 10", "3000500000 -1 status-404 5", "4000500000 2000000 client-left 0");
        assertThat(seen.notes).singleElement().asString().startsWith("1 of 4 lines");
    }

    @Test
    void ofALogThatAnotherFileReplacedBothAreRead() throws Exception {
        Path log = folder.resolve("access.log");
        Files.writeString(log, "1.000 200 1 0.001\n");
        ReadingsProbe seen = new ReadingsProbe();
        try (LogMonitor monitor = new LogMonitor(log, LogFormat.ofNginx(FORMAT), Regex.compile(""))) {
            Files.writeString(log, "2.000 200 10 0.001\n", StandardOpenOption.APPEND);
            Files.move(log, folder.resolve("access.log.1"));
            Files.writeString(log, "3.000 200 20 0.001\n4.000 200 30 0.001\n");
            monitor.finish(seen);
        }
        assertThat(seen.served)
                .containsExactly("2000500000 1000000 ok 10", "3000500000 1000000 ok 20", "4000500000 1000000 ok 30");
        assertThat(seen.notes)
                .singleElement()
                .asString()
                .startsWith("the log was replaced by a different file during the run");
    }

    @Test
    void ofALogThatWasEmptiedWhatFollowsIsRead() throws Exception {
        Path log = folder.resolve("access.log");
        Files.writeString(log, "1.000 200 1 0.001\n1.000 200 1 0.001\n");
        ReadingsProbe seen = new ReadingsProbe();
        try (LogMonitor monitor = new LogMonitor(log, LogFormat.ofNginx(FORMAT), Regex.compile(""))) {
            Files.writeString(log, "2.000 200 10 0.001\n");
            monitor.finish(seen);
        }
        assertThat(seen.served).containsExactly("2000500000 1000000 ok 10");
        assertThat(seen.notes).singleElement().asString().startsWith("the log was truncated during the run");
    }

    @Test
    void aLogWithoutNewLinesIsAFailureThatSaysWhy() throws Exception {
        Path log = folder.resolve("access.log");
        Files.writeString(log, "1.000 200 1 0.001\n");
        LogMonitor monitor = new LogMonitor(log, LogFormat.ofNginx(FORMAT), Regex.compile(""));
        assertThatThrownBy(() -> monitor.finish(new ReadingsProbe())).hasMessageContaining("no new line");
        assertThatThrownBy(() -> new LogMonitor(folder.resolve("none"), LogFormat.ofNginx(FORMAT), Regex.compile("")))
                .hasMessageContaining("no readable file");
    }
}
