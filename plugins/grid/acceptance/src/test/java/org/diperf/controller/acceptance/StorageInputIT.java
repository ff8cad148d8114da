package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What is wrong about storage: in the experiment, which is refused with exit code 2, or in what a storage resource manager answers, after which no
 * call has succeeded: exit code 3. docs/srm.md has the same table.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class StorageInputIT {

    private static final boolean LONG = Boolean.getBoolean("diperf.long");
    private static final Path PAGE = Path.of("..", "docs", "srm.md");
    private static final String ENDPOINT = "http://127.0.0.1:1/srm/managerv2?SFN=/a";

    /** What an experiment may say, and why it is refused. */
    private static final List<String[]> REFUSED = List.of(
            new String[] {"ftp://127.0.0.1/a", "", "target: expected srm://HOST:PORT/PATH"},
            new String[] {"srm://127.0.0.1/a?b=c", "", "after ?SFN="},
            new String[] {
                ENDPOINT,
                "operation: move",
                "operation: expected one of [get, put, ls, ping, bring-online, copy], got 'move'"
            },
            new String[] {ENDPOINT, "batch: 0", "batch: expected a number from 1 to 1000, got 0"},
            new String[] {
                ENDPOINT, "batch: 2, operation: ls", "batch: expected operation: get, put, bring-online or copy"
            },
            new String[] {
                ENDPOINT, "operation: copy", "copy-to: expected copy-to or copy-from, the other end of the copy"
            },
            new String[] {ENDPOINT, "protocols: []", "protocols: expected at least one, such as gsiftp, got none"},
            new String[] {ENDPOINT, "poll: 20s", "poll: expected more than 0 and at most most-poll"},
            new String[] {ENDPOINT, "levels: -1", "levels: expected 0 or more, got -1"},
            new String[] {ENDPOINT, "parallelism: 4", "mode: expected extended for parallelism"});

    /** What a manager may answer, as SrmService names it, and the failure of the call. */
    private static final List<String[]> ANSWERS = List.of(
            new String[] {"bomb", "PrepareToGet: XML with a document type"},
            new String[] {"half", "PrepareToGet: closed within the response"},
            new String[] {"version", "PrepareToGet: another version of SRM"},
            new String[] {"garbage", "PrepareToGet: malformed XML"},
            new String[] {"fault", "PrepareToGet: fault: Server: on demand"},
            new String[] {"close", "PrepareToGet: closed before the response"},
            new String[] {"SRM_REQUEST_QUEUED", "PrepareToGet: no requestToken"},
            new String[] {"SRM_SUCCESS", "PrepareToGet: SRM_SUCCESS without a transferURL"},
            new String[] {"SRM_AUTHORIZATION_FAILURE", "PrepareToGet: SRM_AUTHORIZATION_FAILURE"});

    @TempDir
    Path work;

    private String diperf(int code, String command, String target, String with) throws Exception {
        Path file = Files.writeString(
                work.resolve("storage.yml"),
                "name: storage\ntarget: \"" + target + "\"\nclient: { plugin: srm, with: { " + with
                        + " } }\ntestbed: { kind: in-process }\nload: { clients: 1, calls: 2, timeout: 10s }\n");
        try (Command diperf = Command.diperf(work, command, file.toString())) {
            assertThat(diperf.exitCode()).as(diperf.output()).isEqualTo(code);
            return diperf.output().replaceAll("\\s+", " ");
        }
    }

    @Test
    void anExperimentThatCannotBeIsRefusedWithTheReason() throws Exception {
        String page = Files.readString(PAGE);
        for (String[] each : LONG ? REFUSED : REFUSED.subList(0, 3)) {
            assertThat(diperf(2, "check", each[0], each[1])).contains(each[2]);
        }
        for (String[] each : REFUSED) {
            assertThat(page).contains("`" + each[2]);
        }
    }

    @Test
    void aManagerThatDoesNotAnswerAsItShouldFailsTheRunWithTheReason() throws Exception {
        String page = Files.readString(PAGE);
        Files.writeString(work.resolve("a"), "a file");
        for (String[] each : LONG ? ANSWERS : ANSWERS.subList(0, 3)) {
            try (AutoCloseable manager = manager("fail=PrepareToGet:" + each[0] + ":1")) {
                String target = "http://127.0.0.1:"
                        + manager.getClass().getMethod("port").invoke(manager) + "/srm/managerv2?SFN=/a";
                assertThat(diperf(3, "run", target, "protocols: [ftp]")).contains(each[1]);
            }
        }
        for (String[] each : ANSWERS) {
            assertThat(page).contains("`" + each[1]);
        }
    }

    /** Starts the stand-in of the examples in this process. */
    private AutoCloseable manager(String option) throws Exception {
        Path classes = Files.createDirectories(work.resolve("classes"));
        Path source = Path.of("..", "examples", "servers", "SrmService.java");
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, "-proc:none", "-d", classes.toString(), source.toString()))
                .isZero();
        URLClassLoader loader = new URLClassLoader(
                new URL[] {classes.toUri().toURL()}, getClass().getClassLoader());
        return (AutoCloseable) loader.loadClass("SrmService")
                .getConstructor(int.class, Path.class, String.class, String[].class)
                .newInstance(0, work, "ftp://127.0.0.1:1", new String[] {option});
    }
}
