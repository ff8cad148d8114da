package org.diperf.plugins.ssh;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.Place;
import org.diperf.core.spi.SpoolLocation;
import org.diperf.core.spi.Testbed;
import org.diperf.core.spi.TestbedContext;

/**
 * The machines on which a killed controller had started testers. They are known by where those leave their samples: {@code
 * BASE/spool/RUN/tester-N.spool}. Used by one thread at a time.
 */
final class ResumedTestbed implements Testbed {

    private static final long SECOND = 1_000_000_000L;
    /** A tester takes up to four seconds for a last attempt to deliver what it has, and some to write it down. */
    private static final long GRACE_NANOS = 10 * SECOND;

    private final TestbedContext context;
    private final NanoClock clock;
    private final String cache;
    private final MachineExecutor pool;
    private final Spools spools;
    private final String run;
    /** By name. */
    private final Map<String, Machine> machines = new LinkedHashMap<>();

    private final Map<Integer, Machine> placed = new LinkedHashMap<>();

    /**
     * @param user name for machines that have none
     * @param cache {@code remove} or {@code keep}
     * @throws IOException when the places are none of this kind of testbed
     */
    ResumedTestbed(
            TestbedContext context,
            List<SpoolLocation> places,
            SshConnector access,
            LoginSettings usual,
            String cache,
            int parallel,
            NanoClock clock)
            throws IOException {
        this.context = context;
        this.clock = clock;
        this.cache = cache;
        this.pool = new MachineExecutor(parallel);
        this.spools = new Spools(pool, access);
        String name = "";
        for (SpoolLocation place : places) {
            Deployment.Site site = Deployment.Site.of(place);
            name = site.name();
            Machine machine = machines.get(place.host());
            if (machine == null) {
                Candidate candidate = new Candidate(Address.parse(place.host(), usual), Map.of());
                machine = new Machine(candidate, access, name, cache);
                machine.siteIs(site);
                machines.put(place.host(), machine);
            }
            placed.put(place.tester(), machine);
            spools.expect(place, machine);
        }
        this.run = name;
    }

    @Override
    public void start(List<Place> places) {
        throw new UnsupportedOperationException("a resumed run starts no testers");
    }

    @Override
    public List<SpoolLocation> spools() {
        return spools.places();
    }

    @Override
    public void endTesters(List<SpoolLocation> places) throws IOException, InterruptedException {
        List<String> problems = new ArrayList<>();
        for (String problem : pool.all(places, this::endTester)) {
            if (!problem.isEmpty()) {
                problems.add(problem);
            }
        }
        if (!problems.isEmpty()) {
            throw new IOException(String.join("; ", problems));
        }
    }

    private String endTester(SpoolLocation place) {
        Machine machine = machines.get(place.host());
        if (machine == null) {
            return "the testbed has no machine " + place.host();
        }
        try {
            machine.end(run + "/" + TesterCommand.name(place.tester()) + "/", 0, GRACE_NANOS);
            return "";
        } catch (IOException e) {
            return machine.name() + ": " + e.getMessage();
        }
    }

    @Override
    public Map<Integer, String> bring(List<SpoolLocation> places, Path into) throws InterruptedException {
        return spools.bring(places, into);
    }

    @Override
    public void drop(List<SpoolLocation> places) throws IOException, InterruptedException {
        spools.drop(places);
    }

    @Override
    public void close() throws IOException, InterruptedException {
        try (pool) {
            new Cleanup(context, pool, run, cache, clock).close(List.copyOf(machines.values()), placed);
        }
    }
}
