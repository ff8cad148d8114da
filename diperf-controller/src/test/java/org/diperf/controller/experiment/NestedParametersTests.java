package org.diperf.controller.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.diperf.core.spi.Names;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameter.Type;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Parameters of plugins that hold parameters: read, checked, described and written as the kernel's own keys are. */
@Timeout(10)
class NestedParametersTests {

    private static final Parameter RATE = Parameter.optional("rate", Type.STRING, "how fast")
            .parsedBy(text -> {
                if (!text.endsWith("bit/s")) {
                    throw new IllegalArgumentException("expected a rate such as 1bit/s, got '" + text + "'");
                }
                return text;
            });

    private static final List<Parameter> DECLARED = List.of(
            Parameter.optional("links", Type.MAPPINGS, "links")
                    .of(
                            Parameter.required("between", Type.TEXTS, "its ends"),
                            RATE,
                            Parameter.optional("loss", Type.MAPPING, "losses")
                                    .of(
                                            Parameter.required("share", Type.STRING, "of all"),
                                            Parameter.withDefault("burst", Type.INTEGER, "1", "in a row"))
                                    .shortFor("share"))
                    .suchAs("[ { between: [a, b] } ]"),
            Parameter.optional("hosts", Type.NAMED, "hosts")
                    .of(Parameter.optional("count", Type.INTEGER, "how many").within(1, 9)));

    private static final Fields FIELDS =
            new Fields("a testbed", ExperimentShape.parameters(DECLARED, Names.NONE), Map.of(), List.of());

    private static Object read(String yaml) throws ExperimentException {
        Problems problems = new Problems();
        Node node = new YamlReader("file", true, name -> null, problems).read(yaml);
        FormValues values = FIELDS.read(node, "testbed", problems);
        problems.check();
        return values.written();
    }

    @Test
    void defaultsAreWrittenOutAtEveryDepthAndShortFormsStay() throws Exception {
        assertThat(read("links: [ { between: [a, b], loss: { share: 1% } }, { between: [b, c], loss: 2% } ]"))
                .isEqualTo(Map.of(
                        "links",
                        List.of(
                                Map.of("between", List.of("a", "b"), "loss", Map.of("share", "1%", "burst", 1L)),
                                Map.of("between", List.of("b", "c"), "loss", "2%"))));
        assertThat(read("hosts: { a: { count: 2 }, b: {} }"))
                .isEqualTo(Map.of("hosts", Map.of("a", Map.of("count", 2L), "b", Map.of())));
        assertThat(read("hosts: [ a, b ]")).isEqualTo(Map.of("hosts", List.of("a", "b")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "links: [ { between: [a, b], loss: { share: 1%, brust: 2 } } ]"
                        + "|1:48: expected one of [share, burst] in 'testbed.links.0.loss', got 'brust'. Did you mean 'burst'?",
                "links: [ { between: [a, b], loss: { burst: 2 } } ]|1:35: testbed.links.0.loss.share: is "
                        + "missing: expected text that is fixed for the run (of all)",
                "links: [ { between: [a, b], rate: 5 } ]"
                        + "|1:35: testbed.links.0.rate: expected a rate such as 1bit/s, got '5'",
                "links: [ a ]|1:10: testbed.links.0: expected a mapping with the keys [between, rate, loss], got 'a'",
                "links: {}"
                        + "|1:8: testbed.links: expected list of mappings such as [ { between: [a, b] } ], got nothing",
                "hosts: { a: { count: 0 } }"
                        + "|1:22: testbed.hosts.a.count: expected a whole number from 1 to 9, got '0'",
            })
    void whatIsWrongIsReportedWhereItStands(String yaml, String message) {
        assertThatThrownBy(() -> read(yaml)).hasMessage("file:" + message);
    }

    @Test
    void theSchemaDescribesEveryDepth() {
        Node burst =
                Node.find(node(FIELDS.schema()), "properties.links.items.properties.loss.anyOf.1.properties.burst");
        assertThat(burst).isNotNull();
        assertThat(burst.plain())
                .isEqualTo(Map.of("description", "in a row", "type", List.of("integer", "string"), "default", 1L));
    }

    private static Node node(Map<String, Object> plain) {
        return new YamlReader("schema", false, name -> null, new Problems()).read(YamlWriter.write(plain));
    }

    @Test
    void aNewFileShowsTheKeysThatAMappingMustHave() {
        assertThat(StarterFile.value(Parameter.optional("links", Type.MAPPINGS, "links")
                        .of(Parameter.required("between", Type.TEXTS, "ends"), RATE)))
                .isEqualTo("[{ between: [text] }]");
    }
}
