package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is sent for lines of curl, against what curl itself sends for them. */
@Timeout(120)
class ImportedRequestsTests {

    private static final List<String> LINES = List.of(
            "curl U/get?a=1",
            "curl -d '' U/empty",
            "curl U/form -d x=1 --data y=2 -d '&z'",
            "curl U/encoded --data-urlencode 'n=a b+c&d~*' --data-urlencode '=x=y' --data-urlencode 'q q'",
            "curl -G 'U/query?z=1' -d q=1 --data-urlencode 'w=a b'",
            "curl -H 'Host: shop.example' U/host",
            "curl -L U/redirect",
            "curl -L -d a=b U/redirect",
            "curl --compressed U/c -H 'Cache-Control: no-cache' -H 'If-None-Match: \"x\"' -H 'Pragma: no-cache'",
            "curl U/one U/two -d x=1",
            "curl U/bytes -d $'caf\\xc3\\xa9 \\u00e9 \\303\\251 \\n\\t\\'q\\' \\\\ \\U0001F600'",
            "curl U/parts -F 'token=\"a;b \\\"c\\\"\"' -F e= -F 'f=@FILE;type=text/x-mine' -F g=@FILE --form-string '@=@x'",
            "curl U/typed -F 'a={\"x\":1};type=application/json' -F b=2",
            "curl http://ann:p%40ss@HOST/user",
            "curl -u ann:pw -H 'Authorization: Bearer t' U/user",
            "curl -r 0-99 -e 'http://r/;auto' -A mine U/range",
            "curl --json '{\"a\":' --json ' 1}' U/json",
            "curl -X post U/lower -d a=1",
            "curl -H 'X-Empty;' -H 'X-None:' -H 'Expect:' -H 'X-Two: 1' -H 'x-two: 2' U/headers",
            "curl -g 'U/a[1].txt?filter={%22x%22:1}&x[]=1&y=a^b|c`d&q=100%'",
            "curl U/1 --next -X PUT U/2 -d z",
            "curl -sSo /dev/null -w '%{http_code}' U/o; curl U/p 2>/dev/null | cat && curl -I U/q",
            "curl -b 'a=1; b' -b c=3 U/cookies",
            "curl -b a=1 -H 'Cookie: z=9' U/cookies",
            "curl 'U?x=1#part'",
            "curl -T FILE U/up/ -H Expect:",
            "curl --data-binary @FILE -H 'Content-Type: text/plain' U/up",
            "curl -d a=1 -H 'Content-Type:' U/untyped",
            "curl -X DELETE U/d -d '{}' -H 'content-type: application/json'",
            "curl -XPOST U/post",
            "curl -H 'Accept: a' \\\n  -H \"X: b \\\"c\\\" \\d\" \\\n U/more -d '\n{\n}\n'");

    private static final Pattern BOUNDARY = Pattern.compile("boundary=([^;,\\s]+)");

    @TempDir
    private Path folder = Path.of("");

    private final List<String> asked = new CopyOnWriteArrayList<>();
    private @Nullable ServerSocket server;

    @BeforeEach
    void start() throws IOException {
        ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        server = socket;
        inBackground(() -> {
            while (!socket.isClosed()) {
                try {
                    Socket connection = socket.accept();
                    inBackground(() -> serve(connection));
                } catch (IOException closed) {
                    return;
                }
            }
        });
    }

    @AfterEach
    void stop() throws IOException {
        if (server != null) {
            server.close();
        }
    }

    private static void inBackground(Runnable task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
    }

    private void serve(Socket connection) {
        try (connection) {
            InputStream in = new BufferedInputStream(connection.getInputStream());
            for (String first = line(in); !first.isEmpty(); first = line(in)) {
                Map<String, String> fields = new TreeMap<>();
                for (String field = line(in); !field.isEmpty(); field = line(in)) {
                    int colon = field.indexOf(':');
                    fields.merge(
                            field.substring(0, colon).toLowerCase(Locale.ROOT),
                            field.substring(colon + 1).strip(),
                            (one, other) -> one + ", " + other);
                }
                byte[] body = in.readNBytes(Integer.parseInt(fields.getOrDefault("content-length", "0")));
                asked.add(shown(first, fields, new String(body, StandardCharsets.UTF_8)));
                boolean leads = first.contains(" /redirect ");
                connection
                        .getOutputStream()
                        .write(((leads ? "HTTP/1.1 302 Found\r\nLocation: /there\r\n" : "HTTP/1.1 200 OK\r\n")
                                        + "Content-Length: 0\r\n\r\n")
                                .getBytes(StandardCharsets.US_ASCII));
            }
        } catch (IOException closed) {
            // by the client
        }
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
            line.append((char) c);
        }
        return line.toString().strip();
    }

    /** Leaves out what a program says of itself. */
    private static String shown(String first, Map<String, String> fields, String body) {
        fields.keySet().removeIf(name -> name.equals("content-length"));
        fields.computeIfPresent("user-agent", (name, value) -> value.matches("curl/.*|diperf") ? null : value);
        fields.computeIfPresent("accept-encoding", (name, value) -> "some");
        String text = first + "\n" + fields + "\n" + body;
        Matcher boundary = BOUNDARY.matcher(text);
        return boundary.find() ? text.replace(boundary.group(1), "BOUNDARY") : text;
    }

    @Test
    void linesOfCurlSendWhatCurlSends() throws Exception {
        assumeTrue(
                Stream.of("bash", "curl").allMatch(program -> Files.isExecutable(Path.of("/usr/bin", program))),
                "curl or bash is not installed: apt-get install curl");
        Path file = Files.writeString(folder.resolve("a.txt"), "two\nlines\n");
        String host = "127.0.0.1:" + (server == null ? 0 : server.getLocalPort());
        String lines = String.join("\n", LINES)
                .replace("U/", "http://" + host + "/")
                .replace("U?", "http://" + host + "?")
                .replace("HOST", host)
                .replace("FILE", file.toString());

        ProcessBuilder curl = new ProcessBuilder("bash", "-c", lines)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        // bash writes characters as its locale has them.
        curl.environment().put("LC_ALL", "C.UTF-8");
        assertThat(curl.start().waitFor()).isZero();
        List<String> byCurl = new ArrayList<>(asked);
        asked.clear();

        Path made = folder.resolve("curl.yml");
        Outcome init = Outcome.of("init", made.toString(), "--curl", lines);
        assertThat(init.err()).isEmpty();
        Outcome outcome = Outcome.of("try", made.toString());
        assertThat(outcome.code()).as(outcome.out()).isZero();
        assertThat(asked).hasSizeGreaterThan(LINES.size()).containsExactlyElementsOf(byCurl);
    }
}
