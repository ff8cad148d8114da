import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.util.Arrays;
import java.util.Base64;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.transform.OutputKeys;
import javax.xml.transform.Transformer;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * An index service in the place of WS-MDS until it is stopped: answers QueryResourceProperties of the OASIS standard by evaluating the
 * query's XPath over a document of so many entries. It is not Globus's, so only the shape of what it shows can be compared. It listens
 * when it has asked itself for four seconds, so that its JVM is warm.
 *
 * <p>Usage: java IndexService.java PORT ENTRIES [OPTION...], with the options
 * tls (by https, with a certificate of 127.0.0.1 in /tmp/diperf-index/PORT.pem),
 * mutual (with tls: nobody is answered but the user whose certificate and key are in /tmp/diperf-index/PORT-user.pem),
 * any (on all addresses instead of 127.0.0.1), and
 * one-by-one (queries wait in one queue for one thread).
 */
public final class IndexService {

    private static final String SOAP = "http://schemas.xmlsoap.org/soap/envelope/";
    private static final String PROPERTIES = "http://docs.oasis-open.org/wsrf/rp-2";
    private static final String INDEX = "urn:diperf:index";
    private static final DocumentBuilderFactory DOCUMENTS = DocumentBuilderFactory.newInstance();

    private static final char[] PASSWORD = "changeit".toCharArray();
    private static final long WARM_UP_NANOS = 4_000_000_000L;

    private final int entries;
    private final String address;
    private final ExecutorService threads;
    // Neither a DOM tree, even for reading, nor what works on it is for several threads at once.
    private final ThreadLocal<Worker> workers = ThreadLocal.withInitial(this::makeWorker);

    private record Worker(Document index, DocumentBuilder builder, XPath xpath, Transformer writer) {}

    private IndexService(int entries, Set<String> options) {
        this.entries = entries;
        this.address = options.contains("any") ? "0.0.0.0" : "127.0.0.1";
        this.threads = Executors.newFixedThreadPool(options.contains("one-by-one") ? 1 : 8);
    }

    public static void main(String[] arguments) throws Exception {
        DOCUMENTS.setNamespaceAware(true);
        // Head and body of an answer are two segments: without this the second waits for the client's delayed acknowledgement.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        System.setProperty("jdk.httpclient.allowRestrictedHeaders", "connection");
        int port = Integer.parseInt(arguments[0]);
        Set<String> options = Set.of(Arrays.copyOfRange(arguments, 2, arguments.length));
        if (!Set.of("tls", "mutual", "any", "one-by-one").containsAll(options)) {
            throw new IllegalArgumentException("expected tls, mutual, any or one-by-one, got " + options);
        }
        KeyStore keys = options.contains("tls") ? identity("index", Integer.toString(port)) : null;
        KeyStore user = options.contains("mutual") ? user(port) : null;
        IndexService service = new IndexService(Integer.parseInt(arguments[1]), options);
        service.warmUp(keys, user);
        service.start(new InetSocketAddress(service.address, port), keys, user);
    }

    private HttpServer start(InetSocketAddress address, KeyStore keys, KeyStore user) throws Exception {
        HttpServer server;
        if (keys == null) {
            server = HttpServer.create(address, 500);
        } else {
            SSLContext context = context(keys, user);
            HttpsServer secure = HttpsServer.create(address, 500);
            secure.setHttpsConfigurator(new HttpsConfigurator(context) {
                @Override
                public void configure(HttpsParameters connection) {
                    SSLParameters parameters = context.getDefaultSSLParameters();
                    parameters.setNeedClientAuth(user != null);
                    connection.setSSLParameters(parameters);
                }
            });
            server = secure;
        }
        server.createContext("/", this::answer);
        server.setExecutor(threads);
        server.start();
        return server;
    }

    /** Makes a context of who shows these keys, or none, and trusts these. */
    private static SSLContext context(KeyStore own, KeyStore trusted) throws Exception {
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        if (own != null) {
            keys.init(own, PASSWORD);
        }
        if (trusted != null) {
            trust.init(trusted);
        }
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(
                own == null ? null : keys.getKeyManagers(), trusted == null ? null : trust.getTrustManagers(), null);
        return context;
    }

    /** Asks itself for a while on another port, each time on a new connection: who measures a service does not mean its first seconds. */
    private void warmUp(KeyStore keys, KeyStore user) throws Exception {
        HttpServer server = start(new InetSocketAddress("127.0.0.1", 0), keys, user);
        URI uri = URI.create((keys == null ? "http" : "https") + "://127.0.0.1:" + server.getAddress().getPort() + "/");
        HttpRequest.Builder query = HttpRequest.newBuilder(uri)
                .POST(HttpRequest.BodyPublishers.ofString("<s:Envelope xmlns:s='" + SOAP + "'><s:Body><r:QueryResourceProperties"
                        + " xmlns:r='" + PROPERTIES + "'><r:QueryExpression>//*[local-name()='Entry']</r:QueryExpression>"
                        + "</r:QueryResourceProperties></s:Body></s:Envelope>"));
        HttpRequest request = query.build();
        // Connections that are left idle would add up: the server keeps 200 of them and ends others while they are asked.
        HttpRequest last = query.copy().header("Connection", "close").build();
        long until = System.nanoTime() + WARM_UP_NANOS;
        while (System.nanoTime() < until) {
            // A new context knows no session to resume.
            HttpClient client =
                    HttpClient.newBuilder().sslContext(context(user, keys)).build();
            for (int i = 1; i <= 5; i++) {
                client.send(i < 5 ? request : last, HttpResponse.BodyHandlers.discarding());
            }
        }
        server.stop(0);
    }

