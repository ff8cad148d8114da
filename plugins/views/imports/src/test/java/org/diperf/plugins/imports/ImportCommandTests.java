package org.diperf.plugins.imports;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.diperf.core.contract.CommandHarness;
import org.diperf.core.contract.CommandPluginContract;
import org.diperf.core.contract.ImportProbe;
import org.diperf.core.spi.CommandContext.Imported;
import org.diperf.core.spi.CommandPlugin;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of the command's options. */
class ImportCommandTests extends CommandPluginContract {

    private Path file = Path.of("");
    private CommandHarness harness = new CommandHarness(plugin(), List.of(), folder, List.of());

    @BeforeEach
    void makeFile() throws IOException {
        file = Files.writeString(folder.resolve("My Calls.v2.csv.gz"), "when;took\n1795255200;0.25\n");
        harness = new CommandHarness(plugin(), List.of(), folder, List.of());
    }

    @Override
    protected CommandPlugin plugin() {
        return new ImportCommand();
    }

    @Override
    protected Map<String, String> badValues() {
        return Map.of("separator", "ab", "columns", "latency");
    }

    private int run(Map<String, String> options) throws Exception {
        Map<String, String> all = new HashMap<>(options);
        all.put("file", file.toString());
        return harness.run(all);
    }

    @Test
    void theFileIsReadByItsLayoutAndTheRunIsNamedAfterIt() throws Exception {
        assertThat(run(Map.of("separator", ";", "columns", "time=when,latency=took:s")))
                .isZero();
        Map.Entry<Imported, ImportProbe> made =
                harness.imports().entrySet().iterator().next();
        assertThat(made.getKey()).isEqualTo(new Imported(file, "my-calls-v2", Optional.empty(), true, false));
        assertThat(made.getValue().calls())
                .singleElement()
                .extracting(ImportProbe.Call::responseNanos)
                .isEqualTo(250_000_000L);
    }

    @Test
    void nameFolderAndSilenceAreTheUsers() throws Exception {
        Map<String, String> options = Map.of(
                "separator",
                ";",
                "columns",
                "time=1,latency=2:s",
                "no-header",
                "true",
                "name",
                "x",
                "out",
                "there",
                "no-progress",
                "true");
        assertThat(run(options)).isZero();
        assertThat(harness.imports())
                .containsOnlyKeys(new Imported(file, "x", Optional.of(Path.of("there")), false, false));
        assertThat(harness.imports().values().iterator().next().skipped())
                .containsExactly("line 1: expected a number for time, or a time such as "
                        + "2026-11-21T10:00:00.123Z or 2026/11/21 10:00:00.123, got 'when'");
    }

    @Test
    void aTabMayBeWritten() throws Exception {
        Files.writeString(file, "time\ttook_ms\n1795255200\t3\n");
        for (String tab : List.of("tab", "\\t", "\t")) {
            assertThat(run(Map.of("separator", tab, "columns", "latency=took_ms")))
                    .as(tab)
                    .isZero();
        }
    }

    @Test
    void whatIsNoSeparatorNoColumnOrNoFileIsRefused() throws Exception {
        assertThat(run(Map.of("separator", "ab"))).isEqualTo(CommandPlugin.USAGE);
        assertThat(run(Map.of("separator", "\""))).isEqualTo(CommandPlugin.USAGE);
        assertThat(run(Map.of("columns", "latency"))).isEqualTo(CommandPlugin.USAGE);
        assertThat(harness.run(Map.of("file", folder.toString()))).isEqualTo(CommandPlugin.USAGE);
        assertThat(harness.told().lines())
                .containsExactly(
                        "separator: expected a single character, e.g. ;, or the word tab, got 'ab'",
                        "separator: expected a single character, e.g. ;, or the word tab, got '\"'",
                        "columns: expected FIELD=COLUMN, such as latency=took:ms, got 'latency'",
                        "Expected a CSV file, got none at " + folder + "; specify the file that contains the calls");
        assertThat(harness.imports()).isEmpty();
    }
}
