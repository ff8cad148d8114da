import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.ErrorHandler;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;

/**
 * A stand-in for WS-GRAM until it is stopped: it takes jobs, tells their states and destroys them by the messages of the Globus Toolkit 4.0, but it is
 * not Globus's, and it runs nothing. A job waits for one of so many places and then takes so long. What it shows of a client is real; its rates and
 * times are what it was told.
 *
 * <p>Usage: java WsGramService.java PORT [NAME=VALUE]..., with the names
 *
 * <pre>
 * address=127.0.0.1  where to listen
 * places=2           jobs that run at once
 * time=100           milliseconds that a job runs; a job of /bin/false fails at its end
 * threads=8          requests answered at once
 * fail=OP:WHAT:N     every N-th request of an operation (create, destroy) is answered by WHAT: fault, status, half, bomb, garbage, deep,
 *                    version, other, elsewhere, keyless, hang or close; or it is done and answered late. May be given several times
 * </pre>
 */
public final class WsGramService implements AutoCloseable {

    private static final long LATE_MILLIS = 200;
    private static final String STAND_IN = "DiPerF's stand-in for tests, not WS-GRAM";
    private static final String SOAP = "http://schemas.xmlsoap.org/soap/envelope/";
    private static final String JOB = "http://www.globus.org/namespaces/2004/10/gram/job";
    private static final String TYPES = "http://www.globus.org/namespaces/2004/10/gram/job/types";
    private static final String ADDRESSING = "http://schemas.xmlsoap.org/ws/2004/03/addressing";
    private static final String NOTIFICATION = "http://docs.oasis-open.org/wsn/2004/06/wsn-WS-BaseNotification-1.2-draft-01.xsd";
    private static final String LIFETIME = "http://docs.oasis-open.org/wsrf/2004/06/wsrf-WS-ResourceLifetime-1.2-draft-01.xsd";
    private static final String FACTORY = "/wsrf/services/ManagedJobFactoryService";
    private static final String JOBS = "/wsrf/services/ManagedExecutableJobService";

    private final HttpServer server;
    private final ExecutorService threads;
    private final ExecutorService places;
    private final HttpClient teller;
    private final ExecutorService tellers;
    private final long runMillis;
    private final Map<String, Long> faults = new HashMap<>();
    private final Map<String, AtomicLong> counts = new ConcurrentHashMap<>();
    private final Set<String> jobs = ConcurrentHashMap.newKeySet();
    /** The last state of each job that is being told. */
    private final Map<String, CompletableFuture<?>> last = new ConcurrentHashMap<>();

