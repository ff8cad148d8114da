package org.diperf.core.wire;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Everything a tester needs to join a run. A secret: it is passed on standard input or in a private file, never in an
 * argument list, and {@link #toString} does not reveal it.
 *
 * @param tester number of the tester or relay, from 1
 * @param hosts names or addresses of the controller, tried in turn; at least one
 * @param port of the controller
 * @param authority the run's certificate authority, the only one that is trusted
 * @param certificate the tester's
 * @param key of the tester's certificate
 * @param token of the run
 * @param listenPort port for a relay to listen on; 0: the ticket is a tester's
 * @param dialled whether a relay waits for the controller to connect to it; hosts and port are then the relay's own
 * @param datagrams whether samples go by sealed datagrams, for which the connection only gets the keys
 */
public record Ticket(
        int tester,
        List<String> hosts,
        int port,
        X509Certificate authority,
        X509Certificate certificate,
        PrivateKey key,
        String token,
        int listenPort,
        boolean dialled,
        boolean datagrams) {

    /** Makes the ticket of a tester. */
    public Ticket(
            int tester,
            List<String> hosts,
            int port,
            X509Certificate authority,
            X509Certificate certificate,
            PrivateKey key,
            String token) {
        this(tester, hosts, port, authority, certificate, key, token, 0, false, false);
    }

    /** Version of the text that this code writes, and the only one it reads. */
    public static final int VERSION = 1;

    private static final String BEGIN = "-----BEGIN DIPERF TICKET-----";
    private static final String END = "-----END DIPERF TICKET-----";
    private static final int MAX_CHARACTERS = 64 << 10;

    public Ticket {
        hosts = List.copyOf(hosts);
        if (tester < 1 || hosts.isEmpty() || port < 1 || port > 65_535) {
            throw new IllegalArgumentException("Ticket: expected a tester number of at least 1, a host and a port "
                    + "from 1 to 65535;"
                    + " got tester " + tester + ", hosts " + hosts + ", port " + port);
        }
    }

    /** Writes the ticket as a text of several lines. */
    public String write() {
        try {
            Base64.Encoder base64 = Base64.getEncoder();
            StringBuilder text = new StringBuilder(BEGIN).append('\n');
            text.append("version: ").append(VERSION).append('\n');
            text.append("tester: ").append(tester).append('\n');
            hosts.forEach(host -> text.append("host: ").append(host).append('\n'));
            text.append("port: ").append(port).append('\n');
            text.append("authority: ")
                    .append(base64.encodeToString(authority.getEncoded()))
                    .append('\n');
            text.append("certificate: ")
                    .append(base64.encodeToString(certificate.getEncoded()))
                    .append('\n');
            text.append("key: ").append(base64.encodeToString(key.getEncoded())).append('\n');
            text.append("token: ").append(token).append('\n');
            if (listenPort > 0) {
                text.append("listen: ").append(listenPort).append('\n');
            }
            if (dialled) {
                text.append("dialled: yes\n");
            }
            if (datagrams) {
                text.append("transport: udp\n");
            }
            return text.append(END).append('\n').toString();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("The ticket's certificates cannot be encoded", e);
        }
    }

    /**
     * Reads a ticket.
     *
     * @throws WireException when the text is no ticket of this version
     */
    public static Ticket parse(String text) throws WireException {
        try {
            return read(new StringReader(text));
        } catch (WireException e) {
            throw e;
        } catch (IOException e) {
            throw new WireException("The ticket cannot be read", e);
        }
    }

    /**
     * Reads a ticket up to its last line; what follows stays unread, so that a pipe need not be closed.
     *
     * @throws WireException when the text is no ticket of this version
     */
    public static Ticket read(Reader reader) throws IOException {
        BufferedReader lines = reader instanceof BufferedReader buffered ? buffered : new BufferedReader(reader);
        List<String> hosts = new ArrayList<>();
        Map<String, String> fields = new HashMap<>();
        int characters = 0;
        boolean begun = false;
        while (true) {
            String line = lines.readLine();
            if (line == null || (characters += line.length()) > MAX_CHARACTERS) {
                throw new WireException("Expected a ticket that ends with '" + END + "', got "
                        + (line == null ? "the end of the text" : "more than " + MAX_CHARACTERS + " characters")
                        + ": pass the whole ticket on standard input");
            }
            line = line.strip();
            if (line.equals(END) && begun) {
                return of(fields, hosts);
            }
            int colon = line.indexOf(": ");
            if (line.equals(BEGIN)) {
                begun = true;
            } else if (begun && line.startsWith("host: ")) {
                hosts.add(line.substring(colon + 2));
            } else if (begun && colon > 0) {
                fields.put(line.substring(0, colon), line.substring(colon + 2));
            }
        }
    }

    private static Ticket of(Map<String, String> fields, List<String> hosts) throws WireException {
        if (!field(fields, "version").equals(String.valueOf(VERSION))) {
            throw new WireException("Expected a ticket of version " + VERSION + ", got version "
                    + field(fields, "version") + ": use the same DiPerF version for controller and testers");
        }
        try {
            Base64.Decoder base64 = Base64.getDecoder();
            CertificateFactory certificates = CertificateFactory.getInstance("X.509");
            return new Ticket(
                    Integer.parseInt(field(fields, "tester")),
                    hosts,
                    Integer.parseInt(field(fields, "port")),
                    (X509Certificate) certificates.generateCertificate(
                            new ByteArrayInputStream(base64.decode(field(fields, "authority")))),
                    (X509Certificate) certificates.generateCertificate(
                            new ByteArrayInputStream(base64.decode(field(fields, "certificate")))),
                    KeyFactory.getInstance("EC")
                            .generatePrivate(new PKCS8EncodedKeySpec(base64.decode(field(fields, "key")))),
                    field(fields, "token"),
                    Integer.parseInt(fields.getOrDefault("listen", "0")),
                    fields.getOrDefault("dialled", "no").equals("yes"),
                    fields.getOrDefault("transport", "tcp").equals("udp"));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            // The cause's message could repeat a piece of the key; its kind is enough.
            throw new WireException("Expected a ticket as written by the controller, got a damaged one ("
                    + e.getClass().getSimpleName() + "): get a new one from the controller");
        }
    }

    private static String field(Map<String, String> fields, String name) throws WireException {
        String value = fields.get(name);
        if (value == null) {
            throw new WireException("Expected a line '" + name + ":' in the ticket, got none");
        }
        return value;
    }

    /** Shows who and where, none of the secrets. */
    @Override
    public String toString() {
        return "Ticket[tester=" + tester + ", hosts=" + hosts + ", port=" + port + "]";
    }
}
