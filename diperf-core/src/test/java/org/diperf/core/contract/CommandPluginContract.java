package org.diperf.core.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.diperf.core.spi.CommandPlugin;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The contract of {@code org.diperf.core.spi} for plugins that add a command; the tests of a plugin extend it. */
@Timeout(60)
public abstract class CommandPluginContract {

    private static final int WIDTH = 100;

    @TempDir
    protected Path folder;

    /** Makes the plugin under test. */
    protected abstract CommandPlugin plugin();

    /** Returns values that the declared types allow and the command refuses, by the names of the parameters. */
    protected abstract Map<String, String> badValues();

    @Test
    void itSaysTheSameOfItselfEachTime() {
        CommandPlugin plugin = plugin();
        assertThat(plugin.id()).matches("[a-z][a-z0-9-]{0,31}").isEqualTo(plugin().id());
        assertThat(plugin.parameters()).isEqualTo(plugin().parameters());
        assertThat(plugin.arguments()).isEqualTo(plugin().arguments());
        assertThat(plugin.summary()).isNotBlank().doesNotContain("\n");
        assertThat(plugin.help()).isNotBlank();
    }

    @Test
    void argumentsAndLettersAreOfItsParameters() {
        CommandPlugin plugin = plugin();
        List<String> names = plugin.parameters().stream().map(Parameter::name).toList();
        assertThat(names)
                .doesNotHaveDuplicates()
                .containsAll(plugin.arguments())
                .containsAll(plugin.letters().keySet());
        assertThat(names).doesNotContain("help", "stacktrace", "plugins");
        assertThat(plugin.letters().values())
                .allMatch(letter -> letter.matches("[A-Za-z]"))
                .doesNotContain("h");
        for (int i = 0; i + 1 < plugin.arguments().size(); i++) {
            assertThat(type(plugin, plugin.arguments().get(i)))
                    .as("only the last argument is a list")
                    .isNotEqualTo(Parameter.Type.TEXTS);
        }
    }

    private static Parameter.Type type(CommandPlugin plugin, String name) {
        return plugin.parameters().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow()
                .type();
    }

    @Test
    void everyDefaultIsOneThatAUserCouldGive() {
        List<Parameter> withDefaults = plugin().parameters().stream()
                .filter(parameter -> parameter.fallback() != null)
                .toList();
        Parameters.read(withDefaults, Map.of(), 0);
    }

    @Test
    void examplesBeginWithTheCommandAndFitTheHelp() {
        CommandPlugin plugin = plugin();
        String command = plugin.partOf().isEmpty() ? plugin.id() : plugin.partOf();
        assertThat(plugin.examples()).isNotEmpty().allMatch(example -> example.startsWith(command + " "));
        assertThat(plugin.examples()).allMatch(example -> example.length() < WIDTH - "  diperf ".length());
        assertThat(plugin.exitCodes()).hasSizeLessThan(WIDTH - "Exit codes: ".length());
        assertThat(plugin.exitCodes()).startsWith("0 ");
    }

    @Test
    void whatCannotBeUsedIsRefusedWithWhatWasExpected() {
        CommandPlugin plugin = plugin();
        CommandHarness harness = new CommandHarness(plugin, List.of(), folder, List.of());
        badValues().forEach((name, value) -> {
            try {
                assertThat(harness.run(Map.of(name, value)))
                        .as("%s: %s", name, value)
                        .isEqualTo(CommandPlugin.USAGE);
            } catch (Exception e) {
                throw new AssertionError("expected a refusal of " + name + ": " + value, e);
            }
        });
        assertThat(harness.printed()).isEmpty();
        assertThat(harness.told().lines()).allMatch(line -> line.contains("expected"));
    }
}
