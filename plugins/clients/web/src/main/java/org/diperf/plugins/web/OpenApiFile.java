package org.diperf.plugins.web;

import static org.diperf.plugins.web.RecordedBody.FORM;
import static org.diperf.plugins.web.RecordedBody.UPLOAD;
import static org.diperf.plugins.web.ReferencedFiles.map;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.diperf.core.spi.Url;
import org.diperf.plugins.web.Imported.LeftOut;
import org.diperf.plugins.web.RecordedBody.Part;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Reads descriptions of services: OpenAPI 3, and Swagger 2, as far as they say what to send. Used once. */
final class OpenApiFile {

    private static final List<String> METHODS =
            List.of("get", "post", "put", "patch", "delete", "head", "options", "trace");
    /** An example is cut here: schemas that refer to each other have ever larger ones. */
    private static final int MAX_VALUES = 500;

    private static final int DEEPEST = 12;
    private static final String JSON = "application/json";
    private static final Pattern VARIABLE = Pattern.compile("\\{([^{}]+)}");

    private final ReferencedFiles files;
    private final Map<String, Object> root;
    private final List<LeftOut> leftOut = new ArrayList<>();
    private final Set<String> notes = new LinkedHashSet<>();
    /** What operations ask for, and how many do. */
    private final Map<String, Integer> security = new TreeMap<>();

    private int values;

    private OpenApiFile(ReferencedFiles files) {
        this.files = files;
        this.root = files.root();
    }

    /**
     * Reads one.
     *
     * @param target where the service is; {@code null}: where the file says
     * @return each operation with an example of what it takes, those that only read first
     * @throws IllegalArgumentException when it describes no service, or does not say where that is
     */
    static Imported read(ReferencedFiles files, @Nullable String target) {
        return new OpenApiFile(files).imported(target);
    }

    private Imported imported(@Nullable String target) {
        Map<String, Object> paths = map(root.get("paths"));
        if (paths.isEmpty()) {
            throw new IllegalArgumentException("expected an OpenAPI 3 description with paths, got none");
        }
        List<RecordedRequest> reading = new ArrayList<>();
        List<RecordedRequest> writing = new ArrayList<>();
        paths.forEach((path, given) -> {
            if (path.startsWith("x-")) {
                return;
            }
            Map<String, Object> item = files.resolved(given);
            List<String> methods = METHODS.stream()
                    .filter(each -> item.get(each) instanceof Map<?, ?>)
                    .toList();
            if (methods.isEmpty()) {
                leftOut.add(new LeftOut(
                        path,
                        ReferencedFiles.reference(given) == null ? "no operation" : "refers to nothing that is here"));
            }
            for (String method : methods) {
                (method.equals("get") ? reading : writing)
                        .add(request(target, path, method, map(item.get(method)), item));
            }
        });
        reading.addAll(writing);
        files.missing().forEach(each -> notes.add("Not found, so left out where it is used: " + each));
        security.forEach(
                (scheme, count) -> notes.add((count == 1 ? "One operation needs " : count + " operations need ")
                        + scheme + ", which is not in the file: add it to their steps."));
        return new Imported(reading, leftOut, List.copyOf(notes));
    }

    // ---- where ----

    /** Returns the URL under which an operation's path is. */
    private String base(@Nullable String target, Map<String, Object> item, Map<String, Object> operation) {
        String url = "";
        for (Object servers : new Object[] {operation.get("servers"), item.get("servers"), root.get("servers")}) {
            if (url.isEmpty() && servers instanceof List<?> list && !list.isEmpty()) {
                Map<String, Object> server = map(list.get(0));
                Map<String, Object> variables = map(server.get("variables"));
                url = VARIABLE.matcher(String.valueOf(server.getOrDefault("url", "")))
                        .replaceAll(variable -> Matcher.quoteReplacement(String.valueOf(
                                map(variables.get(variable.group(1))).getOrDefault("default", variable.group()))));
            }
        }
        if (root.get("swagger") != null && (root.get("host") != null || root.get("basePath") != null)) {
            Object schemes = root.get("schemes");
            String scheme = schemes instanceof List<?> list && !list.isEmpty() ? String.valueOf(list.get(0)) : "http";
            String path = String.valueOf(root.getOrDefault("basePath", ""));
            url = root.get("host") == null ? path : scheme + "://" + root.get("host") + path;
        }
        if (target != null) {
            // The path is the description's where the target has none.
            boolean hasPath = !target.matches("(?i)[a-z]+://[^/]*/?");
            String path = url.replaceFirst("(?i)^([a-z]*:)?//[^/]*", "");
            url = hasPath ? target : target.replaceFirst("/+$", "") + (path.matches("|/.*") ? path : "/" + path);
        }
        if (!url.matches("(?i)https?://.+")) {
            throw new IllegalArgumentException("expected the address of the service, got "
                    + (url.isEmpty() ? "none in the file" : "only '" + url + "' in the file")
                    + "; specify it with --target URL");
        }
        return url.replaceFirst("/+$", "");
    }

