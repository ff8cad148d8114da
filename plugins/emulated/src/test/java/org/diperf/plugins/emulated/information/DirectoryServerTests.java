package org.diperf.plugins.emulated.information;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.DereferencePolicy;
import com.unboundid.ldap.sdk.Entry;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPSearchException;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResult;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.schema.Schema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.diperf.core.clock.NanoClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A directory of three entries, as a client of another make sees it. */
@Timeout(60)
class DirectoryServerTests {

    static final Entries THREE = new Entries() {

        private final List<Entry> all = List.of(
                new Entry("o=grid", new Attribute("objectClass", "organization"), new Attribute("o", "grid")),
                new Entry(
                        "hn=a,o=grid", new Attribute("hn", "a"), new Attribute("n", "9"), new Attribute("up", "TRUE")),
                new Entry(
                        "hn=b,o=grid",
                        new Attribute("hn", "b"),
                        new Attribute("n", "50"),
                        new Attribute("up", "FALSE")));

        private final Schema schema = new Schema(
                new Entry(
                        "cn=schema",
                        new Attribute(
                                "attributeTypes",
                                "( n-oid NAME 'n' EQUALITY integerMatch ORDERING integerOrderingMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 )")));

        @Override
        public List<Entry> now() {
            return all;
        }

        @Override
        public Schema schema() {
            return schema;
        }
    };

    private DirectoryServer server;
    private LDAPConnection client;

    @BeforeEach
    void start() throws Exception {
        server = DirectoryServer.listen(InetAddress.getLoopbackAddress(), 0, THREE);
        client = connect();
    }

    private LDAPConnection connect() throws LDAPException {
        return new LDAPConnection("127.0.0.1", server.port());
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        server.close();
    }

    private List<String> names(String base, SearchScope scope, String filter) throws LDAPException {
        return client.search(base, scope, filter).getSearchEntries().stream()
                .map(Entry::getDN)
                .toList();
    }

    @Test
    void scopesAndFiltersChooseEntries() throws Exception {
        assertThat(names("o=grid", SearchScope.SUB, "(objectClass=*)")).containsExactly("o=grid");
        assertThat(names("o=grid", SearchScope.SUB, "(|(hn=*)(o=*))"))
                .containsExactly("o=grid", "hn=a,o=grid", "hn=b,o=grid");
        assertThat(names("O=Grid", SearchScope.ONE, "(!(o=*))")).containsExactly("hn=a,o=grid", "hn=b,o=grid");
        assertThat(names("hn=b,o=grid", SearchScope.BASE, "(hn=B)")).containsExactly("hn=b,o=grid");
        assertThat(names("o=grid", SearchScope.SUB, "(n>=10)")).as("numbers").containsExactly("hn=b,o=grid");
        assertThat(names("o=grid", SearchScope.SUB, "(&(up=true)(n<=9))")).containsExactly("hn=a,o=grid");
        assertThat(names("", SearchScope.BASE, "(namingContexts=o=grid)")).containsExactly("");
    }

    @Test
    void attributesAreThoseThatAreAskedFor() throws Exception {
        Entry some = client.search("hn=a,o=grid", SearchScope.BASE, "(hn=a)", "N", "absent")
                .getSearchEntries()
                .get(0);
        assertThat(some.getAttributes()).containsExactly(new Attribute("n", "9"));
        assertThat(client.search("hn=a,o=grid", SearchScope.BASE, "(hn=a)", "1.1")
                        .getSearchEntries()
                        .get(0)
                        .getAttributes())
                .isEmpty();
        SearchResult types = client.search(new SearchRequest(
                "hn=a,o=grid", SearchScope.BASE, DereferencePolicy.NEVER, 0, 0, true, Filter.create("(hn=a)")));
        assertThat(types.getSearchEntries().get(0).getAttributes())
                .hasSize(3)
                .allMatch(attribute -> attribute.size() == 0);
    }

    @Test
    void whatCannotBeIsRefusedWithItsCode() throws Exception {
        assertThatThrownBy(() -> names("o=nowhere", SearchScope.SUB, "(o=*)"))
                .isInstanceOfSatisfying(
                        LDAPException.class,
                        refused -> assertThat(refused.getResultCode()).isEqualTo(ResultCode.NO_SUCH_OBJECT));
        assertThatThrownBy(() -> client.search(new SearchRequest(
                        "o=grid", SearchScope.SUB, DereferencePolicy.NEVER, 1, 0, false, Filter.create("(hn=*)"))))
                .isInstanceOfSatisfying(LDAPSearchException.class, limited -> {
                    assertThat(limited.getResultCode()).isEqualTo(ResultCode.SIZE_LIMIT_EXCEEDED);
                    assertThat(limited.getEntryCount()).isEqualTo(1);
                });
        assertThatThrownBy(() -> names("o=grid", SearchScope.SUB, "(o:caseExactMatch:=grid)"))
                .isInstanceOfSatisfying(
                        LDAPException.class,
                        refused -> assertThat(refused.getResultCode()).isEqualTo(ResultCode.INAPPROPRIATE_MATCHING));
        assertThatThrownBy(() -> client.delete("hn=a,o=grid"))
                .isInstanceOfSatisfying(
                        LDAPException.class,
                        refused -> assertThat(refused.getResultCode()).isEqualTo(ResultCode.UNWILLING_TO_PERFORM));
        assertThatThrownBy(() -> client.bind("cn=root", "secret"))
                .isInstanceOfSatisfying(
                        LDAPException.class,
                        refused -> assertThat(refused.getResultCode()).isEqualTo(ResultCode.INVALID_CREDENTIALS));
        assertThat(client.bind("", "").getResultCode()).isEqualTo(ResultCode.SUCCESS);
        assertThat(names("o=grid", SearchScope.BASE, "(o=*)")).as("it goes on").hasSize(1);
    }

