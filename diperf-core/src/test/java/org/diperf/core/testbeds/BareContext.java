package org.diperf.core.testbeds;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.TestbedContext;
import org.diperf.core.spi.Url;

/**
 * A run of which there is nothing but its folder: one tester that is never started, and no controller. Keeps what the testbed
 * says. Thread-safe.
 */
public class BareContext implements TestbedContext {

    private final Parameters with;
    private final Path folder;
    private final List<String> log = new CopyOnWriteArrayList<>();
    private final List<String> announced = new CopyOnWriteArrayList<>();
    private final List<String> failed = new CopyOnWriteArrayList<>();

    /** @param folder an existing one, which is the private one too */
    public BareContext(Parameters with, Path folder) {
        this.with = with;
        this.folder = folder;
    }

    /** Returns the lines for the run's log so far. */
    public List<String> logged() {
        return List.copyOf(log);
    }

    /** Returns what the user was told so far. */
    public List<String> announced() {
        return List.copyOf(announced);
    }

    /** Returns so far, for each tester that failed, its number, a colon and the reason. */
    public List<String> failed() {
        return List.copyOf(failed);
    }

    @Override
    public Parameters with() {
        return with;
    }

    @Override
    public int testers() {
        return 1;
    }

    @Override
    public String ticket(int tester) {
        throw new AssertionError("No tester is started here");
    }

    @Override
    public String ticket(int tester, String host, int port) {
        throw new AssertionError("Nothing is forwarded here");
    }

    @Override
    public InetSocketAddress controller() {
        throw new AssertionError("No tester is started here");
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
    public List<Url> targets() {
        return List.of();
    }

    @Override
    public String java() {
        return System.getProperty("java.home") + "/bin/java";
    }

    @Override
    public List<String> jvm() {
        return List.of();
    }

    @Override
    public Path folder() {
        return folder;
    }

    @Override
    public Path privateFolder() {
        return folder;
    }

    @Override
    public void failed(int tester, String reason) {
        failed.add(tester + ": " + reason);
    }

    @Override
    public void log(String line) {
        log.add(line);
    }

    @Override
    public void announce(String line) {
        announced.add(line);
    }
}