    // ---- a request ----

    private RecordedRequest request(
            @Nullable String target,
            String path,
            String method,
            Map<String, Object> operation,
            Map<String, Object> item) {
        String shown = method.toUpperCase(Locale.ROOT) + " " + path;
        // Those of an operation stand in place of its path's.
        Map<String, Map<String, Object>> parameters = new LinkedHashMap<>();
        for (Object list : new Object[] {item.get("parameters"), operation.get("parameters")}) {
            if (list instanceof List<?> each) {
                each.stream()
                        .map(files::resolved)
                        .filter(parameter -> parameter.containsKey("name"))
                        .forEach(parameter ->
                                parameters.put(parameter.get("in") + " " + parameter.get("name"), parameter));
            }
        }
        String filled = path;
        List<String> query = new ArrayList<>();
        Map<String, String> headers = new LinkedHashMap<>();
        Map<String, String> cookies = new LinkedHashMap<>();
        Map<String, Object> fields = new LinkedHashMap<>();
        Map<String, Map<String, Object>> form = new LinkedHashMap<>();
        Map<String, Object> content =
                map(files.resolved(operation.get("requestBody")).get("content"));
        for (Map<String, Object> parameter : parameters.values()) {
            String name = String.valueOf(parameter.get("name"));
            String where = String.valueOf(parameter.get("in"));
            boolean needed = Boolean.TRUE.equals(parameter.get("required")) || where.equals("path");
            if (where.equals("body")) {
                content.put(
                        consumed(operation).stream()
                                .filter(type -> type.contains("json"))
                                .findFirst()
                                .orElse(
                                        consumed(operation).isEmpty()
                                                ? JSON
                                                : consumed(operation).get(0)),
                        parameter);
            } else if (needed) {
                Object value = value(parameter);
                switch (where) {
                    case "path" -> filled = filled.replace("{" + name + "}", inPath(name, value, parameter));
                    case "query" -> query.addAll(pairs(name, value, parameter));
                    case "header" -> headers.put(name, Url.decoded(escaped(value, ",", ",")));
                    case "cookie" -> cookies.put(name, escaped(value, ",", ","));
                    case "formData" -> {
                        fields.put(name, value);
                        form.put(name, parameter);
                    }
                    default -> notes.add("Left out of " + shown + ": the parameter " + name + ", in " + where);
                }
            }
        }
        if (VARIABLE.matcher(filled).find()) {
            notes.add("The path of " + shown + " has a place that no parameter describes: fill it in.");
        }
        if (!fields.isEmpty()) {
            boolean upload = form.values().stream().anyMatch(OpenApiFile::isFile)
                    || consumed(operation).contains(UPLOAD)
                            && !consumed(operation).contains(FORM);
            content.put(upload ? UPLOAD : FORM, Map.of("schema", Map.of("properties", form), "example", fields));
        }
        RecordedBody body = body(shown, content, headers);
        noteSecurity(operation.getOrDefault("security", root.get("security")));
        String url = base(target, item, operation) + filled + (query.isEmpty() ? "" : "?" + String.join("&", query));
        return new RecordedRequest(
                String.valueOf(operation.getOrDefault(
                        "operationId", (method.equals("get") ? "" : method + "-") + path.substring(1))),
                method.toUpperCase(Locale.ROOT),
                RecordedRequest.url(url),
                headers,
                cookies,
                body,
                0,
                0,
                RecordedRequest.Answer.UNKNOWN,
                Map.of());
    }

