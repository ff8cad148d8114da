package org.diperf.plugins.lib.gsi;

import eu.emi.security.authn.x509.ValidationErrorCode;
import eu.emi.security.authn.x509.ValidationResult;
import eu.emi.security.authn.x509.helpers.ssl.SSLTrustManager;
import eu.emi.security.authn.x509.helpers.trust.OpensslTruststoreHelper;
import eu.emi.security.authn.x509.impl.OpensslCertChainValidator;
import eu.emi.security.authn.x509.impl.OpensslNameUtils;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.HashSet;
import java.util.Set;
import javax.security.auth.x500.X500Principal;

/** Trusts whom the certificates of a folder vouch for, and says of others which issuer it misses there. Thread-safe. */
final class GsiValidator extends SSLTrustManager {

    /** A server shows one issuer. Who shows more than so many wants to fill the run's record. */
    private static final int MAX_NAMED = 64;

    private final Path folder;
    private final Set<X500Principal> named = new HashSet<>();

    GsiValidator(OpensslCertChainValidator validator) {
        super(validator);
        folder = Path.of(validator.getTruststorePath());
    }

    /** @throws UntrustedPeerException when it does not trust them */
    @Override
    protected void checkIfTrusted(X509Certificate[] chain) throws CertificateException {
        ValidationResult result = validator.validate(chain);
        if (!result.isValid()) {
            throw new UntrustedPeerException(why(result, chain));
        }
    }

    private String why(ValidationResult result, X509Certificate[] chain) {
        if (has(result, ValidationErrorCode.certificateExpired)) {
            return "certificate expired";
        }
        if (has(result, ValidationErrorCode.certificateNotYetValid)) {
            return "certificate not yet valid";
        }
        String what = "certificate not trusted";
        X500Principal issuer = chain[chain.length - 1].getIssuerX500Principal();
        synchronized (named) {
            if (named.size() >= MAX_NAMED && !named.contains(issuer)) {
                return what;
            }
            named.add(issuer);
        }
        String name = OpensslNameUtils.convertFromRfc2253(issuer.getName(), false);
        String file = OpensslTruststoreHelper.getOpenSSLCAHash(issuer, false) + ".0";
        return Files.isReadable(folder.resolve(file))
                ? what + ", issued by " + name
                : what + ": ca-dir has no " + file + " for its issuer " + name;
    }

    private static boolean has(ValidationResult result, ValidationErrorCode code) {
        return result.getErrors().stream().anyMatch(error -> error.getErrorCode() == code);
    }
}
