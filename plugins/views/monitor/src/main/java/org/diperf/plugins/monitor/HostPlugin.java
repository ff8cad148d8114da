package org.diperf.plugins.monitor;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
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
        return "this machine: processor time, load, memory, swap, network per interface, disks";
    }

    @Override
    public Monitor open(MonitorContext context) throws IOException {
        Path proc = Path.of("/proc");
        if (ProcessFacts.text(proc.resolve("stat")) == null) {
            throw new IOException("expected /proc/stat, got none: this machine does not run Linux");
        }
        String pageBytes = Long.toString(new ProcessFinder(proc).pageBytes());
        Path interfaces = Path.of("/sys/class/net");
        return to -> sample(proc, Map.of(HostFiles.PAGE_BYTES, pageBytes, HostFiles.LINKS, links(interfaces)), to);
    }

    /** Lists what interfaces stand upon; {@link HostFiles#LINKS} says how. */
    static String links(Path interfaces) {
        return list(interfaces, "*").stream()
                .flatMap(each -> list(each, "{device,lower_*}").stream())
                .map(Path::toString)
                .collect(Collectors.joining("\n"));
    }

    private static List<Path> list(Path folder, String names) {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, names)) {
            all.forEach(found::add);
        } catch (IOException | DirectoryIteratorException e) {
            // It has gone meanwhile, or is no interface.
        }
        return found;
    }

    static void sample(Path proc, Map<String, String> known, Readings to) {
        long before = to.nanoTime();
        Map<String, String> files = new HashMap<>(known);
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
