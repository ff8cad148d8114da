package org.diperf.plugins.gram.ws;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Text;
import org.diperf.plugins.lib.netty.HttpTarget;
import org.diperf.plugins.lib.netty.soap.Xml;

/**
 * Writes the requests of WS-GRAM as the Globus Toolkit 4.0 has them: SOAP 1.1 with WS-Addressing of March 2004, drafts of WSRF and
 * WS-Notification of June 2004. Immutable.
 */
final class WsGramMessages {

    static final String JOB = "http://www.globus.org/namespaces/2004/10/gram/job";
    static final String DESCRIPTION = "http://www.globus.org/namespaces/2004/10/gram/job/description";
    static final String TYPES = "http://www.globus.org/namespaces/2004/10/gram/job/types";
    static final String ADDRESSING = "http://schemas.xmlsoap.org/ws/2004/03/addressing";
    static final String NOTIFICATION =
            "http://docs.oasis-open.org/wsn/2004/06/wsn-WS-BaseNotification-1.2-draft-01.xsd";
    static final String LIFETIME = "http://docs.oasis-open.org/wsrf/2004/06/wsrf-WS-ResourceLifetime-1.2-draft-01.xsd";
    static final String CREATE = JOB + "/ManagedJobFactoryPortType/createManagedJobRequest";
    static final String DESTROY =
            "http://docs.oasis-open.org/wsrf/2004/06/wsrf-WS-ResourceLifetime/ImmediateResourceTermination/DestroyRequest";

    private static final String SIMPLE_TOPIC = "http://docs.oasis-open.org/wsn/2004/06/TopicExpression/simple";

    private final Text executable;
    private final List<Text> arguments;
    private final boolean keep;

    WsGramMessages(Text executable, List<Text> arguments, boolean keep) {
        this.executable = executable;
        this.arguments = List.copyOf(arguments);
        this.keep = keep;
    }

    private static StringBuilder envelope(HttpTarget server, String path, String action) {
        StringBuilder into = new StringBuilder(2_048);
        into.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?><soap:Envelope xmlns:soap=\"")
                .append(Xml.ENVELOPE)
                .append("\" xmlns:wsa=\"")
                .append(ADDRESSING)
                .append("\"><soap:Header><wsa:To>");
        Xml.escape(server.at(path).url(), into);
        return into.append("</wsa:To><wsa:Action>").append(action).append("</wsa:Action>");
    }

    private byte[] request(HttpTarget server, String path, String action, StringBuilder envelope) {
        envelope.append("</soap:Body></soap:Envelope>");
        return Xml.post(
                server.authority(), path, action, keep, envelope.toString().getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Asks for a job, and to be told of its states, which is one request.
     *
     * @param id that the service knows a repeated request by
     * @param consumer URL to which notifications go, empty for none
     */
    byte[] create(HttpTarget server, Call call, String id, String consumer) {
        StringBuilder into = envelope(server, server.path(), CREATE);
        into.append("</soap:Header><soap:Body><job:createManagedJob xmlns:job=\"")
                .append(JOB)
                .append("\"><job:JobID>")
                .append(id)
                .append("</job:JobID>");
        if (!consumer.isEmpty()) {
            into.append("<wsnt:Subscribe xmlns:wsnt=\"")
                    .append(NOTIFICATION)
                    .append("\"><wsnt:ConsumerReference><wsa:Address>");
            Xml.escape(consumer, into);
            into.append("</wsa:Address></wsnt:ConsumerReference><wsnt:TopicExpression Dialect=\"")
                    .append(SIMPLE_TOPIC)
                    .append("\" xmlns:types=\"")
                    .append(TYPES)
                    .append("\">types:state</wsnt:TopicExpression></wsnt:Subscribe>");
        }
        into.append("<desc:job xmlns:desc=\"").append(DESCRIPTION).append("\"><desc:executable>");
        Xml.escape(executable.of(call), into);
        into.append("</desc:executable>");
        for (Text argument : arguments) {
            into.append("<desc:argument>");
            Xml.escape(argument.of(call), into);
            into.append("</desc:argument>");
        }
        into.append("</desc:job></job:createManagedJob>");
        return request(server, server.path(), CREATE, into);
    }

    /** Destroys a job. */
    byte[] destroy(HttpTarget server, String path, String key) {
        StringBuilder into = envelope(server, path, DESTROY);
        into.append("<job:ResourceID xmlns:job=\"").append(JOB).append("\">");
        Xml.escape(key, into);
        into.append("</job:ResourceID></soap:Header><soap:Body><wsrl:Destroy xmlns:wsrl=\"")
                .append(LIFETIME)
                .append("\"/>");
        return request(server, path, DESTROY, into);
    }
}
