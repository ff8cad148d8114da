package org.diperf.controller.fleet;

import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.diperf.core.experiment.Experiment;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.TestbedContext;

/** What a testbed is told that only looks at its nodes. Immutable. */
record SurveyContext(
        Experiment experiment, Parameters with, List<Path> pluginJars, Path scratch, Consumer<String> notes)
        implements TestbedContext {

    @Override
    public long seed() {
        return experiment.seed();
    }

    @Override
    public int testers() {
        return Math.max(1, experiment.testbed().testers());
    }

    @Override
    public String ticket(int tester) {
        throw noRun();
    }

    @Override
    public String ticket(int tester, String host, int port) {
        throw noRun();
    }

    @Override
    public InetSocketAddress controller() {
        throw noRun();
    }

    private static IllegalStateException noRun() {
        return new IllegalStateException("A testbed that only looks at its nodes starts no testers");
    }

    @Override
    public List<Path> testerClassPath() {
        return List.of();
    }

    @Override
    public List<URI> targets() {
        return experiment.targets().each();
    }

    @Override
    public String java() {
        return experiment.testbed().java();
    }

    @Override
    public List<String> jvm() {
        return experiment.testbed().jvm();
    }

    @Override
    public Path folder() {
        return scratch;
    }

    @Override
    public Path privateFolder() {
        return scratch;
    }

    @Override
    public void failed(int tester, String reason) {
        throw noRun();
    }

    @Override
    public void log(String line) {
        notes.accept(line);
    }

    @Override
    public void announce(String line) {
        notes.accept(line);
    }
}
