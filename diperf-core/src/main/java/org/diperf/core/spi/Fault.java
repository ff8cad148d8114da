package org.diperf.core.spi;

/** Whose fault it is that a call failed. What is not the service's fault says nothing of the service. */
public enum Fault {
    /** The service's, or the network's on the way to it: what a run is there to count. The default. */
    SERVICE,
    /** The machine's that makes the load: no more open files, local ports, memory, processes or disk. */
    GENERATOR,
    /** The experiment's: a file, a program or data that it names is missing or cannot be used. */
    EXPERIMENT
}
