package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What {@code check} prints of an experiment. */
@Timeout(60)
class CheckCommandTests {

    @TempDir
    Path folder;

    @Test
    void listsAndMappingsAreWrittenAsPeopleDo() throws IOException {
        Outcome check = check("""
                target: exec:///here
                client: { plugin: exec, with: { command: [/bin/echo, hello, "${client}"], env: { A: b, C: d } } }
                load: { clients: 1, run-for: 1s }
                variants: { one: { client.with.env: { A: x } }, two: { client.with.command: [/bin/true, x] } }
                """);

        assertThat(check.out())
                .contains("command: /bin/echo, hello, ${client}", "variant two", "client.with.command: /bin/true, x")
                .contains("exec:///here is not probed: it has no host and port")
                .doesNotContain("[/bin", "{A=", "{client.with");
    }

    /** The first of 100 clients had ended 89 s before the last one started, and all were said to be there "from 1:39 to 0:10". */
    @Test
    void clientsThatAreNeverThereAllAtOnceAreNotSaidToBe() throws IOException {
        assertThat(check("""
                target: http://127.0.0.1:1/
                load: { clients: 100, start-every: 1s, run-for: 10s }
                """).out())
                .contains("1 run x 1:49 = 1:49; never all clients at once: at most 10, as the first one ends before the"
                        + " last one starts");
        assertThat(check("""
                target: http://127.0.0.1:1/
                load: { clients: 5, start-every: 1s, run-for: 10s }
                """).out()).contains("; all clients active from 0:04 to 0:10");
    }

    @Test
    void aMisspeltKeyOfTheTopIsToldWhichWasMeant() throws IOException {
        Outcome check = check("target: http://127.0.0.1:1/\nlode: { clients: 1, run-for: 1s }\n");

        assertThat(check.code()).isEqualTo(2);
        assertThat(check.err()).contains("'lode'", "Did you mean 'load'?");
    }

    /** From 10 to 20,000 it doubles eleven times: 12 values, the highest once more, and 16 near the limit, each of 10 s after at most 10 s. */
    @Test
    void aSearchSaysHowManyProbesItMakesAtMost() throws IOException {
        Outcome check =
                check("target: http://127.0.0.1:1/\nload: { search: { rate: 10/s..20000/s, while: [failed < 1%] } }\n");

        assertThat(check.out()).contains("search from 10/s to 20000/s, at most 29 probes, about 10 min");
    }

    private Outcome check(String yaml) throws IOException {
        return Outcome.of(
                "check",
                Files.writeString(folder.resolve("experiment.yml"), yaml).toString());
    }
}
