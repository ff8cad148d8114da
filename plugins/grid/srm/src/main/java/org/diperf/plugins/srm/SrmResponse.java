package org.diperf.plugins.srm;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.xml.stream.XMLInputFactory;
import org.diperf.plugins.lib.netty.soap.XmlNode;
import org.diperf.plugins.lib.netty.soap.XmlNode.Document;
import org.diperf.plugins.lib.netty.soap.XmlNode.MalformedXmlException;
import org.diperf.plugins.srm.SrmSettings.Operation;
import org.jspecify.annotations.Nullable;

/**
 * What a manager answered.
 *
 * @param code status of the request as a whole; of a ping, which has none, {@code SRM_SUCCESS}
 * @param token of the request, empty where there is none
 * @param files what is said of single files
 * @param entries files and folders that are listed
 */
record SrmResponse(String code, String token, List<FileStatus> files, int entries) {

    private static final int MAX_CODE = 60;
    private static final long MAX_WAIT_SECONDS = 3_600;
    static final String SUCCESS = "SRM_SUCCESS";
    private static final Set<String> WAITING = Set.of("SRM_REQUEST_QUEUED", "SRM_REQUEST_INPROGRESS");
    private static final String PINNED = "SRM_FILE_PINNED";
    static final Set<String> READY = Set.of(PINNED, "SRM_SPACE_AVAILABLE", SUCCESS);

    SrmResponse {
        files = List.copyOf(files);
    }

    /**
     * What is said of one file.
     *
     * @param waitSeconds after which the server wants to be asked again, -1 where it does not say
     * @param turl where to transfer it, empty where it is not ready
     * @param size in bytes, 0 where the server does not say
     */
    record FileStatus(String surl, String code, long waitSeconds, String turl, long size) {

        boolean isWaiting() {
            return WAITING.contains(code);
        }

        /** Returns whether what an operation waits for has come about. */
        boolean isReady(Operation of) {
            return switch (of) {
                case COPY -> code.equals(SUCCESS);
                case BRING_ONLINE -> code.equals(SUCCESS) || code.equals(PINNED);
                default -> READY.contains(code) && !turl.isEmpty();
            };
        }
    }

    /** Returns whether the server works on it yet. */
    boolean isWaiting() {
        return WAITING.contains(code);
    }

    boolean isSuccess() {
        return code.equals(SUCCESS);
    }

    /**
     * Reads an answer.
     *
     * @param operation that was asked for, without {@code srm}
     * @param status of HTTP
     * @throws MalformedXmlException when it is none; the message is the kind of failure
     */
    static SrmResponse read(String operation, int status, InputStream body, XMLInputFactory readers)
            throws MalformedXmlException {
        Document document;
        try {
            document = XmlNode.read(body, readers);
        } catch (MalformedXmlException e) {
            throw status == 200 ? e : new MalformedXmlException("status " + status);
        }
        XmlNode content = document.child(document.root(), "Body");
        XmlNode fault = document.child(content, "Fault");
        if (fault != null) {
            throw new MalformedXmlException("fault: " + document.reason(fault));
        }
        if (status != 200) {
            throw new MalformedXmlException("status " + status);
        }
        String name = "srm" + operation + "Response";
        XmlNode outer = document.child(content, name);
        if (outer == null) {
            throw new MalformedXmlException("no " + name);
        }
        if (!Messages.NAMESPACE.equals(outer.namespace())) {
            throw new MalformedXmlException("another version of SRM");
        }
        XmlNode inner = document.child(outer, name);
        if (inner == null) {
            throw new MalformedXmlException("an empty " + name);
        }
        return of(document, inner, operation);
    }

    private static SrmResponse of(Document document, XmlNode inner, String operation) throws MalformedXmlException {
        List<FileStatus> files = new ArrayList<>();
        for (XmlNode each : document.children(document.child(inner, "arrayOfFileStatuses"), "statusArray")) {
            files.add(fileStatus(document, each));
        }
        boolean ping = operation.equals("Ping");
        String code = code(document, document.child(inner, "returnStatus"));
        if (ping ? document.text(inner, "versionInfo").isEmpty() : code.isEmpty()) {
            throw new MalformedXmlException(ping ? "no versionInfo" : "no returnStatus");
        }
        return new SrmResponse(
                ping ? SUCCESS : code,
                document.text(inner, "requestToken"),
                files,
                entries(document, document.child(inner, "details"), "pathDetailArray", 0));
    }

    private static FileStatus fileStatus(Document document, XmlNode of) {
        String surl = "";
        for (String name : List.of("sourceSURL", "SURL", "surl")) {
            surl = surl.isEmpty() ? document.text(of, name) : surl;
        }
        long wait = -1;
        String told = document.text(of, "estimatedWaitTime");
        if (told.matches("\\d{1,9}")) {
            wait = Math.min(MAX_WAIT_SECONDS, Long.parseLong(told));
        }
        String size = document.text(of, "fileSize");
        return new FileStatus(
                surl,
                code(document, document.child(of, "status")),
                wait,
                document.text(of, "transferURL"),
                size.matches("\\d{1,18}") ? Long.parseLong(size) : 0);
    }

    /** Returns a status code; of what is none a word that fits into a kind of failure. */
    private static String code(Document document, @Nullable XmlNode status) {
        String code = document.text(status, "statusCode");
        return code.isEmpty() || (code.length() <= MAX_CODE && code.matches("[A-Z_]+")) ? code : "an unknown status";
    }

    /** Counts what is listed, folders' contents included. */
    private static int entries(Document document, @Nullable XmlNode array, String item, int depth) {
        int count = 0;
        if (depth < XmlNode.MAX_DEPTH) {
            for (XmlNode each : document.children(array, item)) {
                count += 1 + entries(document, document.child(each, "arrayOfSubPaths"), item, depth + 1);
                if (count > XmlNode.MAX_ELEMENTS) {
                    return XmlNode.MAX_ELEMENTS; // elements that refer to each other
                }
            }
        }
        return count;
    }
}
