package org.diperf.analyzer.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.data.Percentage;
import org.diperf.analyzer.profile.CapacityPlan.Asked;
import org.diperf.analyzer.profile.CapacityPlan.Share;
import org.diperf.analyzer.profile.CapacityPlan.UnknownException;
import org.diperf.analyzer.profile.Profile.Knee;
import org.diperf.analyzer.profile.Profile.Level;
import org.diperf.analyzer.profile.Profile.Resource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Of a service whose answers are computed: 8 workers that wait 20 ms, clients that think 100 ms; its knee is at 48 clients, 400/s. */
@Timeout(60)
class CapacityPlanTests {

    private static final int WORKERS = 8;
    private static final double SERVICE = 0.02;
    private static final double THINK = 0.1;
    private static final Knee KNEE = new Knee(48, 45, 51, 400);

    /** Exact mean value analysis by its recursion (M. Reiser, S. Lavenberg, 1980). */
    private static Level level(int clients) {
        double[] before = {1};
        double response = 0;
        for (int n = 1; n <= clients; n++) {
            response = 0;
            for (int j = 1; j <= n; j++) {
                response += j * SERVICE / Math.min(j, WORKERS) * before[j - 1];
            }
            double perSecond = n / (response + THINK);
            double[] now = new double[n + 1];
            double sum = 0;
            for (int j = 1; j <= n; j++) {
                now[j] = perSecond * SERVICE / Math.min(j, WORKERS) * before[j - 1];
                sum += now[j];
            }
            now[0] = Math.max(0, 1 - sum);
            before = now;
        }
        return new Level(clients, clients / (response + THINK), response * 1e3);
    }

    private static Profile profile(int most, @Nullable Knee knee, Resource... resources) {
        List<Level> levels = IntStream.of(4, 12, 24, 36, 48, 60, 72, 90)
                .filter(clients -> clients <= most)
                .mapToObj(CapacityPlanTests::level)
                .toList();
        return new Profile(
                Profile.FORMAT,
                "a",
                null,
                List.of("http://a"),
                "closed",
                THINK * 1e3,
                levels,
                knee,
                List.of(resources),
                Map.of(),
                "valid");
    }

