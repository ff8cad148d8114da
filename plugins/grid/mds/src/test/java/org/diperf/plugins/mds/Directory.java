package org.diperf.plugins.mds;

import com.unboundid.ldap.listener.InMemoryDirectoryServer;
import com.unboundid.ldap.listener.InMemoryDirectoryServerConfig;
import com.unboundid.ldap.listener.InMemoryListenerConfig;
import java.net.InetAddress;
import java.util.List;
import org.diperf.core.contract.TestCertificate;
import org.diperf.core.spi.Url;

/** A directory in this process: {@code o=grid} with an index of entries below it, an administrator {@code cn=admin}. */
final class Directory implements AutoCloseable {

    static final String BASE = "ou=index,o=grid";
    static final String ADMIN = "cn=admin";
    static final String PASSWORD = "secret";

    private final InMemoryDirectoryServer server;

    private Directory(InMemoryDirectoryServer server) {
        this.server = server;
    }

    static Directory plain(int entries) throws Exception {
        return start(
                entries, InMemoryListenerConfig.createLDAPConfig("ldap", InetAddress.getLoopbackAddress(), 0, null));
    }

    /** Speaks TLS when it is asked for it. */
    static Directory startTls(int entries, TestCertificate certificate) throws Exception {
        return start(
                entries,
                InMemoryListenerConfig.createLDAPConfig(
                        "ldap",
                        InetAddress.getLoopbackAddress(),
                        0,
                        certificate.context().getSocketFactory()));
    }

    /** Speaks TLS from the beginning. */
    static Directory ldaps(int entries, TestCertificate certificate) throws Exception {
        return start(
                entries,
                InMemoryListenerConfig.createLDAPSConfig(
                        "ldap",
                        InetAddress.getLoopbackAddress(),
                        0,
                        certificate.context().getServerSocketFactory(),
                        certificate.context().getSocketFactory()));
    }

    private static Directory start(int entries, InMemoryListenerConfig listener) throws Exception {
        InMemoryDirectoryServerConfig config = new InMemoryDirectoryServerConfig("o=grid");
        config.setListenerConfigs(List.of(listener));
        config.setSchema(null);
        config.addAdditionalBindCredentials(ADMIN, PASSWORD);
        config.setMaxSizeLimit(1_000);
        InMemoryDirectoryServer server = new InMemoryDirectoryServer(config);
        server.add("dn: o=grid", "objectClass: organization", "o: grid");
        server.add("dn: " + BASE, "objectClass: organizationalUnit", "ou: index");
        for (int i = 0; i < entries; i++) {
            server.add(
                    "dn: cn=host" + i + "," + BASE,
                    "objectClass: device",
                    "cn: host" + i,
                    "serialNumber: " + i % 10,
                    "description: " + "d".repeat(i % 300 + 1));
        }
        server.startListening();
        return new Directory(server);
    }

    InMemoryDirectoryServer server() {
        return server;
    }

    int port() {
        return server.getListenPort();
    }

    Url uri() {
        return Url.of("ldap://127.0.0.1:" + port() + "/" + BASE);
    }

    Url secureUri() {
        return Url.of("ldaps://127.0.0.1:" + port() + "/" + BASE);
    }

    @Override
    public void close() {
        server.shutDown(true);
    }
}
