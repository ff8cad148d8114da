package org.diperf.controller.acceptance;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.diperf.core.folder.FolderTree;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The Chromium of this system without a window, driven by its own DevTools protocol. Writes down what pages say on their console, what
 * fails, and every address that is asked for. Used by one thread.
 */
final class Browser implements AutoCloseable {

    private static final long PATIENCE_SECONDS = 100;
    /** A page that is not there after this is loaded once more. */
    private static final long LOST_SECONDS = 10;

    private static final JsonMapper JSON = JsonMapper.shared();

    private final Path profile;
    private final Process process;
    private final WebSocket socket;
    private final BlockingQueue<JsonNode> answers = new LinkedBlockingQueue<>();
    private final List<String> complaints = new CopyOnWriteArrayList<>();
    private final List<String> said = new CopyOnWriteArrayList<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final HarRecording recording = new HarRecording();
    private final String session;
    private int number;
    /** Where it was sent last, and when. */
    private String gone = "";

    private long goneNanos;

    private Browser(String program, int width, int height) throws Exception {
        profile = Files.createTempDirectory("diperf-browser-");
        process = new ProcessBuilder(
                        program,
                        "--headless=new",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--disable-default-apps",
                        "--disable-extensions",
                        "--disable-sync",
                        "--remote-debugging-port=0",
                        "--window-size=" + width + "," + height,
                        "--user-data-dir=" + profile,
                        "about:blank")
                .redirectErrorStream(true)
                .redirectOutput(profile.resolve("log").toFile())
                .start();
        URI endpoint = endpoint();
        socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(endpoint, new Listener())
                .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        String target = send("Target.createTarget", object().put("url", "about:blank"), null)
                .get("targetId")
                .asString();
        session = send("Target.attachToTarget", object().put("targetId", target).put("flatten", true), null)
                .get("sessionId")
                .asString();
        for (String domain : List.of("Log", "Runtime", "Network", "Page")) {
            send(domain + ".enable", object(), session);
        }
        size(width, height);
    }

    /** Finds the program; empty: it is not installed. */
    static Optional<String> program() {
        return List.of("chromium", "chromium-browser", "google-chrome").stream()
                .filter(Command::installed)
                .findFirst();
    }

    static Browser open(int width, int height) throws Exception {
        return new Browser(program().orElseThrow(), width, height);
    }

    private URI endpoint() throws IOException, InterruptedException {
        Path file = profile.resolve("DevToolsActivePort");
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (System.nanoTime() - deadline < 0 && process.isAlive()) {
            if (Files.exists(file)) {
                List<String> lines = Files.readAllLines(file);
                if (lines.size() >= 2) {
                    return URI.create("ws://127.0.0.1:" + lines.get(0) + lines.get(1));
                }
            }
            Thread.sleep(50);
        }
        throw new IOException("the browser did not start: " + Files.readString(profile.resolve("log")));
    }

