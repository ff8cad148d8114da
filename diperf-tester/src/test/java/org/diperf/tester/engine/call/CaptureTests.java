package org.diperf.tester.engine.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.diperf.core.spi.Answer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(10)
class CaptureTests {

    private static final String DOCUMENT = """
            {"first": {"id": 1, "deep": {"id": "no"}}, "list": [[7], {"id": 8}, 9.50, "ten", true, null, {}],
             "id": "grün", "0": "zero", "a/b": "slash", "m~n": "tilde", "": "empty", "none": null}""";

    private record Body(String body) implements Answer {
        @Override
        public @Nullable String header(String name) {
            return null;
        }
    }

    private record Cookies(List<String> set) implements Answer {
        @Override
        public @Nullable String header(String name) {
            return set.isEmpty() ? null : set.get(0);
        }

        @Override
        public List<String> headers(String name) {
            return name.equalsIgnoreCase("set-cookie") ? set : List.of();
        }

        @Override
        public String body() {
            return "";
        }
    }

    @Test
    void aCookieIsItsValueWithoutAttributes() {
        Cookies answer = new Cookies(List.of(
                "theme=dark; Path=/", "sid=42=x; Path=/; HttpOnly; Expires=Wed, 21 Oct 2026 07:28:00 GMT", "empty="));
        assertThat(Capture.parse("cookie:sid").of(answer)).isEqualTo("42=x");
        assertThat(Capture.parse("cookie: theme").of(answer)).isEqualTo("dark");
        assertThat(Capture.parse("cookie:empty").of(answer)).isEmpty();
        assertThat(Capture.parse("cookie:SID").of(answer)).isNull();
        assertThat(Capture.parse("cookie:none").of(answer)).isNull();
    }

    @Test
    void theLastCookieOfANameCounts() {
        assertThat(Capture.parse("cookie:sid").of(new Cookies(List.of("sid=old", "sid=new; Secure"))))
                .isEqualTo("new");
    }

    private static @Nullable String json(String pointer, String body) {
        return Capture.parse("json:" + pointer).of(new Body(body));
    }

    @ParameterizedTest
    @CsvSource({
        "/id, grün",
        "/first/id, 1",
        "/first/deep/id, no",
        "/list/0/0, 7",
        "/list/1/id, 8",
        "/list/2, 9.50",
        "/list/3, ten",
        "/list/4, true",
        "/0, zero",
        "/a~1b, slash",
        "/m~0n, tilde",
        "/, empty",
    })
    void aValueOfJsonIsFoundByItsPointer(String pointer, String value) {
        assertThat(json(pointer, DOCUMENT)).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/none",
                "/list/5",
                "/list/7",
                "/list/-",
                "/list/id",
                "/list/01",
                "/deep",
                "/deep/id",
                "/id/0",
                "/list/3/0",
                "/first/1",
                "/ID"
            })
    void whatIsNotThereAndNullAreNotFound(String pointer) {
        assertThat(json(pointer, DOCUMENT)).isNull();
    }

    /** RFC 6901: a pointer names any value. */
    @Test
    void objectsAndArraysAreFoundAsTheyAreWritten() {
        assertThat(json("/first", DOCUMENT)).isEqualTo("{\"id\": 1, \"deep\": {\"id\": \"no\"}}");
        assertThat(json("/list/0", DOCUMENT)).isEqualTo("[7]");
        assertThat(json("/list/6", DOCUMENT)).isEqualTo("{}");
        assertThat(json("", DOCUMENT)).isEqualTo(DOCUMENT.strip());
        assertThat(json("/ä", "{\"ö\": [[]], \"ä\": [\"ü\", []] }")).isEqualTo("[\"ü\", []]");
        assertThat(json("/a", "{\"a\": [1, 2")).as("cut off").isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '§',
            value = {
                "{\"data\": {\"user\": null}}|ok",
                "{\"data\": {}, \"errors\": []}|ok",
                "{\"data\": {}, \"errors\": null}|ok",
                "{\"data\": null, \"errors\": [{\"message\": \"no such field\"}, {\"message\": \"x\"}]}|no such field",
                "{\"errors\": [{\"code\": 5}]}|{\"code\": 5}",
                "{\"errors\": {\"message\": \"down\"}}|{\"message\": \"down\"}",
                "{\"errors\": \"down\"}|down",
                "{\"message\": \"forbidden\"}|the answer has neither data nor errors",
                "[1]|the answer has neither data nor errors",
                "<html>|the answer has neither data nor errors",
                "{\"data\": null}|the answer has neither data nor errors",
            })
    void anAnswerOfGraphQlIsOkWhereItHasDataAndNoErrors(String body, String found) {
        assertThat(Capture.Part.GRAPHQL.of(new Body(body))).isEqualTo(found);
    }

    @Test
    void aDocumentThatIsOneValueIsFoundByTheEmptyPointer() {
        assertThat(json("", " \"all\" ")).isEqualTo("all");
        assertThat(json("/a", "\"all\"")).isNull();
        assertThat(json("/a", "")).isNull();
    }

    /** Of an answer that is longer than what is kept of it, or is no JSON from some place on. */
    @Test
    void whatStandsBeforeTheEndOfABrokenDocumentIsFound() {
        String cut = DOCUMENT.substring(0, DOCUMENT.indexOf("9.50") + 2);
        assertThat(json("/first/id", cut)).isEqualTo("1");
        assertThat(json("/id", cut)).isNull();
        assertThat(json("/first/id", "<html>")).isNull();
    }

    /** A document made at random, with what is at each of its places; {@code null}: nothing that is found. */
    private static final class Made {
        private static final List<String> NAMES = List.of("a", "b~1c", "0", "~0", "");

        private final Random random;
        private final StringBuilder text = new StringBuilder();
        private final Map<String, @Nullable String> places = new HashMap<>();

        Made(Random random) {
            this.random = random;
            add("", 4);
        }

        private void add(String pointer, int depth) {
            int kind = random.nextInt(depth == 0 ? 4 : 8);
            if (kind < 4) {
                String value = List.of("text" + random.nextInt(9), "" + random.nextInt(), "true", "null")
                        .get(kind);
                text.append(kind == 0 ? '"' + value + '"' : value);
                places.put(pointer, kind == 3 ? null : value);
                return;
            }
            boolean isArray = kind < 6;
            int count = random.nextInt(NAMES.size());
            int from = text.length();
            text.append(isArray ? '[' : '{');
            for (int i = 0; i < count; i++) {
                text.append(i == 0 ? " " : " , ");
                if (!isArray) {
                    text.append('"')
                            .append(NAMES.get(i).replace("~1", "/").replace("~0", "~"))
                            .append("\":");
                }
                add(pointer + "/" + (isArray ? i : NAMES.get(i)), depth - 1);
            }
            places.put(pointer + "/" + (isArray ? count : "none"), null);
            text.append(isArray ? ']' : '}');
            places.put(pointer, text.substring(from));
        }
    }

    @Test
    void allThatIsInADocumentIsFoundAtItsPlace() {
        long seed = 20261127;
        Random random = new Random(seed);
        for (int i = 0; i < 300; i++) {
            Made made = new Made(random);
            String document = made.text.toString();
            made.places.forEach((pointer, value) -> assertThat(json(pointer, document))
                    .as("%s of %s, seed %s", pointer, document, seed)
                    .isEqualTo(value));
        }
    }

    @Test
    void anotherWordIsRefusedWithAllThatAreKnown() {
        assertThatThrownBy(() -> Capture.parse("xml:/a"))
                .hasMessageContaining("json:/POINTER, header:NAME, cookie:NAME or regex:REGEX");
    }
}
