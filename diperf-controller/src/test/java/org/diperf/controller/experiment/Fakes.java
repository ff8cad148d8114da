package org.diperf.controller.experiment;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Session;
import org.diperf.core.spi.SessionContext;
import org.diperf.core.spi.Testbed;
import org.diperf.core.spi.TestbedContext;
import org.diperf.core.spi.TestbedPlugin;
import org.diperf.core.spi.Url;

/** Plugins and environment that do not depend on the machine or on the plugins that are bundled. */
final class Fakes {

    static final KnownPlugins PLUGINS = new KnownPlugins(
            List.of(new Quote(), new Bare()),
            List.of(new Bed("local"), new Bed("in-process"), new Bed("far")),
            List.of(),
            List.of());

    static final Environment ENVIRONMENT = new Environment(
            name -> Map.of("TARGET", "quote://from-env/", "COUNT", "7").get(name),
            "/jdk/bin/java",
            () -> "head",
            () -> 77);

    private Fakes() {}

    static ExperimentFile.Resolved read(String yaml, String... sets) throws ExperimentException {
        return ExperimentFile.resolve(yaml, "file.yml", List.of(sets), PLUGINS, ENVIRONMENT);
    }

    /** A client with a parameter of every type. */
    static final class Quote implements ClientPlugin {

        @Override
        public String id() {
            return "quote";
        }

        @Override
        public String summary() {
            return "asks for quotes";
        }

        @Override
        public Set<String> schemes() {
            return Set.of("quote", "quotes");
        }

        @Override
        public List<Parameter> parameters() {
            return List.of(
                    Parameter.withDefault("symbol", Parameter.Type.TEXT, "ACME", "instrument"),
                    Parameter.withDefault("depth", Parameter.Type.INTEGER, "5", "book depth")
                            .in("levels"),
                    Parameter.withDefault("share", Parameter.Type.NUMBER, "0.5", "share"),
                    Parameter.withDefault("fresh", Parameter.Type.BOOLEAN, "true", "fresh ones"),
                    Parameter.withDefault("patience", Parameter.Type.DURATION, "3s", "patience"),
                    Parameter.withDefault("block", Parameter.Type.SIZE, "8KiB", "block"),
                    Parameter.withDefault("mode", Parameter.Type.STRING, "fast", "mode")
                            .oneOf("fast", "slow"),
                    Parameter.optional("words", Parameter.Type.TEXTS, "words"),
                    Parameter.optional("headers", Parameter.Type.TEXT_MAP, "headers"),
                    Parameter.optional("tree", Parameter.Type.TREE, "anything"));
        }

        @Override
        public void check(Url target, Parameters with) {
            if (target.host() == null) {
                throw new IllegalArgumentException("expected a host, got none in " + target);
            }
            if (with.integer("depth") > 100) {
                throw new Parameters.Unusable("depth", "expected at most 100 levels, got " + with.integer("depth"));
            }
        }

        @Override
        public Session open(SessionContext context) {
            throw new UnsupportedOperationException();
        }
    }

    /** A client with a required parameter. */
    static final class Bare implements ClientPlugin {

        @Override
        public String id() {
            return "bare";
        }

        @Override
        public String summary() {
            return "needs a command";
        }

        @Override
        public List<Parameter> parameters() {
            return List.of(Parameter.required("command", Parameter.Type.TEXTS, "what to run"));
        }

        @Override
        public Session open(SessionContext context) {
            throw new UnsupportedOperationException();
        }
    }

    private record Bed(String id) implements TestbedPlugin {

        @Override
        public String summary() {
            return "testers on " + id;
        }

        @Override
        public boolean runsHere() {
            return !id.equals("far");
        }

        @Override
        public boolean runsInController() {
            return id.equals("in-process");
        }

        @Override
        public List<Parameter> parameters() {
            return id.equals("far")
                    ? List.of(
                            Parameter.required("host", Parameter.Type.STRING, "where"),
                            Parameter.optional("nodes", Parameter.Type.INTEGER, "how many machines"))
                    : List.of();
        }

        @Override
        public Testbed open(TestbedContext context) {
            throw new UnsupportedOperationException();
        }
    }
}
