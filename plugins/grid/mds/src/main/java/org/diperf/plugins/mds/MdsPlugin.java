package org.diperf.plugins.mds;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Dialogue;
import org.diperf.core.spi.Metric;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameter.Type;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Session;
import org.diperf.core.spi.SessionContext;
import org.diperf.core.spi.StandIn;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.netty.ClientTls;
import org.diperf.plugins.lib.netty.ConnectionReporter;

/** Queries an information service: MDS2 and BDII by LDAP, WS-MDS by WSRF. What it queries by, the target's scheme says. */
public sealed class MdsPlugin implements ClientPlugin permits LdapPlugin, WsrfPlugin {

    static final Metric BIND = new Metric("bind", "ms", "time of the LDAP bind, if the call performed one");
    static final Metric FIRST_BYTE =
            new Metric("first-byte", "ms", "time from sending the query to the first byte of its answer");
    static final Metric ENTRIES = new Metric("entries", "1", "entries in the answer");

    static final Metric SUBSCRIBE = new Metric("subscribe", "ms", "time to subscribe, if the call did so");
    static final Metric PUBLISH =
            new Metric("publish", "ms", "time from sending the message until the service has taken it");
    static final Metric NOTIFICATION =
            new Metric("notification", "ms", "time from sending the message until its notification arrived");
    static final Metric UNSUBSCRIBE = new Metric("unsubscribe", "ms", "time to end the subscription");
    static final Metric STRAYS =
            new Metric("strays", "1", "notifications since the last call that were not the one that a call waited for");

    static final Parameter SHARED = Parameter.withDefault(
                    "connection",
                    Type.STRING,
                    "keep",
                    "keep the connection for the next call, open a new one for every call, or share one among all "
                            + "clients of an event loop")
            .oneOf("keep", "new", "shared");

    @Override
    public String id() {
        return "mds";
    }

    @Override
    public String summary() {
        return "queries information services: MDS2 and BDII over LDAP, WS-MDS over WSRF";
    }

    @Override
    public Set<String> schemes() {
        return Set.of("ldap", "ldaps");
    }

    @Override
    public String exampleTarget() {
        return "ldap://127.0.0.1:2135/mds-vo-name=local,o=grid";
    }

    @Override
    public List<Parameter> parameters() {
        List<Parameter> all = new ArrayList<>(ldap());
        all.addAll(wsrf());
        all.add(SHARED);
        all.addAll(ClientTls.PARAMETERS);
        return List.copyOf(all);
    }

    /** Lists what is said in LDAP alone. */
    static List<Parameter> ldap() {
        return List.of(
                Parameter.optional("base", Type.TEXT, "base DN of the search; default: the target's path, or the root")
                        .suchAs("\"dc=example,dc=org\""),
                Parameter.withDefault("filter", Type.TEXT, "(objectClass=*)", "search filter (RFC 4515)"),
                Parameter.withDefault("scope", Type.STRING, "sub", "depth of the search below the base")
                        .oneOf("base", "one", "sub", "subordinate"),
                Parameter.optional("attributes", Type.TEXTS, "attributes to return; default: all")
                        .suchAs("[cn, mail]"),
                Parameter.optional("bind-dn", Type.STRING, "DN to bind as; default: no bind")
                        .suchAs("\"cn=reader,dc=example,dc=org\""),
                Parameter.optional("password", Type.STRING, "password for the bind; preferably ${secret:env:NAME}")
                        .suchAs("\"${secret:env:LDAP_PASSWORD}\""),
                Parameter.withDefault("start-tls", Type.BOOLEAN, "false", "upgrade a plain connection to TLS"));
    }

    /** Lists what is said in WSRF alone. */
    static List<Parameter> wsrf() {
        return List.of(
                Parameter.withDefault(
                                "operation",
                                Type.STRING,
                                "query",
                                "query; subscribe and unsubscribe; publish a message; or notify: publish, and wait for "
                                        + "the notification")
                        .oneOf(Operation.texts()),
                Parameter.optional("xpath", Type.TEXT, "the query, by default /*; or a subscription's filter")
                        .suchAs("\"//*[local-name()='Entry']\""),
                Parameter.optional("topic", Type.TEXT, "to subscribe to").suchAs("t:Queue"),
                Parameter.optional("publish-topic", Type.TEXT, "of the message; default: topic")
                        .suchAs("t:Queue"),
                Parameter.optional("message", Type.TEXT, "XML element to publish")
                        .suchAs("\"<Id>${client}-${call}</Id>\""),
                Parameter.withDefault(
                        "mark", Type.TEXT, "${client}-${call}", "text of an element in the call's notification"),
                Parameter.withDefault("expires", Type.DURATION, "1h", "lifetime of subscriptions"),
                Parameter.withDefault("dialect", Type.STRING, Soap.XPATH_1, "URI of the query's language"),
                Parameter.optional("prefixes", Type.TEXT_MAP, "prefixes in the query, with their namespaces")
                        .suchAs("{ e: \"http://example.org/entries\" }"),
                Parameter.withDefault(
                        "namespace",
                        Type.STRING,
                        Soap.RESOURCE_PROPERTIES,
                        "of QueryResourceProperties; drafts use others"),
                Parameter.withDefault("action", Type.STRING, Soap.ACTION, "the request's SOAPAction"));
    }

    @Override
    public List<Metric> metrics() {
        return List.of(
                ConnectionReporter.CONNECT,
                ConnectionReporter.TLS,
                BIND,
                FIRST_BYTE,
                ENTRIES,
                SUBSCRIBE,
                PUBLISH,
                NOTIFICATION,
                UNSUBSCRIBE,
                STRAYS);
    }

    @Override
    public String shown(boolean sent, byte[] bytes) {
        return LdapText.isOne(bytes) ? LdapText.of(sent, bytes) : Dialogue.text(bytes);
    }

    @Override
    public void check(Url target, Parameters with) {
        Server server = Server.of(target);
        checkTls(with);
        Operation operation = Operation.of(with);
        if (server.isLdap() && operation != Operation.QUERY) {
            throw new Parameters.Unusable("operation", "expected query for '" + target + "', got " + operation.text());
        }
        if (server.isLdap()) {
            SearchRequests.check(server, with);
        } else {
            Soap.check(operation, target, with);
        }
    }

    /** Checks how connections are secured. */
    static void checkTls(Parameters with) {
        ClientTls.check(with);
        if (with.string("connection").equals("shared") && ClientTls.isOfCalls(with)) {
            throw new IllegalArgumentException(
                    "connection: expected keep or new when clients have their own certificates, got shared, which "
                            + "uses one connection for all clients; drop one of them");
        }
    }

    @Override
    public List<InetSocketAddress> servers(Url target, Parameters with) {
        return List.of(Server.of(target).at().unresolved());
    }

    @Override
    public Optional<StandIn> standIn(Parameters with) throws IOException {
        // Whether the target speaks LDAP is not known here, but only the others need an XPath. What speaks TLS has
        // none.
        Operation operation = Operation.of(with);
        if (operation.subscribes()) {
            return Optional.empty(); // what would have to talk back
        }
        boolean ldap = !with.has("xpath") && operation == Operation.QUERY;
        return ldap && with.bool("start-tls") ? Optional.empty() : Optional.of(MdsStandIn.start(ldap));
    }

    @Override
    public Session open(SessionContext context) throws IOException {
        return new MdsSession(context, NanoClock.SYSTEM);
    }
}
