package org.diperf.plugins.mds;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import jakarta.xml.bind.JAXBContext;
import jakarta.xml.bind.Unmarshaller;
import jakarta.xml.ws.wsaddressing.W3CEndpointReference;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import javax.xml.transform.stream.StreamSource;
import org.diperf.core.spi.Url;
import org.oasis_open.docs.wsn.b_2.Notify;
import org.oasis_open.docs.wsn.b_2.ObjectFactory;
import org.oasis_open.docs.wsn.b_2.Subscribe;
import org.oasis_open.docs.wsn.b_2.SubscribeResponse;
import org.oasis_open.docs.wsn.b_2.Unsubscribe;
import org.oasis_open.docs.wsn.b_2.UnsubscribeResponse;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** A broker on the types of the standard's own schema: it reads strictly, and tells its one subscriber what is published. */
final class TypedBroker implements AutoCloseable {

    private static final String SOAP = "http://schemas.xmlsoap.org/soap/envelope/";
    private static final String KEY = "urn:typed";

    private final HttpServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(2);
    private final HttpClient client = HttpClient.newHttpClient();
    private final JAXBContext types;
    private final List<Object> requests = new CopyOnWriteArrayList<>();
    private final List<String> keys = new CopyOnWriteArrayList<>();
    private volatile String consumer = "";

    TypedBroker() throws Exception {
        types = JAXBContext.newInstance(ObjectFactory.class, W3CEndpointReference.class);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.createContext("/", this::answer);
        server.setExecutor(threads);
        server.start();
    }

    Url uri() {
        return Url.of("http://127.0.0.1:" + server.getAddress().getPort() + "/broker");
    }

    /** Lists what was asked for so far, as the standard's types. */
    List<Object> requests() {
        return List.copyOf(requests);
    }

    /** Lists the reference parameters that came back. */
    List<String> keys() {
        return List.copyOf(keys);
    }

    private static DocumentBuilder builder() throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setNamespaceAware(true);
        return factory.newDocumentBuilder();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            Document envelope = builder().parse(exchange.getRequestBody());
            for (int i = 0; i < envelope.getElementsByTagNameNS(KEY, "Key").getLength(); i++) {
                keys.add(envelope.getElementsByTagNameNS(KEY, "Key").item(i).getTextContent() + " "
                        + exchange.getRequestURI().getPath());
            }
            Unmarshaller reading = types.createUnmarshaller();
            reading.setEventHandler(event -> false);
            Node body = envelope.getElementsByTagNameNS(SOAP, "Body").item(0);
            Object request = reading.unmarshal(body.getFirstChild());
            requests.add(request);
            if (request instanceof Subscribe subscribe) {
                Document reference = builder().newDocument();
                types.createMarshaller().marshal(subscribe.getConsumerReference(), reference);
                consumer = reference
                        .getElementsByTagNameNS("http://www.w3.org/2005/08/addressing", "Address")
                        .item(0)
                        .getTextContent();
                SubscribeResponse response = new SubscribeResponse();
                response.setSubscriptionReference(new W3CEndpointReference(new StreamSource(new StringReader(
                        "<a:EndpointReference xmlns:a='http://www.w3.org/2005/08/addressing'><a:Address>" + uri()
                                + "/subscription</a:Address><a:ReferenceParameters><k:Key xmlns:k='" + KEY
                                + "'>one &lt;&amp; two</k:Key></a:ReferenceParameters></a:EndpointReference>"))));
                send(exchange, envelope(response));
            } else if (request instanceof Unsubscribe) {
                send(exchange, envelope(new UnsubscribeResponse()));
            } else if (request instanceof Notify notify) {
                exchange.sendResponseHeaders(202, -1);
                HttpRequest told = HttpRequest.newBuilder(URI.create(consumer))
                        .POST(HttpRequest.BodyPublishers.ofByteArray(envelope(notify)))
                        .build();
                client.send(told, HttpResponse.BodyHandlers.discarding());
            }
        } catch (IOException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(e);
        }
    }

    private byte[] envelope(Object content) throws Exception {
        Document made = builder().newDocument();
        Element outer = made.createElementNS(SOAP, "s:Envelope");
        Element body = made.createElementNS(SOAP, "s:Body");
        made.appendChild(outer).appendChild(body);
        types.createMarshaller().marshal(content, body);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        TransformerFactory.newInstance().newTransformer().transform(new DOMSource(made), new StreamResult(bytes));
        return bytes.toByteArray();
    }

    private static void send(HttpExchange exchange, byte[] bytes) throws IOException {
        exchange.sendResponseHeaders(200, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
