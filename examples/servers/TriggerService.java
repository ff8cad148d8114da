import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.transform.OutputKeys;
import javax.xml.transform.Transformer;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.ErrorHandler;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;

/**
 * A stand-in for the Trigger Service of WS-MDS and the aggregator below it, until it is stopped. Entries come from sources: those that notify it
 * (WS-BaseNotification 1.3), services that it queries, programs that it runs. They go to two sinks: an index, which answers QueryResourceProperties and
 * tells subscribers of topic Entry what came; and rules, each an XPath over the entry. Where one matches, the action runs with the entry as its input,
 * and then subscribers of the topic that is called like the rule are told. It is not Globus's; what it shows of a client is real, and its rates are its own.
 *
 * <p>Usage: java TriggerService.java PORT [NAME=VALUE]..., with the names
 *
 * <pre>
 * address=127.0.0.1   where to listen
 * threads=8           requests answered at once
 * entries=1000        entries kept in the index, the oldest go first
 * rule=NAME:XPATH     a rule, such as busy:number(//*[local-name()='Length'])&gt;100. May be given several times
 * action=PROGRAM      runs where a rule matches, for 10 seconds at most; without it the notification is all that happens
 * interval=0          milliseconds for which a rule that matched does not match again
 * query=URL|XPATH|MS  asks a WSRF service so often, and takes what it finds as entries. May be given several times
 * execute=PROGRAM|MS  runs a program so often, and takes the element that it prints as an entry. May be given several times
 * fail=OP:WHAT:N      every N-th of an operation goes wrong. May be given several times. Of subscribe, publish and unsubscribe the answer is WHAT:
 *                     fault, status, half, bomb, garbage, deep, version, other, elsewhere, keyless, crowded, hang or close. Of tell the notification is
 *                     never, twice, late, another's, a bomb, garbage, deep or huge
 * </pre>
 */
public final class TriggerService implements AutoCloseable {

    private static final String STAND_IN = "DiPerF's stand-in for tests, not WS-MDS";
    private static final String SOAP = "http://schemas.xmlsoap.org/soap/envelope/";
    private static final String ADDRESSING = "http://www.w3.org/2005/08/addressing";
    private static final String NOTIFICATION = "http://docs.oasis-open.org/wsn/b-2";
    private static final String PROPERTIES = "http://docs.oasis-open.org/wsrf/rp-2";
    private static final String OWN = "urn:diperf:trigger";
    private static final String SUBSCRIPTIONS = "/wsrf/services/SubscriptionManagerService";
    private static final String EVERY_ENTRY = "Entry";
    private static final Set<String> NAMES =
            Set.of("address", "threads", "entries", "rule", "action", "interval", "query", "execute", "fail");
    private static final int MAX_BODY_BYTES = 1 << 20;
    private static final String MAX_DEPTH = "64";
    private static final int MAX_SUBSCRIPTIONS = 100_000;
    private static final int MAX_UNDER_WAY = 10_000;
    private static final long LATE_MILLIS = 300;

    private final HttpServer server;
    private final ExecutorService threads;
    private final ExecutorService actions = Executors.newFixedThreadPool(4, TriggerService::daemon);
    private final ScheduledExecutorService sources = Executors.newScheduledThreadPool(2, TriggerService::daemon);
    private final HttpClient client;
    private final int maxEntries;
    private final String action;
    private final long intervalNanos;
    private final List<Rule> rules = new ArrayList<>();
    private final Map<String, Long> faults = new HashMap<>();
    private final Map<String, AtomicLong> counts = new ConcurrentHashMap<>();
    private final Map<String, Subscription> subscriptions = new ConcurrentHashMap<>();
    private final AtomicInteger underWay = new AtomicInteger();
    /** Guarded by itself: a DOM tree is not for several threads at once, even for reading. */
    private final Document index = builder().newDocument();

    private record Rule(String name, String xpath, AtomicLong lastNanos) {}

    private record Subscription(URI consumer, String topic, String filter, long endsNanos) {}

