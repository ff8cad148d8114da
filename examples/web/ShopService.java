import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A small shop, for examples/web: users log in, list items and buy one. It keeps a log of every request, with the instants at
 * which it came in and was answered, on the machine's monotonic clock.
 *
 * <pre>
 * java ShopService.java [PORT [LOG.csv [MILLISECONDS]]]
 *
 * POST /login        user=U&password=P           {"token": "..."}          the password of U is "pw-U", else 401
 * GET  /items?page=N Authorization: Bearer ...   {"items": [{"id": ..., "stock": ..., "price": ...}]}
 * POST /orders       Authorization: Bearer ...   {"item": ...}  201        {"order": ..., "user": ...}
 * GET  /sign-in                                  a form with a hidden token against forged requests, and a cookie
 * POST /sign-in      csrf=C&user=U&password=P    303 to /account, and a cookie with the session
 * GET  /account                                  a page that names the user of the session
 * </pre>
 */
public final class ShopService {

    private static final Pattern ITEM = Pattern.compile("\"item\"\\s*:\\s*\"?([0-9]+)\"?");

    private final Map<String, String> users = new ConcurrentHashMap<>();
    private final Map<String, String> forms = new ConcurrentHashMap<>();
    private final Map<String, String> sessions = new ConcurrentHashMap<>();
    private final AtomicLong orders = new AtomicLong();
    private final PrintWriter log;
    private final long millis;

    private ShopService(PrintWriter log, long millis) {
        this.log = log;
        this.millis = millis;
    }

