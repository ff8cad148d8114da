package org.diperf.controller.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
        public List<Entry> runs() {
            return List.of();
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
}
