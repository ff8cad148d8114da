package org.diperf.plugins.lib.process;

import com.sun.jna.Memory;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** This process's environment in native memory, laid down once. Thread-safe. */
final class NativeEnvironment {

    private final Map<String, Memory> variables = new LinkedHashMap<>();
    private final long[] all;

    /** @param environment variables by name */
    NativeEnvironment(Map<String, String> environment) {
        environment.forEach((name, value) -> {
            byte[] bytes = (name + "=" + value + "\0").getBytes(StandardCharsets.UTF_8);
            Memory memory = new Memory(bytes.length);
            memory.write(0, bytes, 0, bytes.length);
            variables.put(name, memory);
        });
        all = without(Map.of());
    }

    /** Returns the addresses of the variables but those that others replace; the caller does not change them. */
    long[] but(Map<String, String> others) {
        return others.isEmpty() ? all : without(others);
    }

    private long[] without(Map<String, String> others) {
        return variables.entrySet().stream()
                .filter(entry -> !others.containsKey(entry.getKey()))
                .mapToLong(entry -> ScratchMemory.address(entry.getValue()))
                .toArray();
    }
}
