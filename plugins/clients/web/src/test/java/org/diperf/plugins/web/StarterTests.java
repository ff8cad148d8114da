package org.diperf.plugins.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.StarterPlugin;
import org.diperf.core.spi.StarterPlugin.Draft;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
class StarterTests {

    private static final String HAR = """
            {"log": {"entries": [
              {"startedDateTime": "2026-01-01T10:00:00.000Z", "time": 40.2,
               "request": {"method": "GET", "url": "http://shop.example/sign-in", "headers": [
                 {"name": "Host", "value": "shop.example"}, {"name": "User-Agent", "value": "Browser 1"},
                 {"name": "Sec-Fetch-Mode", "value": "navigate"}]},
               "response": {"status": 200, "headers": [{"name": "Set-Cookie", "value": "visit=v-123456; Path=/; HttpOnly"}],
                 "content": {"mimeType": "text/html; charset=utf-8",
                   "text": "<form><input type=hidden name=\\"csrf\\" value=\\"c-7f3a9b21\\"></form>"}}},
              {"startedDateTime": "2026-01-01T10:00:00.050Z", "time": 5,
               "request": {"method": "GET", "url": "http://shop.example/logo.png", "headers": [
                 {"name": "User-Agent", "value": "Browser 1"}]},
               "response": {"status": 200, "headers": [], "content": {"mimeType": "image/png"}}},
              {"startedDateTime": "2026-01-01T10:00:03.040Z", "time": 60,
               "request": {"method": "POST", "url": "http://shop.example/sign-in", "headers": [
                 {"name": "User-Agent", "value": "Browser 1"},
                 {"name": "Content-Type", "value": "application/x-www-form-urlencoded"},
                 {"name": "Cookie", "value": "visit=v-123456"}],
                 "postData": {"mimeType": "application/x-www-form-urlencoded",
                   "text": "csrf=c-7f3a9b21&user=ann&password=pw-ann"}},
               "response": {"status": 303, "headers": [
                 {"name": "Set-Cookie", "value": "session=s-998877; Path=/"}, {"name": "Location", "value": "/account"}],
                 "content": {"mimeType": "text/html", "text": ""}}},
              {"startedDateTime": "2026-01-01T10:00:03.110Z", "time": 20,
               "request": {"method": "GET", "url": "http://shop.example/api/account", "headers": [
                 {"name": "User-Agent", "value": "Browser 1"}, {"name": "Cookie", "value": "visit=v-123456; session=s-998877; theme=dark"}]},
               "response": {"status": 200, "headers": [],
                 "content": {"mimeType": "application/json", "text": "{\\"user\\": {\\"key\\": \\"k-55667788\\"}}"}}},
              {"startedDateTime": "2026-01-01T10:00:03.140Z", "time": 20,
               "request": {"method": "POST", "url": "http://shop.example/api/orders?key=k-55667788", "headers": [
                 {"name": "User-Agent", "value": "Browser 1"}, {"name": "Content-Type", "value": "application/json"}],
                 "postData": {"mimeType": "application/json", "text": "{\\"item\\": 7, \\"by\\": \\"k-55667788\\", \\"note\\": \\"${plain}\\"}"}},
               "response": {"status": 201, "headers": [], "content": {"mimeType": "application/json", "text": "{}"}}}
            ]}}
            """;

    @TempDir
    Path folder;

    private static Draft draft(StarterPlugin starter, String source, Map<String, ?> with) throws Exception {
        return starter.draft(source, new StarterPlugin.Given() {
            @Override
            public Parameters with() {
                return Parameters.read(starter.parameters(), with, 0);
            }

            @Override
            public Optional<String> target() {
                return Optional.empty();
            }

            @Override
            public Map<String, Object> read(Path file) {
                return new YAMLMapper().readValue(file.toFile(), new TypeReference<>() {});
            }
        });
    }

    private static JsonNode tree(Draft draft) {
        return JsonMapper.shared().valueToTree(draft.tree());
    }

    private Draft ofHar(String har, boolean withoutAssets) throws Exception {
        Path file = Files.writeString(folder.resolve("shop.har"), har);
        return draft(new HarStarter(), file.toString(), Map.of("without-assets", withoutAssets));
    }

    private static Draft ofCurl(String line) throws Exception {
        return draft(new CurlStarter(), line, Map.of());
    }

