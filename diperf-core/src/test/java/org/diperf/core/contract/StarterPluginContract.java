package org.diperf.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.StarterPlugin;
import org.diperf.core.spi.StarterPlugin.Draft;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The contract of {@code org.diperf.core.spi} for plugins that make first experiments; the tests of a plugin extend it. */
@Timeout(60)
public abstract class StarterPluginContract {

    private static final int MAX_EXAMPLE = 91;

    @TempDir
    protected Path folder;

    /** Makes the plugin under test. */
    protected abstract StarterPlugin plugin();

    /** Returns a value of its option that it makes an experiment of, such as the path of a file that this writes. */
    protected abstract String usable() throws IOException;

    /** Returns a value of its option that it refuses. */
    protected abstract String unusable() throws IOException;

    /** Reads a mapping for a plugin that asks for one. */
    protected Map<String, Object> read(Path file) throws IOException {
        throw new UnsupportedOperationException("override read to take " + file);
    }

    /** Makes a draft as {@code init} does. */
    protected final Draft draft(String source, Map<String, ?> with, @Nullable String target) throws IOException {
        StarterPlugin plugin = plugin();
        return plugin.draft(source, new StarterPlugin.Given() {
            @Override
            public Parameters with() {
                return Parameters.read(plugin.parameters(), with, 0);
            }

            @Override
            public Optional<String> target() {
                return Optional.ofNullable(target);
            }

            @Override
            public Map<String, Object> read(Path file) throws IOException {
                return StarterPluginContract.this.read(file);
            }
        });
    }

    @Test
    void itSaysTheSameOfItselfEachTime() {
        StarterPlugin plugin = plugin();
        assertThat(plugin.id()).matches("[a-z][a-z0-9-]{0,31}").isEqualTo(plugin().id());
        assertThat(plugin.parameters()).isEqualTo(plugin().parameters());
        assertThat(plugin.summary()).isNotBlank().doesNotContain("\n");
        assertThat(plugin.client()).matches("[a-z][a-z0-9-]{0,31}");
        assertThat(plugin.label()).matches("[A-Z]+");
    }

    @Test
    void itsOptionsAreItsOwnAndNoneIsRequired() {
        StarterPlugin plugin = plugin();
        ParameterContract.check(plugin.parameters());
        assertThat(plugin.parameters()).noneMatch(Parameter::required);
        assertThat(plugin.parameters().stream().map(Parameter::name))
                .doesNotContain(plugin.id())
                .doesNotContainAnyElementsOf(StarterPlugin.TAKEN);
        assertThat(StarterPlugin.TAKEN).doesNotContain(plugin.id());
    }

    @Test
    void theExampleHasItsOptionAndFitsTheHelp() {
        assertThat(plugin().example())
                .startsWith("init ")
                .contains(" --" + plugin().id() + " ")
                .doesNotContain("\n")
                .hasSizeLessThanOrEqualTo(MAX_EXAMPLE);
    }

    @Test
    void theSameSourceMakesTheSameExperiment() throws Exception {
        String source = usable();
        Draft draft = draft(source, Map.of(), null);
        assertThat(draft).isEqualTo(draft(source, Map.of(), null));
        assertThat(draft.about()).isNotBlank().doesNotContain("\n");
        assertThat(draft.comments()).isNotEmpty().noneMatch(line -> line.contains("\n"));
        assertThat(draft.tree()).containsKeys("target", "client", "load");
        isTree(draft.tree());
    }

    private static void isTree(Object value) {
        if (value instanceof Map<?, ?> map) {
            map.forEach((key, each) -> {
                assertThat(key).isInstanceOf(String.class);
                isTree(each);
            });
        } else if (value instanceof List<?> list) {
            list.forEach(StarterPluginContract::isTree);
        } else {
            assertThat(value).isInstanceOfAny(String.class, Number.class, Boolean.class);
        }
    }

    @Test
    void theTargetThatIsGivenCounts() throws Exception {
        assumeTrue(plugin().takesTarget(), "takes no target");
        assertThat(draft(usable(), Map.of(), "http://contract.example:1").tree())
                .containsEntry("target", "http://contract.example:1");
    }

    @Test
    void whatCannotBeUsedIsRefusedWithWhatWasExpected() throws Exception {
        String source = unusable();
        assertThatThrownBy(() -> draft(source, Map.of(), null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected");
    }

    @Test
    void aFileThatIsMissingIsAnErrorOfReading() {
        assumeTrue(plugin().label().equals("FILE"), "takes no file");
        assertThatThrownBy(() -> draft(folder.resolve("missing").toString(), Map.of(), null))
                .isInstanceOf(IOException.class);
    }
}
