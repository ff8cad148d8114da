package org.diperf.controller.acceptance;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Makes an HTTP archive of what a browser tells of its network, as its developer tools do. Thread-safe. */
final class HarRecording {

    private static final JsonMapper JSON = JsonMapper.shared();

    /** A request on its way, or with its answer; redirects of one are entries of their own. */
    private static final class Entry {
        private final JsonNode sent;
        private JsonNode sentHeaders = JSON.createObjectNode();
        private JsonNode answer = JSON.createObjectNode();
        private JsonNode answerHeaders = JSON.createObjectNode();
        private double endSeconds;
        private boolean ended;
        private JsonNode body;

        Entry(JsonNode sent) {
            this.sent = sent;
            this.endSeconds = sent.path("timestamp").asDouble();
        }
    }

    private final Map<String, List<Entry>> entries = new LinkedHashMap<>();
    /** What comes of the wire may be told before the request itself. */
    private final Map<String, List<JsonNode>> sentHeaders = new LinkedHashMap<>();

    private final Map<String, List<JsonNode>> answerHeaders = new LinkedHashMap<>();

    synchronized void hear(String method, JsonNode told) {
        String id = told.path("requestId").asString("");
        switch (method) {
            case "Network.requestWillBeSent" -> {
                List<Entry> of = entries.computeIfAbsent(id, any -> new ArrayList<>());
                if (told.has("redirectResponse") && !of.isEmpty()) {
                    Entry last = of.get(of.size() - 1);
                    last.answer = told.get("redirectResponse");
                    last.endSeconds = told.path("timestamp").asDouble();
                    last.ended = true;
                }
                of.add(new Entry(told));
            }
            case "Network.requestWillBeSentExtraInfo" ->
                sentHeaders.computeIfAbsent(id, any -> new ArrayList<>()).add(told.path("headers"));
            case "Network.responseReceivedExtraInfo" ->
                answerHeaders.computeIfAbsent(id, any -> new ArrayList<>()).add(told.path("headers"));
            case "Network.responseReceived" -> last(id).answer = told.path("response");
            case "Network.loadingFinished" -> {
                last(id).endSeconds = told.path("timestamp").asDouble();
                last(id).ended = true;
            }
            default -> {}
        }
    }

    private Entry last(String id) {
        List<Entry> of = entries.getOrDefault(id, List.of());
        return of.isEmpty() ? new Entry(JSON.createObjectNode()) : of.get(of.size() - 1);
    }

    /** Lists the requests whose answers are there and not kept. */
    synchronized List<String> withoutBody() {
        List<String> ids = new ArrayList<>();
        entries.forEach((id, of) -> {
            Entry last = of.get(of.size() - 1);
            boolean isPage = last.answer.path("mimeType").asString("").matches("text/html|application/json");
            if (last.ended && last.body == null && isPage) {
                ids.add(id);
            }
        });
        return ids;
    }

    synchronized void body(String id, JsonNode body) {
        last(id).body = body;
    }

    synchronized String har() {
        ArrayNode all = JSON.createArrayNode();
        entries.forEach((id, of) -> {
            for (int i = 0; i < of.size(); i++) {
                Entry entry = of.get(i);
                entry.sentHeaders = at(sentHeaders, id, i);
                entry.answerHeaders = at(answerHeaders, id, i);
                all.add(entry(entry));
            }
        });
        ObjectNode log = JSON.createObjectNode().put("version", "1.2");
        log.set("entries", all);
        ObjectNode root = JSON.createObjectNode();
        root.set("log", log);
        return root.toString();
    }

    private static JsonNode at(Map<String, List<JsonNode>> headers, String id, int place) {
        List<JsonNode> of = headers.getOrDefault(id, List.of());
        return place < of.size() ? of.get(place) : JSON.createObjectNode();
    }

    private static ObjectNode entry(Entry entry) {
        JsonNode asked = entry.sent.path("request");
        ObjectNode request = JSON.createObjectNode()
                .put("method", asked.path("method").asString(""))
                .put("url", asked.path("url").asString(""));
        request.set("headers", fields(entry.sentHeaders.isEmpty() ? asked.path("headers") : entry.sentHeaders));
        if (asked.has("postData")) {
            request.set(
                    "postData",
                    JSON.createObjectNode().put("text", asked.get("postData").asString("")));
        }
        ObjectNode content = JSON.createObjectNode()
                .put("mimeType", entry.answer.path("mimeType").asString(""));
        if (entry.body != null) {
            content.put("text", entry.body.path("body").asString(""));
            if (entry.body.path("base64Encoded").asBoolean(false)) {
                content.put("encoding", "base64");
            }
        }
        ObjectNode response = JSON.createObjectNode()
                .put("status", entry.answer.path("status").asInt(0));
        response.set(
                "headers", fields(entry.answerHeaders.isEmpty() ? entry.answer.path("headers") : entry.answerHeaders));
        response.set("content", content);
        double from = entry.sent.path("wallTime").asDouble();
        long millis = (long) (from * TimeUnit.SECONDS.toMillis(1));
        ObjectNode made = JSON.createObjectNode()
                .put("startedDateTime", Instant.ofEpochMilli(millis).toString())
                .put(
                        "time",
                        1_000 * (entry.endSeconds - entry.sent.path("timestamp").asDouble()));
        made.set("request", request);
        made.set("response", response);
        return made;
    }

    private static ArrayNode fields(JsonNode headers) {
        ArrayNode fields = JSON.createArrayNode();
        for (Map.Entry<String, JsonNode> field : headers.properties()) {
            fields.add(JSON.createObjectNode()
                    .put("name", field.getKey())
                    .put("value", field.getValue().asString("")));
        }
        return fields;
    }
}
