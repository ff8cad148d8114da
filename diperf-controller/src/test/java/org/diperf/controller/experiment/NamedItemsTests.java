package org.diperf.controller.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.Map;
import org.diperf.controller.grid.Point;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameter.Type;
import org.diperf.core.spi.Testbed;
import org.diperf.core.spi.TestbedContext;
import org.diperf.core.spi.TestbedPlugin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Paths of axes and of {@code --set} that name an item of a list, such as a link of a network. */
@Timeout(120)
class NamedItemsTests {

    private static final KnownPlugins PLUGINS =
            new KnownPlugins(Fakes.PLUGINS.clients(), List.of(new Network()), List.of(), List.of());

    private static final String NETWORK = """
            target: quote://server/
            load: { clients: 1, run-for: 1s }
            testbed:
              kind: network
              hosts: { user: { count: 2 }, server: {} }
              links:
                - { between: [user, r], latency: 1ms }
                - { name: bone, between: [r, server], rate: 1Gbit/s, latency: 1ms }
            """;

    /** A testbed with keys of both kinds that have items with names. */
    private static final class Network implements TestbedPlugin {

        @Override
        public String id() {
            return "network";
        }

        @Override
        public String summary() {
            return "hosts and links";
        }

        @Override
        public List<Parameter> parameters() {
            return List.of(
                    Parameter.required("hosts", Type.NAMED, "hosts")
                            .of(Parameter.optional("count", Type.INTEGER, "how many")),
                    Parameter.required("links", Type.MAPPINGS, "links")
                            .of(
                                    Parameter.optional("name", Type.STRING, "its name"),
                                    Parameter.required("between", Type.TEXTS, "its ends"),
                                    Parameter.optional("rate", Type.STRING, "its rate"),
                                    Parameter.optional("latency", Type.DURATION, "its delay"),
                                    Parameter.optional("queue", Type.INTEGER, "room for packets"),
                                    Parameter.optional("back", Type.MAPPING, "the other direction")
                                            .of(Parameter.optional("latency", Type.DURATION, "its delay"))));
        }

        @Override
        public Testbed open(TestbedContext context) {
            throw new UnsupportedOperationException();
        }
    }

    private static ExperimentFile.Content content(String yaml, String... sets) throws Exception {
        return ExperimentFile.content(yaml, "file.yml", List.of(sets), PLUGINS, Fakes.ENVIRONMENT);
    }

    private static Map<String, Object> link(ExperimentFile.Resolved resolved, int number) {
        return map(((List<?>) resolved.experiment().testbed().with().get("links")).get(number));
    }

    @SuppressWarnings("unchecked") // All keys of a file are texts.
    private static Map<String, Object> map(Object value) {
        return (Map<String, Object>) value;
    }

    @Test
    void anAxisNamesALinkByItsNameOrItsEndsAndAHostByItsOwn() throws Exception {
        ExperimentGrid grid = content(NETWORK + """
                        sweep:
                          axes:
                            testbed.links.bone.latency: [1ms, 10ms]
                            testbed.links.user-r.rate: [1Mbit/s, 2Mbit/s]
                            testbed.hosts.user.count: [2, 3]
                          order: given
                        """).grid();
        assertThat(grid.points()).hasSize(8);
        for (Point point : grid.points()) {
            ExperimentFile.Resolved resolved = grid.resolved().get(point.index());
            assertThat(link(resolved, 1)).containsEntry("latency", point.set().get("testbed.links.bone.latency"));
            assertThat(link(resolved, 1)).containsEntry("rate", "1Gbit/s").containsEntry("name", "bone");
            assertThat(link(resolved, 0)).containsEntry("rate", point.set().get("testbed.links.user-r.rate"));
            assertThat(link(resolved, 0)).containsEntry("latency", "1ms");
            assertThat(map(resolved.experiment().testbed().with().get("hosts")))
                    .containsEntry("user", Map.of("count", point.set().get("testbed.hosts.user.count")));
        }
    }

    @Test
    void aSettingNamesALinkByItsNameOrItsPlace() throws Exception {
        ExperimentFile.Resolved resolved = content(
                        NETWORK, "testbed.links.bone.back.latency=7ms", "testbed.links.1.queue=5")
                .first();
        assertThat(link(resolved, 1))
                .containsEntry("back", Map.of("latency", "7ms"))
                .containsEntry("queue", 5L);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "testbed.links.boen.latency | expected an index into the list 'testbed.links', from 0 to 2 (2 "
                        + "appends), or the name of an item, one of [user-r, bone], got 'boen'. Did you mean 'bone'?",
                "testbed.links.3.latency | from 0 to 2 (2 appends)",
                "testbed.links.bone.latnecy | Did you mean 'latency'",
                "testbed.hosts.user.cuont | Did you mean 'count'",
            })
    void whatIsNotThereIsSaidWithThePlaceOfTheAxis(String path, String said) {
        ExperimentException e = catchThrowableOfType(
                ExperimentException.class,
                () -> content(NETWORK + "sweep: { axes: { " + path + ": [1ms] } }\n")
                        .grid());
        assertThat(e.problems()).first().asString().startsWith("file.yml:9:").contains(said);
    }

    @Test
    void aNameOfTwoItemsNamesNone() {
        String two = "request: [ { name: a, weight: 1 }, { name: a, weight: 2 } ]\n";
        ExperimentException e = catchThrowableOfType(
                ExperimentException.class,
                () -> content(NETWORK + two, "request.a.weight=3").first());
        assertThat(e.problems()).first().asString().contains("one of [a, a], got 'a'");
    }
}
