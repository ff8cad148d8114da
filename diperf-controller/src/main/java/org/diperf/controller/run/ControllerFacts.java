package org.diperf.controller.run;

import java.util.LinkedHashMap;
import java.util.Map;
import org.diperf.core.machine.LocalMachine;

/** Says on what the controller runs, for the part of the report that tells how a run was measured. */
final class ControllerFacts {

    private ControllerFacts() {}

    /** Reads them; what the system does not tell is left out. */
    static Map<String, String> read() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("host", LocalMachine.hostName());
        facts.put("operating system", LocalMachine.operatingSystem());
        facts.put("processor", LocalMachine.processor());
        facts.put("cores", String.valueOf(LocalMachine.cores()));
        facts.put("memory", (LocalMachine.memoryBytes() >> 20) + " MiB");
        facts.put(
                "controller's Java", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
        String flags = String.join(" ", LocalMachine.jvmFlags());
        facts.put("controller's JVM flags", flags.isEmpty() ? "none" : flags);
        facts.values().removeIf(String::isBlank);
        return facts;
    }
}
