package org.diperf.plugins.web;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.diperf.core.spi.Url;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Reads descriptions of services: OpenAPI 3, and Swagger 2, as far as they say what to send. */
final class OpenApiFile {

    private static final List<String> METHODS = List.of("get", "post", "put", "patch", "delete", "head", "options");
    /** A schema that is deeper than this holds itself. */
    private static final int DEEPEST = 8;

    private final Map<String, Object> root;

    private OpenApiFile(Map<String, Object> root) {
        this.root = root;
    }

    /**
     * Reads one.
     *
     * @param root of the file
     * @param target where the service is; {@code null}: where the file says
     * @return each operation with an example of what it takes, those that only read first
     * @throws IllegalArgumentException when it describes no service, or does not say where that is
     */
    static List<RecordedRequest> read(Map<String, Object> root, @Nullable String target) {
        return new OpenApiFile(root).requests(target);
    }

    private List<RecordedRequest> requests(@Nullable String target) {
        Map<String, Object> paths = map(root.get("paths"));
        if (paths.isEmpty()) {
            throw new IllegalArgumentException("expected an OpenAPI 3 description with paths, got none");
        }
        String base = base(target);
        List<RecordedRequest> reading = new ArrayList<>();
        List<RecordedRequest> writing = new ArrayList<>();
        paths.forEach((path, operations) -> {
            Map<String, Object> shared = map(resolved(operations));
            for (String method : METHODS) {
                if (shared.get(method) instanceof Map<?, ?> operation) {
                    RecordedRequest request = request(base, path, method, map(operation), shared.get("parameters"));
                    (method.equals("get") ? reading : writing).add(request);
                }
            }
        });
        reading.addAll(writing);
        return reading;
    }

    private String base(@Nullable String target) {
        if (target != null) {
            return target.replaceFirst("/+$", "");
        }
        String url = "";
        if (root.get("servers") instanceof List<?> servers && !servers.isEmpty()) {
            url = String.valueOf(map(servers.get(0)).getOrDefault("url", ""));
        } else if (root.get("host") != null) {
            Object schemes = root.get("schemes");
            String scheme = schemes instanceof List<?> list && !list.isEmpty() ? String.valueOf(list.get(0)) : "http";
            url = scheme + "://" + root.get("host") + root.getOrDefault("basePath", "");
        }
        if (!url.matches("https?://.+")) {
            throw new IllegalArgumentException("expected the address of the service, got "
                    + (url.isEmpty() ? "none in the file" : "only '" + url + "' in the file")
                    + "; specify it with --target URL");
        }
        return url.replaceFirst("/+$", "");
    }

    private RecordedRequest request(
            String base, String path, String method, Map<String, Object> operation, @Nullable Object shared) {
        List<Map<String, Object>> parameters = new ArrayList<>();
        for (Object list : new Object[] {shared, operation.get("parameters")}) {
            if (list instanceof List<?> each) {
                each.forEach(parameter -> parameters.add(map(resolved(parameter))));
            }
        }
        String filled = path;
        List<String> query = new ArrayList<>();
        Map<String, String> headers = new LinkedHashMap<>();
        String body = "";
        for (Map<String, Object> parameter : parameters) {
            String name = String.valueOf(parameter.get("name"));
            String where = String.valueOf(parameter.get("in"));
            Object schema = parameter.getOrDefault("schema", parameter);
            Object example = parameter.containsKey("example") ? parameter.get("example") : example(schema, 0);
            String value = String.valueOf(example);
            switch (where) {
                case "path" -> filled = filled.replace("{" + name + "}", encoded(value));
                case "query" -> {
                    if (Boolean.TRUE.equals(parameter.get("required"))) {
                        query.add(encoded(name) + "=" + encoded(value));
                    }
                }
                case "header" -> {
                    if (Boolean.TRUE.equals(parameter.get("required"))) {
                        headers.put(name, value);
                    }
                }
                case "body" -> {
                    body = json(example);
                    headers.put("Content-Type", "application/json");
                }
                default -> {
                    // cookies and forms of Swagger 2: for the reader to add
                }
            }
        }
        Map<String, Object> content =
                map(map(resolved(operation.get("requestBody"))).get("content"));
        for (String type : content.keySet()) {
            if (type.contains("json") && body.isEmpty()) {
                Map<String, Object> media = map(content.get(type));
                body = json(media.containsKey("example") ? media.get("example") : example(media.get("schema"), 0));
                headers.put("Content-Type", type);
            } else if (type.contains("x-www-form-urlencoded") && body.isEmpty()) {
                List<String> pairs = new ArrayList<>();
                map(example(map(content.get(type)).get("schema"), 0))
                        .forEach((name, value) -> pairs.add(encoded(name) + "=" + encoded(String.valueOf(value))));
                body = String.join("&", pairs);
                headers.put("Content-Type", type);
            }
        }
        String url = base + filled + (query.isEmpty() ? "" : "?" + String.join("&", query));
        return new RecordedRequest(
                method.toUpperCase(Locale.ROOT),
                Url.of(url),
                headers,
                Map.of(),
                body,
                0,
                0,
                0,
                "",
                List.of(),
                "",
                false);
    }

