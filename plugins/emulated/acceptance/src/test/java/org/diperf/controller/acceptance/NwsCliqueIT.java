package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.diperf.controller.acceptance.WeatherNetwork.Probe;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Eight sensors in a clique over an emulated network, of which the holder of the token is killed, and then the leader. */
@Timeout(value = 6, unit = TimeUnit.MINUTES)
class NwsCliqueIT {

    private static final double PERIOD_SECONDS = 15;

    @TempDir
    Path work;

    private static void assertNeverTwoAtOnce(List<Probe> probes, Map<Integer, Long> deadNanos) {
        long end = Long.MIN_VALUE;
        Probe before = null;
        for (Probe each : probes) {
            assertThat(each.beganNanos()).as("%s after %s", each, before).isGreaterThanOrEqualTo(end);
            end = Math.min(each.endNanos(), deadNanos.getOrDefault(each.from(), Long.MAX_VALUE));
            before = each;
        }
    }

    /** Waits for the first probe after an instant; returns how long after it, in seconds. */
    private static double resumed(WeatherNetwork weather, long nanos) throws Exception {
        SlurmCluster.await(
                "a probe after the kill",
                () -> weather.probes().stream().anyMatch(each -> each.beganNanos() > nanos && each.ok()));
        return weather.probes().stream()
                        .filter(each -> each.beganNanos() > nanos && each.ok())
                        .mapToLong(each -> each.beganNanos() - nanos)
                        .min()
                        .orElseThrow()
                / 1e9;
    }

    @Test
    void probingGoesOnWithinTwoPeriodsWhoeverIsKilledAndNeverTwoProbeAtOnce() throws Exception {
        try (WeatherNetwork weather = new WeatherNetwork(work, "20Mbit/s")) {
            weather.clique("wan", (int) PERIOD_SECONDS + "s");
            SlurmCluster.await("a round", () -> paths(weather.probes()).size() == 56);
            Map<Integer, Long> dead = new HashMap<>();

            // One that probes now, and does not lead.
            SlurmCluster.await("a holder that does not lead", () -> holder(weather) > 0);
            int holder = holder(weather);
            int leader = weather.probes().get(0).leader();
            dead.put(holder, weather.kill(holder));
            double afterHolder = resumed(weather, dead.get(holder));

            SlurmCluster.await("the leader's turn", () -> last(weather).from() == leader);
            dead.put(leader, weather.kill(leader));
            double afterLeader = resumed(weather, dead.get(leader));
            int before = weather.probes().size();
            SlurmCluster.await("a round of six", () -> weather.probes().size() > before + 40);

            List<Probe> probes = weather.probes();
            System.out.printf(
                    "period %.0f s; sensor %d killed with the token: next probe after %.1f s; leader %d killed: %.1f s; "
                            + "%d probes, never two at once%n",
                    PERIOD_SECONDS, holder, afterHolder, leader, afterLeader, probes.size());
            assertThat(afterHolder).isLessThan(2 * PERIOD_SECONDS);
            assertThat(afterLeader).isLessThan(2 * PERIOD_SECONDS);
            assertNeverTwoAtOnce(probes, dead);
            assertThat(last(weather).leader()).isNotEqualTo(leader);

            assertThat(weather.ask("search", "sensors", "--name-server", WeatherNetwork.BASE))
                    .hasSize(WeatherNetwork.SENSORS);
            List<String> series = weather.ask(
                    "extract",
                    "latencyTcp",
                    "--from",
                    WeatherNetwork.address(1),
                    "--to",
                    WeatherNetwork.address(8),
                    "--name-server",
                    WeatherNetwork.BASE);
            // A byte goes over three links there and back, 10 ms each way.
            assertThat(Double.parseDouble(series.get(2).split(" ")[1])).isBetween(20.0, 200.0);
        }
    }

    private static Set<String> paths(List<Probe> probes) {
        Set<String> all = new HashSet<>();
        probes.stream().filter(Probe::ok).forEach(each -> all.add(each.from() + " " + each.to()));
        return all;
    }

    private static Probe last(WeatherNetwork weather) throws IOException {
        List<Probe> probes = weather.probes();
        return probes.get(probes.size() - 1);
    }

    /** Returns who probes at this moment and does not lead; 0 if nobody does. */
    private static int holder(WeatherNetwork weather) throws IOException {
        Probe last = last(weather);
        return last.endNanos() == Long.MAX_VALUE && last.from() != last.leader() ? last.from() : 0;
    }
}
