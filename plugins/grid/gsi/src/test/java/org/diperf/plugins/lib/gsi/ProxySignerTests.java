package org.diperf.plugins.lib.gsi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import eu.emi.security.authn.x509.impl.OpensslCertChainValidator;
import eu.emi.security.authn.x509.impl.PEMCredential;
import eu.emi.security.authn.x509.proxy.ProxyChainInfo;
import eu.emi.security.authn.x509.proxy.ProxyGenerator;
import eu.emi.security.authn.x509.proxy.ProxyRequestOptions;
import eu.emi.security.authn.x509.proxy.ProxyType;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Proxies that are made from an earlier one are what the library would have made, for another key and by another number. */
@Timeout(60)
class ProxySignerTests {

    @TempDir
    static Path home;

    private static PEMCredential user;
    private static OpensslCertChainValidator validator;

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 10);
    private int made;

    @BeforeAll
    static void makeWorld() throws Exception {
        GsiWorld.make(home);
        user = new PEMCredential(home.resolve("proxy.pem").toString(), (char[]) null);
        validator = new OpensslCertChainValidator(home.resolve("trusted").toString());
    }

    @AfterAll
    static void disposeOfValidator() {
        validator.dispose();
    }

    private ProxySigner signer(ProxyType type, boolean limited) {
        return new ProxySigner(user.getKey(), now::get, request -> {
            made++;
            try {
                ProxyRequestOptions options =
                        new ProxyRequestOptions(user.getCertificateChain(), new PKCS10CertificationRequest(request));
                options.setType(type);
                options.setLimited(limited);
                X509Certificate proxy = ProxyGenerator.generate(options, user.getKey())[0];
                return new ProxySigner.Made(proxy.getEncoded(), proxy.getSigAlgName());
            } catch (GeneralSecurityException e) {
                throw new IOException(e);
            }
        });
    }

    private static KeyPair keys() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(256);
        return generator.generateKeyPair();
    }

    private static byte[] request(KeyPair keys, String subject) throws Exception {
        return new JcaPKCS10CertificationRequestBuilder(new X500Principal(subject), keys.getPublic())
                .build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate()))
                .getEncoded();
    }

    private static X509Certificate certificate(byte[] encoded) throws Exception {
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(encoded));
    }

    private static X509Certificate[] chain(X509Certificate proxy) {
        X509Certificate[] parents = user.getCertificateChain();
        X509Certificate[] chain = Arrays.copyOf(new X509Certificate[] {proxy}, parents.length + 1);
        System.arraycopy(parents, 0, chain, 1, parents.length);
        return chain;
    }

    @ParameterizedTest
    @CsvSource({"RFC3820, false", "RFC3820, true", "LEGACY, false", "LEGACY, true"})
    void aLaterProxyIsAsTheFirstButForItsKeyAndItsNumber(ProxyType type, boolean limited) throws Exception {
        ProxySigner signer = signer(type, limited);
        X509Certificate first = certificate(signer.sign(request(keys(), "CN=a")));
        Set<Object> numbers = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            KeyPair keys = keys();
            X509Certificate later = certificate(signer.sign(request(keys, "CN=a")));
            later.verify(user.getCertificateChain()[0].getPublicKey());
            later.checkValidity();
            assertThat(later.getPublicKey().getEncoded())
                    .isEqualTo(keys.getPublic().getEncoded());
            assertThat(later.getIssuerX500Principal()).isEqualTo(first.getIssuerX500Principal());
            assertThat(later.getNotAfter()).isEqualTo(first.getNotAfter());
            assertThat(later.getVersion()).isEqualTo(3);
            assertThat(later.getSigAlgName()).isEqualTo(first.getSigAlgName());
            assertThat(later.getCriticalExtensionOIDs()).isEqualTo(first.getCriticalExtensionOIDs());
            for (String extension : first.getCriticalExtensionOIDs()) {
                assertThat(later.getExtensionValue(extension)).isEqualTo(first.getExtensionValue(extension));
            }
            String name = later.getSubjectX500Principal().getName().replaceFirst(",.*", "");
            assertThat(name)
                    .isEqualTo("CN="
                            + (type == ProxyType.RFC3820
                                    ? later.getSerialNumber()
                                    : limited ? "limited proxy" : "proxy"));
            ProxyChainInfo info = new ProxyChainInfo(chain(later));
            assertThat(info.isLimited()).isEqualTo(limited);
            if (type == ProxyType.RFC3820) {
                numbers.add(later.getSerialNumber());
                assertThat(validator.validate(chain(later)).getErrors()).isEmpty();
            } else {
                assertThat(later.getSerialNumber()).isEqualTo(first.getSerialNumber());
                assertThat(later.getSubjectX500Principal()).isEqualTo(first.getSubjectX500Principal());
            }
        }
        assertThat(made).isEqualTo(1);
        assertThat(numbers).hasSize(type == ProxyType.RFC3820 ? 20 : 0);
    }

    @Test
    void whatTheyHaveInCommonIsMadeAgainAfterTenMinutesAndForOtherRequests() throws Exception {
        ProxySigner signer = signer(ProxyType.RFC3820, false);
        signer.sign(request(keys(), "CN=a"));
        now.addAndGet(599_000_000_000L);
        signer.sign(request(keys(), "CN=a"));
        assertThat(made).isEqualTo(1);
        now.addAndGet(2_000_000_000L);
        signer.sign(request(keys(), "CN=a"));
        assertThat(made).isEqualTo(2);
        signer.sign(request(keys(), "CN=b"));
        assertThat(made).isEqualTo(3);
    }

    @Test
    void whatIsNoRequestIsRefusedAlsoBehindOneThatWas() throws Exception {
        ProxySigner signer = signer(ProxyType.RFC3820, false);
        byte[] good = request(keys(), "CN=a");
        signer.sign(good);
        for (int length = 0; length < good.length; length++) {
            byte[] half = Arrays.copyOf(good, length);
            assertThatThrownBy(() -> signer.sign(half)).as("%d bytes", length).isInstanceOf(IOException.class);
        }
        byte[] other = user.getCertificateChain()[0].getEncoded();
        assertThatThrownBy(() -> signer.sign(other)).isInstanceOfAny(IOException.class, RuntimeException.class);
        assertThat(made).isEqualTo(1 + good.length + 1);
    }
}
