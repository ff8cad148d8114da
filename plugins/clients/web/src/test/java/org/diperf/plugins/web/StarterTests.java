package org.diperf.plugins.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.diperf.core.spi.StarterPlugin.Draft;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

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

    private Draft ofHar(String har, boolean withoutAssets) throws Exception {
        Path file = Files.writeString(folder.resolve("shop.har"), har);
        return Drafts.of(new HarStarter(), file.toString(), Map.of("without-assets", withoutAssets));
    }

    @Test
    void whatOneAnsweredAndAnotherSentIsCaptured() throws Exception {
        Draft made = ofHar(HAR, true);
        assertThat(made.about())
                .isEqualTo("a journey of 4 of 5 requests; left out: 1 (--without-assets); a note is at its head");
        JsonNode root = Drafts.tree(made);
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
        assertThat(steps.at("/1/with/form"))
                .isEqualTo(Drafts.json("{'csrf': '${csrf}', 'user': 'ann', 'password': 'pw-ann'}"));
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
        JsonNode steps = Drafts.tree(ofHar(har, true)).at("/client/journeys/recorded/steps");
        assertThat(steps.at("/0/capture/visit").asString()).isEqualTo("cookie:visit");
        assertThat(steps.at("/1/with/headers/Cookie").asString()).isEqualTo("visit=${visit}");
        assertThat(steps.at("/1/with/form/csrf").asString())
                .as("a cookie that is sent twice")
                .startsWith("${");
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
        JsonNode root = Drafts.tree(ofHar("{\"log\": {\"entries\": [" + entries + "]}}", true));
        assertThat(root.at("/target").asString()).isEqualTo("http://my_shop:8080");
        assertThat(root.findValuesAsString("path")).containsExactlyElementsOf(paths);
    }

    @Test
    void assetsStayWhereNobodyLeavesThemOut() throws Exception {
        assertThat(ofHar(HAR, false).about()).startsWith("a journey of 5 requests");
    }

    @Test
    void whatIsNoRecordingIsRefused() {
        assertThatThrownBy(() -> ofHar("{\"log\": {}}", false)).hasMessageContaining("got no entries");
        assertThatThrownBy(() -> ofHar("{\"log\": ", false)).hasMessageContaining("got invalid JSON");
    }
}
