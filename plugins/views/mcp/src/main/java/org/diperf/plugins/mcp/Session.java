package org.diperf.plugins.mcp;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Speaks the Model Context Protocol, one JSON-RPC message a line, with and without its handshake. Calls of tools wait for each
 * other on a thread of their own, because measurements would disturb each other; all else is answered at once.
 */
final class Session {

    /** With an {@code initialize} first; the one to offer is the first. */
    private static final List<String> WITH_HANDSHAKE = List.of("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05");

    private static final String WITHOUT_HANDSHAKE = "2026-07-28";
    private static final String VERSION = "io.modelcontextprotocol/protocolVersion";

    private static final int PARSE_ERROR = -32700;
    private static final int INVALID_REQUEST = -32600;
    private static final int NO_METHOD = -32601;
    private static final int INVALID_PARAMS = -32602;
    private static final int BUSY = -32000;

    private static final int LONGEST_MESSAGE = 1 << 20;
    private static final int MAX_WAITING = 8;
    private static final int PATIENCE_SECONDS = 30;

    private final BufferedInputStream in;
    private final Consumer<String> out;
    private final Tools tools;
    private final String guide;
    private final Map<JsonNode, Future<?>> calls = new ConcurrentHashMap<>();
    private final ThreadPoolExecutor worker = new ThreadPoolExecutor(
            1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MAX_WAITING), task -> new Thread(task, "diperf-mcp"));

    /**
     * @param out takes a message, on any thread
     * @param guide for the agent
     */
    Session(InputStream in, Consumer<String> out, Tools tools, String guide) {
        this.in = new BufferedInputStream(in);
        this.out = out;
        this.tools = tools;
        this.guide = guide;
    }

    /** Answers until there is no more input; then ends what is under way. */
    void serve() throws IOException, InterruptedException {
        try {
            for (byte[] line = line(); line != null; line = line()) {
                if (line.length > LONGEST_MESSAGE) {
                    fail(null, INVALID_REQUEST, "expected a message of at most 1 MiB, got a longer one");
                } else if (line.length > 0) {
                    take(line);
                }
            }
        } finally {
            worker.shutdownNow();
            worker.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }
    }

    /** Returns the next line, of a longer one the first bytes; {@code null}: the input has ended. */
    private byte @Nullable [] line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int octet = in.read();
        if (octet < 0) {
            return null;
        }
        for (; octet >= 0 && octet != '\n'; octet = in.read()) {
            if (octet != '\r' && line.size() <= LONGEST_MESSAGE) {
                line.write(octet);
            }
        }
        return line.toByteArray();
    }

    private void take(byte[] line) {
        JsonNode message;
        try {
            message = JsonMapper.shared().readTree(line);
        } catch (JacksonException e) {
            fail(null, PARSE_ERROR, "expected JSON, got something else");
            return;
        }
        JsonNode id = message.get("id");
        String method = message.path("method").asString("");
        if (!message.isObject() || method.isEmpty()) {
            fail(id, INVALID_REQUEST, "expected a request of JSON-RPC 2.0, got something else");
        } else if (id == null || id.isNull()) {
            if (method.equals("notifications/cancelled")) {
                cancel(message.path("params").path("requestId"));
            }
        } else {
            answer(id, method, message.path("params"));
        }
    }

    private void answer(JsonNode id, String method, JsonNode params) {
        String version = params.path("_meta").path(VERSION).asString("");
        if (!version.isEmpty() && !version.equals(WITHOUT_HANDSHAKE)) {
            fail(id, INVALID_PARAMS, "expected protocol version " + WITHOUT_HANDSHAKE + ", got '" + version + "'");
            return;
        }
        boolean modern = !version.isEmpty();
        switch (method) {
            case "initialize" -> {
                String asked = params.path("protocolVersion").asString("");
                Map<String, Object> result = about();
                result.put("protocolVersion", WITH_HANDSHAKE.contains(asked) ? asked : WITH_HANDSHAKE.get(0));
                reply(id, result, modern);
            }
            case "server/discover" -> {
                Map<String, Object> result = about();
                result.put("supportedVersions", List.of(WITHOUT_HANDSHAKE));
                cached(result);
                reply(id, result, true);
            }
            case "ping" -> reply(id, new LinkedHashMap<>(), modern);
            case "tools/list" -> {
                Map<String, Object> result = new LinkedHashMap<>();
                result.put("tools", tools.list());
                if (modern) {
                    cached(result);
                }
                reply(id, result, modern);
            }
            case "tools/call" -> call(id, params, modern);
            default -> fail(id, NO_METHOD, "expected a method of a server with tools, got '" + method + "'");
        }
    }

    private Map<String, Object> about() {
        Map<String, Object> about = new LinkedHashMap<>();
        about.put("capabilities", Map.of("tools", Map.of()));
        about.put("serverInfo", Map.of("name", "diperf", "version", tools.version()));
        about.put("instructions", guide);
        return about;
    }

    private static void cached(Map<String, Object> result) {
        result.put("ttlMs", TimeUnit.HOURS.toMillis(1));
        result.put("cacheScope", "private");
    }

    private void call(JsonNode id, JsonNode params, boolean modern) {
        String name = params.path("name").asString("");
        if (!tools.has(name)) {
            fail(id, INVALID_PARAMS, "expected the name of a tool, got '" + name + "'");
            return;
        }
        JsonNode token = params.path("_meta").path("progressToken");
        AtomicLong lines = new AtomicLong();
        Consumer<String> progress = line -> {
            if (!token.isMissingNode()) {
                Map<String, Object> told = new LinkedHashMap<>();
                told.put("progressToken", token);
                told.put("progress", lines.incrementAndGet());
                told.put("message", line);
                send(Map.of("jsonrpc", "2.0", "method", "notifications/progress", "params", told));
            }
        };
        FutureTask<Void> task = new FutureTask<>(() -> {
            Map<String, Object> result = tools.call(name, params.path("arguments"), progress);
            // What is cancelled gets no answer.
            if (calls.remove(id) != null) {
                reply(id, result, modern);
            }
            return null;
        });
        calls.put(id, task);
        try {
            worker.execute(task);
        } catch (RejectedExecutionException e) {
            calls.remove(id);
            fail(id, BUSY, "expected at most " + MAX_WAITING + " waiting calls, got more; wait for an answer");
        }
    }

    private void cancel(JsonNode id) {
        Future<?> call = calls.remove(id);
        if (call != null) {
            call.cancel(true);
        }
    }

    private void reply(JsonNode id, Map<String, Object> result, boolean modern) {
        if (modern) {
            result.put("resultType", "complete");
        }
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("jsonrpc", "2.0");
        message.put("id", id);
        message.put("result", result);
        send(message);
    }

    private void fail(@Nullable JsonNode id, int code, String text) {
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("jsonrpc", "2.0");
        message.put("id", id);
        message.put("error", Map.of("code", code, "message", text));
        send(message);
    }

    private synchronized void send(Map<String, Object> message) {
        out.accept(JsonMapper.shared().writeValueAsString(message));
    }
}
