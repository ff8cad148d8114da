package org.diperf.core.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
        "text-map, x, 'expected a mapping of names to text values, got a single value'",
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
                .hasMessage("expected text that is fixed for the run, got a list; put it in single quotes");
        assertThat(unusable(EVERY, Map.of("texts", Map.of("password", "hunter2"))))
                .hasMessage("expected list of text values, got a mapping of names to values");
        assertThat(unusable(EVERY, Map.of("text-map", "password: hunter2")))
                .hasMessage("expected a mapping of names to text values, got a single value");
        assertThat(unusable(EVERY, Map.of("text", "${client hunter2"))).hasMessageNotContaining("hunter2");
    }

    @Test
    void aRequiredOneThatIsMissingIsToldWithItsHelp() {
        List<Parameter> declared = List.of(Parameter.required("command", Type.TEXTS, "the program"));
        Parameters.Unusable thrown = unusable(declared, Map.of());
        assertThat(thrown.parameter()).isEqualTo("command");
        assertThat(thrown).hasMessage("is missing: expected list of text values (the program)");
    }

    /** A stack trace shows this, and no file in which the parameter stands. */
    @Test
    void whatIsUnusableNamesItsParameter() {
        assertThat(new Parameters.Unusable("max-words", "is missing"))
                .hasToString("org.diperf.core.spi.Parameters$Unusable: max-words is missing");
    }

    private static final Parameter RATE =
            Parameter.optional("rate", Type.STRING, "how fast").parsedBy(Integer::valueOf);

    /** What structure there can be. */
    private static final List<Parameter> NESTED = List.of(
            Parameter.optional("loss", Type.MAPPING, "losses")
                    .of(
                            Parameter.required("share", Type.NUMBER, "of all"),
                            Parameter.withDefault("burst", Type.INTEGER, "1", "in a row")
                                    .within(1, 9))
                    .shortFor("share"),
            Parameter.optional("links", Type.MAPPINGS, "links")
                    .of(
                            Parameter.required("between", Type.TEXTS, "ends"),
                            RATE,
                            Parameter.optional("back", Type.MAPPING, "the way back")
                                    .of(RATE)),
            Parameter.optional("hosts", Type.NAMED, "hosts").of(Parameter.optional("site", Type.TEXT, "where")),
            Parameter.optional("nodes", Type.MAPPINGS, "nodes")
                    .of(Parameter.required("name", Type.STRING, "who"))
                    .shortFor("name")
                    .orText(),
            Parameter.optional("codes", Type.TEXTS, "codes").parsedBy(Integer::valueOf));

    private static Parameters nested(Map<String, ?> raw) {
        return Parameters.read(NESTED, raw, 1, Names.NONE);
    }

    @Test
    void aMappingsKeysAreParametersWithDefaultsOfTheirOwn() {
        Parameters loss = nested(Map.of("loss", Map.of("share", 0.5))).mapping("loss");
        assertThat(loss.number("share")).isEqualTo(0.5);
        assertThat(loss.value("burst", Long.class)).isEqualTo(1);
        assertThat(loss.asWritten()).isEqualTo(Map.of("share", 0.5, "burst", "1"));
    }

    @Test
    void oneValueInPlaceOfAMappingStandsForOneOfItsKeys() {
        assertThat(nested(Map.of("loss", 0.25)).mapping("loss").number("share")).isEqualTo(0.25);
        List<Parameters> nodes =
                nested(Map.of("nodes", List.of("a", Map.of("name", "b")))).mappings("nodes");
        assertThat(nodes).extracting(node -> node.string("name")).containsExactly("a", "b");
        Parameters text = nested(Map.of("nodes", "nodes.txt"));
        assertThat(text.isText("nodes")).isTrue();
        assertThat(text.string("nodes")).isEqualTo("nodes.txt");
        assertThat(nested(Map.of("nodes", List.of())).isText("nodes")).isFalse();
    }

    @Test
    void aListOfNamesGivesEachAnEmptyMapping() {
        Map<String, Parameters> hosts =
                nested(Map.of("hosts", List.of("b", "a"))).named("hosts");
        assertThat(hosts.keySet()).containsExactly("b", "a");
        assertThat(hosts.values()).noneMatch(host -> host.has("site"));
        assertThat(unusable(NESTED, Map.of("hosts", List.of("a", "a"))).parameter())
                .isEqualTo("hosts.1");
    }

    @Test
    void valuesAreWhatAPluginsParserMakesOfThem() {
        Parameters with = nested(
                Map.of("links", List.of(Map.of("between", List.of("a", "b"), "rate", 7)), "codes", List.of(1, "2")));
        assertThat(with.mappings("links").get(0).value("rate", Integer.class)).isEqualTo(7);
        assertThat(with.values("codes", Integer.class)).containsExactly(1, 2);
        assertThat(unusable(NESTED, Map.of("codes", List.of(1, "x"))).parameter())
                .isEqualTo("codes.1");
    }

    @Test
    void whatIsWrongBelowIsNamedByItsPath() {
        Map<String, Object> link = Map.of("between", "a", "back", Map.of("rate", "x"));
        assertThat(unusable(NESTED, Map.of("links", List.of(link))).parameter()).isEqualTo("links.0.back.rate");
        assertThat(unusable(NESTED, Map.of("links", List.of(Map.of()))).parameter())
                .isEqualTo("links.0.between");
        assertThat(unusable(NESTED, Map.of("loss", Map.of("shar", 1))))
                .hasMessage("expected one of [share, burst], got 'shar'. Did you mean 'share'?")
                .extracting(Parameters.Unusable::parameter)
                .isEqualTo("loss.shar");
        assertThat(unusable(NESTED, Map.of("loss", Map.of("share", 1, "burst", 10))))
                .hasMessage("expected a whole number from 1 to 9, got '10'");
        assertThat(unusable(NESTED, Map.of("links", List.of("a-b"))))
                .hasMessage("expected a mapping with the keys [between, rate, back], got a single value");
        Parameters hosts = nested(Map.of("hosts", Map.of("a", Map.of())));
        assertThat(hosts.named("hosts")
                        .get("a")
                        .unusable("site", "expected another")
                        .parameter())
                .isEqualTo("hosts.a.site");
        assertThat(hosts.named("hosts")
                        .get("a")
                        .unusable("", "expected another")
                        .parameter())
                .isEqualTo("hosts.a");
    }

    @Test
    void textsBelowAreFilledInForEveryCallToo() {
        Map<String, ?> raw = Map.of("hosts", Map.of("a", Map.of("site", "${token}")));
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
        assertThat(Parameters.read(NESTED, raw, 1, names).callValues()).containsExactly("token");
    }

    @Test
    void aParameterThatIsShortForNoneOfItsKeysIsAFaultOfThePlugin() {
        assertThatThrownBy(() -> Parameter.optional("loss", Type.MAPPING, "losses")
                        .of(RATE)
                        .shortFor("share"))
                .hasMessage("Parameter 'loss' is short for 'share', which is not one of its keys");
    }
}
