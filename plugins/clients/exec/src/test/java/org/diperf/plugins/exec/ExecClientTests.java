package org.diperf.plugins.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.contract.CallProbe;
import org.diperf.core.contract.JdkLoop;
import org.diperf.core.contract.PluginHarness;
import org.diperf.core.spi.Names;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.process.Launcher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class ExecClientTests {

    @TempDir
    Path folder;

    private PluginHarness harness(Map<String, ?> with) throws Exception {
        return new PluginHarness(
                new ExecPlugin(), List.of(Url.of("exec://here")), with, Duration.ofSeconds(5), folder, new JdkLoop());
    }

    private CallProbe call(Map<String, ?> with) throws Exception {
        try (PluginHarness harness = harness(with);
                PluginHarness.Owned client = harness.client(4)) {
            return client.call();
        }
    }

    @Test
    void aRunOfTheProgramIsACallAndItsBytesAreCounted() throws Exception {
        CallProbe call = call(Map.of("command", "cat", "stdin", "grüße"));
        assertThat(call.failure()).isNull();
        assertThat(call.bytes()).isEqualTo(2 * 7);
    }

    @Test
    void aProgramOfOneThreadSaysWhatItsCallSurelyTook() throws Exception {
        long before = NanoClock.SYSTEM.nanoTime();
        CallProbe call = call(Map.of("command", List.of("sleep", "0.02")));
        long after = NanoClock.SYSTEM.nanoTime();
        assertThat(call.fromNanos()).isBetween(before, after);
        assertThat(call.toNanos()).isBetween(before - 1_000_000_000L, after);
        CallProbe withChildren = call(Map.of("command", "/bin/true; /bin/true; exit 0", "shell", true));
        assertThat(withChildren.fromNanos()).isGreaterThan(after);
        assertThat(withChildren.toNanos()).isEqualTo(Long.MIN_VALUE);
    }

    @Test
    void theArgumentsAndVariablesAreFilledInForEveryCall() throws Exception {
        Map<String, ?> with = Map.of(
                "command", List.of("sh", "-c", "test \"$1 $WHO\" = '0 client-4'", "sh", "${call}"),
                "env", Map.of("WHO", "client-${client}"));
        assertThat(call(with).failure()).isNull();
    }

    @Test
    void exitCodesSignalsAndOutputDecideSuccess() throws Exception {
        assertThat(call(Map.of("command", "false")).failure()).isEqualTo("exit 1");
        assertThat(call(Map.of("command", "kill -9 $$", "shell", true)).failure())
                .isEqualTo("signal 9");
        assertThat(call(Map.of("command", "exit 4", "shell", true, "success", Map.of("exit", List.of(0, 4))))
                        .failure())
                .isNull();
        Map<String, ?> matching =
                Map.of("command", List.of("echo", "done: 7"), "success", Map.of("stdout", "done: \\d"));
        assertThat(call(matching).failure()).isNull();
        Map<String, ?> other = Map.of("command", List.of("echo", "lost"), "success", Map.of("stdout", "done"));
        assertThat(call(other).failure()).isEqualTo("stdout did not match");
    }

    /** {@code test -z} cannot tell an empty variable from none, but programs that look for a credential can. */
    @Test
    void aVariableIsNotSetUntilWhatItNamesHasBeenCaptured() throws Exception {
        Names names = new Names() {
            @Override
            public Set<String> values() {
                return Set.of("token");
            }

            @Override
            public String secret(String reference) {
                throw new IllegalArgumentException(reference);
            }
        };
        Parameters with = Parameters.read(
                new ExecPlugin().parameters(),
                Map.of(
                        "command",
                        List.of("sh", "-c", "test \"$${DIPERF_TOKEN-none} $DIPERF_FIXED\" = 'none yes'"),
                        "env",
                        Map.of("DIPERF_TOKEN", "Bearer ${token}", "DIPERF_FIXED", "yes")),
                7,
                names);
        try (Launcher launcher = Launcher.best()) {
            // A probe has captured nothing.
            CallProbe call = new CallProbe(0, 0, Url.of("exec://here"), 0);
            new ExecClient(launcher, with).call(call);
            assertThat(call.failure()).isNull();
        }
    }

    /** What a service can put into a value that a call has taken from its answer. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "test ${target} = \"$WANTED\"",
                "test \"${target}\" = \"$WANTED\"",
                "test '${target}' = \"$WANTED\"",
                "test \"it's ${target}\" = \"it's $WANTED\"",
                "said=$(printf %s ${target}); test \"$said\" = \"$WANTED\"",
                "test \"$${WANTED}\" = ${target} && : '$(`<<`((' \\` \"<< (( # '\" a#b $# && ( (:) )"
            })
    void aValueIsNoCommandOfTheShell(String command) throws Exception {
        Path made = folder.resolve("made-by-the-value");
        for (String evil : List.of(
                "$(touch$IFS" + made + ")",
                "';touch$IFS" + made + ";'",
                "a;touch$IFS" + made + ";b",
                "a&touch$IFS" + made)) {
            Url target = Url.of("exec://here/" + evil);
            try (PluginHarness harness = new PluginHarness(
                            new ExecPlugin(),
                            List.of(target),
                            Map.of("command", command, "shell", true, "env", Map.of("WANTED", "${target}")),
                            Duration.ofSeconds(5),
                            folder,
                            new JdkLoop());
                    PluginHarness.Owned client = harness.client(0)) {
                assertThat(client.call().failure())
                        .as("%s with %s", command, target)
                        .isNull();
            }
            assertThat(made).as("%s with %s", command, target).doesNotExist();
        }
    }

    /** Within these the shell splits a value into words, or evaluates it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "echo \"$(grep \"${target}\" f)\"",
                "echo `grep ${target} f`",
                "cat <<END\n${target}\nEND",
                "# it's\necho ${target}",
                "n=${target}; echo $((n))",
                "n=${target}; ((n)) && true",
                "n=${target}; echo $[n]",
                "echo $'it\\'s' ${target}",
                "echo \"$${x:-\"${target}\"}\"",
                "echo $${x:${target}}",
                "echo \\${target}"
            })
    void aLineInWhichAValueWouldBeMoreThanDataIsRefused(String command) {
        assertThatThrownBy(
                        () -> harness(Map.of("command", command, "shell", true)).close())
                .hasMessageContaining("command: expected a line whose values the shell does not interpret, got ")
                .hasMessageContaining("Pass the value in a variable: \"$NAME\" in the command, and env: { NAME: ... }");
    }

    @Test
    void aLineWithoutValuesMayHoldAllThatTheShellKnows() throws Exception {
        String command =
                "# it's\nx=\"$(printf %s \"$((1 << 2))\")\"; cat <<END; test `echo $x` = $${Y:-\"4\"}\nit's\nEND";
        assertThat(call(Map.of("command", command, "shell", true)).failure()).isNull();
    }

    @Test
    void outputBeyondWhatIsKeptIsCounted() throws Exception {
        CallProbe call = call(Map.of("command", "head -c 1000000 /dev/zero", "shell", true));
        assertThat(call.failure()).isNull();
        assertThat(call.bytes()).isEqualTo(1_000_000);
    }

    @Test
    void aProgramThatIsNotThereFailsTheCallAndNotTheTester() throws Exception {
        assertThat(call(Map.of("command", "curlx-${client}")).failure())
                .isEqualTo("cannot start curlx-4: no such file");
        assertThat(call(Map.of("command", "/etc/passwd")).failure())
                .isEqualTo("cannot start /etc/passwd: permission denied");
    }

    /** It was found by 5,297 failing calls. */
    @Test
    void aProgramThatNoCallWillFindIsMissedBeforeTheLoad() {
        assertThatThrownBy(() -> call(Map.of("command", List.of("curlx", "a"))))
                .isInstanceOf(IOException.class)
                .hasMessage("command: expected a program on the tester, got none named 'curlx'; install it there, or"
                        + " correct the command");
        assertThatThrownBy(() -> call(Map.of("command", "./curlx"))).hasMessageContaining("got none named './curlx'");
    }

    @Test
    void anInterruptEndsTheCallWithItsProgram() throws Exception {
        try (PluginHarness harness = harness(Map.of("command", List.of("sleep", "1000")));
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe call = client.begin(0);
            while (ProcessHandle.current().children().findAny().isEmpty()) {
                Thread.onSpinWait();
            }
            client.cancel(call);
            assertThat(call.awaitEnd(1_000)).isTrue();
            assertThat(call.failure()).isEqualTo("interrupted");
            assertThat(ProcessHandle.current().children().findAny()).isEmpty();
        }
    }

    @Test
    void whatAStartCostsIsObservedOnceASession() throws Exception {
        try (PluginHarness harness = harness(Map.of("command", "true"))) {
            assertThat(harness.recorder().observations()).singleElement().satisfies(observed -> {
                assertThat(observed.metric().name()).isEqualTo("client.startup");
                assertThat(observed.value()).isBetween(0.01, 1_000.0);
            });
            assertThat(harness.recorder().rejected()).isEmpty();
        }
    }

    @Test
    void whatCannotBeIsToldBeforeTheRun() {
        assertThatThrownBy(() -> harness(Map.of("command", List.of())).close())
                .hasMessageContaining("command: expected a program and its arguments, got none");
        assertThatThrownBy(() -> harness(Map.of("command", "true", "success", Map.of("exit", 256)))
                        .close())
                .hasMessageContaining("expected an exit code from 0 to 255, got '256'");
        assertThatThrownBy(() -> harness(Map.of("command", "true", "success", Map.of("stdout", "(")))
                        .close())
                .hasMessageContaining("expected a regular expression, got '('");
    }
}