    /** Returns the types that Swagger 2 says an operation takes. */
    private List<String> consumed(Map<String, Object> operation) {
        return operation.getOrDefault("consumes", root.get("consumes")) instanceof List<?> list
                ? list.stream().map(String::valueOf).toList()
                : List.of();
    }

    private void noteSecurity(@Nullable Object asked) {
        if (!(asked instanceof List<?> any)
                || any.isEmpty()
                || any.stream().anyMatch(each -> map(each).isEmpty())) {
            return;
        }
        Map<String, Object> known = map(map(root.get("components")).get("securitySchemes"));
        known.putAll(map(root.get("securityDefinitions")));
        map(any.get(0)).keySet().forEach(name -> {
            Map<String, Object> scheme = files.resolved(known.get(name));
            Object kind = scheme.getOrDefault("scheme", scheme.getOrDefault("type", "unknown"));
            String where = scheme.get("in") == null ? "" : ", in " + scheme.get("in") + " " + scheme.get("name");
            security.merge("'" + name + "' (" + kind + where + ")", 1, Integer::sum);
        });
    }

    // ---- parameters ----

    private @Nullable Object value(Map<String, Object> parameter) {
        values = 0;
        Map<String, Object> content = map(parameter.get("content"));
        if (!content.isEmpty()) {
            return json(example(content.values().iterator().next(), Set.of(), 0));
        }
        Object given = given(parameter);
        return given != null ? given : example(parameter.getOrDefault("schema", parameter), Set.of(), 0);
    }

    /** Returns what stands in a query for a parameter, by its style. */
    private static List<String> pairs(String name, @Nullable Object value, Map<String, Object> parameter) {
        String format = String.valueOf(parameter.getOrDefault("collectionFormat", parameter.getOrDefault("style", "")));
        // Swagger 2 joins by commas unless it says otherwise, OpenAPI 3 repeats the name.
        boolean explode = Boolean.TRUE.equals(parameter.getOrDefault(
                "explode", parameter.containsKey("schema") && format.matches("|form") || format.equals("multi")));
        if (format.equals("deepObject") && value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(each -> encoded(name) + "[" + encoded(String.valueOf(each.getKey())) + "]="
                            + encoded(text(each.getValue())))
                    .toList();
        }
        if (explode && value instanceof List<?> list) {
            return list.stream()
                    .map(each -> encoded(name) + "=" + encoded(text(each)))
                    .toList();
        }
        if (explode && value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(each -> encoded(String.valueOf(each.getKey())) + "=" + encoded(text(each.getValue())))
                    .toList();
        }
        String joint = switch (format) {
            case "spaceDelimited", "ssv" -> "%20";
            case "pipeDelimited", "pipes" -> "|";
            case "tsv" -> "%09";
            default -> ",";
        };
        return List.of(encoded(name) + "=" + escaped(value, joint, joint));
    }

    private static String inPath(String name, @Nullable Object value, Map<String, Object> parameter) {
        boolean explode = Boolean.TRUE.equals(parameter.get("explode"));
        String assigned = explode ? "=" : ",";
        return switch (String.valueOf(parameter.get("style"))) {
            case "label" -> "." + escaped(value, explode ? "." : ",", assigned);
            case "matrix" ->
                explode && value instanceof List<?> list
                        ? list.stream()
                                .map(each -> ";" + name + "=" + encoded(text(each)))
                                .collect(Collectors.joining())
                        : explode && value instanceof Map<?, ?>
                                ? ";" + escaped(value, ";", "=")
                                : ";" + name + "=" + escaped(value, ",", ",");
            default -> escaped(value, ",", assigned);
        };
    }

    private static String escaped(@Nullable Object value, String joint, String assigned) {
        return value instanceof List<?> list
                ? list.stream().map(each -> encoded(text(each))).collect(Collectors.joining(joint))
                : value instanceof Map<?, ?> map
                        ? map.entrySet().stream()
                                .map(each -> encoded(String.valueOf(each.getKey()))
                                        + assigned
                                        + encoded(text(each.getValue())))
                                .collect(Collectors.joining(joint))
                        : encoded(text(value));
    }

    // ---- bodies ----

