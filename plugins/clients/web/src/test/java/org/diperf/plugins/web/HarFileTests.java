package org.diperf.plugins.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.diperf.core.spi.StarterPlugin.Draft;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** What recordings of several programs hold, in short. */
class HarFileTests {

    @TempDir
    Path folder;

    /** Makes a draft of entries in which apostrophes stand for quotes. */
    private Draft draft(String... entries) throws IOException {
        Path file = Files.writeString(
                folder.resolve("a.har"),
                "{\"log\": {\"entries\": [" + String.join(",", entries).replace('\'', '"') + "]}}");
        return Drafts.of(new HarStarter(), file.toString(), Map.of());
    }

    private static String entry(String request, String more) {
        return "{'request': {" + request + "}" + (more.isEmpty() ? "" : ", " + more) + "}";
    }

    private static String get(String url) {
        return entry("'method': 'GET', 'url': '" + url + "'", "");
    }

    private static String post(String request) {
        return entry("'method': 'POST', 'url': 'http://h/p', " + request, "");
    }

    private JsonNode with(String entry) throws IOException {
        return Drafts.steps(draft(entry)).at("/0/with");
    }

    @Test
    void whatIsNoRequestOfHttpIsLeftOutAndSaid() throws IOException {
        Draft draft = draft(
                get("wss://h/socket"),
                get("data:text/plain,x"),
                get("/relative"),
                get("http://h/a"),
                get("wss://h/other"),
                entry("'method': 'CONNECT', 'url': 'http://h:443'", ""),
                entry(
                        "'method': 'GET', 'url': 'http://h/ad.js'",
                        "'response': {'status': 0, '_error': 'net::ERR_BLOCKED_BY_CLIENT'}"),
                entry("'method': 'GET'", ""),
                entry("'method': 'GET', 'url': 'https://h/socket'", "'response': {'status': 101}"));
        assertThat(draft.about())
                .isEqualTo("a journey of 1 of 9 requests; left out: 2 (wss:, not HTTP), 1 (data:, not HTTP), "
                        + "1 (no complete URL), 1 (CONNECT, made by the client itself), "
                        + "1 (not answered: net::ERR_BLOCKED_BY_CLIENT), and others; 9 notes are at its head");
        assertThat(draft.comments()).contains("Left out: GET wss://h/socket (wss:, not HTTP)");
        assertThatThrownBy(() -> draft(get("wss://h/socket")))
                .hasMessage("expected requests of HTTP, got none of 1: left out 1 (wss:, not HTTP)");
    }

    @Test
    void anUploadIsItsPartsOrTheirText() throws IOException {
        String type = "'headers': [{'name': 'content-type', 'value': 'multipart/form-data; boundary=B'}], ";
        String title = "{'name': 'title', 'value': 'My scan'}";
        assertThat(
                        with(
                                post(
                                        type + "'postData': {'mimeType': 'multipart/form-data; boundary=B', 'params': ["
                                                + title
                                                + ", {'name': 'at', 'value': '@x'}, {'name': 'scan', 'fileName': 'a.png', 'contentType': 'image/png'}]}")))
                .isEqualTo(Drafts.json("{'method': 'POST', 'path': '/p', 'multipart': "
                        + "{'title': 'My scan', 'at': '@@x', 'scan': '@a.png;type=image/png'}}"));
        JsonNode known = with(post(type + "'postData': {'mimeType': 'multipart/form-data; boundary=B', 'params': ["
                + title + ", {'name': 'scan', 'fileName': 'a.png', 'contentType': 'image/png', 'value': 'PNG'}]}"));
        assertThat(known.at("/headers/content-type").asString()).isEqualTo("multipart/form-data; boundary=B");
        assertThat(known.at("/body").asString())
                .isEqualTo("--B\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nMy scan\r\n"
                        + "--B\r\nContent-Disposition: form-data; name=\"scan\"; filename=\"a.png\"\r\n"
                        + "Content-Type: image/png\r\n\r\nPNG\r\n--B--\r\n");
    }