    @Test
    void controlsAreUnknownAndHinderWhenTheyAreCritical() throws Exception {
        SearchRequest search = new SearchRequest("o=grid", SearchScope.BASE, "(o=*)");
        search.addControl(new Control("1.2.3", false));
        assertThat(client.search(search).getEntryCount()).isEqualTo(1);
        search.setControls(new Control("1.2.3", false), new Control("1.2.4", true, new ASN1OctetString("x")));
        assertThatThrownBy(() -> client.search(search))
                .isInstanceOfSatisfying(
                        LDAPException.class,
                        refused -> assertThat(refused.getResultCode())
                                .isEqualTo(ResultCode.UNAVAILABLE_CRITICAL_EXTENSION));
    }

    @Test
    void whatIsNoRequestOrTooLongEndsItsConnectionAlone() throws Exception {
        for (byte[] garbage : List.of(
                new byte[] {0x30, 5, 1, 2, 3, 4, 5},
                new byte[] {0x30, (byte) 0x84, 0x7f, (byte) 0xff, (byte) 0xff, (byte) 0xff, 2, 1, 1},
                "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII))) {
            try (Socket other = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
                other.getOutputStream().write(garbage);
                other.shutdownOutput();
                try {
                    assertThat(other.getInputStream().read()).isEqualTo(-1);
                } catch (IOException reset) {
                    assertThat(reset).hasMessageContaining("reset");
                }
            }
        }
        // As deep as it may be long.
        Filter filter = Filter.createPresenceFilter("o");
        for (int i = 0; i < 900; i++) {
            filter = Filter.createNOTFilter(filter);
        }
        assertThat(client.search("o=grid", SearchScope.SUB, filter).getEntryCount())
                .isEqualTo(1);
    }

    @Test
    void aClientThatDoesNotTakeItsAnswersIsGivenUp() throws Exception {
        byte[] search = HexFormat.of()
                .parseHex("302b020102632604066f3d677269640a01020a0100020100020100010100870b6f626a656374436c6173733000");
        try (DirectoryServer impatient = DirectoryServer.on(listening(), THREE, 500);
                Socket greedy = new Socket()) {
            greedy.setReceiveBufferSize(4_096);
            greedy.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), impatient.port()));
            Future<?> asking = CompletableFuture.runAsync(() -> askForEver(greedy, search));
            assertThatThrownBy(() -> asking.get(40, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasRootCauseInstanceOf(SocketException.class);
        }
    }

    private static ServerSocket listening() throws IOException {
        return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    private static void askForEver(Socket client, byte[] search) {
        try {
            while (true) {
                client.getOutputStream().write(search);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void whileNothingCanBeAcceptedItPauses() throws Exception {
        List<Long> asked = new CopyOnWriteArrayList<>();
        ServerSocket without = new ServerSocket(0, 50, InetAddress.getLoopbackAddress()) {
            @Override
            public Socket accept() throws IOException {
                asked.add(NanoClock.SYSTEM.nanoTime());
                if (asked.size() <= 3) {
                    throw new SocketException("Too many open files");
                }
                return super.accept();
            }
        };
        try (DirectoryServer later = DirectoryServer.on(without, THREE, 60_000);
                LDAPConnection other = new LDAPConnection("127.0.0.1", later.port())) {
            assertThat(other.search("o=grid", SearchScope.BASE, "(o=*)").getEntryCount())
                    .isEqualTo(1);
        }
        assertThat(asked.get(3) - asked.get(0)).isGreaterThan(2 * DirectoryServer.PAUSE_NANOS);
    }

    @Test
    void connectionsAreBounded() throws Exception {
        List<Socket> many = new ArrayList<>();
        try {
            for (int i = 0; i < DirectoryServer.MAX_CONNECTIONS - 1; i++) {
                many.add(new Socket(InetAddress.getLoopbackAddress(), server.port()));
            }
            try (Socket oneMore = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
                assertThat(oneMore.getInputStream().read()).as("closed at once").isEqualTo(-1);
            }
            assertThat(names("o=grid", SearchScope.BASE, "(o=*)")).hasSize(1);
        } finally {
            for (Socket each : many) {
                each.close();
            }
        }
    }
}
