package org.diperf.plugins.gridftp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.diperf.core.contract.CallProbe;
import org.diperf.core.contract.NettyLoop;
import org.diperf.core.contract.PluginHarness;
import org.diperf.plugins.lib.gridftp.FtpStandIn;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The engine says what the original client says, in the same order. */
@Timeout(60)
class DialogueTests {

    @TempDir
    Path folder;

    static Stream<String> dialogues() throws IOException {
        try (InputStream in = DialogueTests.class.getResourceAsStream("dialogues.txt")) {
            assertThat(in).isNotNull();
            BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
            List<String> lines =
                    reader.lines().filter(line -> !line.startsWith("#")).toList();
            assertThat(lines).hasSizeGreaterThan(10);
            return lines.stream();
        }
    }

    @ParameterizedTest
    @MethodSource("dialogues")
    void theCommandsAreThoseOfTheOriginalClient(String line) throws Exception {
        String[] parts = line.split(" ; ", -1);
        Path written = folder.resolve("dialogue");
        Map<String, Object> with = new HashMap<>();
        for (String parameter : parts[1].split(" ", -1)) {
            with.put(parameter.replaceFirst("=.*", ""), parameter.replaceFirst(".*=", ""));
        }
        with.put("record-dialogue", written.toString());
        try (FtpStandIn target = FtpStandIn.start();
                FtpStandIn other = FtpStandIn.start()) {
            if (parts.length > 4) {
                with.put("to", other.target().toString());
            }
            PluginHarness harness = new PluginHarness(
                    new GridFtpPlugin(),
                    List.of(target.target()),
                    with,
                    Duration.ofSeconds(5),
                    folder,
                    new NettyLoop());
            try (harness;
                    PluginHarness.Owned client = harness.client(0)) {
                List<CallProbe> calls = new ArrayList<>();
                for (int i = 0; i < Integer.parseInt(parts[2]); i++) {
                    calls.add(with.containsKey("pipelining") ? client.begin(0) : client.call());
                }
                for (CallProbe call : calls) {
                    assertThat(call.awaitEnd(10_000)).isTrue();
                    assertThat(call.failure()).isNull();
                }
            }
            List<String> dialogue = Files.readAllLines(written);
            // The channel opened first is the target's.
            assertThat(commands(dialogue, "#1")).isEqualTo(expected(parts[3]));
            if (parts.length > 4) {
                assertThat(commands(dialogue, "#2")).isEqualTo(expected(parts[4]));
            }
            if (with.containsKey("pipelining")) {
                List<String> first =
                        dialogue.stream().filter(each -> each.contains(" #1 ")).toList();
                int lastRetr = lastIndexOf(first, "C> RETR");
                assertThat(first.subList(0, lastRetr)).noneMatch(each -> each.contains("S< 150"));
            }
        }
    }

    private static int lastIndexOf(List<String> lines, String what) {
        int last = -1;
        for (int i = 0; i < lines.size(); i++) {
            last = lines.get(i).contains(what) ? i : last;
        }
        return last;
    }

    private static List<String> expected(String commands) {
        return Arrays.stream(commands.split(", ", -1))
                .map(command -> command.strip().replaceFirst("(\\d)\\.(\\d)\\.(\\d)", "$1,$2,$3;"))
                .toList();
    }

    /** Returns the commands of one channel after its log-in, without what differs from run to run. */
    private static List<String> commands(List<String> dialogue, String channel) {
        List<String> said = new ArrayList<>();
        for (String line : dialogue) {
            int at = line.indexOf(" C> ");
            if (at < 0 || !line.contains(" " + channel + " ")) {
                continue;
            }
            String command = line.substring(at + 4);
            if (!command.matches("(USER|PASS|FEAT|TYPE|<EOF>).*")) {
                said.add(command.replaceFirst("^(PORT|ALLO|RETR|STOR|SIZE) .*", "$1")
                        .replaceFirst("^(ERET P \\d+ \\d+) .*", "$1"));
            }
        }
        return said;
    }
}