    private final class Listener implements WebSocket.Listener {
        private final StringBuilder part = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence text, boolean last) {
            part.append(text);
            if (last) {
                JsonNode message = JSON.readTree(part.toString());
                part.setLength(0);
                if (message.has("id")) {
                    answers.add(message);
                } else {
                    hear(message.path("method").asString(""), message.path("params"));
                }
            }
            from.request(1);
            return null;
        }
    }

    private void hear(String method, JsonNode parameters) {
        recording.hear(method, parameters);
        switch (method) {
            case "Runtime.exceptionThrown" -> complaints.add(parameters.toString());
            case "Runtime.consoleAPICalled" -> {
                if (List.of("error", "warning").contains(parameters.path("type").asString(""))) {
                    complaints.add(parameters.toString());
                } else {
                    said.add(parameters.path("args").path(0).path("value").asString(""));
                }
            }
            case "Log.entryAdded" -> {
                JsonNode entry = parameters.path("entry");
                if (!entry.path("level").asString("").equals("info")) {
                    complaints.add(entry.toString());
                }
            }
            case "Network.requestWillBeSent" ->
                asked.add(parameters.path("request").path("url").asString(""));
            default -> {}
        }
    }

    static ObjectNode object() {
        return JSON.createObjectNode();
    }

    private JsonNode send(String method, ObjectNode parameters, String of) throws Exception {
        ObjectNode message = object().put("id", ++number).put("method", method);
        message.set("params", parameters);
        if (of != null) {
            message.put("sessionId", of);
        }
        socket.sendText(message.toString(), true).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        while (true) {
            JsonNode answer = answers.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (answer == null) {
                throw new AssertionError("The browser does not answer " + method);
            }
            if (answer.path("id").asInt() == number) {
                if (answer.has("error")) {
                    throw new AssertionError(method + ": " + answer.get("error"));
                }
                return answer.path("result");
            }
        }
    }

    /** Does something in the page, by the protocol's own name. */
    JsonNode send(String method, ObjectNode parameters) throws Exception {
        return send(method, parameters, session);
    }

    void go(String url) throws Exception {
        gone = url;
        goneNanos = System.nanoTime();
        send("Page.navigate", object().put("url", url));
    }

    /** Runs a script in every page from now on, before its own. */
    void always(String script) throws Exception {
        send("Page.addScriptToEvaluateOnNewDocument", object().put("source", script));
    }

    /** Goes to the page again where a busy machine has lost it: what is shown then is nobody's page. */
    private void goAgainIfLost() throws Exception {
        boolean isTime = System.nanoTime() - goneNanos > TimeUnit.SECONDS.toNanos(LOST_SECONDS);
        if (!gone.isEmpty()
                && isTime
                && List.of("about:", "chrome-error:")
                        .contains(ask("location.protocol").asString(""))) {
            go(gone);
        }
    }

    void size(int width, int height) throws Exception {
        send(
                "Emulation.setDeviceMetricsOverride",
                object().put("width", width)
                        .put("height", height)
                        .put("deviceScaleFactor", 1)
                        .put("mobile", width < 600));
    }

    /** Returns what an expression of the page gives, as JSON. */
    JsonNode ask(String expression) throws Exception {
        JsonNode result =
                send("Runtime.evaluate", object().put("expression", expression).put("returnByValue", true));
        if (result.has("exceptionDetails")) {
            throw new AssertionError(expression + ": " + result.get("exceptionDetails"));
        }
        return result.path("result").path("value");
    }

    /** Waits until what an expression gives is as wanted; while a page gives way to another one, there is nothing that could be asked. */
    JsonNode await(String expression, Predicate<JsonNode> wanted) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        Object found;
        do {
            try {
                goAgainIfLost();
                JsonNode given = ask(expression);
                if (wanted.test(given)) {
                    return given;
                }
                found = given;
            } catch (AssertionError notYet) {
                found = notYet.getMessage();
            }
            Thread.sleep(100);
        } while (System.nanoTime() - deadline < 0);
        throw new AssertionError(expression + " stays " + found + " at " + ask("location.href") + "; " + complaints);
    }

    /** Presses a key in the element that has the focus. */
    void press(String key) throws Exception {
        for (String type : List.of("keyDown", "keyUp")) {
            send("Input.dispatchKeyEvent", object().put("type", type).put("key", key));
        }
    }

    void picture(Path file) throws Exception {
        Files.write(
                file,
                Base64.getDecoder()
                        .decode(send("Page.captureScreenshot", object().put("format", "png"))
                                .get("data")
                                .asString()));
    }

    /** Keeps what was answered since this was asked last; a page forgets it when another comes. */
    void keepAnswers() throws Exception {
        for (String request : recording.withoutBody()) {
            recording.body(request, body(request));
        }
    }

    /** Returns the body of an answer; empty: it came after the last look at its page, such as that of an icon, and is forgotten. */
    private JsonNode body(String request) throws Exception {
        try {
            return send("Network.getResponseBody", object().put("requestId", request));
        } catch (AssertionError forgotten) {
            return object();
        }
    }

    /** Returns all that was asked and answered, as an HTTP archive. */
    String har() {
        return recording.har();
    }

    /** Lists errors and warnings of pages. */
    List<String> complaints() {
        return List.copyOf(complaints);
    }

    /** Lists what pages wrote on their console without complaining. */
    List<String> said() {
        return List.copyOf(said);
    }

    /** Lists the addresses that were asked for. */
    List<String> asked() {
        return new ArrayList<>(asked);
    }

    @Override
    public void close() throws IOException {
        socket.abort();
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        FolderTree.delete(profile);
    }
}