    /** Makes a key and its certificate, which is next to it in a PEM file too. */
    private static KeyStore identity(String name, String file) throws Exception {
        Path folder = Files.createDirectories(Path.of("/tmp/diperf-index"));
        Path store = folder.resolve(file + ".p12");
        Files.deleteIfExists(store);
        keytool("-genkeypair", "-alias", name, "-keyalg", "RSA", "-dname", "CN=" + name, "-ext", "SAN=ip:127.0.0.1",
                "-keystore", store.toString(), "-storetype", "PKCS12", "-storepass", new String(PASSWORD));
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        Files.writeString(folder.resolve(file + ".pem"), pem("CERTIFICATE", keys.getCertificate(name).getEncoded()));
        return keys;
    }

    /** Makes the user whom it answers, whose key nobody else can read. */
    private static KeyStore user(int port) throws Exception {
        KeyStore user = identity("user", port + "-user");
        Path pem = Path.of("/tmp/diperf-index", port + "-user.pem");
        Files.setPosixFilePermissions(pem, PosixFilePermissions.fromString("rw-------"));
        Files.writeString(
                pem, pem("PRIVATE KEY", user.getKey("user", PASSWORD).getEncoded()), StandardOpenOption.APPEND);
        return user;
    }

    private static String pem(String what, byte[] bytes) {
        return "-----BEGIN " + what + "-----\n" + Base64.getMimeEncoder().encodeToString(bytes) + "\n-----END " + what
                + "-----\n";
    }

    private static void keytool(String... arguments) throws Exception {
        String[] command = new String[arguments.length + 1];
        command[0] = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        if (new ProcessBuilder(command).redirectErrorStream(true).start().waitFor() != 0) {
            throw new IOException("keytool failed");
        }
    }

    private Worker makeWorker() {
        try {
            DocumentBuilder builder = DOCUMENTS.newDocumentBuilder();
            Transformer writer = TransformerFactory.newInstance().newTransformer();
            writer.setOutputProperty(OutputKeys.ENCODING, "UTF-8");
            Document made = builder.newDocument();
            Element root = made.createElementNS(INDEX, "i:Index");
            made.appendChild(root);
            for (int i = 0; i < entries; i++) {
                Element entry = made.createElementNS(INDEX, "i:Entry");
                root.appendChild(entry);
                Element element = made.createElementNS(INDEX, "i:ComputingElement");
                element.setAttribute("UniqueID", "host" + i + ".example:2119/jobmanager-fork-q");
                element.setAttribute("HostName", "host" + i + ".example");
                element.setAttribute("LRMSType", "fork");
                element.setAttribute("TotalCPUs", Integer.toString(16 + i % 64));
                entry.appendChild(element);
                Element state = made.createElementNS(INDEX, "i:State");
                state.setAttribute("Status", "Production");
                state.setAttribute("FreeCPUs", Integer.toString(i % 16));
                state.setAttribute("RunningJobs", Integer.toString(i % 7));
                element.appendChild(state);
            }
            return new Worker(made, builder, XPathFactory.newInstance().newXPath(), writer);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange;
                InputStream in = exchange.getRequestBody()) {
            Worker worker = workers.get();
            Document request = worker.builder.parse(in);
            Document answer = worker.builder.newDocument();
            Element envelope = answer.createElementNS(SOAP, "s:Envelope");
            Element body = answer.createElementNS(SOAP, "s:Body");
            answer.appendChild(envelope);
            envelope.appendChild(body);
            int status = query(worker, request, answer, body);
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            worker.writer.transform(new DOMSource(answer), new StreamResult(bytes));
            exchange.getResponseHeaders().set("Content-Type", "text/xml; charset=utf-8");
            exchange.sendResponseHeaders(status, bytes.size());
            bytes.writeTo(exchange.getResponseBody());
        } catch (IOException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(e);
        }
    }

    private static int query(Worker worker, Document request, Document answer, Element body) {
        NodeList expressions = request.getElementsByTagNameNS(PROPERTIES, "QueryExpression");
        try {
            if (expressions.getLength() != 1) {
                throw new XPathExpressionException("no query");
            }
            NodeList found = (NodeList) worker.xpath.evaluate(
                    expressions.item(0).getTextContent(), worker.index, XPathConstants.NODESET);
            Element response = answer.createElementNS(PROPERTIES, "r:QueryResourcePropertiesResponse");
            body.appendChild(response);
            for (int i = 0; i < found.getLength(); i++) {
                response.appendChild(answer.importNode(found.item(i), true));
            }
            return 200;
        } catch (XPathExpressionException e) {
            Element fault = answer.createElementNS(SOAP, "s:Fault");
            body.appendChild(fault);
            fault.appendChild(answer.createElement("faultcode")).setTextContent("s:Client");
            fault.appendChild(answer.createElement("faultstring")).setTextContent("no XPath");
            fault.appendChild(answer.createElement("detail"))
                    .appendChild(answer.createElementNS(PROPERTIES, "r:InvalidQueryExpressionFault"));
            return 500;
        }
    }
}
