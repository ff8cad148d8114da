package org.diperf.plugins.srm;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.diperf.core.spi.StandIn;
import org.diperf.plugins.lib.gridftp.FtpStandIn;

/** Has any file ready at once for the rehearsal, at a GridFTP server of its own. A thread for each connection. Thread-safe. */
final class SrmStandIn implements StandIn {

    private static final Pattern OPERATION = Pattern.compile("<srm2:srm(\\w+)>");
    private static final Pattern SURL = Pattern.compile("<(?:sourceSURL|targetSURL)>([^<]*)<");
    private static final Pattern LENGTH = Pattern.compile("content-length: *(\\d{1,9})");

    private final ServerSocket server = new ServerSocket();
    private final FtpStandIn ftp = FtpStandIn.start();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    private SrmStandIn() throws IOException {
        server.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 0));
    }

    static SrmStandIn start() throws IOException {
        SrmStandIn made = new SrmStandIn();
        made.run(() -> {
            while (true) {
                Socket accepted = made.server.accept();
                made.open.add(accepted);
                made.run(() -> made.converse(accepted));
            }
        });
        return made;
    }

    @Override
    public URI target() {
        return URI.create("http://127.0.0.1:" + server.getLocalPort() + SrmTarget.ENDPOINT + "?SFN=/file");
    }

    private interface Work {
        void run() throws IOException;
    }

    private void run(Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException closed) {
                        // Nobody is answered any more; the rehearsal ends by its time.
                    }
                },
                "diperf-stand-in");
        thread.setDaemon(true);
        thread.start();
    }

    private void converse(Socket socket) throws IOException {
        try (socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            OutputStream out = socket.getOutputStream();
            socket.setTcpNoDelay(true);
            while (true) {
                StringBuilder head = new StringBuilder();
                while (head.indexOf("\r\n\r\n", Math.max(0, head.length() - 4)) < 0) {
                    int octet = in.read();
                    if (octet < 0) {
                        return;
                    }
                    head.append((char) octet);
                }
                Matcher length = LENGTH.matcher(head.toString().toLowerCase(Locale.ROOT));
                byte[] body = in.readNBytes(length.find() ? Integer.parseInt(length.group(1)) : 0);
                byte[] answer = answer(new String(body, StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8);
                out.write(("HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: " + answer.length + "\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
                out.write(answer);
            }
        } finally {
            open.remove(socket);
        }
    }

    private String answer(String request) {
        Matcher operation = OPERATION.matcher(request);
        String name = "srm" + (operation.find() ? operation.group(1) : "Ping") + "Response";
        boolean get = name.equals("srmPrepareToGetResponse");
        String status = "Status><statusCode>" + SrmAnswer.SUCCESS + "</statusCode></return" + "Status>";
        StringBuilder files = new StringBuilder();
        Matcher surls = SURL.matcher(request);
        while (surls.find()) {
            String element = get ? "sourceSURL" : "SURL";
            files.append("<statusArray><" + element + ">" + surls.group(1) + "</" + element + "><status><statusCode>"
                    + (get ? "SRM_FILE_PINNED" : "SRM_SPACE_AVAILABLE") + "</statusCode></status><transferURL>"
                    + ftp.target() + "</transferURL></statusArray>");
        }
        return "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\" xmlns:r=\"" + Messages.NAMESPACE
                + "\"><s:Body><r:" + name + "><" + name + "><versionInfo>v2.2</versionInfo><return" + status
                + "<requestToken>1</requestToken><arrayOfFileStatuses>" + files + "</arrayOfFileStatuses></" + name
                + "></r:"
                + name + "></s:Body></s:Envelope>";
    }

    @Override
    public void close() {
        try {
            server.close();
            for (Socket each : open) {
                each.close();
            }
        } catch (IOException e) {
            // They end with the process at the latest.
        }
        ftp.close();
    }
}
