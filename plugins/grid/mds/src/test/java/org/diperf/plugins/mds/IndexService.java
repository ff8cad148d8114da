package org.diperf.plugins.mds;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import jakarta.xml.bind.JAXBContext;
import jakarta.xml.bind.JAXBElement;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.diperf.core.contract.TestCertificate;
import org.diperf.core.spi.Url;
import org.jspecify.annotations.Nullable;
import org.oasis_open.docs.wsrf.rp_2.InvalidQueryExpressionFaultType;
import org.oasis_open.docs.wsrf.rp_2.ObjectFactory;
import org.oasis_open.docs.wsrf.rp_2.QueryResourceProperties;
import org.oasis_open.docs.wsrf.rp_2.QueryResourcePropertiesResponse;
import org.oasis_open.docs.wsrf.rp_2.UnknownQueryExpressionDialectFaultType;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * An index service on the types of the standard's own schema: reads requests and writes answers by them, and evaluates
 * XPath over a document of entries.
 */
final class IndexService implements AutoCloseable {

    private static final String SOAP = "http://schemas.xmlsoap.org/soap/envelope/";

    private final HttpServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(4);
    private final JAXBContext types;
    private final Document index;
    private final List<String> actions = new CopyOnWriteArrayList<>();
    private final boolean secure;

    private IndexService(HttpServer server, boolean secure, int entries) throws Exception {
        this.server = server;
        this.secure = secure;
        types = JAXBContext.newInstance(ObjectFactory.class);
        index = builder().newDocument();
        Element root = index.createElementNS("urn:index", "i:Index");
        index.appendChild(root);
        for (int i = 0; i < entries; i++) {
            Element entry = index.createElementNS("urn:index", "i:Entry");
            Element host = index.createElementNS("urn:index", "i:Host");
            host.setAttribute("name", "host" + i);
            host.setAttribute("free", Integer.toString(i % 16));
            entry.appendChild(host);
            root.appendChild(entry);
        }
        server.createContext("/index", this::answer);
        server.setExecutor(threads);
        server.start();
    }

    static IndexService plain(int entries) throws Exception {
        return new IndexService(
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50), false, entries);
    }

    static IndexService secure(int entries, TestCertificate certificate) throws Exception {
        HttpsServer made = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        made.setHttpsConfigurator(new HttpsConfigurator(certificate.context()));
        return new IndexService(made, true, entries);
    }

    private static DocumentBuilder builder() throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setNamespaceAware(true);
        return factory.newDocumentBuilder();
    }

    Url uri() {
        return Url.of((secure ? "https" : "http") + "://127.0.0.1:"
                + server.getAddress().getPort() + "/index");
    }

    /** Lists the actions of the requests so far. */
    List<String> actions() {
        return List.copyOf(actions);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange;
                InputStream in = exchange.getRequestBody()) {
            actions.add(String.valueOf(exchange.getRequestHeaders().getFirst("SOAPAction")));
            Document envelope = builder().parse(in);
            Document answer = builder().newDocument();
            Element outer = answer.createElementNS(SOAP, "s:Envelope");
            Element body = answer.createElementNS(SOAP, "s:Body");
            answer.appendChild(outer);
            outer.appendChild(body);
            int status = query(
                    (Element) envelope.getElementsByTagNameNS(SOAP, "Body").item(0), body);
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            TransformerFactory.newInstance().newTransformer().transform(new DOMSource(answer), new StreamResult(bytes));
            exchange.getResponseHeaders().set("Content-Type", "text/xml; charset=utf-8");
            exchange.sendResponseHeaders(status, bytes.size());
            bytes.writeTo(exchange.getResponseBody());
        } catch (IOException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(e);
        }
    }

    private int query(Element asked, Element body) throws Exception {
        Object request = types.createUnmarshaller().unmarshal(asked.getFirstChild());
        if (!(request instanceof QueryResourceProperties query) || query.getQueryExpression() == null) {
            return fault(body, null, "no QueryResourceProperties");
        }
        if (!"http://www.w3.org/TR/1999/REC-xpath-19991116"
                .equals(query.getQueryExpression().getDialect())) {
            return fault(
                    body,
                    new ObjectFactory()
                            .createUnknownQueryExpressionDialectFault(new UnknownQueryExpressionDialectFaultType()),
                    "unknown dialect");
        }
        NodeList found;
        try {
            XPath xpath = XPathFactory.newInstance().newXPath();
            synchronized (index) {
                found = (NodeList) xpath.evaluate(
                        query.getQueryExpression().getContent().get(0).toString(), index, XPathConstants.NODESET);
            }
        } catch (XPathExpressionException e) {
            return fault(
                    body,
                    new ObjectFactory().createInvalidQueryExpressionFault(new InvalidQueryExpressionFaultType()),
                    "no XPath");
        }
        QueryResourcePropertiesResponse response = new QueryResourcePropertiesResponse();
        synchronized (index) {
            for (int i = 0; i < found.getLength(); i++) {
                response.getContent().add(found.item(i));
            }
            types.createMarshaller().marshal(response, body);
        }
        return 200;
    }

    private int fault(Element body, @Nullable JAXBElement<?> detail, String reason) throws Exception {
        Document owner = body.getOwnerDocument();
        Element fault = owner.createElementNS(SOAP, "s:Fault");
        body.appendChild(fault);
        Element code = owner.createElement("faultcode");
        code.setTextContent("s:Client");
        fault.appendChild(code);
        Element text = owner.createElement("faultstring");
        text.setTextContent(reason);
        fault.appendChild(text);
        if (detail != null) {
            Element holder = owner.createElement("detail");
            fault.appendChild(holder);
            types.createMarshaller().marshal(detail, holder);
        }
        return 500;
    }

    /** Counts what the XPath finds, as the service's own library does. */
    int count(String xpath) throws Exception {
        return ((NodeList) XPathFactory.newInstance().newXPath().evaluate(xpath, index, XPathConstants.NODESET))
                .getLength();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
