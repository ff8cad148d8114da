package org.diperf.controller.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.diperf.core.experiment.DataSettings;
import org.diperf.core.experiment.Script;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(30)
class RequestKeysTests {

    private static final String LEAST = "target: quote://h/\nload: {clients: 2, run-for: 10s}\n";

    private static final Environment ENVIRONMENT =
            new Environment(name -> Map.of("KEY", "s3cret").get(name), "/jdk/bin/java", () -> "head", () -> 77);

    @TempDir
    Path folder;

    @BeforeEach
    void aDataFileIsThere() throws IOException {
        Files.writeString(folder.resolve("users.csv"), "name,password\nann,a\nbob,b\n");
        Files.writeString(folder.resolve("key"), "from file\n");
    }

    private ExperimentFile.Resolved read(String yaml) throws ExperimentException {
        return ExperimentFile.resolve(
                LEAST + yaml, folder.resolve("file.yml").toString(), List.of(), Fakes.PLUGINS, ENVIRONMENT);
    }

    @Test
    void aRequestsParametersGoOverThoseOfAll() throws ExperimentException {
        Script script = read("""
                client:
                  with: { depth: 7, symbol: A }
                  requests:
                    - { name: browse, weight: 8, with: { symbol: "b${call}" } }
                    - { name: order, weight: 2.5, with: { mode: slow, depth: 9 } }
                    - { name: plain }
                """).experiment().script();
        assertThat(script.requestNames()).containsExactly("browse", "order", "plain");
        assertThat(script.requests()).extracting("weight").containsExactly(8.0, 2.5, 1.0);
        assertThat(script.requests().get(0).with())
                .containsEntry("symbol", "b${call}")
                .containsEntry("depth", 7L);
        assertThat(script.requests().get(1).with())
                .containsEntry("symbol", "A")
                .containsEntry("depth", 9L)
                .containsEntry("mode", "slow");
    }

    /** Wherever they stand, as they are written and as they are sent. */
    @Test
    void passwordsOfUrlsAreHidden() throws ExperimentException {
        ExperimentFile.Resolved resolved = ExperimentFile.resolve(
                "target: 'quote://ann:p%40ss-1@h/'\nload: {clients: 2, run-for: 10s}\n"
                        + "client: {with: {symbol: 'see http://bob:open-sesame@proxy:3128/'}}\n",
                "file.yml", List.of(), Fakes.PLUGINS, ENVIRONMENT);
        assertThat(resolved.experiment().script().secrets().masked("ann p%40ss-1, p@ss-1, bob:open-sesame@proxy"))
                .isEqualTo("ann ***, ***, bob:***@proxy");
        assertThat(resolved.experiment().targets().each().get(0)).hasToString("quote://ann:***@h/");
        assertThat(resolved.yaml()).as("it can be run again").contains("quote://ann:p%40ss-1@h/");
    }

    @Test
    void whatAllMustHaveMayBeGivenForEachRequest() throws ExperimentException {
        Script script = ExperimentFile.resolve(
                        "target: bare://h/\nload: {clients: 2, run-for: 10s}\n"
                                + "client: {plugin: bare, requests: [{name: a, with: {command: x}}]}\n",
                        "file.yml",
                        List.of(),
                        Fakes.PLUGINS,
                        ENVIRONMENT)
                .experiment()
                .script();
        assertThat(script.requests()).hasSize(1);
    }

