package org.diperf.plugins.mds;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.xml.stream.XMLInputFactory;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Text;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.netty.soap.Xml;
import org.jspecify.annotations.Nullable;

/**
 * Writes the HTTP requests that carry {@code QueryResourceProperties} (OASIS WS-ResourceProperties 1.2, 2006) in SOAP 1.1.
 * Those that are the same for every call are made once. Immutable.
 */
final class Soap {

    static final String XPATH_1 = "http://www.w3.org/TR/1999/REC-xpath-19991116";
    static final String RESOURCE_PROPERTIES = "http://docs.oasis-open.org/wsrf/rp-2";
    static final String ACTION =
            "http://docs.oasis-open.org/wsrf/rpw-2/QueryResourceProperties/QueryResourcePropertiesRequest";

    /** The query for all properties of a resource. */
    private static final String ALL = "/*";

    private static final String NAME = "[A-Za-z_][A-Za-z0-9._-]*";
    private static final String ONE_LINE = "[^\\r\\n\"]*";

    private final @Nullable Text xpath;
    private final String dialect;
    private final Map<String, Text> prefixes;
    private final String namespace;
    private final String action;
    private final boolean keep;
    private final List<Server> servers;
    private final List<Request> constant = new ArrayList<>();

    @SuppressWarnings("ArrayRecordComponent")
    private record Request(byte[] bytes, int bodyBytes) {}

    Soap(Parameters with, List<Server> servers) {
        this.xpath = with.has("xpath") ? with.text("xpath") : null;
        this.dialect = with.string("dialect");
        this.prefixes = with.textMap("prefixes");
        this.namespace = with.string("namespace");
        this.action = with.string("action");
        this.keep = with.string("connection").equals("keep");
        this.servers = servers;
        if ((xpath == null || xpath.isConstant()) && prefixes.values().stream().allMatch(Text::isConstant)) {
            for (Server server : servers) {
                constant.add(encode(server, Soap::constantText));
            }
        }
    }

    private interface Filled {
        String in(Text text);
    }

    // A constant text does not look at the call, so none is needed; this says so where it is relied on.
    @SuppressWarnings("NullAway")
    private static String constantText(Text text) {
        return text.of(null);
    }

    /**
     * Checks the parameters.
     *
     * @throws IllegalArgumentException when they cannot be used
     */
    static void check(Operation operation, Url target, Parameters with) {
        if (operation != Operation.QUERY) {
            NotificationMessages.check(operation, with);
        }
        if (with.string("connection").equals("shared")) {
            throw new IllegalArgumentException("connection: expected keep or new for '" + target
                    + "', got shared; HTTP/1.1 has one call at a time on a connection");
        }
        for (String prefix : with.textMap("prefixes").keySet()) {
            if (!prefix.matches(NAME)) {
                throw new IllegalArgumentException(
                        "prefixes: expected names of letters, digits and hyphens, got '" + prefix + "'");
            }
        }
        if (!with.string("action").matches(ONE_LINE)) {
            throw new IllegalArgumentException("action: expected a URI, got '" + with.string("action") + "'");
        }
    }

    /** Begins the query of a call. */
    void prepare(Call call, Query query) {
        int target = call.targetIndex();
        Request request =
                constant.isEmpty() ? encode(servers.get(target), text -> text.of(call)) : constant.get(target);
        query.begin(request.bytes, request.bodyBytes);
    }

    private Request encode(Server server, Filled filled) {
        StringBuilder body = new StringBuilder(512);
        body.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?><soap:Envelope xmlns:soap=\"")
                .append(Xml.ENVELOPE)
                .append("\"><soap:Body><rp:QueryResourceProperties xmlns:rp=\"");
        Xml.escape(namespace, body);
        body.append("\"><rp:QueryExpression Dialect=\"");
        Xml.escape(dialect, body);
        body.append('"');
        for (Map.Entry<String, Text> prefix : prefixes.entrySet()) {
            body.append(" xmlns:").append(prefix.getKey()).append("=\"");
            Xml.escape(filled.in(prefix.getValue()), body);
            body.append('"');
        }
        body.append('>');
        Xml.escape(xpath == null ? ALL : filled.in(xpath), body);
        body.append("</rp:QueryExpression></rp:QueryResourceProperties></soap:Body></soap:Envelope>");
        byte[] content = body.toString().getBytes(StandardCharsets.UTF_8);
        return new Request(Xml.post(server.http().authority(), server.path(), action, keep, content), content.length);
    }

    /**
     * Reads an answer into a query: counts the elements that were found, and says what went wrong.
     *
     * @return the kind of failure, {@code null} for none
     */
    static @Nullable String read(int status, InputStream body, XMLInputFactory readers, Query into) {
        SoapResponse answer = SoapResponse.read(body, readers);
        String fault = answer.fault();
        if (fault != null) {
            return "fault: " + fault;
        }
        if (status != 200) {
            return "status " + status;
        }
        if (!answer.wellFormed()) {
            return "malformed XML";
        }
        into.entries = answer.entries();
        return answer.found() ? null : "no QueryResourcePropertiesResponse";
    }
}
