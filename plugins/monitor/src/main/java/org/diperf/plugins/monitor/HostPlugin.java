package org.diperf.plugins.monitor;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.diperf.core.spi.Monitor;
import org.diperf.core.spi.MonitorContext;
import org.diperf.core.spi.MonitorPlugin;
import org.diperf.core.spi.Readings;
import org.diperf.plugins.lib.proc.HostFiles;

/** The monitor {@code host}. */
public final class HostPlugin implements MonitorPlugin {

    @Override
    public String id() {
        return "host";
    }

    @Override
    public String summary() {
        return "this machine: processor time, load, memory, swap, network of each interface, disks";
    }

    @Override
    public Monitor open(MonitorContext context) throws IOException {
        Path proc = Path.of("/proc");
        if (ProcessFacts.text(proc.resolve("stat")) == null) {
            throw new IOException("wanted /proc/stat, found none: this machine does not run Linux");
        }
        return to -> sample(proc, to);
    }

    static void sample(Path proc, Readings to) {
        long before = to.nanoTime();
        Map<String, String> files = new HashMap<>();
        for (String name : HostFiles.NAMES) {
            String text = ProcessFacts.text(proc.resolve(name));
            if (text != null) {
                files.put(name, text);
            }
            if (name.equals("stat")) {
                // Of all files the time of this one matters most.
                before = before + (to.nanoTime() - before) / 2;
            }
        }
        HostFiles.take(files, to, before, before);
    }
}
