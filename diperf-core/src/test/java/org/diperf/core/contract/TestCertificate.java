package org.diperf.core.contract;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * A self-signed certificate, made by the JDK's keytool.
 *
 * @param context of a server that holds it
 * @param pem the certificate as a client's {@code ca}
 */
public record TestCertificate(SSLContext context, Path pem) {

    private static final String PASSWORD = "changeit";

    /**
     * Makes one.
     *
     * @param name of the files
     * @param subject an alternative name such as {@code dns:localhost} or {@code ip:127.0.0.1}
     * @param more options of keytool
     */
    public static TestCertificate make(Path folder, String name, String subject, String... more) throws Exception {
        Path store = folder.resolve(name + ".p12");
        Path log = folder.resolve(name + ".log");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                name,
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                "CN=" + name,
                "-ext",
                "SAN=" + subject,
                "-keystore",
                store.toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD));
        command.addAll(List.of(more));
        File output = log.toFile();
        int exit = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output)
                .start()
                .waitFor();
        assertThat(exit).as(Files.readString(log)).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        String base64 = Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII))
                .encodeToString(keys.getCertificate(name).getEncoded());
        Path pem = folder.resolve(name + ".pem");
        Files.writeString(pem, "-----BEGIN CERTIFICATE-----\n" + base64 + "\n-----END CERTIFICATE-----\n");
        return new TestCertificate(context, pem);
    }

    /** Opens a listening socket of a server that holds the certificate. */
    public ServerSocket listen() throws Exception {
        return context.getServerSocketFactory().createServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }
}
