package org.diperf.controller.fleet;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.TestbedContext;
import org.diperf.core.spi.Url;

/**
 * What a testbed is told on which no testers are started: only its nodes are looked at, or a killed controller has left it.
 * Immutable.
 *
 * @param notes takes lines, on any thread
 */
public record NodesOnlyContext(
        Parameters with,
        long seed,
        int testers,
        List<Url> targets,
        List<Path> pluginJars,
        String java,
        List<String> jvm,
        Path folder,
        Path privateFolder,
        Consumer<String> notes)
        implements TestbedContext {

    @Override
    public String ticket(int tester) {
        throw noTesters();
    }

    @Override
    public String ticket(int tester, String host, int port) {
        throw noTesters();
    }

    @Override
    public InetSocketAddress controller() {
        throw noTesters();
    }

    private static IllegalStateException noTesters() {
        return new IllegalStateException("No testers are started on this testbed");
    }

    @Override
    public List<Path> testerClassPath() {
        return List.of();
    }

    @Override
    public void failed(int tester, String reason) {
        log("tester-" + tester + " ended: " + reason);
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
