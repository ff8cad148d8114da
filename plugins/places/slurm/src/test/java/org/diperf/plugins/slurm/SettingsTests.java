package org.diperf.plugins.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import org.diperf.core.spi.Parameters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(5)
class SettingsTests {

    private static Settings settings(Map<String, Object> raw) {
        return Settings.of(Parameters.read(new SlurmPlugin().parameters(), raw, 0));
    }

    @Test
    void withoutSettingsSlurmDecides() {
        assertThat(settings(Map.of()).options(8))
                .containsExactly("--job-name=diperf", "--ntasks=8", "--no-requeue", "--no-kill");
    }

    @Test
    void whatTheExperimentSaysBecomesOptionsAndItsOwnComeLast() {
        assertThat(settings(Map.of(
                                "partition",
                                "long",
                                "account",
                                "lab",
                                "nodes",
                                4,
                                "testers-per-node",
                                2,
                                "time-limit",
                                "90m",
                                "extra",
                                List.of("--constraint=avx", "--job-name=mine")))
                        .options(8))
                .endsWith(
                        "--partition=long",
                        "--account=lab",
                        "--nodes=4",
                        "--ntasks-per-node=2",
                        "--time=1:30:00",
                        "--constraint=avx",
                        "--job-name=mine");
    }

    @Test
    void oneTesterThatTakesTheGapOfAnotherAsksForNoMoreThanOneNode() {
        assertThat(settings(Map.of("nodes", 4, "testers-per-node", 2)).options(1))
                .contains("--ntasks=1", "--nodes=1", "--ntasks-per-node=1");
    }

    @Test
    void anExtraThatIsNoOptionIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings(Map.of("extra", List.of("script.sh"))))
                .withMessageContaining("testbed.extra")
                .withMessageContaining("script.sh");
    }

    @Test
    void aLogInNodeThatSshWouldTakeForAnOptionIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings(Map.of("submit-on", "-oProxyCommand=touch")))
                .withMessageContaining("testbed.submit-on");
        assertThat(settings(Map.of("submit-on", "me@login.site.org")).submitOn())
                .isEqualTo("me@login.site.org");
    }

    @Test
    void wordsWithQuotesReachTheShellAsTheyAre() {
        assertThat(LoginNode.quoted("it's $HOME")).isEqualTo("'it'\\''s $HOME'");
    }

    @Test
    void logsComeTakenApartAsTheyWentTogether() {
        assertThat(SharedFolder.split("@@log tester-1.log\n|one\n|@@log no\n@@log job-1.log\n|two\n"))
                .containsExactly(Map.entry("tester-1.log", "one\n@@log no\n"), Map.entry("job-1.log", "two\n"));
    }
}