    /** Makes the body of one of the types that an operation takes: one that can be made, JSON rather than others. */
    private RecordedBody body(String shown, Map<String, Object> content, Map<String, String> headers) {
        values = 0;
        for (String kind : List.of("json", FORM, UPLOAD, "")) {
            for (Map.Entry<String, Object> each : content.entrySet()) {
                String type = each.getKey().equals("*/*") ? JSON : each.getKey();
                Map<String, Object> media = files.resolved(each.getValue());
                Object given = given(media);
                Object example = given != null ? given : example(media.get("schema"), Set.of(), 0);
                RecordedBody body = !type.toLowerCase(Locale.ROOT).contains(kind)
                        ? null
                        : switch (kind) {
                            case "json" ->
                                new RecordedBody.Plain(
                                        example instanceof String text
                                                        && given != null
                                                        && text.matches("(?s)\\s*[\\[{\"].*")
                                                ? text
                                                : json(example));
                            case FORM -> new RecordedBody.Plain(form(media, example));
                            case UPLOAD -> parts(media, example);
                            default ->
                                example instanceof String text
                                                && (given != null || type.startsWith("text/") && !type.contains("xml"))
                                        ? new RecordedBody.Plain(text)
                                        : null;
                        };
                if (body != null && !body.equals(RecordedBody.NONE)) {
                    if (values > MAX_VALUES) {
                        notes.add("The body of " + shown + " is cut after " + MAX_VALUES + " values: complete it.");
                    }
                    headers.put("Content-Type", type);
                    return body;
                }
            }
        }
        if (content.isEmpty()) {
            return RecordedBody.NONE;
        }
        String type = content.keySet().iterator().next();
        String file =
                shown.replaceAll("[^A-Za-z0-9]+", "-").replaceAll("-$", "").toLowerCase(Locale.ROOT) + ".body";
        notes.add("The body of " + shown + " is read from the file " + file + " where testers run: write one of type "
                + type + ", without which its calls fail.");
        headers.put("Content-Type", type);
        return new RecordedBody.Stored(file);
    }

    private static String form(Map<String, Object> media, @Nullable Object example) {
        List<String> pairs = new ArrayList<>();
        map(example).forEach((name, value) -> {
            Map<String, Object> style =
                    new LinkedHashMap<>(map(map(media.get("encoding")).get(name)));
            style.putIfAbsent("schema", Map.of());
            pairs.addAll(pairs(name, value, style));
        });
        return String.join("&", pairs).replace("%20", "+").replace("%2A", "*").replace("~", "%7E");
    }

    private RecordedBody parts(Map<String, Object> media, @Nullable Object example) {
        Map<String, Object> properties = properties(media.get("schema"), 0);
        List<Part> parts = new ArrayList<>();
        map(example).forEach((name, value) -> {
            Map<String, Object> of = files.resolved(properties.get(name));
            String type =
                    String.valueOf(map(map(media.get("encoding")).get(name)).getOrDefault("contentType", ""));
            List<?> each = value instanceof List<?> list ? list : List.of(Objects.requireNonNullElse(value, ""));
            Map<String, Object> items =
                    value instanceof List<?> && of.get("items") != null ? files.resolved(of.get("items")) : of;
            for (Object one : each) {
                parts.add(
                        isFile(items)
                                ? new Part(name, "", name, type.contains(",") ? "" : type)
                                : new Part(name, one instanceof Map<?, ?> ? json(one) : text(one), "", ""));
            }
        });
        return parts.isEmpty() ? RecordedBody.NONE : new RecordedBody.Parts(parts);
    }

    private static boolean isFile(Map<String, Object> schema) {
        return "binary".equals(schema.get("format"))
                || "file".equals(schema.get("type"))
                || schema.containsKey("contentMediaType") && !schema.containsKey("contentEncoding");
    }

    // ---- examples ----

    /** Returns the first value that a description gives itself; {@code null}: it gives none. */
    private @Nullable Object given(Map<String, Object> of) {
        Object examples = of.get("examples");
        Object first = examples instanceof Map<?, ?> map && !map.isEmpty()
                ? files.resolved(map.values().iterator().next()).get("value")
                : examples instanceof List<?> list && !list.isEmpty() ? list.get(0) : null;
        Object enumerated = of.get("enum") instanceof List<?> list && !list.isEmpty() ? list.get(0) : null;
        for (Object value : new Object[] {
            of.get("example"), first, of.get("x-example"), of.get("default"), of.get("const"), enumerated
        }) {
            if (value != null) {
                return ReferencedFiles.reference(value) == null ? value : files.resolved(value);
            }
        }
        return null;
    }

