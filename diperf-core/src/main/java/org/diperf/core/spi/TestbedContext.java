package org.diperf.core.spi;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What a testbed knows when it is opened. {@link #failed}, {@link #log}, {@link #changed} and {@link #suspect} may be called from
 * any thread.
 */
public interface TestbedContext {

    /** Returns the testbed's own parameters, checked and with their defaults. */
    Parameters with();

    /** Returns the experiment's seed, which every random choice follows. */
    default long seed() {
        return 0;
    }

    /** Returns the number of testers to start with, at least 1; they are numbered from 1. */
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
     * Makes a ticket for another address, from which the testbed forwards connections to {@link #controller}.
     *
     * @param host for the tester to connect to
     * @param port for the tester to connect to
     */
    String ticket(int tester, String host, int port);

    /** Returns the address at which this machine reaches the controller, once it listens. */
    InetSocketAddress controller();

    /** Returns the executable tester, {@code diperf-tester.jar}, or its class path if there is no such file. */
    List<Path> testerClassPath();

    /** Returns the jars of plugins that are not part of the tester. */
    List<Path> pluginJars();

    /**
     * Returns the files that each tester needs: the path in the tester's working folder, relative and with slashes, to the
     * file on this machine.
     */
    default Map<String, Path> files() {
        return Map.of();
    }

    /** Returns the services under test, for probing the network path to them. */
    List<Url> targets();

    /** Returns the Java command for testers. */
    String java();

    /** Returns the JVM flags for testers. */
    List<String> jvm();

    /** Returns an existing folder of this run, for logs; it is kept. */
    Path folder();

    /** Returns an existing folder that only this user can read, for tickets; removed at the end of the run. */
    Path privateFolder();

    /** Reports that a tester could not be started, or ended on its own. */
    void failed(int tester, String reason);

    /** Writes a line to the run's log. */
    void log(String line);

    /**
     * Records that the testbed has changed during the load, on purpose and so that calls may feel it: the change is marked in
     * figures over time.
     *
     * @param atNanos when, on this machine's monotonic clock, {@link System#nanoTime}
     * @param what one line, such as {@code link bone: down}
     */
    default void changed(long atNanos, String what) {
        log(what);
    }

    /**
     * Reports that what the testbed has made for the run does not do its work any more, so that calls fail or are slow for
     * that: the user is told at once, and the run is suspect.
     *
     * @param why one line
     */
    default void suspect(String why) {
        announce(why);
    }

    /** Tells the user that something needs to be done. */
    void announce(String line);
}