    /** Makes an example of what a schema describes. */
    private @Nullable Object example(@Nullable Object schema, int depth) {
        Map<String, Object> of = map(resolved(schema));
        for (String key : List.of("example", "default", "const")) {
            if (of.containsKey(key)) {
                return of.get(key);
            }
        }
        for (String key : List.of("examples", "enum")) {
            if (of.get(key) instanceof List<?> list && !list.isEmpty()) {
                return list.get(0);
            }
        }
        if (depth > DEEPEST) {
            return null;
        }
        for (String key : List.of("oneOf", "anyOf")) {
            if (of.get(key) instanceof List<?> list && !list.isEmpty()) {
                return example(list.get(0), depth + 1);
            }
        }
        Map<String, Object> made = new LinkedHashMap<>();
        if (of.get("allOf") instanceof List<?> all) {
            all.forEach(part -> made.putAll(map(example(part, depth + 1))));
        }
        map(of.get("properties")).forEach((name, part) -> {
            Object value = example(part, depth + 1);
            if (value != null) {
                made.put(name, value);
            }
        });
        if (!made.isEmpty()) {
            return made;
        }
        Object type = of.get("type") instanceof List<?> several && !several.isEmpty() ? several.get(0) : of.get("type");
        return switch (String.valueOf(type)) {
            case "integer", "number" -> of.getOrDefault("minimum", 1L);
            case "boolean" -> Boolean.TRUE;
            case "array" -> {
                Object item = example(of.get("items"), depth + 1);
                yield item == null ? List.of() : List.of(item);
            }
            case "object" -> Map.of();
            default -> text(String.valueOf(of.get("format")));
        };
    }

    private static String text(String format) {
        return switch (format) {
            case "date" -> "2026-01-31";
            case "date-time" -> "2026-01-31T12:00:00Z";
            case "uuid" -> "00000000-0000-4000-8000-000000000000";
            case "email" -> "user@example.org";
            case "uri" -> "http://example.org/";
            default -> "text";
        };
    }

    /** Follows a reference within the file. */
    private @Nullable Object resolved(@Nullable Object given) {
        Object found = given;
        for (int i = 0;
                i < DEEPEST && found instanceof Map<?, ?> map && map.get("$ref") instanceof String reference;
                i++) {
            Object at = root;
            for (String part : reference.replaceFirst("^#/", "").split("/")) {
                at = map(at).get(part.replace("~1", "/").replace("~0", "~"));
            }
            found = at;
        }
        return found;
    }

    private static String json(@Nullable Object value) {
        return value == null ? "" : JsonMapper.shared().writeValueAsString(value);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static Map<String, Object> map(@Nullable Object value) {
        Map<String, Object> copy = new LinkedHashMap<>();
        if (value instanceof Map<?, ?> map) {
            map.forEach((key, item) -> copy.put(String.valueOf(key), item));
        }
        return copy;
    }
}
