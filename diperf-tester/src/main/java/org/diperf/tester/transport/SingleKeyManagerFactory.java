package org.diperf.tester.transport;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Gives TLS one certificate and its key, whatever it asks for. A key given to Netty by itself goes through a PKCS #12
 * store, which derives a password by ten thousand rounds of SHA-256 for each time it is put in and taken out: half a
 * second of processor time in a JVM that has just begun.
 */
public final class SingleKeyManagerFactory extends X509ExtendedKeyManager {

    private static final String ALIAS = "diperf";

    private final PrivateKey key;
    private final X509Certificate certificate;

    /** @param certificate of the key */
    public SingleKeyManagerFactory(PrivateKey key, X509Certificate certificate) {
        this.key = key;
        this.certificate = certificate;
    }

    @Override
    public String chooseEngineClientAlias(
            String[] keyTypes, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return ALIAS;
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
            String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return fits(keyType) ? ALIAS : null;
    }

    @Override
    public String chooseClientAlias(String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return ALIAS;
    }

    @Override
    public @Nullable String chooseServerAlias(String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return fits(keyType) ? ALIAS : null;
    }

    /** TLS 1.2's names of key types begin with the algorithm, as EC_EC does. */
    private boolean fits(String keyType) {
        return keyType.startsWith(key.getAlgorithm());
    }

    @Override
    public String[] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        return new String[] {ALIAS};
    }

    @Override
    public String[] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        return new String[] {ALIAS};
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
        return new X509Certificate[] {certificate};
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
        return key;
    }
}