    /** Chrome leaves the content of files out; Firefox has the header's fields before the body. */
    @Test
    void anUploadThatIsRecordedAsTextIsTakenApart() throws IOException {
        String text =
                "Content-Length: 99\\r\\n\\r\\n--B\\r\\nContent-Disposition: form-data; name=\\\"title\\\"\\r\\n\\r\\nMy\\r\\nscan\\r\\n"
                        + "--B\\r\\nContent-Disposition: form-data; name=\\\"f\\\"; filename=\\\"a.png\\\"\\r\\nContent-Type: image/png\\r\\n\\r\\n"
                        + "%s\\r\\n--B--\\r\\n";
        for (String content : List.of("", "\\ufffdPNG")) {
            Draft draft =
                    draft(post("'headers': [], 'postData': {'mimeType': 'multipart/form-data; boundary=B', 'text': '"
                            + text.formatted(content) + "'}"));
            assertThat(Drafts.steps(draft).at("/0/with/multipart"))
                    .isEqualTo(Drafts.json("{'title': 'My\\r\\nscan', 'f': '@a.png;type=image/png'}"));
            assertThat(draft.comments()).anyMatch(line -> line.startsWith("The file a.png of the step post-p is read"));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'postData': {'mimeType': 'application/json', 'text': '{}'} | {'headers': {'Content-Type': 'application/json'}, 'body': '{}'}",
                "'postData': {'mimeType': 'text/plain', 'text': 'Y2Fmw6k=', 'encoding': 'base64'} | {'headers': {'Content-Type': 'text/plain'}, 'body': 'caf\u00e9'}",
                "'postData': {'mimeType': 'a/b', 'text': '/w==', '_encoding': 'base64'} | {'headers': {'Content-Type': 'a/b'}, 'body': '@body-0.bin'}",
                "'postData': {'mimeType': 'application/x-www-form-urlencoded', 'params': [{'name': 'a b', 'value': 'c+d'}]} | {'form': {'a b': 'c+d'}}",
                "'postData': {'mimeType': 'application/x-www-form-urlencoded', 'params': [{'name': 'a%5B%5D', 'value': 'c+d%20'}]} | {'headers': {'Content-Type': 'application/x-www-form-urlencoded'}, 'body': 'a%5B%5D=c+d%20'}",
                "'postData': {'mimeType': 'application/x-www-form-urlencoded; charset=UTF-8', 'text': 'a=1'} | {'headers': {'Content-Type': 'application/x-www-form-urlencoded; charset=UTF-8'}, 'form': {'a': '1'}}",
                "'postData': {'mimeType': 'application/x-www-form-urlencoded', 'text': 'a=1&a=2'} | {'headers': {'Content-Type': 'application/x-www-form-urlencoded'}, 'body': 'a=1&a=2'}",
                "'headers': [{'name': 'X-A', 'value': '1'}, {'name': 'x-a', 'value': '2'}, {'name': 'Bad name', 'value': '3'}] | {'headers': {'X-A': '1, 2'}}",
                "'headers': [{'name': 'Accept-Encoding', 'value': 'gzip, br'}, {'name': ':path', 'value': '/'}, {'name': 'Referer', 'value': 'http://r/'}] | {'headers': {'Referer': 'http://r/'}}",
                "'queryString': [{'name': 'q', 'value': 'a b'}] | {}",
            })
    void whatItCarriesIsKept(String request, String with) throws IOException {
        JsonNode made = with(post(request));
        JsonNode expected = Drafts.json(with);
        expected.properties()
                .forEach(each -> assertThat(made.at("/" + each.getKey())).isEqualTo(each.getValue()));
        assertThat(made.size()).as("%s", made).isEqualTo(expected.size() + 2);
        assertThat(made.at("/path").asString()).isEqualTo(request.startsWith("'query") ? "/p?q=a+b" : "/p");
    }

