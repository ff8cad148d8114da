package org.diperf.controller.calibrate;

import org.diperf.core.machine.LocalMachine;

/**
 * On what testers run.
 *
 * @param host as testers name it
 * @param processor its model; empty where the system does not tell
 * @param processors that a JVM may use
 * @param operatingSystem name, version and architecture
 * @param java name and version of the JVM
 */
public record Machine(String host, String processor, int processors, String operatingSystem, String java) {

    /** Describes the one on which this program runs. */
    public static Machine here() {
        return new Machine(
                LocalMachine.hostName(),
                LocalMachine.processor(),
                LocalMachine.cores(),
                LocalMachine.operatingSystem(),
                System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
    }
}