    /** Starts one; see the class for the arguments. */
    public WsGramService(int port, String... options) throws IOException {
        Map<String, String> named = new HashMap<>();
        for (String option : options) {
            String[] parts = option.split("=", 2);
            if (parts.length != 2 || !Set.of("address", "places", "time", "threads", "fail").contains(parts[0])) {
                throw new IllegalArgumentException("expected NAME=VALUE, one of address places time threads fail, got " + option);
            }
            if (parts[0].equals("fail")) {
                int last = parts[1].lastIndexOf(':');
                faults.put(parts[1].substring(0, last), Long.parseLong(parts[1].substring(last + 1)));
            } else {
                named.put(parts[0], parts[1]);
            }
        }
        // Head and body of an answer are two segments: without this the second waits for the client's delayed acknowledgement.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        runMillis = Long.parseLong(named.getOrDefault("time", "100"));
        threads = Executors.newFixedThreadPool(Integer.parseInt(named.getOrDefault("threads", "8")), WsGramService::daemon);
        places = Executors.newFixedThreadPool(Integer.parseInt(named.getOrDefault("places", "2")), WsGramService::daemon);
        tellers = Executors.newFixedThreadPool(4, WsGramService::daemon);
        teller = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).executor(tellers).build();
        server = HttpServer.create(new InetSocketAddress(InetAddress.getByName(named.getOrDefault("address", "127.0.0.1")), port), 1_000);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments.length < 1) {
            System.err.println("Usage: java WsGramService.java PORT [NAME=VALUE]...");
            System.exit(2);
        }
        WsGramService service = new WsGramService(
                Integer.parseInt(arguments[0]), java.util.Arrays.copyOfRange(arguments, 1, arguments.length));
        System.out.println("WS-GRAM on port " + service.port() + ": " + STAND_IN);
        Thread.currentThread().join();
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "wsgram-stand-in");
        thread.setDaemon(true);
        return thread;
    }

    /** Returns the port that it listens on. */
    public int port() {
        return server.getAddress().getPort();
    }

    /** Returns how often something happened: create, destroy, done, and each state that was told. */
    public long count(String what) {
        AtomicLong found = counts.get(what);
        return found == null ? 0 : found.get();
    }

    /** Counts the jobs that were created and not destroyed. */
    public int jobs() {
        return jobs.size();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
        places.shutdownNow();
        tellers.shutdownNow();
    }

    private long count1(String what) {
        return counts.computeIfAbsent(what, any -> new AtomicLong()).incrementAndGet();
    }

    private void answer(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        exchange.getResponseHeaders().set("X-Service", STAND_IN);
        try {
            Element envelope = parse(body);
            Element operation = child(child(envelope, "Body"), null);
            String path = exchange.getRequestURI().getPath();
            String name = operation.getLocalName();
            if (path.equals(FACTORY) && name.equals("createManagedJob")) {
                if (!fails("create", exchange)) {
                    create(exchange, operation);
                }
            } else if (path.equals(JOBS) && name.equals("Destroy")) {
                if (!fails("destroy", exchange)) {
                    destroy(exchange, envelope);
                }
            } else {
                fault(exchange, "soap:Client", "no operation " + name + " at " + path, "");
            }
        } catch (SAXException | IllegalArgumentException e) {
            fault(exchange, "soap:Client", "no SOAP: " + e.getMessage(), "");
        }
    }

    private void create(HttpExchange exchange, Element operation) throws IOException {
        count1("create");
        Element description = child(operation, "job");
        boolean fails = child(description, "executable").getTextContent().strip().equals("/bin/false");
        NodeList consumers = operation.getElementsByTagNameNS(ADDRESSING, "Address");
        String consumer = consumers.getLength() == 0 ? "" : consumers.item(0).getTextContent().strip();
        String key = UUID.randomUUID().toString();
        jobs.add(key);
        send(exchange, 200, envelope("<job:createManagedJobResponse xmlns:job=\"" + JOB + "\">" + endpoint(exchange, key)
                + "<job:standIn>" + STAND_IN + "</job:standIn></job:createManagedJobResponse>"));
        tell(consumer, key, "Pending");
        places.execute(() -> run(consumer, key, fails));
    }

    private String endpoint(HttpExchange exchange, String key) {
        String host = exchange.getRequestHeaders().getFirst("Host");
        return "<job:managedJobEndpoint><wsa:Address>http://" + host + JOBS + "</wsa:Address><wsa:ReferenceProperties><job:ResourceID>" + key
                + "</job:ResourceID></wsa:ReferenceProperties></job:managedJobEndpoint>";
    }

    private void run(String consumer, String key, boolean fails) {
        if (!jobs.contains(key)) {
            return; // destroyed while it waited
        }
        tell(consumer, key, "Active");
        if (pause(runMillis)) {
            count1("done");
            tell(consumer, key, fails ? "Failed" : "Done");
        }
    }

    /** Waits; says whether it did, or was stopped meanwhile. */
    private static boolean pause(long millis) {
        try {
            Thread.sleep(millis);
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }

    /** Tells a state, after the one before it has been taken. */
    private void tell(String consumer, String key, String state) {
        count1(state);
        if (consumer.isEmpty()) {
            return;
        }
        HttpRequest request = HttpRequest.newBuilder(URI.create(consumer))
                .header("Content-Type", "text/xml; charset=utf-8")
                .header("SOAPAction", "\"" + NOTIFICATION + "/Notify\"")
                .POST(HttpRequest.BodyPublishers.ofString(envelope("<wsnt:Notify xmlns:wsnt=\"" + NOTIFICATION
                        + "\"><wsnt:NotificationMessage><wsnt:Topic Dialect=\"http://docs.oasis-open.org/wsn/2004/06/TopicExpression/simple\" xmlns:types=\""
                        + TYPES + "\">types:state</wsnt:Topic><wsnt:Message><job:StateChangeNotificationMessage xmlns:job=\"" + JOB + "\"><types:state xmlns:types=\""
                        + TYPES + "\">" + state + "</types:state></job:StateChangeNotificationMessage></wsnt:Message></wsnt:NotificationMessage></wsnt:Notify>")))
                .build();
        last.compute(key, (any, before) -> (before == null ? CompletableFuture.completedFuture(null) : before)
                .handle((done, why) -> null)
                .thenCompose(done -> teller.sendAsync(request, HttpResponse.BodyHandlers.discarding())));
    }

    private void destroy(HttpExchange exchange, Element envelope) throws IOException {
        count1("destroy");
        NodeList keys = envelope.getElementsByTagNameNS(JOB, "ResourceID");
        String key = keys.getLength() == 0 ? "" : keys.item(0).getTextContent().strip();
        last.remove(key);
        if (jobs.remove(key)) {
            send(exchange, 200, envelope("<wsrl:DestroyResponse xmlns:wsrl=\"" + LIFETIME + "\"/>"));
        } else {
            fault(exchange, "soap:Server", "no such job", "<wsrl:ResourceUnknownFault xmlns:wsrl=\"" + LIFETIME + "\"/>");
        }
    }

    private static String envelope(String body) {
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?><soap:Envelope xmlns:soap=\"" + SOAP + "\" xmlns:wsa=\"" + ADDRESSING + "\"><soap:Body>" + body
                + "</soap:Body></soap:Envelope>";
    }

    private static void fault(HttpExchange exchange, String code, String why, String detail) throws IOException {
        send(exchange, 500, envelope("<soap:Fault><faultcode>" + code + "</faultcode><faultstring>" + why.replaceAll("[<&]", "?") + "</faultstring><detail>" + detail
                + "</detail></soap:Fault>"));
    }

    private static void send(HttpExchange exchange, int status, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "text/xml; charset=utf-8");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    /** Answers wrongly where that is wanted; says whether it did. */
    private boolean fails(String operation, HttpExchange exchange) throws IOException {
        for (Map.Entry<String, Long> each : faults.entrySet()) {
            String what = each.getKey().substring(each.getKey().indexOf(':') + 1);
            if (!each.getKey().startsWith(operation + ":") || count1("seen " + each.getKey()) % each.getValue() != 0) {
                continue;
            }
            String response = operation.equals("create") ? "createManagedJobResponse" : "DestroyResponse";
            String right = "<job:" + response + " xmlns:job=\"" + JOB + "\">";
            switch (what) {
                case "fault" -> fault(exchange, "soap:Server", "as it was told", "");
                case "status" -> send(exchange, 503, "busy");
                case "half" -> send(exchange, 200, envelope(right).substring(0, 200));
                case "bomb" -> send(exchange, 200, "<!DOCTYPE a [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">]>" + envelope("<a>&b;</a>").substring(38));
                case "garbage" -> send(exchange, 200, "\u0001\u0002 no XML");
                case "deep" -> send(exchange, 200, envelope("<a>".repeat(5_000) + "</a>".repeat(5_000)));
                case "version" -> send(exchange, 200, envelope((right + "</job:" + response + ">").replace("2004/10", "2008/11")));
                case "other" -> send(exchange, 200, envelope("<job:other xmlns:job=\"" + JOB + "\"/>"));
                case "elsewhere" -> send(exchange, 200, envelope(
                        right + endpoint(exchange, "1").replaceFirst("http://[^/]*", "http://192.0.2.1:80") + "</job:" + response + ">"));
                case "keyless" -> send(exchange, 200, envelope(right + "</job:" + response + ">"));
                case "hang" -> {} // it is never answered
                case "late" -> {
                    pause(LATE_MILLIS);
                    return false;
                }
                case "close" -> exchange.close();
                default -> throw new IllegalArgumentException("fail: expected one of those that are listed, got " + what);
            }
            return true;
        }
        return false;
    }

    private static Element parse(byte[] body) throws SAXException, IOException {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            factory.setNamespaceAware(true);
            DocumentBuilder builder = factory.newDocumentBuilder();
            builder.setErrorHandler(new ErrorHandler() {
                @Override
                public void warning(SAXParseException e) {}

                @Override
                public void error(SAXParseException e) {}

                @Override
                public void fatalError(SAXParseException e) throws SAXException {
                    throw e;
                }
            });
            return builder.parse(new ByteArrayInputStream(body)).getDocumentElement();
        } catch (javax.xml.parsers.ParserConfigurationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Finds the first element of this name right below another one, or the first of any name. */
    private static Element child(Element of, String name) {
        for (org.w3c.dom.Node at = of.getFirstChild(); at != null; at = at.getNextSibling()) {
            if (at instanceof Element found && (name == null || name.equals(found.getLocalName()))) {
                return found;
            }
        }
        throw new IllegalArgumentException("no " + (name == null ? "operation" : name));
    }
}
