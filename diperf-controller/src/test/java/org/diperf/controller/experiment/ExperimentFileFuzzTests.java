package org.diperf.controller.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.diperf.core.fuzz.Fuzz;
import org.junit.jupiter.params.provider.MethodSource;

/** Experiment files, with their references and secrets. */
class ExperimentFileFuzzTests {

    private static final Path EXAMPLES = Path.of("..", "examples");

    /** The examples with the plugins of these tests, and what they do not show. */
    static Stream<byte[]> files() throws IOException {
        List<Path> examples;
        try (Stream<Path> found = Files.list(EXAMPLES)) {
            examples = found.filter(file -> file.toString().endsWith(".yml"))
                    .sorted()
                    .toList();
        }
        Stream<String> written = Stream.of(
                "target: quote://h/\nload: {clients: 4, run-for: 10s, think: {pace: 1s}}\n"
                        + "client: {with: {symbol: '${users.name} ${call}', depth: 7, words: [a], tree: {a: [1, 2.5]}}}\n"
                        + "labels: {a: '${env:COUNT}'}\nsweep: {load.clients: [1, 2]}\n",
                "{\"target\": {\"each\": [\"quote://a/\"]}, \"load\": {\"open\": {\"rate\": \"100/s\", \"for\": \"1m\"}}}",
                "target: quote://h/\nload: {clients: 4, calls: 10, on-failure: abort}\n"
                        + "thresholds: [response.p99 < 1s, {that: failed < 1%, every: 5s, abort: true}]\ntrials: 3\n",
                "target: ${env:TARGET}\nname: \"x\\u0041\"\nload: &a {clients: 4}\nreport: *a\n");
        return Stream.concat(examples.stream().map(ExperimentFileFuzzTests::text), written)
                .map(text -> text.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(Path file) {
        try {
            return Files.readString(file).replaceAll("\\bhttps?://", "quote://");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @MethodSource("files")
    @Fuzz
    void aFileIsResolvedOrRefused(byte[] input) {
        String yaml = new String(input, StandardCharsets.UTF_8);
        ExperimentFile.Content content;
        try {
            content = ExperimentFile.content(yaml, "file.yml", List.of(), Fakes.PLUGINS, Fakes.ENVIRONMENT);
        } catch (ExperimentException refused) {
            assertThat(refused.problems())
                    .isNotEmpty()
                    .hasSizeLessThanOrEqualTo(21)
                    .doesNotContain("");
            return;
        }
        ExperimentFile.Resolved first = content.first();
        ExperimentFile.Resolved again;
        try {
            again = Fakes.read(first.yaml());
        } catch (ExperimentException refused) {
            throw new AssertionError("The resolved file cannot be read:\n" + first.yaml(), refused);
        }
        assertThat(again.yaml()).as("written and read again").isEqualTo(first.yaml());
        assertThat(again.experiment()).as("written and read again").isEqualTo(first.experiment());
    }
}