    private static List<PlanNode> nodes(int count, double cores) {
        List<PlanNode> nodes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            nodes.add(new PlanNode("n" + i, cores, 1, Double.NaN));
        }
        return nodes;
    }

    private static Asked clients(double load) {
        return new Asked(load, Double.POSITIVE_INFINITY, 0);
    }

    private static Resource processors(double perCall, double available) {
        return new Resource(Profile.PROCESSORS, "host", perCall, 0.9 * perCall, 1.1 * perCall, 0.2, available);
    }

    @Test
    void clientsAreCarriedUpToTheKneeOfAllNodesTogether() throws UnknownException {
        CapacityPlan plan = CapacityPlan.of(profile(90, KNEE), nodes(5, Double.NaN), clients(100));
        assertThat(plan.carries()).isTrue();
        assertThat(plan.nodes()).hasSize(3);
        assertThat(plan.low()).isEqualTo(2);
        assertThat(plan.high()).isEqualTo(3);
        assertThat(plan.kneeClients()).isEqualTo(3 * 48);
        assertThat(plan.nodes().get(0).load()).isCloseTo(100 / 3.0, within(1e-9));
        assertThat(plan.nodes().get(0).firstOut()).isEqualTo("the service's own limit, 400/s per machine");
        assertThat(plan.notes()).anyMatch(note -> note.contains("was not monitored"));
    }

    @ParameterizedTest
    @CsvSource({"1, 30", "2, 100", "3, 100", "3, 200", "4, 150", "5, 240", "6, 300", "7, 500"})
    void whatIsExpectedOfSeveralNodesIsWhatTheyWouldDo(int count, int load) throws UnknownException {
        CapacityPlan plan = CapacityPlan.of(profile(90, KNEE), nodes(count, Double.NaN), new Asked(load, 10, 1));
        // So few nodes as carry it are used, so those that are not needed are not asked.
        int used = plan.nodes().size();
        Level truth = level((int) Math.round(load / (double) used));
        assertThat(plan.expected().perSecond()).isCloseTo(used * truth.perSecond(), Percentage.withPercentage(5));
        assertThat(plan.expected().responseSeconds() * 1e3)
                .isCloseTo(truth.responseMillis(), Percentage.withPercentage(5));
    }

    @Test
    void aConditionTakesAsManyNodesAsItNeeds() throws UnknownException {
        double at40 = 1.02 * level(40).responseMillis() / 1e3;
        CapacityPlan plan = CapacityPlan.of(profile(90, KNEE), nodes(9, Double.NaN), new Asked(200, at40, 0));
        assertThat(plan.nodes()).hasSize(5);
        assertThat(plan.low()).isLessThanOrEqualTo(5);
        assertThat(plan.high()).isGreaterThanOrEqualTo(5);
    }

    @Test
    void aPlanOfTooFewNodesIsNamedAsSuch() throws UnknownException {
        CapacityPlan plan = CapacityPlan.of(profile(90, KNEE), nodes(2, Double.NaN), clients(150));
        assertThat(plan.carries()).isFalse();
        assertThat(plan.nodes()).hasSize(2);
        assertThat(plan.high()).isEqualTo(3);
    }

    @Test
    void theScarcestResourceOfANodeSaysWhatPartOfTheMachineItIs() throws UnknownException {
        Profile profile = profile(
                90, KNEE, processors(0.01, 16), new Resource(Profile.NETWORK, "clients", 1e5, null, null, null, null));
        List<PlanNode> nodes = List.of(
                new PlanNode("slim", 8, 1, 32e6),
                new PlanNode("small", 2.2, 1, 1e9),
                new PlanNode("slow", 4.4, 0.5, 1e9),
                new PlanNode("big", 32, 1, 1e9));
        List<Share> shares = CapacityPlan.of(profile, nodes, clients(80)).nodes();
        assertThat(shares)
                .extracting(share -> share.node().host())
                .startsWith("big")
                .contains("small", "slow");
        assertThat(shares)
                .filteredOn(share -> share.node().host().equals("small"))
                .allSatisfy(share -> assertThat(share.part()).isCloseTo(0.5, within(1e-9)))
                .allSatisfy(share -> assertThat(share.firstOut()).isEqualTo("processors"));
        CapacityPlan all = CapacityPlan.of(profile, nodes, clients(100));
        assertThat(all.nodes()).hasSize(4);
        assertThat(all.nodes().get(3).part()).isCloseTo(0.1, within(1e-9));
        assertThat(all.nodes().get(3).firstOut()).isEqualTo("network");
        assertThat(all.kneeClients()).isCloseTo(48 * 2.1, within(1e-9));
    }

    @Test
    void whereProcessorsWereTheLimitANodeCountsByItsProcessors() throws UnknownException {
        Profile profile = profile(90, KNEE, processors(0.0095, 4));
        CapacityPlan plan = CapacityPlan.of(profile, nodes(4, 2), clients(48));
        assertThat(plan.nodes()).hasSize(2);
        assertThat(plan.nodes().get(0).part()).isEqualTo(0.5);
        assertThat(plan.nodes().get(0).firstOut()).isEqualTo("processors");
        CapacityPlan more = CapacityPlan.of(profile, nodes(1, 16), clients(48));
        assertThat(more.nodes().get(0).part()).isEqualTo(1);
        assertThat(more.notes()).anyMatch(note -> note.contains("are assumed to have only that many; to measure"));
    }

    /** M/M/m by Erlang's C formula. */
    private static Level arrivals(double perSecond) {
        double busy = perSecond * SERVICE;
        double blocked = 1;
        for (int m = 1; m <= WORKERS; m++) {
            blocked = busy * blocked / (m + busy * blocked);
        }
        double waits = blocked / (1 - busy / WORKERS * (1 - blocked));
        return new Level(perSecond, perSecond, 1e3 * (SERVICE + waits * SERVICE / (WORKERS - busy)));
    }

    @Test
    void thatFewerNodesWouldBeBeyondWhatItKnowsDoesNotHideThatAllAreTooFew() throws UnknownException {
        Profile open = new Profile(
                Profile.FORMAT,
                "a",
                null,
                List.of("http://a"),
                "open",
                0,
                Stream.of(50, 100, 200, 280, 340, 380)
                        .map(CapacityPlanTests::arrivals)
                        .toList(),
                null,
                List.of(),
                Map.of(),
                "valid");
        CapacityPlan plan = CapacityPlan.of(open, nodes(5, Double.NaN), new Asked(1_500, SERVICE / 4, 0));
        assertThat(plan.carries()).isFalse();
        assertThat(plan.nodes()).hasSize(5);
    }

    @Test
    void theWorseEndOfWhatACallCostsCountsWhereANodeJustSuffices() throws UnknownException {
        Profile profile = profile(90, KNEE, processors(0.01, 16));
        double cores = 0.2 + 1.01 * 0.01 * profile.mostPerSecond();
        CapacityPlan plan = CapacityPlan.of(profile, nodes(1, cores), clients(20));
        assertThat(plan.kneeClients()).isEqualTo(48);
        assertThat(plan.kneeLow()).isCloseTo(45 * 1.01 / 1.1, within(1e-9));
    }

    @Test
    void beyondWhatItKnowsItRefusesAndNamesTheRunThatWouldTell() {
        assertThatThrownBy(() -> CapacityPlan.of(profile(36, null), nodes(3, Double.NaN), clients(100)))
                .isInstanceOf(UnknownException.class)
                .hasMessageContaining("no level lies beyond the service's knee")
                .hasMessageContaining("levels up to 72 clients");
        assertThatThrownBy(() -> CapacityPlan.of(profile(90, KNEE), nodes(1, Double.NaN), new Asked(200, 5, 0)))
                .hasMessageContaining("a node would get 200 clients, and it is more than twice the highest")
                .hasMessageContaining("To find out, run levels up to 200 clients on one machine");
        assertThatThrownBy(() ->
                        CapacityPlan.of(profile(90, KNEE, processors(0.01, 8)), nodes(1, Double.NaN), clients(20)))
                .hasMessageContaining("node n0: expected its number of cores in the file, got none");
    }

    @Test
    void aProfileIsReadAsItWasWritten(@TempDir Path folder) throws IOException {
        Profile profile = profile(90, KNEE, processors(0.01, 8));
        Path file = folder.resolve(ProfileFile.NAME);
        ProfileFile.write(profile, file);
        Profile read = ProfileFile.read(folder);
        assertThat(read.knee()).isEqualTo(KNEE);
        assertThat(read.levels()).hasSameSizeAs(profile.levels());
        assertThat(read.levels().get(3).perSecond())
                .isCloseTo(profile.levels().get(3).perSecond(), within(1e-8));
        assertThat(read.resources()).hasSize(1);
        assertThat(read.resources().get(0).perCall()).isEqualTo(0.01);
        assertThat(read.resources().get(0).available()).isEqualTo(8.0);

        String text = Files.readString(file);
        Files.writeString(file, text.replace("profile/1", "profile/7"));
        assertThatThrownBy(() -> ProfileFile.read(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("expected format diperf-profile/1, got 'diperf-profile/7'");
        Files.writeString(file, text.replaceFirst("\"load\" : 12", "\"load\" : 3"));
        assertThatThrownBy(() -> ProfileFile.read(file)).hasMessageContaining("levels do not increase");
        Files.writeString(file, text.substring(0, text.length() / 2));
        assertThatThrownBy(() -> ProfileFile.read(file)).hasMessageContaining("got a damaged one");
        assertThatThrownBy(() -> ProfileFile.read(folder.resolve("none"))).hasMessageContaining("no such file");
    }
}
