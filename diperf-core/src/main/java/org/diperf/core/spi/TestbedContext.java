package org.diperf.core.spi;

import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** What a testbed is told when it is opened. {@link #failed} and {@link #log} may be called from any thread. */
public interface TestbedContext {

    /** Gives the testbed's own parameters, checked and with their defaults. */
    Parameters with();

    /** Counts the testers wanted at first, at least 1; they are numbered from 1. */
    int testers();

    /**
     * Makes the ticket by which a tester joins the run: address, certificates, token. A secret: it goes to the tester
     * through standard input or a file that only its user can read, never through an argument list.
     *
     * @param tester from 1
     * @return a text of several lines
     */
    String ticket(int tester);

    /**
     * Makes a ticket that leads to another address, from which the testbed forwards what comes to {@link #controller}.
     *
     * @param host that the tester is to connect to
     * @param port that the tester is to connect to
     */
    String ticket(int tester, String host, int port);

    /** Gives the address at which this machine reaches the controller, as soon as it listens. */
    InetSocketAddress controller();

    /** Gives the executable tester, {@code diperf-tester.jar}, and its class path where there is no such file. */
    List<Path> testerClassPath();

    /** Lists the jars of plugins that did not come with the tester. */
    List<Path> pluginJars();

    /**
     * Lists the files that the experiment wants beside each tester: the path in the tester's working folder, relative and
     * with slashes, to the file on this machine.
     */
    default Map<String, Path> files() {
        return Map.of();
    }

    /** Lists the services under test, for probes of the way to them. */
    List<URI> targets();

    /** Names the Java command that the experiment wants for testers. */
    String java();

    /** Lists the JVM flags that the experiment wants for testers. */
    List<String> jvm();

    /** Gives an existing folder of this run alone, for logs; it stays. */
    Path folder();

    /** Gives an existing folder that only this user can read, for tickets; removed at the end of the run. */
    Path privateFolder();

    /** Reports that a tester could not be started, or ended on its own. */
    void failed(int tester, String reason);

    /** Writes a line to the run's log. */
    void log(String line);

    /** Tells the user something that needs doing. */
    void announce(String line);
}
