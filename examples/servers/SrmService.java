import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import java.util.zip.Adler32;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.ErrorHandler;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;

/**
 * A stand-in for a storage resource manager (SRM v2.2, OGF GFD.129) until it is stopped: it speaks the standard's messages and keeps
 * its states, but it is no storage system: files are in a folder of this machine, and transfers go to a GridFTP server that serves the
 * same folder. Every file is on disk, so that bringing one online takes what it was told. A copy within the folder it makes itself; one from or to
 * another manager it asks that one for, as a client does, and has globus-url-copy move the file from server to server. What it shows of a client is
 * real; its own rates and times are what it was told.
 *
 * <p>Usage: java SrmService.java PORT FOLDER TURL [NAME=VALUE]..., where the path of a SURL is looked up below FOLDER, and TURL is put
 * before the path in FOLDER, such as gsiftp://localhost:2811. Names:
 *
 * <pre>
 * address=127.0.0.1  where to listen
 * gsi=FOLDER         httpg with host-cert.pem and host-key.pem in it, for clients known to trusted/; without it plain http. It shows that
 *                    certificate to other managers too, and has files copied as the user of proxy.pem in it
 * rate=0             files made ready in a second at most, 0 for all at once
 * ready=0            milliseconds until a file is ready, at least
 * wait=1             estimatedWaitTime, in seconds, told while a file is not ready; 0 for untold
 * pin=600            seconds until a pin, or the room for a file, expires
 * fail=OP:WHAT:N     every N-th request of an operation, such as PrepareToGet, ends as WHAT: a status code such as
 *                    SRM_INTERNAL_ERROR, or fault, half, bomb, garbage, hang, close, version. May be given several times
 * copy=4             copies made at once
 * log=FILE           each request as it came
 * </pre>
 */
public final class SrmService implements AutoCloseable {

    private static final String SRM = "http://srm.lbl.gov/StorageResourceManager";
    private static final String STAND_IN = "DiPerF's stand-in for tests, not a storage system";
    private static final List<String> OPERATIONS = List.of(
            "AbortFiles", "AbortRequest", "BringOnline", "Copy", "Ls", "Mkdir", "Ping", "PrepareToGet", "PrepareToPut", "PutDone", "ReleaseFiles",
            "Rm", "Rmdir", "StatusOfBringOnlineRequest", "StatusOfCopyRequest", "StatusOfGetRequest", "StatusOfPutRequest");
    private static final List<String> FAULTS = List.of("bomb", "close", "fault", "garbage", "half", "hang", "version");
    private static final int MAX_BODY_BYTES = 16 << 20;
    private static final int MAX_HEAD_BYTES = 64 << 10;
    private static final long MAX_COPY_NANOS = 300_000_000_000L;
    private static final long POLL_MILLIS = 20;

    private final Path folder;
    private final String turl;
    private final long rate;
    private final long readyNanos;
    private final int waitSeconds;
    private final long pinNanos;
    private final boolean secure;
    private final Path gsi;
    private SSLContext context;
    private final ExecutorService copies;
    private final Writer log;
    private final List<Fault> faults = new ArrayList<>();
    private final ServerSocket server;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Map<String, Request> requests = new ConcurrentHashMap<>();
    private final Map<String, AtomicLong> counts = new ConcurrentHashMap<>();
    private final AtomicLong tokens = new AtomicLong();
    private final ThreadLocal<DocumentBuilder> builders = ThreadLocal.withInitial(SrmService::builder);
    private long nextReadyNanos = System.nanoTime();

    /** What is to go wrong. */
    private record Fault(String operation, String what, long every, AtomicLong seen) {}

    /** What is asked for by a request that has a token. */
    private enum Kind {
        GET("SRM_FILE_PINNED"),
        PUT("SRM_SPACE_AVAILABLE"),
        BRING_ONLINE("SRM_SUCCESS"),
        COPY("SRM_SUCCESS");

        /** The state of a file that is ready. */
        private final String ready;

        Kind(String ready) {
            this.ready = ready;
        }

        /** Returns whether the client finds its files by where they are. */
        private boolean isOfSources() {
            return this != PUT;
        }
    }

    /** What one token stands for. */
    private static final class Request {

        private final Kind kind;
        private final Map<String, Held> files = new LinkedHashMap<>();

        private Request(Kind kind) {
            this.kind = kind;
        }
    }

    /** A file of a request; its state is the standard's. */
    private static final class Held {

        private final String surl;
        private final Path path;
        private final long readyAtNanos;
        private long expiresNanos;
        private String state;
        /** Of a copy: where it goes to, and how many bytes it has. */
        private String target = "";

        private long size;

        private Held(String surl, Path path, long readyAtNanos, String state) {
            this.surl = surl;
            this.path = path;
            this.readyAtNanos = readyAtNanos;
            this.state = state;
        }
    }

