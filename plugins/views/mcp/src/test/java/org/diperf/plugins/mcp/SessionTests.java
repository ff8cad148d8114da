package org.diperf.plugins.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.diperf.core.contract.CommandHarness;
import org.diperf.core.spi.CommandContext.Watcher;
import org.diperf.core.spi.CommandPlugin;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Timeout(30)
class SessionTests {

    @TempDir
    private Path folder = Path.of("");

    private CommandHarness program = new CommandHarness(new McpCommand(), List.of(), Path.of(""), List.of());
    private final List<List<String>> lines = new ArrayList<>();

    @BeforeEach
    void make() throws IOException {
        folder = folder.toRealPath();
        program = new CommandHarness(new McpCommand(), List.of(), folder, List.of());
        program.others(this::carriedOut);
    }

    private int carriedOut(List<String> line, Watcher watcher) {
        if (line.get(0).equals("version")) {
            watcher.out("diperf 1.2.3");
            return CommandPlugin.DONE;
        }
        lines.add(line);
        watcher.err("0:05/0:10 ██ measuring  50.0/s  in flight 1  failed 0");
        watcher.err("DONE");
        watcher.out("{\"folder\": \"f\", \"exit\": 99, \"summary\": {\"verdict\": \"valid\", \"clock\": {},");
        watcher.out("\"measured\": {\"sendLag\": {}, \"calls\": {\"ok\": 7}}}}");
        return 99;
    }

    private Tools tools() {
        return new Tools(
                program, new Caps(100, 10, Duration.ofMinutes(1), Set.of("127.0.0.1"), Set.of("http"), folder));
    }