    @Test
    void whatIsNotInTheRecordingIsSaid() throws IOException {
        assertThat(draft(post("'bodySize': 7")).comments())
                .contains("The body of POST http://h/p, 7 bytes, is not in the recording: add it to its step.");
        assertThat(draft(post("'headers': [{'name': 'Bad name', 'value': '3'}]"))
                        .comments())
                .contains("Left out of POST http://h/p: the header 'Bad name', which no request can have.");
        assertThat(draft(post("'postData': {'text': '/w==', 'encoding': 'base64'}"))
                        .comments())
                .anyMatch(line -> line.contains(
                        "jq -r '.log.entries[0].request.postData.text' RECORDING | base64 -d > body-0.bin"));
        assertThat(Drafts.tree(draft(post("'headers': [{'name': 'accept-encoding', 'value': 'gzip'}]")))
                        .at("/client/with/compressed")
                        .asBoolean())
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'2026-03-01T10:00:00Z' | '2026-03-01T12:00:02.5+02:00' | 2490ms | ",
                "'2026-03-01T10:00:00' | '2026-03-01 10:00:02' | 1990ms | ",
                "'2026-03-01T10:00:00.000+0000' | '2026-03-01T10:00:02.000-0000' | 1990ms | ",
                "1772359200 | 1772359202000 | 1990ms | ",
                "'2026-03-01T10:00:00Z' | 'Sun Mar 01 2026' | | 1 of 2 requests have no readable startedDateTime",
                "null | {} | | No request has a readable startedDateTime",
                "'2026-03-01T10:00:00Z' | '2026-03-02T10:00:00Z' | | The pause after a, 1439 minutes in the recording",
            })
    void pausesAreBetweenTimesThatCanBeRead(String first, String second, String think, String note) throws IOException {
        Draft draft = draft(
                entry("'method': 'GET', 'url': 'http://h/a'", "'time': 10, 'startedDateTime': " + first),
                entry("'method': 'GET', 'url': 'http://h/b'", "'time': 'x', 'startedDateTime': " + second));
        JsonNode steps = Drafts.steps(draft);
        assertThat(steps.at("/0/think").asString("")).isEqualTo(think == null ? "" : think);
        assertThat(steps.at("/1/name").asString()).isEqualTo("b");
        assertThat(draft.comments().stream().skip(2).collect(Collectors.joining()))
                .startsWith(note == null ? "" : note);
        assertThat(draft.comments()).hasSize(note == null ? 2 : 3);
    }

    /** A token of base64 has characters that a form escapes and a query cannot hold. */
    @Test
    void aTokenThatIsEscapedWhenItIsSentIsCapturedOrSaid() throws IOException {
        String page = entry(
                "'method': 'GET', 'url': 'http://h/page'",
                "'response': {'status': 200, 'headers': [{'name': 'Set-Cookie', 'value': 'XSRF=abc%2Bdef%3D; Path=/'}], "
                        + "'content': {'mimeType': 'text/html', 'text': '<input name=t value=\\\"a+b/c12==\\\"><a href=\\\"/x?u=q%2F12345\\\"><i id=s&#x2B;t&#47;a3456>'}}");
        Draft draft = draft(
                page,
                post("'postData': {'mimeType': 'application/x-www-form-urlencoded', 'text': 't=a%2Bb%2Fc12%3D%3D'}"),
                get("http://h/q?t=a%2Bb%2Fc12%3D%3D&u=q%2F12345"),
                entry(
                        "'method': 'GET', 'url': 'http://h/r', 'headers': [{'name': 'X-XSRF', 'value': 'abc+def='}, {'name': 'X-Id', 'value': 's+t/a3456'}]",
                        ""),
                post(
                        "'postData': {'mimeType': 'multipart/form-data; boundary=B', 'params': [{'name': 't', 'value': 'a+b/c12=='}]}"));
        JsonNode steps = Drafts.steps(draft);
        assertThat(steps.at("/0/capture/t").asString()).startsWith("regex:");
        assertThat(steps.at("/1/with/form/t").asString()).isEqualTo("${t}");
        assertThat(steps.at("/2/with/path").asString()).isEqualTo("/q?t=a%2Bb%2Fc12%3D%3D&u=${u}");
        assertThat(steps.at("/4/with/multipart/t").asString()).isEqualTo("${t}");
        assertThat(draft.comments())
                .contains(
                        "The value of 't' in the step q is in the response to page, but escaped in one of them: it stays as recorded.",
                        "The value of 'X-Id' in the step r is in the response to page, but escaped in one of them: it stays as recorded.",
                        "The value of 'X-XSRF' in the step r is in the response to page, but escaped in one of them: it stays as recorded.");
    }

    @Test
    void stepsHaveTheNameOfWhatTheyAsk() throws IOException {
        Draft draft = draft(
                get("http://h/"),
                get("http://h/shops/1/orders"),
                get("http://h/users/2/orders"),
                get("http://h/users/3/orders"),
                get("http://h/12/34"),
                post(
                        "'postData': {'mimeType': 'application/json', 'text': '{\\\"operationName\\\": \\\"AddItem\\\"}'}"));
        assertThat(Drafts.steps(draft)
                        .valueStream()
                        .map(step -> step.at("/name").asString()))
                .containsExactly("home", "orders", "users-orders", "orders-2", "12-34", "post-AddItem");
    }

    /** A line break in a name would have the rest be keys of the file. */
    @Test
    void namesFromElsewhereStayInTheirComment() throws IOException {
        Draft draft = draft(
                post("'postData': {'mimeType': 'multipart/form-data; boundary=B', 'params': "
                        + "[{'name': 'f', 'fileName': 'a\\nload: 9\\u001b[2J'}]}"),
                get("a\\u001b[2J:b"),
                get("ws://h/\\nload: 9"));
        assertThat(draft.comments()).hasSize(6).noneMatch(line -> line.matches("(?s).*\\p{Cntrl}.*"));
        assertThat(draft.about()).doesNotContainPattern("\\p{Cntrl}");
    }

    @Test
    void aRecordingOfManyNotesStaysReadable() throws IOException {
        Draft draft = draft(Stream.concat(
                        Stream.of(get("http://h/")),
                        Stream.iterate(0, i -> i + 1).limit(200).map(i -> get("ws://h/" + i)))
                .toArray(String[]::new));
        assertThat(draft.about())
                .startsWith("a journey of 1 of 201 requests; left out: 200 (ws:, not HTTP); 201 notes");
        assertThat(draft.comments()).hasSize(43).last().isEqualTo("And 161 more notes like these.");
    }
}