    /** Starts one; see the class for the arguments. */
    public SrmService(int port, Path folder, String turl, String... options) throws Exception {
        this.folder = folder.toAbsolutePath().normalize();
        this.turl = turl.replaceFirst("/+$", "");
        Map<String, String> named = new HashMap<>();
        for (String option : options) {
            int equals = option.indexOf('=');
            String name = equals < 0 ? option : option.substring(0, equals);
            if (equals < 0 || !Set.of("address", "gsi", "rate", "ready", "wait", "pin", "fail", "copy", "log").contains(name)) {
                throw new IllegalArgumentException("expected NAME=VALUE, one of address gsi rate ready wait pin fail copy log, got " + option);
            }
            String value = option.substring(equals + 1);
            if (name.equals("fail")) {
                String[] parts = value.split(":");
                if (parts.length != 3) {
                    throw new IllegalArgumentException("fail: expected OPERATION:WHAT:N, got " + value);
                }
                faults.add(fault(parts[0], parts[1], parts[2]));
            } else {
                named.put(name, value);
            }
        }
        rate = Long.parseLong(named.getOrDefault("rate", "0"));
        readyNanos = Long.parseLong(named.getOrDefault("ready", "0")) * 1_000_000;
        waitSeconds = Integer.parseInt(named.getOrDefault("wait", "1"));
        pinNanos = Long.parseLong(named.getOrDefault("pin", "600")) * 1_000_000_000;
        log = named.containsKey("log")
                ? Files.newBufferedWriter(Path.of(named.get("log")), StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING)
                : null;
        secure = named.containsKey("gsi");
        gsi = secure ? Path.of(named.get("gsi")) : null;
        copies = Executors.newFixedThreadPool(Integer.parseInt(named.getOrDefault("copy", "4")), task -> {
            Thread made = new Thread(task, "srm-copy");
            made.setDaemon(true);
            return made;
        });
        server = secure ? secured() : new ServerSocket();
        server.setReuseAddress(true);
        server.bind(new InetSocketAddress(InetAddress.getByName(named.getOrDefault("address", "127.0.0.1")), port), 1_000);
        thread(this::accept, "srm-stand-in");
    }

