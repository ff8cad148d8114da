package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What people get wrong with GRAM, as client and as testbed: the exit code, and what they are told. */
@Timeout(120)
class BadGramInputsTests {

    private static final String LOAD = "load: { clients: 1, run-for: 1s }\n";
    private static final String CREDENTIAL = "proxy-file: PROXY, ca-dir: FOLDER";

    @TempDir
    Path folder;

    /** The client with parameters. */
    private static String client(String with) {
        return "target: gram://localhost:2119/jobmanager-fork\nclient: { with: { " + CREDENTIAL + ", " + with + " } }\n"
                + LOAD;
    }

    private static String rsl(String rsl) {
        return client("rsl: '" + rsl.replace("'", "''") + "'");
    }

    private static String target(String target) {
        return "target: \"" + target + "\"\nclient: { plugin: gram, with: { " + CREDENTIAL + " } }\n" + LOAD;
    }

    private static String testbed(String with) {
        return "target: http://127.0.0.1:1/\nunreachable: continue\ntestbed: { kind: gram, " + with + " }\n" + LOAD;
    }

    private static String contacts(String contacts) {
        return testbed(CREDENTIAL + ", contacts: " + contacts);
    }

    static Stream<Arguments> inputs() {
        return Stream.of(
                // RSL
                Arguments.of(2, rsl("(executable=/bin/true)"), "expected & and relations in parentheses"),
                Arguments.of(2, rsl("+(&(executable=/bin/true))"), "expected one job, &(...), got '+'"),
                Arguments.of(2, rsl("&(executable=/bin/true"), "expected ), got the end at line 1, column 23"),
                Arguments.of(
                        2, rsl("&(executable=/bin/true)(arguments=\"a)"), "expected a closing \" to match the one at"),
                Arguments.of(2, rsl("&(executable=$HOME/x)"), "expected ( after $, as in $(HOME)"),
                Arguments.of(2, rsl("&(executable=)"), "expected a value, got ')'"),
                Arguments.of(2, rsl("&(count=1)"), "expected an executable, because job managers reject"),
                Arguments.of(2, rsl(""), "expected"),
                Arguments.of(2, client("output: true, rsl: '&(executable=x)(stdout=y)'"), "drop it or drop output"),
                Arguments.of(2, client("output: true, until: active"), "expected until: done"),
                Arguments.of(2, client("until: forever"), "'forever'"),
                Arguments.of(2, client("poll-every: 0s"), "expected more than 0"),
                Arguments.of(2, client("callback-ports: 9-1"), "expected a range such as 20000-20100, got '9-1'"),
                Arguments.of(2, client("rls: x"), "Did you mean"),
                // Contacts
                Arguments.of(2, target("gram://h:70000/jobmanager"), "expected a port from 1 to 65535, got 70000"),
                Arguments.of(2, target("gram://h/jobmanager:me"), "expected gram://HOST:PORT/SERVICE"),
                Arguments.of(2, target("gram://h/job manager"), "gram://h/job manager"),
                Arguments.of(2, contacts("[\"head:2119/job manager\"]"), "expected HOST:PORT/SERVICE"),
                Arguments.of(2, contacts("[\"http://head/jobmanager\"]"), "got 'http://head/jobmanager'"),
                Arguments.of(2, contacts("[\"head:99999/jobmanager\"]"), "got 'head:99999/jobmanager'"),
                Arguments.of(2, contacts("[]"), "contacts"),
                Arguments.of(2, testbed(CREDENTIAL), "contacts"),
                Arguments.of(2, testbed("contacts: [head/jobmanager], ca-dir: FOLDER"), "proxy-file"),
                // RSL of a testbed
                Arguments.of(
                        2,
                        testbed(CREDENTIAL + ", contacts: [head/jobmanager], rsl: (queue=short"),
                        "expected ), got the end"),
                Arguments.of(
                        2,
                        testbed(CREDENTIAL + ", contacts: [head/jobmanager], rsl: (executable=/bin/true)"),
                        "got executable; remove it"),
                Arguments.of(
                        2, testbed(CREDENTIAL + ", contacts: [head/jobmanager], callback-ports: all"), "got 'all'"),
                // Credentials, which only a run reads
                Arguments.of(
                        3,
                        testbed("contacts: [localhost/jobmanager], proxy-file: FOLDER/none, ca-dir: FOLDER"),
                        "proxy-file: expected a PEM file"),
                Arguments.of(3, contacts("[localhost/jobmanager]"), "expected a PEM file with a key"),
                Arguments.of(
                        3, testbed("contacts: [localhost/jobmanager], proxy-file: OPEN, ca-dir: FOLDER"), "chmod 600"));
    }

    @ParameterizedTest(name = "{2}")
    @MethodSource("inputs")
    void whoeverGetsItWrongIsToldWhatToDo(int code, String yaml, String said) throws Exception {
        Path proxy = Files.writeString(folder.resolve("proxy.pem"), "no PEM");
        Files.setPosixFilePermissions(proxy, PosixFilePermissions.fromString("rw-------"));
        Path open = Files.writeString(folder.resolve("open.pem"), "no PEM");
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r--r--"));
        Path file = Files.writeString(
                folder.resolve("bad.yml"),
                yaml.replace("PROXY", proxy.toString())
                        .replace("OPEN", open.toString())
                        .replace("FOLDER", folder.toString()));
        Outcome outcome = Outcome.of(
                "run", file.toString(), "--out", folder.resolve("out").toString(), "--no-progress");
        assertThat(outcome.code()).as(outcome.err() + outcome.out()).isEqualTo(code);
        assertThat(outcome.err() + (code == 3 ? outcome.out() : ""))
                .contains(said)
                .doesNotContain("at org.diperf", "at java.base", "Exception");
    }

    @Test
    void whatGramTakesIsListedForTheClientAndForTheTestbed() {
        Outcome outcome = Outcome.of("plugins", "gram");
        assertThat(outcome.code()).isZero();
        assertThat(outcome.out())
                .containsSubsequence("gram: runs jobs", "step-timeout", "gram: runs testers as jobs", "contacts");
    }
}
