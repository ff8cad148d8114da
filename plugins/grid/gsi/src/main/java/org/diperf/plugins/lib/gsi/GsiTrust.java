package org.diperf.plugins.lib.gsi;

import io.netty.util.NetUtil;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;
import org.diperf.core.clock.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Trusts whom a validator of GSI trusts. A chain that was found good stays so for a minute, because servers show the same one at
 * every connection, and finding out takes longer than the rest of the handshake. Checks the host's name where an engine
 * asks for it, as HTTPS does. Thread-safe.
 */
final class GsiTrust extends X509ExtendedTrustManager {

    private static final long GOOD_NANOS = 60_000_000_000L;
    private static final int MAX_KEPT = 64;
    private static final int NAME_OF_HOST = 2;
    private static final int ADDRESS_OF_HOST = 7;

    private final X509TrustManager validator;
    private final NanoClock clock;
    /** Until when a chain is good. */
    private final Map<List<X509Certificate>, Long> good = new LinkedHashMap<>();

    GsiTrust(X509TrustManager validator, NanoClock clock) {
        this.validator = validator;
        this.clock = clock;
    }

    private void check(X509Certificate[] chain) throws CertificateException {
        // A certificate equals another one that has the same bytes.
        List<X509Certificate> key = List.of(chain);
        long now = clock.nanoTime();
        synchronized (good) {
            Long until = good.get(key);
            if (until != null && until - now > 0) {
                for (X509Certificate certificate : chain) {
                    certificate.checkValidity();
                }
                return;
            }
        }
        validator.checkServerTrusted(chain, "");
        synchronized (good) {
            good.remove(key);
            good.put(key, now + GOOD_NANOS);
            if (good.size() > MAX_KEPT) {
                good.remove(good.keySet().iterator().next());
            }
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        check(chain);
        if ("HTTPS".equals(engine.getSSLParameters().getEndpointIdentificationAlgorithm())
                && !names(chain[0], engine.getPeerHost())) {
            throw new CertificateException("No name matching " + engine.getPeerHost() + " found");
        }
    }

    /** Returns whether a certificate is of a host: by its alternative names where it has some of that kind, else by its subject. */
    static boolean names(X509Certificate certificate, @Nullable String host) throws CertificateException {
        if (host == null || host.isEmpty()) {
            return false;
        }
        byte[] address = NetUtil.createByteArrayFromIpAddressString(host);
        Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
        boolean hasNames = false;
        if (alternatives != null) {
            for (List<?> alternative : alternatives) {
                boolean isAddress = Integer.valueOf(ADDRESS_OF_HOST).equals(alternative.get(0));
                boolean isName = Integer.valueOf(NAME_OF_HOST).equals(alternative.get(0));
                hasNames |= isName;
                String name = String.valueOf(alternative.get(1));
                if (address != null
                        ? isAddress && Arrays.equals(address, NetUtil.createByteArrayFromIpAddressString(name))
                        : isName && matches(name, host)) {
                    return true;
                }
            }
        }
        return address == null && !hasNames && matches(commonName(certificate), host);
    }

    private static String commonName(X509Certificate certificate) {
        String name = certificate.getSubjectX500Principal().getName();
        // The first of RFC 2253's is the most specific. Globus' services stand in front of their host: host/name.
        return name.startsWith("CN=")
                ? name.substring(3).replaceFirst("(?<!\\\\),.*", "").replaceFirst("^[a-z]+/", "")
                : "";
    }

    /** Compares names without regard to case; a star stands for a whole first part. */
    private static boolean matches(String pattern, String host) {
        String wanted = pattern.toLowerCase(Locale.ROOT);
        String given = host.toLowerCase(Locale.ROOT);
        if (!wanted.startsWith("*.")) {
            return wanted.equals(given);
        }
        int dot = given.indexOf('.');
        return dot > 0 && wanted.indexOf('.', 2) > 0 && wanted.substring(1).equals(given.substring(dot));
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        throw new CertificateException("expected an SSLEngine, got a socket whose host was not verified");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        throw new CertificateException("expected an SSLEngine, got none, so the host was not verified");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return validator.getAcceptedIssuers();
    }
}