    private static Fault fault(String operation, String what, String every) {
        if (!OPERATIONS.contains(operation)) {
            throw new IllegalArgumentException("fail: expected one of " + OPERATIONS + ", got " + operation);
        }
        if (!what.matches("SRM_[A-Z_]+") && !FAULTS.contains(what)) {
            throw new IllegalArgumentException("fail: expected a status such as SRM_INTERNAL_ERROR or one of " + FAULTS + ", got " + what);
        }
        if (!every.matches("[1-9][0-9]{0,8}")) {
            throw new IllegalArgumentException("fail: expected a number from 1, got " + every);
        }
        return new Fault(operation, what, Long.parseLong(every), new AtomicLong());
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments.length < 3) {
            System.err.println("Usage: java SrmService.java PORT FOLDER TURL [NAME=VALUE]...");
            System.exit(2);
        }
        String[] options = java.util.Arrays.copyOfRange(arguments, 3, arguments.length);
        SrmService service;
        try {
            service = new SrmService(Integer.parseInt(arguments[0]), Path.of(arguments[1]), arguments[2], options);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(2);
            return;
        }
        System.out.println("SRM v2.2 on port " + service.port() + ": " + STAND_IN);
        Thread.currentThread().join();
    }

    /** Returns the port that it listens on. */
    public int port() {
        return server.getLocalPort();
    }

    /** Returns how often something happened: each operation by its name, each state that a file came into. */
    public long count(String what) {
        AtomicLong found = counts.get(what);
        return found == null ? 0 : found.get();
    }

    @Override
    public void close() throws IOException {
        server.close();
        copies.shutdownNow();
        for (Socket each : open) {
            each.close();
        }
        if (log != null) {
            synchronized (log) {
                log.close();
            }
        }
    }

    private interface Work {
        void run() throws Exception;
    }

    private static void thread(Work work, String name) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (Exception closed) {
                        // A connection that broke is its client's affair.
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        while (!server.isClosed()) {
            Socket accepted = server.accept();
            open.add(accepted);
            thread(
                    () -> {
                        try (accepted) {
                            accepted.setTcpNoDelay(true);
                            converse(accepted);
                        } finally {
                            open.remove(accepted);
                        }
                    },
                    "srm-connection");
        }
    }

    // --- GSI: TLS 1.2 with proxies, then one byte that says whether a credential follows

    private ServerSocket secured() throws Exception {
        CertificateFactory certificates = CertificateFactory.getInstance("X.509");
        Certificate[] chain;
        try (InputStream in = Files.newInputStream(gsi.resolve("host-cert.pem"))) {
            chain = certificates.generateCertificates(in).toArray(Certificate[]::new);
        }
        String pem = Files.readString(gsi.resolve("host-key.pem")).replaceAll("-----[A-Z ]+-----|\\s", "");
        PrivateKey key = KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(pem)));
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("host", key, new char[0], chain);
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, new char[0]);
        List<X509Certificate> trusted = new ArrayList<>();
        try (Stream<Path> all = Files.list(gsi.resolve("trusted"))) {
            for (Path each : all.filter(file -> file.toString().endsWith(".0")).toList()) {
                try (InputStream in = Files.newInputStream(each)) {
                    trusted.add((X509Certificate) certificates.generateCertificate(in));
                }
            }
        }
        context = SSLContext.getInstance("TLSv1.2");
        context.init(keys.getKeyManagers(), new TrustManager[] {new Proxies(trusted)}, null);
        SSLServerSocket made = (SSLServerSocket) context.getServerSocketFactory().createServerSocket();
        // The clients' GSI library does not speak TLS 1.3.
        made.setEnabledProtocols(new String[] {"TLSv1.2"});
        made.setNeedClientAuth(true);
        return made;
    }

    /** Trusts chains of signatures up to an authority, proxies included, which the JDK does not know. */
    private static final class Proxies extends X509ExtendedTrustManager {

        private final List<X509Certificate> authorities;

        private Proxies(List<X509Certificate> authorities) {
            this.authorities = authorities;
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
            try {
                for (int i = 0; i < chain.length; i++) {
                    chain[i].checkValidity();
                    X509Certificate at = chain[i];
                    if (i + 1 < chain.length && at.getIssuerX500Principal().equals(chain[i + 1].getSubjectX500Principal())) {
                        at.verify(chain[i + 1].getPublicKey());
                        continue;
                    }
                    for (X509Certificate authority : authorities) {
                        if (authority.getSubjectX500Principal().equals(at.getIssuerX500Principal())) {
                            at.verify(authority.getPublicKey());
                            return;
                        }
                    }
                    throw new CertificateException("nobody known has signed " + at.getSubjectX500Principal());
                }
            } catch (GeneralSecurityException e) {
                throw new CertificateException(e.getMessage(), e);
            }
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
            checkClientTrusted(chain, type);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
            checkClientTrusted(chain, type);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
            checkClientTrusted(chain, type);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
            checkClientTrusted(chain, type);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
            checkClientTrusted(chain, type);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return authorities.toArray(X509Certificate[]::new);
        }
    }

    // --- HTTP and SOAP

    private void converse(Socket socket) throws Exception {
        InputStream in = new BufferedInputStream(socket.getInputStream(), 16 << 10);
        OutputStream out = socket.getOutputStream();
        if (secure) {
            int delegation = in.read();
            count1("delegation " + (char) delegation);
            if (delegation != '0') {
                return; // a stand-in acts for nobody
            }
        }
        while (true) {
            String head = head(in);
            if (head == null) {
                return;
            }
            int length = Integer.parseInt("0" + field(head, "content-length"));
            if (length > MAX_BODY_BYTES) {
                return;
            }
            byte[] body = in.readNBytes(length);
            boolean last = field(head, "connection").equalsIgnoreCase("close");
            if (!answer(head, body, out) || last) {
                return;
            }
        }
    }

    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n", Math.max(0, head.length() - 4)) < 0) {
            int octet = in.read();
            if (octet < 0 || head.length() > MAX_HEAD_BYTES) {
                return null;
            }
            head.append((char) octet);
        }
        return head.toString();
    }

    private static String field(String head, String name) {
        for (String line : head.split("\r\n")) {
            if (line.toLowerCase(Locale.ROOT).startsWith(name + ":")) {
                return line.substring(name.length() + 1).strip();
            }
        }
        return "";
    }

    private static DocumentBuilder builder() {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
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
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Answers a request; gives whether the connection goes on. */
    private boolean answer(String head, byte[] body, OutputStream out) throws Exception {
        if (log != null) {
            synchronized (log) {
                log.write("=====\n" + head.replace("\r", "") + new String(body, StandardCharsets.UTF_8) + "\n");
                log.flush();
            }
        }
        if (!head.startsWith("POST /srm/managerv2 ")) {
            send(out, "404 Not Found", "text/plain", "The endpoint is /srm/managerv2\n");
            return true;
        }
        Element operation;
        try {
            operation = child(child(builders.get().parse(new ByteArrayInputStream(body)).getDocumentElement(), "Body"), null);
        } catch (SAXException | IllegalArgumentException e) {
            fault(out, "Client", "no SOAP: " + e.getMessage());
            return true;
        }
        String name = operation.getLocalName();
        String what = name.replaceFirst("^srm", "");
        count1(what);
        for (Fault each : faults) {
            if (each.operation().equals(what) && each.seen().incrementAndGet() % each.every() == 0) {
                return fail(each.what(), name, out);
            }
        }
        if (!SRM.equals(operation.getNamespaceURI())) {
            fault(out, "Client", "expected the namespace " + SRM + ", got " + operation.getNamespaceURI());
            return true;
        }
        Element request = child(operation, null);
        String answer = switch (what) {
            case "Ping" -> ping();
            case "Ls" -> ls(request);
            case "PrepareToGet" -> prepare(request, Kind.GET);
            case "PrepareToPut" -> prepare(request, Kind.PUT);
            case "BringOnline" -> prepare(request, Kind.BRING_ONLINE);
            case "Copy" -> copy(request);
            case "StatusOfGetRequest" -> status(request, Kind.GET);
            case "StatusOfPutRequest" -> status(request, Kind.PUT);
            case "StatusOfBringOnlineRequest" -> status(request, Kind.BRING_ONLINE);
            case "StatusOfCopyRequest" -> status(request, Kind.COPY);
            case "ReleaseFiles" -> finish(request, "SRM_RELEASED");
            case "PutDone" -> finish(request, "SRM_SUCCESS");
            case "AbortFiles", "AbortRequest" -> finish(request, "SRM_ABORTED");
            case "Rm" -> rm(request);
            case "Mkdir" -> mkdir(request);
            case "Rmdir" -> rmdir(request);
            default -> null;
        };
        if (answer == null) {
            fault(out, "Client", "a stand-in does not know " + name);
        } else {
            send(out, "200 OK", "text/xml; charset=utf-8", envelope(response(name, answer)));
        }
        return true;
    }

    private static String response(String name, String content) {
        return "<srm:" + name + "Response><" + name + "Response>" + content + "</" + name + "Response></srm:" + name + "Response>";
    }

    private static String envelope(String body) {
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?><SOAP-ENV:Envelope"
                + " xmlns:SOAP-ENV=\"http://schemas.xmlsoap.org/soap/envelope/\""
                + " xmlns:SOAP-ENC=\"http://schemas.xmlsoap.org/soap/encoding/\""
                + " xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\""
                + " xmlns:srm=\"" + SRM + "\"><SOAP-ENV:Body"
                + " SOAP-ENV:encodingStyle=\"http://schemas.xmlsoap.org/soap/encoding/\">" + body
                + "</SOAP-ENV:Body></SOAP-ENV:Envelope>";
    }

    private static void send(OutputStream out, String status, String type, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        byte[] head = ("HTTP/1.1 " + status + "\r\nServer: stand-in\r\nContent-Type: " + type + "\r\nContent-Length: " + bytes.length
                        + "\r\nConnection: keep-alive\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        byte[] all = java.util.Arrays.copyOf(head, head.length + bytes.length);
        System.arraycopy(bytes, 0, all, head.length, bytes.length);
        out.write(all);
        out.flush();
    }

    private static void fault(OutputStream out, String code, String why) throws IOException {
        send(
                out,
                "500 Internal Server Error",
                "text/xml; charset=utf-8",
                envelope("<SOAP-ENV:Fault><faultcode>SOAP-ENV:" + code + "</faultcode><faultstring>" + escaped(why)
                        + "</faultstring></SOAP-ENV:Fault>"));
    }

    private static boolean fail(String what, String name, OutputStream out) throws Exception {
        switch (what) {
            case "fault" -> fault(out, "Server", "on demand");
            case "half" -> {
                byte[] half = ("HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: 5000\r\n\r\n"
                                + envelope("").substring(0, 200))
                        .getBytes(StandardCharsets.US_ASCII);
                out.write(half);
                out.flush();
                return false;
            }
            case "bomb" -> {
                StringBuilder bomb = new StringBuilder("<?xml version=\"1.0\"?><!DOCTYPE b [<!ENTITY a0 \"ha\">");
                for (int i = 1; i < 30; i++) {
                    bomb.append("<!ENTITY a").append(i).append(" \"&a").append(i - 1).append(";&a").append(i - 1).append(";\">");
                }
                send(out, "200 OK", "text/xml", bomb.append("]><b>&a29;</b>").toString());
            }
            case "garbage" -> send(out, "200 OK", "text/xml", "this is no XML <<<");
            case "version" -> send(
                    out,
                    "200 OK",
                    "text/xml",
                    envelope(response(name, status("SRM_SUCCESS"))).replace(SRM, "http://tempuri.org/diskCacheV111.srm.server.SRMServerV1"));
            case "hang" -> Thread.sleep(3_600_000);
            case "close" -> {
                return false;
            }
            default -> send(out, "200 OK", "text/xml; charset=utf-8", envelope(response(name, status(what))));
        }
        return true;
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
    }

    /** Finds an element, the first one for {@code null}. */
    private static Element child(Element of, String name) {
        for (Node at = of == null ? null : of.getFirstChild(); at != null; at = at.getNextSibling()) {
            if (at instanceof Element element && (name == null || element.getLocalName().equals(name))) {
                return element;
            }
        }
        if (name == null) {
            throw new IllegalArgumentException("an empty element");
        }
        return null;
    }

    private static String text(Element of, String name) {
        Element found = child(of, name);
        return found == null ? "" : found.getTextContent().strip();
    }

    private static List<String> all(Element of, String array, String item) {
        List<String> found = new ArrayList<>();
        Element in = child(of, array);
        for (Node at = in == null ? null : in.getFirstChild(); at != null; at = at.getNextSibling()) {
            if (at instanceof Element element && element.getLocalName().equals(item)) {
                Element surl = child(element, "sourceSURL");
                surl = surl == null ? child(element, "targetSURL") : surl;
                found.add((surl == null ? element : surl).getTextContent().strip());
            }
        }
        return found;
    }

    private static String status(String code) {
        return status("returnStatus", code);
    }

    private static String status(String element, String code) {
        String why = code.equals("SRM_SUCCESS") ? "" : "<explanation>a stand-in says " + code + "</explanation>";
        return "<" + element + "><statusCode>" + code + "</statusCode>" + why + "</" + element + ">";
    }

    // --- what the operations mean

    private void count1(String what) {
        counts.computeIfAbsent(what, any -> new AtomicLong()).incrementAndGet();
    }

    /** Finds the file of a SURL, {@code null} for one outside of the folder. */
    private Path file(String surl) {
        String path = surl.replaceFirst("^srm://[^/]*", "").replaceFirst("^/srm/managerv2\\?SFN=", "");
        Path found = folder.resolve(path.replaceFirst("^/+", "")).normalize();
        return surl.startsWith("srm://") && found.startsWith(folder) ? found : null;
    }

    private String ping() {
        StringBuilder more = new StringBuilder();
        new TreeMap<>(counts).forEach((what, count) -> more.append(extra("count." + what, String.valueOf(count))));
        return "<versionInfo>v2.2</versionInfo><otherInfo>" + extra("backend_type", "stand-in") + extra("backend_version", STAND_IN)
                + more + "</otherInfo>";
    }

    private static String extra(String key, String value) {
        return "<extraInfoArray><key>" + escaped(key) + "</key><value>" + escaped(value) + "</value></extraInfoArray>";
    }

    private String ls(Element request) throws IOException {
        StringBuilder details = new StringBuilder();
        boolean well = true;
        String levels = text(request, "numOfLevels");
        for (String surl : all(request, "arrayOfSURLs", "urlArray")) {
            Path file = file(surl);
            if (file == null || !Files.exists(file)) {
                well = false;
                details.append("<pathDetailArray><path>").append(escaped(surl.replaceFirst("^srm://[^/]*", ""))).append("</path>")
                        .append(status("status", "SRM_INVALID_PATH")).append("</pathDetailArray>");
            } else {
                details.append(detail(file, levels.isEmpty() ? 1 : Integer.parseInt(levels)));
            }
        }
        return status(well ? "SRM_SUCCESS" : "SRM_FAILURE") + "<details>" + details + "</details>";
    }

    private String detail(Path file, int levels) throws IOException {
        boolean directory = Files.isDirectory(file);
        String time = Files.getLastModifiedTime(file).toInstant().toString().replaceFirst("\\.\\d+Z$", "Z");
        StringBuilder made = new StringBuilder("<pathDetailArray><path>/").append(escaped(folder.relativize(file).toString()))
                .append("</path>").append(status("status", "SRM_SUCCESS")).append("<size>").append(directory ? 0 : Files.size(file))
                .append("</size><createdAtTime>").append(time).append("</createdAtTime><lastModificationTime>").append(time)
                .append("</lastModificationTime><fileStorageType>PERMANENT</fileStorageType><retentionPolicyInfo><retentionPolicy>")
                .append("REPLICA</retentionPolicy><accessLatency>ONLINE</accessLatency></retentionPolicyInfo><fileLocality>ONLINE")
                .append("</fileLocality><type>").append(directory ? "DIRECTORY" : "FILE").append("</type><lifetimeAssigned>-1")
                .append("</lifetimeAssigned><lifetimeLeft>-1</lifetimeLeft><ownerPermission><userID>stand-in</userID><mode>RW</mode>")
                .append("</ownerPermission><groupPermission><groupID>stand-in</groupID><mode>R</mode></groupPermission>")
                .append("<otherPermission>R</otherPermission>");
        if (!directory) {
            made.append("<checkSumType>ADLER32</checkSumType><checkSumValue>").append(adler32(file)).append("</checkSumValue>");
        } else if (levels > 0) {
            made.append("<arrayOfSubPaths>");
            try (Stream<Path> below = Files.list(file)) {
                for (Path each : below.sorted().toList()) {
                    made.append(detail(each, levels - 1));
                }
            }
            made.append("</arrayOfSubPaths>");
        }
        return made.append("</pathDetailArray>").toString();
    }

    private static String adler32(Path file) throws IOException {
        Adler32 sum = new Adler32();
        byte[] buffer = new byte[1 << 16];
        try (InputStream in = Files.newInputStream(file)) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                sum.update(buffer, 0, count);
            }
        }
        return String.format(Locale.ROOT, "%08x", sum.getValue());
    }

    private synchronized long readyAtNanos() {
        long now = System.nanoTime();
        if (rate > 0) {
            nextReadyNanos = Math.max(now, nextReadyNanos) + 1_000_000_000 / rate;
        }
        return (rate > 0 ? Math.max(now, nextReadyNanos) : now) + readyNanos;
    }

    private String prepare(Element request, Kind kind) {
        boolean get = kind != Kind.PUT;
        List<String> protocols = all(child(request, "transferParameters"), "arrayOfTransferProtocols", "stringArray");
        List<String> surls = all(request, "arrayOfFileRequests", "requestArray");
        String scheme = turl.substring(0, turl.indexOf(':'));
        if (surls.isEmpty()) {
            return status("SRM_INVALID_REQUEST");
        }
        if (!protocols.isEmpty() && !protocols.contains(scheme)) {
            return status("SRM_NOT_SUPPORTED");
        }
        boolean replaces = text(request, "overwriteOption").equals("ALWAYS");
        Request made = new Request(kind);
        String token = "stand-in-" + tokens.incrementAndGet();
        for (String surl : surls) {
            Path file = file(surl);
            String state = "SRM_REQUEST_QUEUED";
            if (file == null || (get && !Files.isRegularFile(file)) || (!get && !Files.isDirectory(file.getParent()))) {
                state = "SRM_INVALID_PATH";
            } else if (!get && Files.exists(file) && !replaces) {
                state = "SRM_DUPLICATION_ERROR";
            }
            Held held = new Held(surl, file, readyAtNanos(), state);
            made.files.put(surl, held);
            if (!state.equals("SRM_REQUEST_QUEUED")) {
                count1(state);
            }
        }
        requests.put(token, made);
        return told(token, made, made.files.values());
    }

    /** Takes files to copy; each waits like any other until it is ready, and is copied then. */
    private String copy(Element request) {
        Element array = child(request, "arrayOfFileRequests");
        boolean replaces = text(request, "overwriteOption").equals("ALWAYS");
        Request made = new Request(Kind.COPY);
        String token = "stand-in-" + tokens.incrementAndGet();
        for (Node at = array == null ? null : array.getFirstChild(); at != null; at = at.getNextSibling()) {
            if (at instanceof Element each) {
                Held held = new Held(text(each, "sourceSURL"), null, readyAtNanos(), "SRM_REQUEST_QUEUED");
                held.target = text(each, "targetSURL");
                made.files.put(held.surl, held);
            }
        }
        if (made.files.isEmpty()) {
            return status("SRM_INVALID_REQUEST");
        }
        requests.put(token, made);
        for (Held each : List.copyOf(made.files.values())) {
            copies.execute(() -> copy(made, each, replaces));
        }
        return told(token, made, made.files.values());
    }

    private void copy(Request of, Held held, boolean replaces) {
        String end;
        long size = 0;
        try {
            long left = held.readyAtNanos - System.nanoTime();
            if (left > 0) {
                Thread.sleep(left / 1_000_000 + 1);
            }
            synchronized (of) {
                if (!held.state.equals("SRM_REQUEST_QUEUED")) {
                    return; // it was aborted meanwhile
                }
                held.state = "SRM_REQUEST_INPROGRESS";
            }
            boolean here = isHere(held.surl);
            boolean toHere = isHere(held.target);
            Path source = here ? file(held.surl) : null;
            Path target = toHere ? file(held.target) : null;
            if ((!here && !toHere) || (here && (source == null || !Files.isRegularFile(source)))
                    || (toHere && (target == null || !Files.isDirectory(target.getParent())))) {
                end = "SRM_INVALID_PATH";
            } else if (toHere && Files.exists(target) && !replaces) {
                end = "SRM_DUPLICATION_ERROR";
            } else if (here && toHere) {
                Files.copy(source, target, StandardCopyOption.REPLACE_EXISTING);
                end = "SRM_SUCCESS";
            } else {
                end = copy(held, source, target, replaces);
            }
            size = !end.equals("SRM_SUCCESS") ? 0 : Files.size(here ? source : target);
        } catch (InterruptedException e) {
            return;
        } catch (Exception e) {
            System.err.println("copy: " + e);
            end = "SRM_FAILURE";
        }
        synchronized (of) {
            if (held.state.equals("SRM_REQUEST_INPROGRESS")) {
                held.state = end;
                held.size = size;
                count1(end.equals("SRM_SUCCESS") ? "copied" : end);
            }
        }
    }

    /** Returns whether a SURL names a file of this manager: by its port, because one host may have several. */
    private boolean isHere(String surl) {
        String port = surl.replaceFirst("^srm://[^/:]*:?([0-9]*)/.*", "$1");
        return port.isEmpty() || port.equals(String.valueOf(port()));
    }

    /** Copies from another manager (then there is a target here) or to it, as the one that asks it; gives how that ended. */
    private String copy(Held held, Path source, Path target, boolean replaces) throws Exception {
        boolean pull = target != null;
        String there = pull ? held.surl : held.target;
        String what = pull ? "Get" : "Put";
        String file = "<arrayOfFileRequests><requestArray><" + (pull ? "source" : "target") + "SURL>" + escaped(there) + "</"
                + (pull ? "source" : "target") + "SURL></requestArray></arrayOfFileRequests>"
                + (!pull && replaces ? "<overwriteOption>ALWAYS</overwriteOption>" : "")
                + "<transferParameters><arrayOfTransferProtocols><stringArray>" + turl.substring(0, turl.indexOf(':'))
                + "</stringArray></arrayOfTransferProtocols></transferParameters>";
        Element answer = ask(there, "PrepareTo" + what, file);
        String token = "<requestToken>" + escaped(text(answer, "requestToken")) + "</requestToken>";
        String done = token + "<arrayOfSURLs><urlArray>" + escaped(there) + "</urlArray></arrayOfSURLs>";
        long until = System.nanoTime() + MAX_COPY_NANOS;
        while (Set.of("SRM_REQUEST_QUEUED", "SRM_REQUEST_INPROGRESS").contains(state(answer))) {
            if (System.nanoTime() - until > 0) {
                ask(there, "AbortRequest", token);
                return "SRM_REQUEST_TIMED_OUT";
            }
            Thread.sleep(POLL_MILLIS);
            answer = ask(there, "StatusOf" + what + "Request", token);
        }
        Element status = child(child(answer, "arrayOfFileStatuses"), "statusArray");
        String other = text(status, "transferURL");
        if (other.isEmpty()) {
            return state(answer);
        }
        boolean moved = move(pull ? other : turl + source, pull ? turl + target : other);
        ask(there, !moved ? "AbortRequest" : pull ? "ReleaseFiles" : "PutDone", moved ? done : token);
        return moved ? "SRM_SUCCESS" : "SRM_FAILURE";
    }

    private static String state(Element answer) {
        Element status = child(child(answer, "arrayOfFileStatuses"), "statusArray");
        String code = text(child(status, "status"), "statusCode");
        return code.isEmpty() ? text(child(answer, "returnStatus"), "statusCode") : code;
    }

    /** Has globus-url-copy move a file from one GridFTP server to another. */
    private boolean move(String from, String to) throws Exception {
        ProcessBuilder command = new ProcessBuilder("timeout", String.valueOf(MAX_COPY_NANOS / 1_000_000_000), "globus-url-copy", from, to);
        if (secure) {
            command.environment().put("X509_USER_PROXY", gsi.resolve("proxy.pem").toString());
            command.environment().put("X509_CERT_DIR", gsi.resolve("trusted").toString());
        }
        int code = command.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.INHERIT).start().waitFor();
        return code == 0;
    }

    /** Asks another manager, on a connection of its own. */
    private Element ask(String surl, String operation, String content) throws Exception {
        String at = surl.replaceFirst("^srm://([^/]*)/.*", "$1");
        String host = at.replaceFirst(":.*", "");
        String name = "srm" + operation;
        byte[] body = envelope("<srm:" + name + "><" + name + "Request>" + content + "</" + name + "Request></srm:" + name + ">")
                .getBytes(StandardCharsets.UTF_8);
        String head = "POST /srm/managerv2 HTTP/1.1\r\nHost: " + at + "\r\nContent-Type: text/xml; charset=utf-8\r\nSOAPAction: \"" + operation
                + "\"\r\nConnection: close\r\nContent-Length: " + body.length + "\r\n\r\n";
        try (Socket socket = secure ? context.getSocketFactory().createSocket() : new Socket()) {
            int port = at.contains(":") ? Integer.parseInt(at.substring(at.indexOf(':') + 1)) : 8443;
            socket.connect(new InetSocketAddress(host, port), 10_000);
            socket.setSoTimeout(30_000);
            OutputStream out = socket.getOutputStream();
            if (secure) {
                out.write('0');
                out.flush();
            }
            out.write(head.getBytes(StandardCharsets.US_ASCII));
            out.write(body);
            out.flush();
            InputStream in = new BufferedInputStream(socket.getInputStream());
            String answered = head(in);
            int length = answered == null ? 0 : Integer.parseInt("0" + field(answered, "content-length"));
            if (length == 0 || length > MAX_BODY_BYTES) {
                throw new IOException(operation + ": no answer from " + at);
            }
            Element envelope = builders.get().parse(new ByteArrayInputStream(in.readNBytes(length))).getDocumentElement();
            Element answer = child(child(child(envelope, "Body"), name + "Response"), name + "Response");
            if (answer == null) {
                throw new IOException(operation + ": a fault from " + at);
            }
            return answer;
        }
    }

    private String status(Element request, Kind kind) {
        boolean get = kind.isOfSources();
        String token = text(request, "requestToken");
        Request found = requests.get(token);
        if (found == null || found.kind != kind) {
            return status("SRM_INVALID_REQUEST");
        }
        List<String> surls = all(request, get ? "arrayOfSourceSURLs" : "arrayOfTargetSURLs", "urlArray");
        List<Held> asked = new ArrayList<>();
        for (Held each : found.files.values()) {
            if (surls.isEmpty() || surls.contains(each.surl)) {
                asked.add(each);
            }
        }
        return asked.isEmpty() ? status("SRM_INVALID_REQUEST") : told(token, found, asked);
    }

    private void advance(Request of, Held file) {
        long now = System.nanoTime();
        String ready = of.kind.ready;
        if (of.kind == Kind.COPY) {
            return; // the copy itself says how far it is
        }
        if (file.state.equals("SRM_REQUEST_QUEUED") && now - file.readyAtNanos >= 0) {
            file.state = ready;
            file.expiresNanos = now + pinNanos;
            count1(of.kind == Kind.BRING_ONLINE ? "online" : ready);
        } else if (file.state.equals(ready) && now - file.expiresNanos >= 0) {
            file.state = "SRM_FILE_LIFETIME_EXPIRED";
            count1(file.state);
        }
    }

    private String told(String token, Request of, Iterable<Held> files) {
        StringBuilder made = new StringBuilder();
        int waiting = 0;
        int well = 0;
        int all = 0;
        synchronized (of) {
            for (Held each : files) {
                advance(of, each);
                all++;
                boolean sources = of.kind.isOfSources();
                boolean queued = each.state.equals("SRM_REQUEST_QUEUED") || each.state.equals("SRM_REQUEST_INPROGRESS");
                boolean ready = each.state.equals(of.kind.ready);
                waiting += queued ? 1 : 0;
                well += ready || each.state.equals("SRM_RELEASED") || each.state.equals("SRM_SUCCESS") ? 1 : 0;
                made.append("<statusArray>").append(sources ? "<sourceSURL>" : "<SURL>").append(escaped(each.surl))
                        .append(sources ? "</sourceSURL>" : "</SURL>");
                String size = sources && ready
                        ? "<fileSize>" + (of.kind == Kind.COPY ? each.size : each.path.toFile().length()) + "</fileSize>"
                        : "";
                // In the order of the WSDL, in which the size comes after the state but for a get.
                made.append(of.kind == Kind.COPY ? "<targetSURL>" + escaped(each.target) + "</targetSURL>" : "")
                        .append(of.kind == Kind.GET ? size : "")
                        .append(status("status", each.state))
                        .append(of.kind == Kind.GET ? "" : size);
                if (queued && waitSeconds > 0) {
                    made.append("<estimatedWaitTime>").append(waitSeconds).append("</estimatedWaitTime>");
                }
                if (ready && of.kind != Kind.COPY) {
                    String left = sources ? "remainingPinTime" : "remainingPinLifetime";
                    made.append('<').append(left).append('>').append((each.expiresNanos - System.nanoTime()) / 1_000_000_000)
                            .append("</").append(left).append('>');
                }
                if (ready && (of.kind == Kind.GET || of.kind == Kind.PUT)) {
                    made.append("<transferURL>").append(escaped(turl + each.path)).append("</transferURL>");
                }
                made.append("</statusArray>");
            }
        }
        String code = waiting > 0
                ? "SRM_REQUEST_QUEUED"
                : well == all ? "SRM_SUCCESS" : well > 0 ? "SRM_PARTIAL_SUCCESS" : "SRM_FAILURE";
        return status(code) + "<requestToken>" + token + "</requestToken><arrayOfFileStatuses>" + made + "</arrayOfFileStatuses>";
    }

    private String finish(Element request, String state) throws IOException {
        Request found = requests.get(text(request, "requestToken"));
        if (found == null || (state.equals("SRM_SUCCESS") && found.kind != Kind.PUT)
                || (state.equals("SRM_RELEASED") && found.kind != Kind.GET && found.kind != Kind.BRING_ONLINE)) {
            return status("SRM_INVALID_REQUEST");
        }
        List<String> surls = all(request, "arrayOfSURLs", "urlArray");
        StringBuilder made = new StringBuilder();
        boolean well = true;
        synchronized (found) {
            for (String surl : surls.isEmpty() ? List.copyOf(found.files.keySet()) : surls) {
                Held held = found.files.get(surl);
                String code = held == null ? "SRM_INVALID_PATH" : finish(found, held, state);
                well &= code.equals("SRM_SUCCESS");
                made.append("<statusArray><surl>").append(escaped(surl)).append("</surl>").append(status("status", code))
                        .append("</statusArray>");
            }
        }
        return status(well ? "SRM_SUCCESS" : "SRM_FAILURE") + "<arrayOfFileStatuses>" + made + "</arrayOfFileStatuses>";
    }

    private String finish(Request of, Held file, String state) throws IOException {
        advance(of, file);
        String ready = of.kind.ready;
        boolean over = Set.of("SRM_RELEASED", "SRM_ABORTED").contains(file.state)
                || (file.state.equals("SRM_SUCCESS") && of.kind != Kind.BRING_ONLINE);
        if (state.equals("SRM_ABORTED") && !over) {
            file.state = state;
            count1(state);
            return "SRM_SUCCESS";
        }
        if (!file.state.equals(ready)) {
            return over ? "SRM_FAILURE" : file.state;
        }
        if (state.equals("SRM_SUCCESS") && !Files.isRegularFile(file.path)) {
            return "SRM_INVALID_PATH";
        }
        file.state = state;
        count1(of.kind == Kind.PUT ? "done" : state);
        return "SRM_SUCCESS";
    }

    private String rm(Element request) throws IOException {
        StringBuilder made = new StringBuilder();
        boolean well = true;
        for (String surl : all(request, "arrayOfSURLs", "urlArray")) {
            Path file = file(surl);
            boolean gone = file != null && Files.isRegularFile(file) && Files.deleteIfExists(file);
            well &= gone;
            made.append("<statusArray><surl>").append(escaped(surl)).append("</surl>")
                    .append(status("status", gone ? "SRM_SUCCESS" : "SRM_INVALID_PATH")).append("</statusArray>");
        }
        return status(well ? "SRM_SUCCESS" : "SRM_FAILURE") + "<arrayOfFileStatuses>" + made + "</arrayOfFileStatuses>";
    }

    private String mkdir(Element request) throws IOException {
        Path file = file(text(request, "SURL"));
        if (file == null || !Files.isDirectory(file.getParent())) {
            return status("SRM_INVALID_PATH");
        }
        if (Files.exists(file)) {
            return status("SRM_DUPLICATION_ERROR");
        }
        Files.createDirectory(file);
        return status("SRM_SUCCESS");
    }

    private String rmdir(Element request) {
        Path file = file(text(request, "SURL"));
        boolean gone = file != null && !file.equals(folder) && Files.isDirectory(file) && file.toFile().delete();
        return status(gone ? "SRM_SUCCESS" : "SRM_NON_EMPTY_DIRECTORY");
    }
}