    /** Starts one; see the class for the arguments. */
    public TriggerService(int port, String... options) throws IOException {
        Map<String, String> named = new HashMap<>();
        List<Runnable> asking = new ArrayList<>();
        for (String option : options) {
            String[] parts = option.split("=", 2);
            if (parts.length != 2 || !NAMES.contains(parts[0])) {
                throw new IllegalArgumentException("expected NAME=VALUE, one of " + new java.util.TreeSet<>(NAMES) + ", got " + option);
            }
            String value = parts[1];
            switch (parts[0]) {
                case "rule" -> rules.add(rule(value));
                case "query" -> asking.add(() -> query(value));
                case "execute" -> asking.add(() -> execute(value));
                case "fail" -> faults.put(value.substring(0, value.lastIndexOf(':')), Long.parseLong(value.substring(value.lastIndexOf(':') + 1)));
                default -> named.put(parts[0], value);
            }
        }
        // Head and body of an answer are two segments: without this the second waits for the client's delayed acknowledgement.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        maxEntries = Integer.parseInt(named.getOrDefault("entries", "1000"));
        action = named.get("action");
        intervalNanos = Long.parseLong(named.getOrDefault("interval", "0")) * 1_000_000;
        index.appendChild(index.createElementNS(OWN, "d:Index"));
        threads = Executors.newFixedThreadPool(Integer.parseInt(named.getOrDefault("threads", "8")), TriggerService::daemon);
        client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofSeconds(5))
                .executor(Executors.newFixedThreadPool(4, TriggerService::daemon))
                .build();
        server = HttpServer.create(new InetSocketAddress(InetAddress.getByName(named.getOrDefault("address", "127.0.0.1")), port), 1_000);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
        asking.forEach(Runnable::run);
    }

    private static Rule rule(String value) {
        int colon = value.indexOf(':');
        if (colon < 1) {
            throw new IllegalArgumentException("rule: expected NAME:XPATH, got " + value);
        }
        try {
            XPathFactory.newInstance().newXPath().compile(value.substring(colon + 1));
        } catch (XPathExpressionException e) {
            throw new IllegalArgumentException("rule: expected an XPath after " + value.substring(0, colon + 1) + ", got " + value.substring(colon + 1), e);
        }
        return new Rule(value.substring(0, colon), value.substring(colon + 1), new AtomicLong(Long.MIN_VALUE));
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments.length < 1) {
            System.err.println("Usage: java TriggerService.java PORT [NAME=VALUE]...");
            System.exit(2);
        }
        TriggerService service;
        try {
            service = new TriggerService(Integer.parseInt(arguments[0]), java.util.Arrays.copyOfRange(arguments, 1, arguments.length));
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(2);
            return;
        }
        System.out.println("WS-MDS Trigger on port " + service.port() + ": " + STAND_IN);
        Thread.currentThread().join();
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "trigger-stand-in");
        thread.setDaemon(true);
        return thread;
    }

    /** Returns the port that it listens on. */
    public int port() {
        return server.getAddress().getPort();
    }

    /** Returns how often something happened: subscribe, publish, unsubscribe, query, entry, match, action, tell. */
    public long count(String what) {
        AtomicLong found = counts.get(what);
        return found == null ? 0 : found.get();
    }

    /** Counts subscriptions that have not ended. */
    public int subscriptions() {
        return subscriptions.size();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
        actions.shutdownNow();
        sources.shutdownNow();
    }

    private long count1(String what) {
        return counts.computeIfAbsent(what, any -> new AtomicLong()).incrementAndGet();
    }

    // --- messages

    private static DocumentBuilder builder() {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            factory.setAttribute("jdk.xml.maxElementDepth", MAX_DEPTH);
            factory.setNamespaceAware(true);
            DocumentBuilder made = factory.newDocumentBuilder();
            made.setErrorHandler(new ErrorHandler() {
                @Override
                public void warning(SAXParseException e) {}

                @Override
                public void error(SAXParseException e) {}

                @Override
                public void fatalError(SAXParseException e) throws SAXException {
                    throw e;
                }
            });
            return made;
        } catch (javax.xml.parsers.ParserConfigurationException e) {
            throw new IllegalStateException(e);
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readNBytes(MAX_BODY_BYTES + 1);
        exchange.getResponseHeaders().set("X-Service", STAND_IN);
        if (body.length > MAX_BODY_BYTES) {
            fault(exchange, "Client", "more than " + MAX_BODY_BYTES + " bytes", "");
            return;
        }
        try {
            Element envelope = builder().parse(new ByteArrayInputStream(body)).getDocumentElement();
            Element operation = child(child(envelope, "Body"), null);
            switch (operation == null ? "" : operation.getLocalName()) {
                case "Subscribe" -> {
                    if (!fails("subscribe", exchange)) {
                        subscribe(exchange, operation);
                    }
                }
                case "Unsubscribe" -> {
                    if (!fails("unsubscribe", exchange)) {
                        unsubscribe(exchange, envelope);
                    }
                }
                case "Notify" -> {
                    if (!fails("publish", exchange)) {
                        publish(exchange, operation);
                    }
                }
                case "QueryResourceProperties" -> find(exchange, operation);
                default -> fault(exchange, "Client", "no such operation", "");
            }
        } catch (SAXException e) {
            fault(exchange, "Client", "no SOAP: " + e.getMessage(), "");
        }
    }

    private void subscribe(HttpExchange exchange, Element operation) throws IOException {
        count1("subscribe");
        Element filters = child(operation, "Filter");
        String consumer = text(child(child(operation, "ConsumerReference"), "Address"));
        String filter = text(child(filters, "MessageContent"));
        String topic = text(child(filters, "TopicExpression"));
        topic = topic.substring(topic.indexOf(':') + 1);
        URI to;
        try {
            to = URI.create(consumer);
            // Whoever subscribes cannot have somebody else told.
            if (!InetAddress.getByName(to.getHost()).equals(exchange.getRemoteAddress().getAddress()) || !"http".equals(to.getScheme())) {
                throw new IllegalArgumentException("another host");
            }
            XPathFactory.newInstance().newXPath().compile(filter.isEmpty() ? "1" : filter);
        } catch (IllegalArgumentException | IOException | NullPointerException e) {
            fault(exchange, "Client", "ConsumerReference: expected an http URL of the host that subscribes, got " + consumer, own("SubscribeCreationFailedFault"));
            return;
        } catch (XPathExpressionException e) {
            fault(exchange, "Client", "no XPath", own("InvalidMessageContentExpressionFault"));
            return;
        }
        String wanted = topic;
        if (!topic.equals(EVERY_ENTRY) && rules.stream().noneMatch(rule -> rule.name().equals(wanted))) {
            fault(exchange, "Client", "no rule is called " + topic, own("TopicNotSupportedFault"));
            return;
        }
        long seconds = seconds(text(child(operation, "InitialTerminationTime")));
        if (seconds < 1) {
            fault(exchange, "Client", "expected PTnS", own("UnacceptableInitialTerminationTimeFault"));
            return;
        }
        subscriptions.values().removeIf(each -> System.nanoTime() - each.endsNanos() > 0);
        if (subscriptions.size() >= MAX_SUBSCRIPTIONS) {
            fault(exchange, "Server", "too many subscriptions", own("SubscribeCreationFailedFault"));
            return;
        }
        String key = UUID.randomUUID().toString();
        subscriptions.put(key, new Subscription(to, topic, filter, System.nanoTime() + seconds * 1_000_000_000));
        send(exchange, 200, envelope(subscribed(exchange, key, parameter(key))));
    }

    private static long seconds(String duration) {
        return duration.isEmpty() ? 3_600 : duration.matches("PT[0-9]{1,8}S") ? Long.parseLong(duration.substring(2, duration.length() - 1)) : 0;
    }

    private static String own(String fault) {
        return "<wsnt:" + fault + " xmlns:wsnt=\"" + NOTIFICATION + "\"/>";
    }

    private static String parameter(String key) {
        return "<d:Key xmlns:d=\"" + OWN + "\">" + key + "</d:Key>";
    }

    /** Names a subscription by its address and by a parameter: clients send back either. */
    private static String subscribed(HttpExchange exchange, String key, String parameters) {
        return "<wsnt:SubscribeResponse xmlns:wsnt=\"" + NOTIFICATION + "\"><wsnt:SubscriptionReference><wsa:Address>http://"
                + exchange.getRequestHeaders().getFirst("Host") + SUBSCRIPTIONS + "/" + key + "</wsa:Address><wsa:ReferenceParameters>" + parameters
                + "</wsa:ReferenceParameters></wsnt:SubscriptionReference></wsnt:SubscribeResponse>";
    }

    private void unsubscribe(HttpExchange exchange, Element envelope) throws IOException {
        count1("unsubscribe");
        NodeList keys = envelope.getElementsByTagNameNS(OWN, "Key");
        String path = exchange.getRequestURI().getPath();
        String key = keys.getLength() == 1 ? text((Element) keys.item(0)) : path.substring(path.lastIndexOf('/') + 1);
        if (path.startsWith(SUBSCRIPTIONS) && subscriptions.remove(key) != null) {
            send(exchange, 200, envelope("<wsnt:UnsubscribeResponse xmlns:wsnt=\"" + NOTIFICATION + "\"/>"));
        } else {
            fault(exchange, "Client", "no such subscription", own("UnableToDestroySubscriptionFault"));
        }
    }

    private void publish(HttpExchange exchange, Element operation) throws IOException {
        count1("publish");
        List<Element> entries = new ArrayList<>();
        for (Node at = operation.getFirstChild(); at != null; at = at.getNextSibling()) {
            Element content = at instanceof Element message ? child(child(message, "Message"), null) : null;
            if (content != null) {
                entries.add(content);
            }
        }
        if (entries.isEmpty()) {
            fault(exchange, "Client", "no message", "");
            return;
        }
        exchange.sendResponseHeaders(202, -1);
        exchange.close();
        entries.forEach(this::take);
    }

    private void find(HttpExchange exchange, Element operation) throws IOException {
        count1("query");
        StringBuilder found = new StringBuilder();
        try {
            synchronized (index) {
                NodeList nodes = (NodeList) XPathFactory.newInstance()
                        .newXPath()
                        .evaluate(text(child(operation, "QueryExpression")), index, XPathConstants.NODESET);
                for (int i = 0; i < nodes.getLength(); i++) {
                    found.append(xml(nodes.item(i)));
                }
            }
        } catch (XPathExpressionException e) {
            fault(exchange, "Client", "no XPath", "<r:InvalidQueryExpressionFault xmlns:r=\"" + PROPERTIES + "\"/>");
            return;
        }
        send(exchange, 200, envelope("<r:QueryResourcePropertiesResponse xmlns:r=\"" + PROPERTIES + "\">" + found + "</r:QueryResourcePropertiesResponse>"));
    }

    // --- sources

    private void query(String value) {
        String[] parts = value.split("\\|");
        HttpRequest request = HttpRequest.newBuilder(URI.create(parts[0]))
                .timeout(Duration.ofSeconds(10))
                .header("Content-Type", "text/xml; charset=utf-8")
                .POST(HttpRequest.BodyPublishers.ofString(envelope("<r:QueryResourceProperties xmlns:r=\"" + PROPERTIES
                        + "\"><r:QueryExpression Dialect=\"http://www.w3.org/TR/1999/REC-xpath-19991116\">" + escaped(parts[1])
                        + "</r:QueryExpression></r:QueryResourceProperties>")))
                .build();
        every(parts[2], () -> {
            HttpResponse<InputStream> answer = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
            try (InputStream in = answer.body()) {
                Element envelope = builder().parse(new ByteArrayInputStream(in.readNBytes(MAX_BODY_BYTES))).getDocumentElement();
                Element response = child(child(envelope, "Body"), "QueryResourcePropertiesResponse");
                count1("asked");
                for (Node at = response == null ? null : response.getFirstChild(); at != null; at = at.getNextSibling()) {
                    if (at instanceof Element entry) {
                        take(entry);
                    }
                }
            }
        });
    }

    private void execute(String value) {
        String[] parts = value.split("\\|");
        every(parts[1], () -> {
            Process program = new ProcessBuilder("timeout", "10", parts[0]).redirectError(ProcessBuilder.Redirect.INHERIT).start();
            try (InputStream in = program.getInputStream()) {
                take(builder().parse(new ByteArrayInputStream(in.readNBytes(MAX_BODY_BYTES))).getDocumentElement());
                count1("executed");
            }
        });
    }

    private interface Work {
        void run() throws Exception;
    }

    private void every(String millis, Work work) {
        sources.scheduleWithFixedDelay(
                () -> {
                    try {
                        work.run();
                    } catch (Exception e) {
                        count1("source failed"); // and is asked again
                    }
                },
                0,
                Long.parseLong(millis),
                TimeUnit.MILLISECONDS);
    }

    // --- sinks

    private void take(Element entry) {
        count1("entry");
        String text = xml(entry);
        synchronized (index) {
            Element root = index.getDocumentElement();
            root.appendChild(index.importNode(entry, true));
            while (root.getChildNodes().getLength() > maxEntries) {
                root.removeChild(root.getFirstChild());
            }
        }
        tell(EVERY_ENTRY, entry, text);
        for (Rule rule : rules) {
            if (matches(rule.xpath(), entry) && isDue(rule)) {
                count1("match");
                actions.execute(() -> act(rule, entry, text));
            }
        }
    }

    private boolean isDue(Rule rule) {
        long now = System.nanoTime();
        long last = rule.lastNanos().get();
        return (last == Long.MIN_VALUE || now - last >= intervalNanos) && rule.lastNanos().compareAndSet(last, now);
    }

    /** Evaluates an XPath over an entry alone. */
    private static boolean matches(String xpath, Element entry) {
        try {
            Document alone = builder().newDocument();
            alone.appendChild(alone.importNode(entry, true));
            return (boolean) XPathFactory.newInstance().newXPath().evaluate(xpath, alone, XPathConstants.BOOLEAN);
        } catch (XPathExpressionException e) {
            return false;
        }
    }

    private void act(Rule rule, Element entry, String text) {
        try {
            if (action != null) {
                Process program = new ProcessBuilder("timeout", "10", action, rule.name())
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
                try (var in = program.getOutputStream()) {
                    in.write(text.getBytes(StandardCharsets.UTF_8));
                } catch (IOException e) {
                    // It did not want to read.
                }
                if (program.waitFor() != 0) {
                    count1("action failed");
                    return;
                }
                count1("action");
            }
            tell(rule.name(), entry, text);
        } catch (IOException e) {
            count1("action failed");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void tell(String topic, Element entry, String text) {
        for (Map.Entry<String, Subscription> each : subscriptions.entrySet()) {
            Subscription to = each.getValue();
            if (System.nanoTime() - to.endsNanos() > 0) {
                subscriptions.remove(each.getKey());
            } else if (to.topic().equals(topic) && (to.filter().isEmpty() || matches(to.filter(), entry))) {
                tell(to, topic, text);
            }
        }
    }

    private void tell(Subscription to, String topic, String text) {
        count1("tell");
        String message = told(topic, text);
        switch (fault("tell")) {
            case "" -> post(to, message);
            case "never" -> {}
            case "twice" -> {
                post(to, message);
                post(to, message);
            }
            case "late" -> sources.schedule(() -> post(to, message), LATE_MILLIS, TimeUnit.MILLISECONDS);
            case "another's" -> post(to, told(topic, "<d:Other xmlns:d=\"" + OWN + "\">somebody else</d:Other>"));
            case "bomb" -> post(to, bomb(message));
            case "garbage" -> post(to, "\u0001\u0002 no XML");
            case "deep" -> post(to, told(topic, "<a>".repeat(5_000) + "</a>".repeat(5_000)));
            case "huge" -> post(to, told(topic, "<a>" + "x".repeat(MAX_BODY_BYTES) + "</a>"));
            default -> throw new IllegalArgumentException("fail: expected one of those that are listed");
        }
    }

    private static String told(String topic, String text) {
        return envelope("<wsnt:Notify xmlns:wsnt=\"" + NOTIFICATION + "\"><wsnt:NotificationMessage><wsnt:Topic"
                + " Dialect=\"http://docs.oasis-open.org/wsn/t-1/TopicExpression/Simple\" xmlns:d=\"" + OWN + "\">d:" + topic
                + "</wsnt:Topic><wsnt:Message>" + text + "</wsnt:Message></wsnt:NotificationMessage></wsnt:Notify>");
    }

    private void post(Subscription to, String message) {
        if (underWay.incrementAndGet() > MAX_UNDER_WAY) {
            underWay.decrementAndGet();
            count1("dropped");
            return;
        }
        HttpRequest request = HttpRequest.newBuilder(to.consumer())
                .timeout(Duration.ofSeconds(10))
                .header("Content-Type", "text/xml; charset=utf-8")
                .header("SOAPAction", "\"http://docs.oasis-open.org/wsn/bw-2/NotificationConsumer/Notify\"")
                .POST(HttpRequest.BodyPublishers.ofString(message))
                .build();
        client.sendAsync(request, HttpResponse.BodyHandlers.discarding()).whenComplete((any, thrown) -> {
            underWay.decrementAndGet();
            count1(thrown == null ? "told" : "not told");
        });
    }

    // --- XML

    private static String xml(Node node) {
        try {
            Transformer writer = TransformerFactory.newInstance().newTransformer();
            writer.setOutputProperty(OutputKeys.OMIT_XML_DECLARATION, "yes");
            StringWriter text = new StringWriter();
            writer.transform(new DOMSource(node), new StreamResult(text));
            return text.toString();
        } catch (javax.xml.transform.TransformerException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    /** Finds the first element of this name right below another one, or the first of any name; null where there is none. */
    private static Element child(Element of, String name) {
        for (Node at = of == null ? null : of.getFirstChild(); at != null; at = at.getNextSibling()) {
            if (at instanceof Element found && (name == null || name.equals(found.getLocalName()))) {
                return found;
            }
        }
        return null;
    }

    private static String text(Element of) {
        return of == null ? "" : of.getTextContent().strip();
    }

    private static String envelope(String body) {
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?><soap:Envelope xmlns:soap=\"" + SOAP + "\" xmlns:wsa=\"" + ADDRESSING + "\"><soap:Body>" + body
                + "</soap:Body></soap:Envelope>";
    }

    private static void fault(HttpExchange exchange, String code, String why, String detail) throws IOException {
        send(exchange, 500, envelope("<soap:Fault><faultcode>soap:" + code + "</faultcode><faultstring>" + why.replaceAll("[<&]", "?")
                + "</faultstring><detail>" + detail + "</detail></soap:Fault>"));
    }

    private static void send(HttpExchange exchange, int status, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "text/xml; charset=utf-8");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    // --- what goes wrong

    /** Returns what goes wrong with an operation this time, empty for nothing. */
    private String fault(String operation) {
        for (Map.Entry<String, Long> each : faults.entrySet()) {
            if (each.getKey().startsWith(operation + ":") && count1("seen " + each.getKey()) % each.getValue() == 0) {
                return each.getKey().substring(operation.length() + 1);
            }
        }
        return "";
    }

    private static String bomb(String message) {
        return "<!DOCTYPE a [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">]>" + message.substring(38);
    }

    /** Answers wrongly where that is wanted; says whether it did. */
    private boolean fails(String operation, HttpExchange exchange) throws IOException {
        String right = subscribed(exchange, "1", parameter("1"));
        switch (fault(operation)) {
            case "" -> {
                return false;
            }
            case "fault" -> fault(exchange, "Server", "as it was told", "");
            case "status" -> send(exchange, 503, "busy");
            case "half" -> send(exchange, 200, envelope(right).substring(0, 200));
            case "bomb" -> send(exchange, 200, bomb(envelope(right)));
            case "garbage" -> send(exchange, 200, "\u0001\u0002 no XML");
            case "deep" -> send(exchange, 200, envelope("<a>".repeat(5_000) + "</a>".repeat(5_000)));
            case "version" -> send(exchange, 200, envelope(right.replace("wsn/b-2", "wsn/b-9")));
            case "other" -> send(exchange, 200, envelope("<d:Other xmlns:d=\"" + OWN + "\"/>"));
            case "elsewhere" -> send(exchange, 200, envelope(right.replaceFirst("http://[^/]*/wsrf", "http://192.0.2.1/wsrf")));
            case "keyless" -> send(exchange, 200, envelope(right.replaceFirst("<wsa:Address>.*</wsa:Address>", "")));
            case "crowded" -> send(exchange, 200, envelope(subscribed(exchange, "1", parameter("1").repeat(100))));
            case "hang" -> {} // it is never answered
            case "close" -> exchange.close();
            default -> throw new IllegalArgumentException("fail: expected one of those that are listed");
        }
        return true;
    }
}
