package org.diperf.controller.run;

import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.TestbedContext;

/** What a testbed is told that was left by a killed controller: nothing is started on it. Immutable. */
record ResumedTestbedContext(Parameters with, int testers, Path folder, Path privateFolder, Consumer<String> notes)
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
        return new IllegalStateException("A resumed run starts no testers");
    }

    @Override
    public List<Path> testerClassPath() {
        return List.of();
    }

    @Override
    public List<Path> pluginJars() {
        return List.of();
    }

    @Override
    public List<URI> targets() {
        return List.of();
    }

    @Override
    public String java() {
        return "java";
    }

    @Override
    public List<String> jvm() {
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
