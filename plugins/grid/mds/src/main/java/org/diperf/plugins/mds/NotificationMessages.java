package org.diperf.plugins.mds;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Parameters.Unusable;
import org.diperf.core.spi.Text;
import org.diperf.plugins.lib.netty.HttpTarget;
import org.diperf.plugins.lib.netty.soap.Xml;
import org.diperf.plugins.lib.netty.soap.XmlNode;
import org.diperf.plugins.lib.netty.soap.XmlNode.MalformedXmlException;
import org.jspecify.annotations.Nullable;

/** Writes the requests of WS-BaseNotification 1.3 (OASIS, 2006) in SOAP 1.1 with WS-Addressing 1.0. Immutable but for its count of messages. */
final class NotificationMessages {

    static final String NOTIFICATION = "http://docs.oasis-open.org/wsn/b-2";

    private static final String ADDRESSING = "http://www.w3.org/2005/08/addressing";
    private static final String ACTIONS = "http://docs.oasis-open.org/wsn/bw-2/";
    private static final String SUBSCRIBE = ACTIONS + "NotificationProducer/SubscribeRequest";
    private static final String UNSUBSCRIBE = ACTIONS + "SubscriptionManager/UnsubscribeRequest";
    private static final String NOTIFY = ACTIONS + "NotificationConsumer/Notify";
    private static final String DIALECTS = "http://docs.oasis-open.org/wsn/t-1/TopicExpression/";

    private final Text topic;
    private final Text publishTopic;
    private final @Nullable Text message;
    private final Text mark;
    private final @Nullable Text filter;
    private final String dialect;
    private final Map<String, Text> prefixes;
    private final Duration expires;
    private final boolean keep;
    private final String prefix = "urn:uuid:" + UUID.randomUUID() + "-";
    private final AtomicLong messages = new AtomicLong();

    /**
     * What a call says.
     *
     * @param content of the envelope of a subscription, without whom to notify and until when; empty where the call makes none
     * @param publish content of the envelope of what is published, empty where nothing is
     * @param mark text that the notification has in one of its elements
     */
    record Filled(String content, String publish, String mark) {}

    NotificationMessages(Parameters with) {
        topic = with.text("topic");
        publishTopic = with.has("publish-topic") ? with.text("publish-topic") : topic;
        message = with.has("message") ? with.text("message") : null;
        mark = with.text("mark");
        filter = with.has("xpath") ? with.text("xpath") : null;
        dialect = with.string("dialect");
        prefixes = with.textMap("prefixes");
        expires = with.duration("expires");
        keep = with.string("connection").equals("keep");
    }

    /**
     * Checks the parameters.
     *
     * @throws Unusable when they cannot be used
     */
    static void check(Operation operation, Parameters with) {
        String found = "for operation: " + operation.text() + ", got none";
        if (!with.has("topic")) {
            throw new Unusable("topic", "expected a topic such as t:Queue " + found);
        }
        if (operation.publishes() && !with.has("message")) {
            throw new Unusable("message", "expected an element of XML " + found);
        }
        if (with.has("message")) {
            try {
                byte[] xml = with.text("message").toString().getBytes(StandardCharsets.UTF_8);
                XmlNode.read(new ByteArrayInputStream(xml), Xml.readers());
            } catch (MalformedXmlException e) {
                throw new Unusable("message", "expected one element of XML with its namespaces, got " + e.getMessage());
            }
        }
        if (with.duration("expires").toSeconds() < 1) {
            throw new Unusable(
                    "expires",
                    "expected 1s or more, got " + with.duration("expires").toMillis() + " ms");
        }
    }

    /** Fills in what a call says. */
    Filled fill(Operation operation, Call call) {
        StringBuilder subscribe = new StringBuilder();
        if (operation.subscribes()) {
            subscribe.append("<wsnt:Filter>");
            topic(subscribe, "TopicExpression", topic, call);
            if (filter != null) {
                subscribe.append("<wsnt:MessageContent Dialect=\"");
                Xml.escape(dialect, subscribe);
                subscribe.append('"');
                declare(subscribe, call);
                subscribe.append('>');
                Xml.escape(filter.of(call), subscribe);
                subscribe.append("</wsnt:MessageContent>");
            }
            subscribe.append("</wsnt:Filter>");
        }
        StringBuilder publish = new StringBuilder();
        if (operation.publishes() && message != null) {
            publish.append("<wsnt:Notify xmlns:wsnt=\"").append(NOTIFICATION).append("\"><wsnt:NotificationMessage>");
            topic(publish, "Topic", publishTopic, call);
            publish.append("<wsnt:Message>")
                    .append(message.of(call))
                    .append("</wsnt:Message></wsnt:NotificationMessage></wsnt:Notify>");
        }
        return new Filled(subscribe.toString(), publish.toString(), mark.of(call));
    }

    private void topic(StringBuilder into, String element, Text of, Call call) {
        String name = of.of(call);
        into.append("<wsnt:")
                .append(element)
                .append(" Dialect=\"")
                .append(DIALECTS)
                .append(name.contains("/") ? "Concrete" : "Simple")
                .append('"');
        declare(into, call);
        into.append('>');
        Xml.escape(name, into);
        into.append("</wsnt:").append(element).append('>');
    }

    private void declare(StringBuilder into, Call call) {
        for (Map.Entry<String, Text> each : prefixes.entrySet()) {
            into.append(" xmlns:").append(each.getKey()).append("=\"");
            Xml.escape(each.getValue().of(call), into);
            into.append('"');
        }
    }

    /** @param consumer URL to which notifications go */
    byte[] subscribe(HttpTarget server, Filled filled, String consumer) {
        StringBuilder content = new StringBuilder(
                "<wsnt:Subscribe xmlns:wsnt=\"" + NOTIFICATION + "\"><wsnt:ConsumerReference><wsa:Address>");
        Xml.escape(consumer, content);
        content.append("</wsa:Address></wsnt:ConsumerReference>")
                .append(filled.content())
                .append("<wsnt:InitialTerminationTime>PT")
                .append(expires.toSeconds())
                .append("S</wsnt:InitialTerminationTime></wsnt:Subscribe>");
        return request(server, SUBSCRIBE, "", content.toString());
    }

    /**
     * @param at the subscription's address
     * @param parameters of its reference, as elements
     */
    byte[] unsubscribe(HttpTarget at, String parameters) {
        return request(at, UNSUBSCRIBE, parameters, "<wsnt:Unsubscribe xmlns:wsnt=\"" + NOTIFICATION + "\"/>");
    }

    byte[] publish(HttpTarget server, Filled filled) {
        return request(server, NOTIFY, "", filled.publish());
    }

    private byte[] request(HttpTarget server, String action, String headers, String content) {
        StringBuilder envelope = new StringBuilder(1_024);
        envelope.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?><soap:Envelope xmlns:soap=\"")
                .append(Xml.ENVELOPE)
                .append("\" xmlns:wsa=\"")
                .append(ADDRESSING)
                .append("\"><soap:Header><wsa:To>");
        Xml.escape(server.url(), envelope);
        envelope.append("</wsa:To><wsa:Action>")
                .append(action)
                .append("</wsa:Action><wsa:MessageID>")
                .append(prefix)
                .append(messages.incrementAndGet())
                .append("</wsa:MessageID>")
                .append(headers)
                .append("</soap:Header><soap:Body>")
                .append(content)
                .append("</soap:Body></soap:Envelope>");
        return Xml.post(
                server.authority(),
                server.path(),
                action,
                keep,
                envelope.toString().getBytes(StandardCharsets.UTF_8));
    }
}