    @Test
    void whatOneAnsweredAndAnotherSentIsCaptured() throws Exception {
        Draft made = ofHar(HAR, true);
        assertThat(made.about()).isEqualTo("a journey of 4 requests; 1 omitted");
        JsonNode root = tree(made);
        assertThat(root.at("/target").asString()).isEqualTo("http://shop.example");
        JsonNode steps = root.at("/client/journeys/recorded/steps");
        assertThat(steps.at("/0/name").asString()).isEqualTo("sign-in");
        assertThat(steps.at("/0/with/headers/User-Agent").asString()).isEqualTo("Browser 1");
        assertThat(steps.at("/0/think").asString()).isEqualTo("3000ms");
        assertThat(root.at("/client/with/cookies").asString()).isEqualTo("per-iteration");
        assertThat(steps.at("/0/capture/visit").isMissingNode()).isTrue();
        String regex = steps.at("/0/capture/csrf").asString();
        assertThat(regex).startsWith("regex:");
        assertThat("<form><input type=hidden name=\"csrf\" value=\"other\"></form>")
                .containsPattern(regex.substring("regex:".length()));
        assertThat(steps.at("/1/with/body").asString()).isEqualTo("csrf=${csrf}&user=ann&password=pw-ann");
        assertThat(steps.at("/1/with/headers/Cookie").isMissingNode()).isTrue();
        assertThat(steps.at("/1/check/status").asInt()).isEqualTo(303);
        assertThat(steps.at("/2/with/headers/Cookie").asString())
                .as("one that the browser had before")
                .isEqualTo("theme=dark");
        assertThat(steps.at("/2/capture/key").asString()).isEqualTo("json:/user/key");
        assertThat(steps.at("/3/with/path").asString()).isEqualTo("/api/orders?key=${key}");
        assertThat(steps.at("/3/with/body").asString())
                .isEqualTo("{\"item\": 7, \"by\": \"${key}\", \"note\": \"$${plain}\"}");
        assertThat(steps.at("/2/think").isMissingNode()).isTrue();
        assertThat(made.comments().get(0)).startsWith("Created from the recording shop.har: ");
        assertThat(made.comments())
                .anyMatch(line -> line.startsWith("The recorded password appears in the step post-sign-in"));
    }

    @Test
    void withSeveralHostsCookiesAreCapturedWhereTheyWereSet() throws Exception {
        String har = HAR.replace("http://shop.example/api/orders", "http://api.example/orders")
                .replace("c-7f3a9b21\\\"", "c-0\\\"")
                .replace("csrf=c-7f3a9b21", "csrf=v-123456");
        JsonNode steps = tree(ofHar(har, true)).at("/client/journeys/recorded/steps");
        assertThat(steps.at("/0/capture/visit").asString()).isEqualTo("cookie:visit");
        assertThat(steps.at("/1/with/headers/Cookie").asString()).isEqualTo("visit=${visit}");
        assertThat(steps.at("/1/with/body").asString())
                .as("a cookie that is sent twice")
                .startsWith("csrf=${");
        assertThat(steps.at("/2/with/headers/Cookie").asString())
                .isEqualTo("visit=${visit}; session=${session}; theme=dark");
        assertThat(steps.at("/3/target").asString()).isEqualTo("http://api.example");
    }

    /** What browsers leave as it is, and {@link java.net.URI} refuses. */
    @Test
    void urlsAreReadAsBrowsersWriteThem() throws Exception {
        List<String> paths = List.of(
                "/a?filter={%22x%22:1}", "/b?y=a^b", "/c?q=100%", "/d?w=`x`", "/e/a[1].txt", "/f?x=a\\b|c", "/g/50%");
        StringBuilder entries = new StringBuilder();
        for (String path : paths) {
            entries.append(entries.isEmpty() ? "" : ",")
                    .append("{\"request\": {\"method\": \"GET\", \"url\": ")
                    .append(JsonMapper.shared().writeValueAsString("http://my_shop:8080" + path + "#top"))
                    .append("}, \"response\": {\"status\": 200}}");
        }
        JsonNode root = tree(ofHar("{\"log\": {\"entries\": [" + entries + "]}}", true));
        assertThat(root.at("/target").asString()).isEqualTo("http://my_shop:8080");
        assertThat(root.findValuesAsString("path")).containsExactlyElementsOf(paths);
    }

