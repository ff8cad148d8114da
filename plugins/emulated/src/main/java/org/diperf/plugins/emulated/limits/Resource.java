package org.diperf.plugins.emulated.limits;

/** What can be limited, by the kernel's names of it. */
enum Resource {
    PROCESSOR("cpu", "cpu"),
    MEMORY("memory", "memory"),
    DISK("blkio", "io");

    /** Name of the controller in version 1. */
    final String one;

    /** Name of the controller in version 2. */
    final String two;

    Resource(String one, String two) {
        this.one = one;
        this.two = two;
    }
}
