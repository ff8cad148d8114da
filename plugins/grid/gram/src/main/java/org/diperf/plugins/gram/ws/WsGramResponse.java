package org.diperf.plugins.gram.ws;

import java.io.InputStream;
import javax.xml.stream.XMLInputFactory;
import org.diperf.plugins.lib.netty.soap.SoapMessage;
import org.diperf.plugins.lib.netty.soap.XmlNode;
import org.diperf.plugins.lib.netty.soap.XmlNode.MalformedXmlException;
import org.jspecify.annotations.Nullable;

/**
 * What a message of WS-GRAM says.
 *
 * @param fault the first element of a fault's detail, or its code and reason; {@code null}: it is no fault
 * @param name of the element in the body, empty where there is none
 * @param namespace of that element
 * @param address of the job that was made, empty where there is none
 * @param key of that job
 */
record WsGramResponse(@Nullable String fault, String name, String namespace, String address, String key) {

    /** @throws MalformedXmlException when it is no XML, or a larger one than any message is */
    static WsGramResponse read(InputStream body, XMLInputFactory readers) throws MalformedXmlException {
        SoapMessage message = SoapMessage.read(body, readers);
        XmlNode content = message.content();
        XmlNode endpoint = SoapMessage.find(message.body(), "managedJobEndpoint");
        return new WsGramResponse(
                message.fault(),
                content == null ? "" : content.name(),
                content == null ? "" : String.valueOf(content.namespace()),
                SoapMessage.text(endpoint, "Address"),
                SoapMessage.text(endpoint, "ResourceID"));
    }
}