    @Test
    void assetsStayWhereNobodyLeavesThemOut() throws Exception {
        assertThat(ofHar(HAR, false).about()).isEqualTo("a journey of 5 requests");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "curl http://h/a?b=1 | http://h | /a?b=1 | | ",
                "curl -X PUT 'https://h:8443/x' -H 'Content-Type: application/json' --data-raw '{\"a\": 1}' | https://h:8443 | /x | PUT | {\"a\": 1}",
                "curl -sS --compressed \"http://h/a b\" -d x=1 --data y=2 | http://h | /a%20b | POST | x=1&y=2",
                "curl -G h/find -d q=1 | http://h | /find?q=1 | | ",
                "curl $'http://h/\\u0041' --json '{}' -k | http://h | /A | POST | {}",
                "curl -HX-A:1 -XDELETE http://h/ | http://h | / | DELETE | "
            })
    void aLineOfCurlIsAStep(String line, String target, String path, String method, String body) throws Exception {
        JsonNode root = tree(ofCurl(line));
        JsonNode with = root.at("/client/journeys/recorded/steps/0/with");
        assertThat(root.at("/target").asString()).isEqualTo(target);
        assertThat(with.at("/path").asString()).isEqualTo(path);
        assertThat(with.at("/method").asString("")).isEqualTo(method == null ? "" : method);
        assertThat(with.at("/body").asString("")).isEqualTo(body == null ? "" : body);
    }

    @Test
    void aHeaderIsSentOnceHoweverItsNameIsWritten() {
        String line = "curl 'http://h/x' -A mine -H 'user-agent: Browser 1' -H 'content-type: application/json' ";
        for (String body : List.of("--data-raw '{}'", "--json '{}'")) {
            assertThat(CurlLine.read(line + body).headers().entrySet().stream()
                            .filter(field -> !field.getKey().equals("Accept")))
                    .extracting(field -> field.getKey().toLowerCase(Locale.ROOT) + ": " + field.getValue())
                    .containsExactly("content-type: application/json", "user-agent: Browser 1");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "curl | expected a curl command with a URL",
                "curl http://h/ -H | expected a value after -H",
                "curl http://h/ -d 'a | expected a closing '",
                "curl http://h/ -d @file | got the file 'file'",
                "curl http://h/ -F a=b | expected curl options that describe a request, got '-F'"
            })
    void aLineThatIsNoneIsRefused(String line, String message) {
        assertThatThrownBy(() -> ofCurl(line)).hasMessageContaining(message);
    }

    @Test
    void aDescriptionIsAStepForEachOperation() throws Exception {
        Path file = Files.writeString(folder.resolve("api.yml"), """
                openapi: 3.0.0
                servers: [{ url: "http://api.example/v1" }]
                paths:
                  /items:
                    post:
                      requestBody: { content: { application/json: { schema: { $ref: "#/components/schemas/Item" } } } }
                    get:
                      parameters: [{ name: page, in: query, required: true, schema: { type: integer, default: 3 } }]
                  "/items/{id}":
                    parameters: [{ name: id, in: path, required: true, schema: { type: integer, minimum: 5 } }]
                    get: { summary: one }
                components:
                  schemas:
                    Item:
                      type: object
                      properties:
                        name: { type: string, example: tea }
                        tags: { type: array, items: { type: string, enum: [red, blue] } }
                        next: { $ref: "#/components/schemas/Item" }
                """);
        JsonNode steps =
                tree(draft(new OpenApiStarter(), file.toString(), Map.of())).at("/client/journeys/recorded/steps");
        assertThat(steps.at("/0/with/path").asString()).isEqualTo("/v1/items?page=3");
        assertThat(steps.at("/1/with/path").asString()).isEqualTo("/v1/items/5");
        assertThat(steps.at("/2/with/method").asString()).isEqualTo("POST");
        assertThat(steps.at("/2/with/body").asString()).startsWith("{\"name\":\"tea\",\"tags\":[\"red\"]");
    }

    @Test
    void whatIsNoRecordingIsRefused() {
        assertThatThrownBy(() -> ofHar("{\"log\": {}}", false)).hasMessageContaining("got no entries");
        assertThatThrownBy(() -> ofHar("{\"log\": ", false)).hasMessageContaining("got invalid JSON");
    }
}
