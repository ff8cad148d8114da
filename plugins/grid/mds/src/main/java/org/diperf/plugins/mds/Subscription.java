package org.diperf.plugins.mds;

import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.netty.HttpTarget;
import org.diperf.plugins.lib.netty.soap.SoapMessage;
import org.diperf.plugins.lib.netty.soap.Xml;
import org.diperf.plugins.lib.netty.soap.XmlNode;

/**
 * A subscription that a service granted.
 *
 * @param id its place at the listener
 * @param at where it is ended
 * @param parameters of its reference, as elements that are sent as headers
 */
record Subscription(String id, HttpTarget at, String parameters) {

    private static final int MAX_PARAMETERS = 8;

    /** The service's reference cannot be used; the message is a kind of failure. */
    static final class UnusableReferenceException extends Exception {

        private static final long serialVersionUID = 1;

        UnusableReferenceException(String kind) {
            super(kind);
        }
    }

    /**
     * Reads the answer to a request for one. The reference must be where the service is, because a service must not choose whom the tester
     * talks to.
     */
    static Subscription read(SoapMessage answer, String id, HttpTarget server) throws UnusableReferenceException {
        XmlNode content = answer.content();
        if (content == null || !content.name().equals("SubscribeResponse")) {
            throw new UnusableReferenceException("no SubscribeResponse");
        }
        if (!NotificationMessages.NOTIFICATION.equals(content.namespace())) {
            throw new UnusableReferenceException("another version of WS-Notification");
        }
        XmlNode reference = answer.document().child(content, "SubscriptionReference");
        String address = answer.document().text(reference, "Address");
        if (address.isEmpty()) {
            throw new UnusableReferenceException("no SubscriptionReference");
        }
        HttpTarget at;
        try {
            at = HttpTarget.of(Url.of(address));
        } catch (IllegalArgumentException e) {
            throw new UnusableReferenceException("SubscriptionReference: not a URL");
        }
        if (!at.isSameOrigin(server)) {
            throw new UnusableReferenceException("SubscriptionReference on another host");
        }
        if (!at.path().matches("[!-~]+")) {
            throw new UnusableReferenceException("SubscriptionReference: not a URL");
        }
        XmlNode parameters = answer.document().child(reference, "ReferenceParameters");
        return new Subscription(id, at, parameters == null ? "" : elements(parameters));
    }

    private static String elements(XmlNode parameters) throws UnusableReferenceException {
        if (parameters.children().size() > MAX_PARAMETERS) {
            throw new UnusableReferenceException("SubscriptionReference: too many parameters");
        }
        StringBuilder all = new StringBuilder();
        for (XmlNode each : parameters.children()) {
            String namespace = each.namespace();
            all.append("<p:").append(each.name()).append(" xmlns:p=\"");
            Xml.escape(namespace == null ? "" : namespace, all);
            all.append("\">");
            Xml.escape(each.text(), all);
            all.append("</p:").append(each.name()).append('>');
        }
        return all.toString();
    }
}
