package org.diperf.plugins.ssh;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.TestbedContext;

/**
 * Takes a run off its machines: ends what runs, brings the logs, removes the files. Each step is done on all machines
 * before the next, because some may share a disk. Connections that broke are made once more.
 */
final class Cleanup {

    private static final long SECOND = 1_000_000_000L;
    /** For testers to end by themselves after the controller's goodbye. */
    private static final long PATIENCE_NANOS = 5 * SECOND;

    private static final long GRACE_NANOS = 3 * SECOND;
    private static final long MAX_LOG_BYTES = 16 << 20;

    private final TestbedContext context;
    private final MachineExecutor pool;
    private final String run;
    private final String cache;
    private final NanoClock clock;

    Cleanup(TestbedContext context, MachineExecutor pool, String run, String cache, NanoClock clock) {
        this.context = context;
        this.pool = pool;
        this.run = run;
        this.cache = cache;
        this.clock = clock;
    }

    /**
     * Does it all, as far as it can be done.
     *
     * @param testers which was started where
     * @throws IOException naming what is left, and where
     */
    void close(List<Machine> machines, Map<Integer, Machine> testers) throws IOException, InterruptedException {
        List<String> problems = new ArrayList<>();
        try {
            List<Machine> used = machines.stream()
                    .filter(machine -> machine.siteIfAny() != null)
                    .toList();
            if (!used.isEmpty()) {
                problems.addAll(each(used, machine -> endPrograms(machine, testersOn(machine, testers))));
                problems.addAll(each(used, machine -> fetchLogs(machine, testersOn(machine, testers))));
                problems.addAll(each(byDisk(used), this::remove));
            }
        } finally {
            machines.forEach(Machine::disconnect);
        }
        if (!problems.isEmpty()) {
            throw new IOException(String.join("; ", problems));
        }
    }

    private <T> List<String> each(List<T> items, Function<T, String> work) throws InterruptedException {
        return pool.all(items, work).stream()
                .filter(problem -> !problem.isEmpty())
                .toList();
    }

    private static List<Integer> testersOn(Machine machine, Map<Integer, Machine> testers) {
        return testers.entrySet().stream()
                .filter(each -> each.getValue() == machine)
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    private static List<List<Machine>> byDisk(List<Machine> machines) {
        return List.copyOf(machines.stream()
                .collect(Collectors.groupingBy(Cleanup::disk, LinkedHashMap::new, Collectors.toList()))
                .values());
    }

    private static String disk(Machine machine) {
        Deployment.Site site = machine.siteIfAny();
        return site == null ? "" : site.disk() + site.base();
    }

    /** Waits for the testers, which were told to end, and ends what does not. */
    private String endPrograms(Machine machine, List<Integer> testers) {
        try {
            Supervisor supervisor = machine.supervisorIfAny();
            long deadline = clock.nanoTime() + PATIENCE_NANOS;
            if (supervisor != null) {
                for (int tester : testers) {
                    supervisor.awaitEnd(TesterCommand.name(tester), deadline - clock.nanoTime());
                }
                supervisor.close();
            }
            machine.end(run + "/", supervisor == null ? PATIENCE_NANOS : SECOND / 2, GRACE_NANOS);
            return "";
        } catch (IOException e) {
            return machine.name() + ": " + e.getMessage();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return machine.name() + ": interrupted while stopping its testers";
        }
    }

    private String fetchLogs(Machine machine, List<Integer> testers) {
        Deployment.Site site = machine.siteIfAny();
        for (int tester : testers) {
            String log = TesterCommand.name(tester) + ".log";
            try {
                if (site != null) {
                    machine.fetch(site.run() + "/" + log, context.folder().resolve(log), MAX_LOG_BYTES);
                }
            } catch (IOException e) {
                return machine.name() + ": " + log + " could not be fetched: " + e.getMessage();
            }
        }
        return "";
    }

    /** Any of the machines with one disk can do it. */
    private String remove(List<Machine> sharing) {
        String problem = "";
        for (Machine machine : sharing) {
            Deployment.Site site = machine.siteIfAny();
            try {
                if (site != null) {
                    Deployment.remove(machine.connection(), site, run, cache);
                }
                return "";
            } catch (IOException e) {
                problem = machine.name() + ": " + (site == null ? "" : site.run() + " was not removed: ")
                        + e.getMessage();
            }
        }
        return problem;
    }
}