    public static void main(String[] arguments) throws Exception {
        int port = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 8085;
        Path file = Path.of(arguments.length > 1 ? arguments[1] : "/dev/null");
        long millis = arguments.length > 2 ? Long.parseLong(arguments[2]) : 2;
        // Each user keeps a connection.
        System.setProperty("sun.net.httpserver.maxIdleConnections", "100000");
        System.setProperty("sun.net.httpserver.nodelay", "true");
        PrintWriter log = new PrintWriter(Files.newBufferedWriter(file), false);
        log.println("user,request,data,status,came_ns,answered_ns");
        ShopService shop = new ShopService(log, millis);
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 4_096);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", shop::answer);
        server.start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            synchronized (log) {
                log.flush();
            }
        }));
        System.out.println("ready on port " + server.getAddress().getPort());
    }

    private void answer(HttpExchange exchange) throws IOException {
        long came = System.nanoTime();
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String request = exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath();
        Answer answer = switch (request) {
            case "POST /login" -> login(form(body));
            case "GET /items" -> items(exchange, form(exchange.getRequestURI().getQuery()));
            case "POST /orders" -> order(exchange, body);
            case "GET /sign-in" -> signInForm(exchange);
            case "POST /sign-in" -> signIn(exchange, form(body));
            case "GET /account" -> account(exchange);
            default -> new Answer(404, "text/plain", "no such page", "", "");
        };
        pause();
        byte[] bytes = answer.body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", answer.type);
        long answered;
        try (exchange) {
            exchange.sendResponseHeaders(answer.status, bytes.length == 0 ? -1 : bytes.length);
            answered = System.nanoTime();
            if (bytes.length > 0) {
                exchange.getResponseBody().write(bytes);
            }
        }
        synchronized (log) {
            log.println(answer.user + "," + request + "," + answer.data + "," + answer.status + "," + came + "," + answered);
        }
    }

    private void pause() {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Answer login(Map<String, String> form) {
        String user = form.getOrDefault("user", "");
        if (!form.getOrDefault("password", "").equals("pw-" + user)) {
            return new Answer(401, "application/json", "{\"error\": \"wrong password\"}", user, "");
        }
        String token = UUID.randomUUID().toString();
        users.put(token, user);
        return new Answer(200, "application/json", "{\"token\": \"" + token + "\"}", user, "");
    }

    private Answer items(HttpExchange exchange, Map<String, String> query) {
        String user = user(exchange);
        if (user.isEmpty()) {
            return new Answer(401, "application/json", "{\"error\": \"log in first\"}", "", "");
        }
        int page = Integer.parseInt(query.getOrDefault("page", "1"));
        StringBuilder items = new StringBuilder("{\"page\": " + page + ", \"items\": [");
        for (int i = 0; i < 5; i++) {
            int id = 10 * page + i;
            items.append(i == 0 ? "" : ", ")
                    .append("{\"id\": " + id + ", \"price\": " + (5 + id % 7) + ", \"stock\": " + id % 4 + "}");
        }
        return new Answer(200, "application/json", items + "]}", user, "page=" + page);
    }

    private Answer order(HttpExchange exchange, String body) {
        String user = user(exchange);
        Matcher item = ITEM.matcher(body);
        if (user.isEmpty() || !item.find()) {
            return new Answer(user.isEmpty() ? 401 : 400, "application/json", "{\"error\": \"no\"}", user, "");
        }
        String answer = "{\"order\": " + orders.incrementAndGet() + ", \"user\": \"" + user + "\"}";
        return new Answer(201, "application/json", answer, user, "item=" + item.group(1));
    }

    private Answer signInForm(HttpExchange exchange) {
        String visit = UUID.randomUUID().toString();
        String csrf = UUID.randomUUID().toString();
        forms.put(visit, csrf);
        exchange.getResponseHeaders().add("Set-Cookie", "visit=" + visit + "; Path=/; HttpOnly");
        return new Answer(
                200,
                "text/html",
                "<form method=post action=/sign-in><input type=hidden name=\"csrf\" value=\"" + csrf
                        + "\"><input name=user><input name=password type=password></form>",
                "",
                "");
    }

    private Answer signIn(HttpExchange exchange, Map<String, String> form) {
        String csrf = forms.get(cookie(exchange, "visit"));
        String user = form.getOrDefault("user", "");
        if (csrf == null || !csrf.equals(form.get("csrf")) || !form.getOrDefault("password", "").equals("pw-" + user)) {
            return new Answer(403, "text/html", "<p>Not you.", user, "");
        }
        String session = UUID.randomUUID().toString();
        sessions.put(session, user);
        exchange.getResponseHeaders().add("Set-Cookie", "session=" + session + "; Path=/; HttpOnly");
        exchange.getResponseHeaders().set("Location", "/account");
        return new Answer(303, "text/html", "", user, "");
    }

    private Answer account(HttpExchange exchange) {
        String user = sessions.get(cookie(exchange, "session"));
        return user == null
                ? new Answer(403, "text/html", "<p>Not you.", "", "")
                : new Answer(200, "text/html", "<h1>Welcome, " + user + "</h1>", user, "");
    }

    private String user(HttpExchange exchange) {
        String field = exchange.getRequestHeaders().getFirst("Authorization");
        return field == null || !field.startsWith("Bearer ") ? "" : users.getOrDefault(field.substring(7), "");
    }

    private static String cookie(HttpExchange exchange, String name) {
        String field = exchange.getRequestHeaders().getFirst("Cookie");
        for (String pair : field == null ? new String[0] : field.split("; *")) {
            if (pair.startsWith(name + "=")) {
                return pair.substring(name.length() + 1);
            }
        }
        return "";
    }

    private static Map<String, String> form(String text) {
        Map<String, String> form = new LinkedHashMap<>();
        for (String pair : text == null ? new String[0] : text.split("&")) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                form.put(
                        URLDecoder.decode(pair.substring(0, equals), StandardCharsets.UTF_8),
                        URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
            }
        }
        return form;
    }

    private static final class Answer {
        private final int status;
        private final String type;
        private final String body;
        private final String user;
        private final String data;

        Answer(int status, String type, String body, String user, String data) {
            this.status = status;
            this.type = type;
            this.body = body;
            this.user = user;
            this.data = data;
        }
    }
}