    /** Sends messages, one a line, and returns the answers. */
    private List<JsonNode> answers(String... messages) throws Exception {
        List<JsonNode> answers = new ArrayList<>();
        byte[] text = String.join("\n", messages).getBytes(StandardCharsets.UTF_8);
        PipedOutputStream to = new PipedOutputStream();
        CountDownLatch done = new CountDownLatch(messages.length);
        try (PipedInputStream from = new PipedInputStream(to, text.length + 1)) {
            Session session = new Session(
                    from,
                    line -> {
                        synchronized (answers) {
                            answers.add(JsonMapper.shared().readTree(line));
                        }
                        done.countDown();
                    },
                    tools(),
                    "guide");
            Thread serving = new Thread(() -> {
                try {
                    session.serve();
                } catch (IOException | InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            serving.start();
            to.write(text);
            to.write('\n');
            to.flush();
            assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
            to.close();
            serving.join();
        }
        return answers;
    }

    private JsonNode answer(String message) throws Exception {
        return answers(message).get(0);
    }

    @ParameterizedTest
    @CsvSource({"2024-11-05,2024-11-05", "2025-06-18,2025-06-18", "2099-01-01,2025-11-25"})
    void theVersionIsTheClientsIfItIsKnown(String asked, String agreed) throws Exception {
        JsonNode result = answer(
                        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\""
                                + asked + "\"}}")
                .path("result");
        assertThat(result.path("protocolVersion").asString()).isEqualTo(agreed);
        assertThat(result.path("serverInfo").path("version").asString()).isEqualTo("1.2.3");
        assertThat(result.path("instructions").asString()).isEqualTo("guide");
        assertThat(result.has("resultType")).isFalse();
    }

    @Test
    void withoutAHandshakeEachRequestNamesItsVersion() throws Exception {
        String meta = "\"params\":{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"";
        List<JsonNode> answers = answers(
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/discover\"," + meta + "2026-07-28\"}}}",
                "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"," + meta + "2026-07-28\"}}}",
                "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/list\"," + meta + "2099-01-01\"}}}");
        assertThat(answers.get(0).path("result").path("supportedVersions").toString())
                .isEqualTo("[\"2026-07-28\"]");
        assertThat(answers.get(1).path("result").path("resultType").asString()).isEqualTo("complete");
        assertThat(answers.get(1).path("result").path("cacheScope").asString()).isEqualTo("private");
        assertThat(answers.get(2).path("error").path("message").asString())
                .isEqualTo("expected protocol version 2026-07-28, got '2099-01-01'");
    }

    @Test
    void toolsAreListedWithTheirParameters() throws Exception {
        JsonNode tools = answer("{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":\"tools/list\"}")
                .path("result")
                .path("tools");
        List<String> names = new ArrayList<>();
        tools.forEach(tool -> names.add(tool.path("name").asString()));
        assertThat(names).containsExactly("init", "check", "try", "run", "report", "compare");
        JsonNode schema = tools.path(5).path("inputSchema");
        assertThat(schema.path("required").toString()).isEqualTo("[\"before\",\"after\"]");
        assertThat(schema.path("properties").path("before").path("type").asString())
                .isEqualTo("array");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{\"name\":\"run\",\"arguments\":{\"url\":\"http://127.0.0.1:1/\",\"rate\":50,\"for\":\"3s\",\"set\":[\"seed=1\"]}}"
                        + "| run http://127.0.0.1:1/ --rate=50 --for=3s --set=seed=1 --yes --out DIR/runs/run-1 --json",
                "{\"name\":\"check\",\"arguments\":{\"file\":\"a.yml\"}} | check DIR/a.yml --json",
                "{\"name\":\"check\",\"arguments\":{\"text\":\"target: x\"}} | check DIR/experiment-of-agent.yml --json",
                "{\"name\":\"try\",\"arguments\":{\"file\":\"a.yml\",\"request\":\"b\"}} | try DIR/a.yml --request=b --json",
                "{\"name\":\"init\",\"arguments\":{\"name\":\"b.yml\",\"client\":\"http\"}} | init DIR/b.yml --for=http",
                "{\"name\":\"report\",\"arguments\":{\"run\":\"old\",\"window\":\"1s..2s\"}} | report DIR/old --json --window=1s..2s",
                "{\"name\":\"compare\",\"arguments\":{\"before\":[\"old\"],\"after\":[\"old\"],\"fail-on\":[\"failed +1%\"]}}"
                        + "| compare DIR/old --fail-on=failed +1% --json --to DIR/old"
            })
    void aToolIsACommandLine(String params, String line) throws Exception {
        Files.createFile(folder.resolve("a.yml"));
        Files.createDirectory(folder.resolve("old"));
        JsonNode result = answer("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":" + params + "}")
                .path("result");
        assertThat(String.join(" ", lines.get(0)).replace(folder.toString(), "DIR"))
                .isEqualTo(line);
        assertThat(result.path("isError").asBoolean()).isFalse();
        assertThat(result.path("content").path(0).path("text").asString()).isEqualTo("DONE\nexit code 99");
        assertThat(result.path("structuredContent").toString())
                .isEqualTo(
                        "{\"folder\":\"f\",\"exit\":99,\"summary\":{\"verdict\":\"valid\",\"measured\":{\"calls\":{\"ok\":7}}}}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{\"name\":\"run\",\"arguments\":{}} | expected one of file, text and url, got 0",
                "{\"name\":\"run\",\"arguments\":{\"url\":\"127.0.0.1\"}} | url: expected one such as http://127.0.0.1:8080/",
                "{\"name\":\"run\",\"arguments\":{\"file\":\"../x.yml\"}} | expected a file or folder in",
                "{\"name\":\"run\",\"arguments\":{\"file\":\"A.java\"}} | file: expected one that ends in .yml or .json",
                "{\"name\":\"run\",\"arguments\":{\"plugins\":\"x\"}} | expected parameters of [file, text, url",
                "{\"name\":\"init\",\"arguments\":{\"name\":\"../a.yml\"}} | name: expected a plain file name",
                "{\"name\":\"init\",\"arguments\":{\"name\":\"plugin\",\"client\":\"plugin\"}} | client: expected one of [http]",
                "{\"name\":\"report\",\"arguments\":{\"run\":[]}} | run: expected a text"
            })
    void whatAToolCannotUseIsAResultThatSaysSo(String params, String told) throws Exception {
        Files.createFile(folder.resolve("A.java"));
        JsonNode result = answer("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":" + params + "}")
                .path("result");
        assertThat(result.path("isError").asBoolean()).isTrue();
        assertThat(result.path("content").path(0).path("text").asString()).contains(told);
        assertThat(lines).isEmpty();
    }

    @Test
    void progressIsToldToWhoAsksForIt() throws Exception {
        String params = "{\"name\":\"run\",\"arguments\":{\"url\":\"http://127.0.0.1:1/\"}";
        List<JsonNode> answers = answers(
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":" + params + "}}",
                "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":" + params
                        + ",\"_meta\":{\"progressToken\":\"p\"}}}",
                "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
        assertThat(answers.get(1).path("params").path("message").asString()).startsWith("0:05/0:10");
        assertThat(answers.get(1).path("params").path("progressToken").asString())
                .isEqualTo("p");
        assertThat(answers.get(2).path("id").asInt()).isEqualTo(2);
    }

    @Test
    void whatIsNoRequestIsRefused() throws Exception {
        List<JsonNode> answers = answers(
                "{",
                "[]",
                "{\"id\":1,\"method\":\"resources/list\"}",
                "{\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"exec\"}}",
                "{\"id\":3,\"method\":\"" + "x".repeat(1 << 20) + "\"}",
                "{\"id\":4,\"method\":\"ping\"}");
        List<Integer> codes = new ArrayList<>();
        answers.forEach(answer -> codes.add(answer.path("error").path("code").asInt(0)));
        assertThat(codes).containsExactly(-32700, -32600, -32601, -32602, -32600, 0);
    }

    @Test
    void aCancelledCallIsInterruptedAndGetsNoAnswer() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        program.others((line, watcher) -> {
            if (line.get(0).equals("check")) {
                begun.countDown();
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    interrupted.countDown();
                }
            }
            return CommandPlugin.DONE;
        });
        BlockingQueue<String> answers = new LinkedBlockingQueue<>();
        PipedOutputStream to = new PipedOutputStream();
        try (PipedInputStream from = new PipedInputStream(to)) {
            Session session = new Session(from, answers::add, tools(), "guide");
            Thread serving = new Thread(() -> {
                try {
                    session.serve();
                } catch (IOException | InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            serving.start();
            send(
                    to,
                    "{\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"check\",\"arguments\":{\"text\":\"a\"}}}");
            begun.await();
            send(to, "{\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":7}}");
            interrupted.await();
            send(to, "{\"id\":8,\"method\":\"ping\"}");
            assertThat(answers.take()).contains("\"id\":8");
            to.close();
            serving.join();
        }
        assertThat(answers).isEmpty();
    }

    private static void send(PipedOutputStream to, String line) throws IOException {
        to.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        to.flush();
    }

    @Test
    void theEndOfInputEndsWhatIsUnderWay() throws Exception {
        program.others((line, watcher) -> {
            if (line.get(0).equals("check")) {
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    return CommandPlugin.NOT_CARRIED_OUT;
                }
            }
            return CommandPlugin.DONE;
        });
        String call =
                "{\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"check\",\"arguments\":{\"text\":\"a\"}}}\n";
        new Session(new ByteArrayInputStream(call.getBytes(StandardCharsets.UTF_8)), line -> {}, tools(), "guide")
                .serve();
    }

    @Test
    void whatACommandIsAboutToDoIsHeldAgainstTheCaps() throws Exception {
        program.others((line, watcher) -> {
            if (!line.get(0).equals("version")) {
                watcher.admit(Map.of("target", "http://example.org/"), Optional.of(Duration.ofSeconds(1)));
            }
            return CommandPlugin.DONE;
        });
        JsonNode result = answer("{\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"check\",\"arguments\":"
                        + "{\"text\":\"a\"}}}")
                .path("result");
        assertThat(result.path("content").path(0).path("text").asString()).contains("'example.org'");
    }
}
