package org.diperf.controller.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The page over all runs as it is on the wire. */
@Timeout(60)
class RunsPageTests {

    @TempDir
    Path folder;

    /** Keeps one comparison. */
    private final class FakeShelf implements RunCatalog {

        private final List<String> compared = new ArrayList<>();

        @Override
        public List<Entry> runs() throws IOException {
            double none = Double.NaN;
            try (Stream<Path> folders = Files.list(folder)) {
                return folders.filter(Files::isDirectory)
                        .map(each -> new Entry(
                                each.getFileName().toString(), "x", null, 0, 0, 0, "", none, none, none, none, null))
                        .toList();
            }
        }

        @Override
        public Path folder() {
            return folder;
        }

        @Override
        public List<String> numbers() {
            return List.of();
        }

        @Override
        public Trend trend(String name, String number) {
            return new Trend("", List.of());
        }

        @Override
        public void compare(String before, String after) throws IOException {
            compared.add(before + " with " + after);
            Files.writeString(folder.resolve("compare.html"), "compared");
        }

        @Override
        public @Nullable Path compared(String before, String after) {
            return compared.contains(before + " with " + after) ? folder : null;
        }
    }

    @Test
    void anAddressOfAComparisonLeadsThereAlsoWhenItIsNoLongerKept() throws Exception {
        FakeShelf shelf = new FakeShelf();
        try (RunsPage page = new RunsPage(shelf, "127.0.0.1", 0)) {
            HttpClient client = HttpClient.newBuilder()
                    .followRedirects(HttpClient.Redirect.NORMAL)
                    .build();
            for (String path : List.of("compared/a%20%26/b/compare.html", "compare?a=a%20%26&b=b")) {
                HttpResponse<String> answer = client.send(
                        HttpRequest.newBuilder(URI.create(page.link() + path)).build(),
                        HttpResponse.BodyHandlers.ofString());
                assertThat(answer.statusCode()).isEqualTo(200);
                assertThat(answer.body()).isEqualTo("compared");
                assertThat(answer.uri().getRawPath()).isEqualTo("/compared/a%20%26/b/compare.html");
            }
        }
        assertThat(shelf.compared).containsExactly("a & with b");
    }

    /** Who serves runs of others may read more than those who made them. */
    @Test
    void noLinkInTheFolderOfARunIsFollowed() throws Exception {
        Path secret = Files.writeString(folder.resolve("secret"), "TOP");
        Path others = Files.createDirectory(folder.resolve("others"));
        Files.writeString(others.resolve("private.svg"), "TOP");
        Files.writeString(others.resolve("run.log"), "TOP");
        Path run = Files.createDirectory(folder.resolve("a"));
        Files.writeString(run.resolve("run.json"), "{}");
        Files.createSymbolicLink(run.resolve("run.log"), secret);
        Files.createSymbolicLink(run.resolve("report.html"), Path.of("run.json"));
        Files.createSymbolicLink(run.resolve("summary.json"), Path.of("/dev/zero"));
        Files.createSymbolicLink(run.resolve("figures"), others);
        Files.createDirectory(run.resolve("runs"));
        Files.createSymbolicLink(run.resolve("runs/b"), others);
        Path pipe = run.resolve("experiment.yml");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        HttpClient client = HttpClient.newHttpClient();
        try (RunsPage page = new RunsPage(new FakeShelf(), "127.0.0.1", 0)) {
            for (String name : List.of(
                    "run.log",
                    "report.html",
                    "summary.json",
                    "figures/private.svg",
                    "runs/b/run.log",
                    "experiment.yml",
                    "run.json")) {
                HttpResponse<String> answer = client.send(
                        HttpRequest.newBuilder(URI.create(page.link() + "runs/a/" + name))
                                .timeout(Duration.ofSeconds(20))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
                assertThat(answer.statusCode()).as(name).isEqualTo(name.equals("run.json") ? 200 : 404);
                assertThat(answer.body()).as(name).doesNotContain("TOP");
            }
        }
    }
}
