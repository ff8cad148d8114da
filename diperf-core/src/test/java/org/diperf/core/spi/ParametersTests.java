package org.diperf.core.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.diperf.core.spi.Parameter.Type;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(10)
class ParametersTests {

    private static final List<Parameter> EVERY = List.of(
            Parameter.optional("text", Type.TEXT, "a text"),
            Parameter.optional("string", Type.STRING, "a string"),
            Parameter.optional("integer", Type.INTEGER, "a whole number"),
            Parameter.optional("number", Type.NUMBER, "a number"),
            Parameter.optional("boolean", Type.BOOLEAN, "yes or no"),
            Parameter.optional("duration", Type.DURATION, "a duration"),
            Parameter.optional("size", Type.SIZE, "a size"),
            Parameter.optional("texts", Type.TEXTS, "texts"),
            Parameter.optional("text-map", Type.TEXT_MAP, "named texts"),
            Parameter.optional("tree", Type.TREE, "anything"),
            Parameter.withDefault("mode", Type.STRING, "keep", "a word").oneOf("keep", "new"));

    private static Parameters.Unusable unusable(List<Parameter> declared, Map<String, ?> raw) {
        Parameters.Unusable thrown =
                catchThrowableOfType(Parameters.Unusable.class, () -> Parameters.read(declared, raw, 1));
        assertThat(thrown).as("reading %s", raw).isNotNull();
        return thrown;
    }

    @Test
    void everyTypeIsReadFromWhatStandsInTheFile() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("z", "1");
        map.put("a", 2);
        Parameters with = Parameters.read(
                EVERY,
                Map.of(
                        "text",
                        "x",
                        "string",
                        5,
                        "integer",
                        " 12 ",
                        "number",
                        2.5,
                        "boolean",
                        true,
                        "duration",
                        "250ms",
                        "size",
                        "8KiB",
                        "texts",
                        "one",
                        "text-map",
                        map,
                        "tree",
                        List.of(1, 2)),
                1);
        assertThat(with.text("text")).hasToString("x");
        assertThat(with.string("string")).isEqualTo("5");
        assertThat(with.integer("integer")).isEqualTo(12);
        assertThat(with.number("number")).isEqualTo(2.5);
        assertThat(with.bool("boolean")).isTrue();
        assertThat(with.duration("duration")).isEqualTo(Duration.ofMillis(250));
        assertThat(with.integer("size")).isEqualTo(8192);
        assertThat(with.texts("texts")).hasSize(1).first().hasToString("one");
        assertThat(with.textMap("text-map").keySet()).containsExactly("z", "a");
        assertThat(with.tree("tree")).contains(List.of(1, 2));
        assertThat(with.string("mode")).isEqualTo("keep");
    }

    @Test
    void whatWasLeftOutIsNotThere() {
        Parameters with = Parameters.read(EVERY, Map.of(), 1);
        assertThat(with.has("text")).isFalse();
        assertThat(with.has("mode")).isTrue();
        assertThat(with.texts("texts")).isEmpty();
        assertThat(with.textMap("text-map")).isEmpty();
        assertThat(with.tree("tree")).isEmpty();
        assertThatIllegalStateException()
                .isThrownBy(() -> with.string("string"))
                .withMessageContaining("'string' as String; it is not given");
    }

    @Test
    void aValueAskedForByAnotherTypeIsAFaultOfThePlugin() {
        Parameters with = Parameters.read(EVERY, Map.of("text", "x"), 1);
        assertThatIllegalStateException()
                .isThrownBy(() -> with.string("text"))
                .withMessageContaining("'text' as String; it is Text");
    }

    @ParameterizedTest
    @CsvSource({
        "integer, 1.5, 'expected whole number, got ''1.5'''",
        "integer, 1e3, 'expected whole number, got ''1e3'''",
        "number, many, 'expected number, got ''many'''",
        "boolean, yes, 'expected true or false, got ''yes'''",
        "duration, 10, 'expected a duration such as 250ms, 10s, 5m or 2h, got ''10'''",
        "size, big, 'expected a size such as 512, 8KiB or 4MB, got ''big'''",
        "text-map, x, 'expected names with texts, got one value'",
        "mode, kep, 'expected one of [keep, new], got ''kep''. Did you mean ''keep''?'"
    })
    void aValueThatCannotBeUsedNamesItsParameterAndWhatWasWanted(String name, String value, String message) {
        Parameters.Unusable thrown = unusable(EVERY, Map.of(name, value));
        assertThat(thrown.parameter()).isEqualTo(name);
        assertThat(thrown).hasMessage(message);
    }

    @Test
    void anUnknownParameterIsToldWithTheNearestName() {
        Parameters.Unusable thrown = unusable(EVERY, Map.of("duratoin", "1s"));
        assertThat(thrown.parameter()).isEqualTo("duratoin");
        assertThat(thrown).hasMessageStartingWith("expected one of [text, ").hasMessageEndingWith("'duration'?");
    }

    @Test
    void messagesHoldNoneOfTheValuesThatMayBeSecret() {
        assertThat(unusable(EVERY, Map.of("paswsord", "hunter2", "string", "hunter2")))
                .hasMessageNotContaining("hunter2");
        assertThat(unusable(EVERY, Map.of("string", List.of("hunter2"))))
                .hasMessage("expected text, fixed for the run, got a list");
        assertThat(unusable(EVERY, Map.of("texts", Map.of("password", "hunter2"))))
                .hasMessage("expected list of texts, got names with values");
        assertThat(unusable(EVERY, Map.of("text-map", "password: hunter2")))
                .hasMessage("expected names with texts, got one value");
        assertThat(unusable(EVERY, Map.of("text", "${client hunter2"))).hasMessageNotContaining("hunter2");
    }

    @Test
    void aRequiredOneThatIsMissingIsToldWithItsHelp() {
        List<Parameter> declared = List.of(Parameter.required("command", Type.TEXTS, "the program"));
        Parameters.Unusable thrown = unusable(declared, Map.of());
        assertThat(thrown.parameter()).isEqualTo("command");
        assertThat(thrown).hasMessage("is missing: expected list of texts (the program)");
    }

    /** A stack trace shows this, and no file in which the parameter stands. */
    @Test
    void whatIsUnusableNamesItsParameter() {
        assertThat(new Parameters.Unusable("max-words", "is missing"))
                .hasToString("org.diperf.core.spi.Parameters$Unusable: max-words is missing");
    }
}
