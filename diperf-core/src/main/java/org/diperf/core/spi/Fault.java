package org.diperf.core.spi;

/** Whose fault a failed call is. A failure that is not the service's fault says nothing about the service. */
public enum Fault {
    /** The service's, or that of the network on the way to it: what a run is meant to count. The default. */
    SERVICE,
    /** The load-generating machine's: out of open files, local ports, memory, processes or disk. */
    GENERATOR,
    /** The experiment's: a file, a program or data that it names is missing or unusable. */
    EXPERIMENT
}
