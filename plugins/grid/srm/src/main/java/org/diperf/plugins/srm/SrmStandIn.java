package org.diperf.plugins.srm;

import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.diperf.core.spi.StandIn;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.gridftp.FtpStandIn;
import org.diperf.plugins.lib.netty.HttpConversation;
import org.diperf.plugins.lib.netty.LoopbackServer;

/** Has any file ready at once for the rehearsal, at a GridFTP server of its own. Thread-safe. */
final class SrmStandIn implements StandIn {

    private static final Pattern OPERATION = Pattern.compile("<srm2:srm(\\w+)>");
    private static final Pattern SURL = Pattern.compile("<(?:sourceSURL|targetSURL)>([^<]*)<");

    private final FtpStandIn ftp = FtpStandIn.start();
    private final LoopbackServer server = LoopbackServer.start(
            "http", SrmTarget.ENDPOINT + "?SFN=/file", () -> new HttpConversation("text/xml", true, this::answer));

    SrmStandIn() throws IOException {}

    @Override
    public Url target() {
        return server.target();
    }

    private String answer(String request) {
        Matcher operation = OPERATION.matcher(request);
        String name = "srm" + (operation.find() ? operation.group(1) : "Ping") + "Response";
        boolean get = !name.equals("srmPrepareToPutResponse");
        String pinned = name.equals("srmCopyResponse") ? SrmResponse.SUCCESS : "SRM_FILE_PINNED";
        String status = "Status><statusCode>" + SrmResponse.SUCCESS + "</statusCode></return" + "Status>";
        StringBuilder files = new StringBuilder();
        Matcher surls = SURL.matcher(request);
        while (surls.find()) {
            String element = get ? "sourceSURL" : "SURL";
            files.append("<statusArray><" + element + ">" + surls.group(1) + "</" + element + "><status><statusCode>"
                    + (get ? pinned : "SRM_SPACE_AVAILABLE") + "</statusCode></status><transferURL>"
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
        server.close();
        ftp.close();
    }
}