    /**
     * Makes an example of what a schema describes.
     *
     * @param within references that it is a part of: what holds itself is left out
     */
    private @Nullable Object example(@Nullable Object schema, Set<String> within, int depth) {
        String reference = ReferencedFiles.reference(schema);
        if (within.contains(String.valueOf(reference)) || depth > DEEPEST || ++values > MAX_VALUES) {
            return null;
        }
        Map<String, Object> of = files.resolved(schema);
        Set<String> deeper = new LinkedHashSet<>(within);
        if (reference != null) {
            deeper.add(reference);
        }
        Object given = given(of);
        if (given != null) {
            return given;
        }
        for (String key : List.of("oneOf", "anyOf")) {
            if (of.get(key) instanceof List<?> list) {
                for (Object each : list) {
                    Object one = example(each, deeper, depth + 1);
                    if (one != null) {
                        return one;
                    }
                }
            }
        }
        Map<String, Object> made = new LinkedHashMap<>();
        Object other = null;
        if (of.get("allOf") instanceof List<?> all) {
            for (Object part : all) {
                Object one = example(part, deeper, depth + 1);
                made.putAll(map(one));
                other = one instanceof Map<?, ?> || other != null ? other : one;
            }
        }
        map(of.get("properties")).forEach((name, part) -> {
            Map<String, Object> property = files.resolved(part);
            Object value = Boolean.TRUE.equals(property.get("readOnly")) ? null : example(part, deeper, depth + 1);
            if (value != null) {
                made.put(name, value);
            }
        });
        return made.isEmpty() ? other != null ? other : ofType(of, deeper, depth) : made;
    }

    private @Nullable Object ofType(Map<String, Object> of, Set<String> within, int depth) {
        Object type = of.get("type") instanceof List<?> several
                ? several.stream()
                        .map(String::valueOf)
                        .filter(each -> !each.equals("null"))
                        .findFirst()
                        .orElse("null")
                : of.get("type");
        boolean isObject = of.containsKey("properties") || of.containsKey("additionalProperties");
        return switch (String.valueOf(
                type != null ? type : isObject ? "object" : of.containsKey("items") ? "array" : "")) {
            case "integer", "number" -> of.getOrDefault("minimum", of.getOrDefault("maximum", 1L));
            case "boolean" -> Boolean.TRUE;
            case "array" -> {
                Object item = example(of.get("items"), within, depth + 1);
                yield item == null ? List.of() : List.of(item);
            }
            case "object" -> Map.of();
            case "null" -> null;
            default -> word(of);
        };
    }

    private static String word(Map<String, Object> of) {
        String text = switch (String.valueOf(of.get("format"))) {
            case "date" -> "2026-01-31";
            case "date-time" -> "2026-01-31T12:00:00Z";
            case "uuid" -> "00000000-0000-4000-8000-000000000000";
            case "email" -> "user@example.org";
            case "uri" -> "http://example.org/";
            case "byte" -> "dGV4dA==";
            default -> "text";
        };
        return of.get("minLength") instanceof Number least
                        && least.intValue() > text.length()
                        && least.intValue() < 1000
                ? text + "x".repeat(least.intValue() - text.length())
                : text;
    }

    /** Returns the schemas of properties, with those of the schemas that it is made of. */
    private Map<String, Object> properties(@Nullable Object schema, int depth) {
        Map<String, Object> of = files.resolved(schema);
        Map<String, Object> all = new LinkedHashMap<>();
        if (of.get("allOf") instanceof List<?> parts && depth < DEEPEST) {
            parts.forEach(part -> all.putAll(properties(part, depth + 1)));
        }
        all.putAll(map(of.get("properties")));
        return all;
    }

    private static String json(@Nullable Object value) {
        return value == null ? "" : JsonMapper.shared().writeValueAsString(value);
    }

    private static String text(@Nullable Object value) {
        return value instanceof Map<?, ?> || value instanceof List<?> ? json(value) : String.valueOf(value);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("*", "%2A")
                .replace("%7E", "~");
    }
}