    @Test
    void theResolvedFileHasAllOfItAndNoSecret() throws ExperimentException {
        ExperimentFile.Resolved first = read("""
                client:
                  with: { headers: { Authorization: "${secret:env:KEY}", X: "${secret:file:key}", T: "${token}" } }
                  requests: [{ name: a, with: { symbol: "${users.name}" } }]
                  before: [{ name: login, with: { symbol: in }, capture: { token: "json:/t" } }]
                data: { users: { file: users.csv } }
                """);
        Script script = first.experiment().script();
        assertThat(script.secrets().values())
                .isEqualTo(Map.of("env:KEY", "s3cret", "file:" + folder.resolve("key"), "from file"));
        assertThat(script.values()).contains("users.name", "users.password", "token");
        assertThat(script.data())
                .containsExactly(new DataSettings(
                        "users", folder.resolve("users.csv").toString(), DataSettings.Give.ONE_PER_CLIENT, false));
        assertThat(first.yaml())
                .contains("${secret:env:KEY}", "${secret:file:" + folder.resolve("key") + "}", "used-up: ")
                .doesNotContain("s3cret", "from file");
        assertThat(first.experiment().toString()).doesNotContain("s3cret", "from file");
        ExperimentFile.Resolved again =
                ExperimentFile.resolve(first.yaml(), "elsewhere/other.yml", List.of(), Fakes.PLUGINS, ENVIRONMENT);
        assertThat(again.yaml()).isEqualTo(first.yaml());
        assertThat(again.experiment().script()).isEqualTo(script);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "client: {with: {symbol: '${user.name}'}} | file.yml:3:25: client.with.symbol: expected one of ${client}",
                "client: {with: {symbol: '${users.nam}'}} | Did you mean 'users.name'?",
                "client: {with: {mode: '${call}'}} | expected one of [fast, slow]",
                "client: {with: {symbol: '${secret:env:NONE}'}} | expected the secret in the environment variable 'NONE'",
                "client: {with: {symbol: '${secret:file:none}'}} | got no file of at most 64 KiB there",
                "client: {with: {symbol: '${secret:KEY}'}} | expected ${secret:env:NAME} or ${secret:file:PATH}",
                "client: {requests: [{name: a, wieght: 2}]} | Did you mean 'weight'?",
                "client: {requests: [{name: a, weight: 0}]} | client.requests.0.weight: expected a number above 0",
                "client: {requests: [{name: a}, {name: a}]} | client.requests.1.name: expected requests with unique names, got 'a'",
                "client: {requests: [{name: a, with: {dept: 2}}]} | Did you mean 'depth'?",
                "client: {requests: [{name: a, with: {depth: 200}}]} | client.requests.0.with.depth: expected at most 100 levels",
                "client: {before: [{name: a, with: {depth: 200}}]} | client.before.0.with.depth: expected at most 100 levels",
                "client: {before: [{name: a, capture: {t: 'xml:/a'}}]} | expected json:/POINTER, header:NAME, cookie:NAME or regex:REGEX",
                "client: {before: [{name: a, capture: {t: 'regex:('}}]} | expected a regular expression",
                "client: {before: [{name: a, capture: {t: 'json:/${call}'}}]} | expected a part of the answer without ${...}",
                "client: {before: [{name: a, capture: {call: 'json:/a'}}]} | that is not reserved, got 'call'",
                "thresholds: [requests.nope.response.p99 < 1s] | expected a threshold on one of the requests "
                        + "[all], got 'nope'",
                "thresholds: [requests.all.failed < 1] | expected client.requests for a threshold on a request, got none"
            })
    void whatCannotBeIsToldWithItsPlace(String yaml, String wanted) {
        assertThatThrownBy(() -> read("data: {users: {file: users.csv}}\n".repeat(0) + yaml + "\n"
                        + (yaml.contains("users.nam}") ? "data: {users: {file: users.csv}}\n" : "")))
                .isInstanceOf(ExperimentException.class)
                .hasMessageContaining(wanted);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "data: {users: {file: none.csv}} | none.csv: expected a data file, got none",
                "data: {users: {file: ragged.csv}} | ragged.csv, line 3: expected 2 values",
                "data: {users: {file: users.csv, give: each}} | expected one of [one-per-client, per-call, random]",
                "data: {users: {file: users.csv, used-up: halt}} | expected one of [stop, repeat]",
                "data: {users: {}} | data.users.file: is missing"
            })
    void aDataFileThatCannotServeIsTold(String yaml, String wanted) throws IOException {
        Files.writeString(folder.resolve("ragged.csv"), "a,b\n1,2\n3\n");
        assertThatThrownBy(() -> read(yaml + "\n"))
                .isInstanceOf(ExperimentException.class)
                .hasMessageContaining(wanted);
    }

    @Test
    void moreClientsThanRowsAreToldBeforehand() throws ExperimentException {
        String data = "data: {users: {file: users.csv%s}}\n";
        String load = "target: quote://h/\nload: {clients: 3, run-for: 10s}\n";
        assertThatThrownBy(() -> ExperimentFile.resolve(
                        load + data.formatted(""),
                        folder.resolve("file.yml").toString(),
                        List.of(),
                        Fakes.PLUGINS,
                        ENVIRONMENT))
                .hasMessageContaining("data.users: expected a row for each of the 3 clients, got 2 rows");
        assertThat(ExperimentFile.resolve(
                                load + data.formatted(", used-up: repeat"),
                                folder.resolve("file.yml").toString(),
                                List.of(),
                                Fakes.PLUGINS,
                                ENVIRONMENT)
                        .experiment()
                        .script()
                        .data())
                .hasSize(1);
    }
}
