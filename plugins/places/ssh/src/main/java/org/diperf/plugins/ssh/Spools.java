package org.diperf.plugins.ssh;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.diperf.core.spi.SpoolLocation;
import org.jspecify.annotations.Nullable;

/** The samples that the testers of a run leave on its machines where no controller takes them. Thread-safe. */
final class Spools {

    private final MachineExecutor pool;
    private final SshConnector access;
    private final Map<Integer, SpoolLocation> places = new ConcurrentHashMap<>();
    private final Map<String, Machine> machines = new ConcurrentHashMap<>();

    Spools(MachineExecutor pool, SshConnector access) {
        this.pool = pool;
        this.access = access;
    }

    /** Takes note that a tester is started on a machine. */
    void expect(int tester, Machine machine, Deployment.Site site) {
        String path = site.spool(tester);
        expect(
                new SpoolLocation(
                        tester,
                        machine.name(),
                        path,
                        access.copy(machine.candidate().address(), path)),
                machine);
    }

    /** Takes note that a tester was started on a machine. */
    void expect(SpoolLocation place, Machine machine) {
        machines.put(place.host(), machine);
        places.put(place.tester(), place);
    }

    /** Lists where they may be. */
    List<SpoolLocation> places() {
        return List.copyOf(places.values());
    }

    /**
     * Copies what is there, on all machines at once.
     *
     * @return by tester why it could not be found out whether there is anything
     */
    Map<Integer, String> bring(List<SpoolLocation> wanted, Path into) throws InterruptedException {
        Map<Integer, String> unknown = new ConcurrentHashMap<>();
        pool.all(byMachine(wanted), those -> {
            String reason = "";
            for (SpoolLocation place : those) {
                reason = reason.isEmpty() ? bring(place, into) : reason;
                if (!reason.isEmpty()) {
                    unknown.put(place.tester(), reason);
                }
            }
            return reason;
        });
        return Map.copyOf(unknown);
    }

    private static List<List<SpoolLocation>> byMachine(List<SpoolLocation> wanted) {
        return List.copyOf(wanted.stream()
                .collect(Collectors.groupingBy(SpoolLocation::host, LinkedHashMap::new, Collectors.toList()))
                .values());
    }

    private String bring(SpoolLocation place, Path into) {
        Machine machine = machines.get(place.host());
        if (machine == null) {
            return "the testbed has no machine " + place.host();
        }
        try {
            place.bring(into, to -> machine.copy(place.path(), to, SpoolLocation.MAX_BYTES));
            return "";
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** Removes them: they are safe here. */
    void drop(List<SpoolLocation> safe) throws IOException, InterruptedException {
        List<String> problems = new ArrayList<>();
        for (String problem : pool.all(byMachine(safe), this::dropThere)) {
            if (!problem.isEmpty()) {
                problems.add(problem);
            }
        }
        if (!problems.isEmpty()) {
            throw new IOException(String.join("; ", problems));
        }
    }

    private String dropThere(List<SpoolLocation> those) {
        Machine machine = machines.get(those.get(0).host());
        Deployment.@Nullable Site site = machine == null ? null : machine.siteIfAny();
        if (machine == null || site == null) {
            return "";
        }
        try {
            machine.drop(site, those.stream().map(SpoolLocation::path).toList());
            return "";
        } catch (IOException e) {
            return machine.name() + ": " + e.getMessage();
        }
    }
}
