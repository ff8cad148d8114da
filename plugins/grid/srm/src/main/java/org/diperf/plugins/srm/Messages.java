package org.diperf.plugins.srm;

import java.util.List;
import org.diperf.plugins.lib.netty.soap.Xml;
import org.diperf.plugins.srm.SrmSettings.Operation;

/**
 * Writes requests of SRM v2.2 (GFD.129) in SOAP 1.1, rpc/encoded, with their fields in the order of the WSDL. Immutable.
 *
 * @param protocols that transfer URLs may have, best first
 * @param storageType of files, such as {@code PERMANENT}
 * @param totalSeconds for which a request is kept
 * @param pinSeconds for which files are wanted, -1 for as long as the server likes
 * @param space token of a reserved space, empty for none
 * @param overwrite what a put or a copy does to a file that is there, empty for what the server likes
 */
record Messages(
        List<String> protocols,
        String storageType,
        long totalSeconds,
        long pinSeconds,
        String space,
        String overwrite) {

    static final String NAMESPACE = "http://srm.lbl.gov/StorageResourceManager";

    private static final String BEGIN = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            + "<SOAP-ENV:Envelope xmlns:SOAP-ENV=\"http://schemas.xmlsoap.org/soap/envelope/\""
            + " xmlns:SOAP-ENC=\"http://schemas.xmlsoap.org/soap/encoding/\""
            + " xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\""
            + " xmlns:srm2=\"" + NAMESPACE + "\"><SOAP-ENV:Body"
            + " SOAP-ENV:encodingStyle=\"http://schemas.xmlsoap.org/soap/encoding/\">";
    private static final String END = "</SOAP-ENV:Body></SOAP-ENV:Envelope>";

    /**
     * A file to be put.
     *
     * @param bytes that will come
     */
    record Put(String surl, long bytes) {}

    /** A file to be copied by the manager. */
    record Copy(String source, String target) {}

    /**
     * One request.
     *
     * @param operation its name without {@code srm}
     */
    record Message(String operation, String body) {

        /** Returns the operation as the SOAPAction header has it. */
        String action() {
            // The name that every client built from the WSDL uses.
            return operation.equals("Ping") ? "XPing" : operation;
        }
    }

    private static Message message(String operation, String fields) {
        String name = "srm" + operation;
        return new Message(
                operation,
                BEGIN + "<srm2:" + name + "><" + name + "Request>" + fields + "</" + name + "Request></srm2:" + name
                        + ">" + END);
    }

    Message ping() {
        return message("Ping", "");
    }

    /**
     * @param levels of folders below what is named
     * @param detailed whether all is wanted that is known of each file
     */
    Message ls(String surl, long levels, boolean detailed) {
        return message(
                "Ls",
                surls("arrayOfSURLs", List.of(surl)) + "<storageSystemInfo xsi:nil=\"true\"/>"
                        + element("fullDetailedList", String.valueOf(detailed))
                        + element("numOfLevels", String.valueOf(levels)));
    }

    Message prepareToGet(List<String> surls) {
        return message("PrepareToGet", ofSources(surls, pin("desiredPinLifeTime")));
    }

    Message bringOnline(List<String> surls) {
        return message("BringOnline", ofSources(surls, pin("desiredLifeTime")));
    }

    private String ofSources(List<String> surls, String pin) {
        StringBuilder files = new StringBuilder();
        for (String surl : surls) {
            files.append("<requestArray>").append(element("sourceSURL", surl)).append("</requestArray>");
        }
        return "<arrayOfFileRequests>" + files + "</arrayOfFileRequests>"
                + element("desiredFileStorageType", storageType)
                + element("desiredTotalRequestTime", String.valueOf(totalSeconds)) + pin + spaceToken()
                + transferParameters();
    }

    Message copy(List<Copy> copies) {
        StringBuilder files = new StringBuilder();
        for (Copy copy : copies) {
            files.append("<requestArray>")
                    .append(element("sourceSURL", copy.source()))
                    .append(element("targetSURL", copy.target()))
                    .append("</requestArray>");
        }
        return message(
                "Copy",
                "<arrayOfFileRequests>" + files + "</arrayOfFileRequests>" + overwriteOption()
                        + element("desiredTotalRequestTime", String.valueOf(totalSeconds))
                        + element("targetFileStorageType", storageType) + spaceToken());
    }

    Message prepareToPut(List<Put> puts) {
        StringBuilder files = new StringBuilder();
        for (Put put : puts) {
            files.append("<requestArray>")
                    .append(element("targetSURL", put.surl()))
                    .append(element("expectedFileSize", String.valueOf(put.bytes())))
                    .append("</requestArray>");
        }
        return message(
                "PrepareToPut",
                "<arrayOfFileRequests>" + files + "</arrayOfFileRequests>"
                        + overwriteOption()
                        + element("desiredTotalRequestTime", String.valueOf(totalSeconds))
                        + pin("desiredPinLifeTime")
                        + element("desiredFileStorageType", storageType) + spaceToken() + transferParameters());
    }

    private String overwriteOption() {
        return overwrite.isEmpty() ? "" : element("overwriteOption", overwrite);
    }

    private String pin(String name) {
        return pinSeconds < 0 ? "" : element(name, String.valueOf(pinSeconds));
    }

    private String spaceToken() {
        return space.isEmpty() ? "" : element("targetSpaceToken", space);
    }

    private String transferParameters() {
        StringBuilder all = new StringBuilder("<transferParameters><arrayOfTransferProtocols>");
        protocols.forEach(each -> all.append(element("stringArray", each)));
        return all.append("</arrayOfTransferProtocols></transferParameters>").toString();
    }

    /** Asks how far a request is; one of the operations that have a token. */
    Message status(Operation of, String token) {
        String name = switch (of) {
            case PUT -> "Put";
            case BRING_ONLINE -> "BringOnline";
            case COPY -> "Copy";
            default -> "Get";
        };
        return message("StatusOf" + name + "Request", element("requestToken", token));
    }

    Message releaseFiles(String token, String surl) {
        return ofFile("ReleaseFiles", token, surl);
    }

    Message putDone(String token, String surl) {
        return ofFile("PutDone", token, surl);
    }

    Message abortFiles(String token, String surl) {
        return ofFile("AbortFiles", token, surl);
    }

    Message abortRequest(String token) {
        return message("AbortRequest", element("requestToken", token));
    }

    private static Message ofFile(String operation, String token, String surl) {
        return message(operation, element("requestToken", token) + surls("arrayOfSURLs", List.of(surl)));
    }

    private static String surls(String array, List<String> surls) {
        StringBuilder all = new StringBuilder("<" + array + ">");
        surls.forEach(surl -> all.append(element("urlArray", surl)));
        return all.append("</").append(array).append('>').toString();
    }

    private static String element(String name, String value) {
        StringBuilder made = new StringBuilder("<" + name + ">");
        Xml.escape(value, made);
        return made.append("</").append(name).append('>').toString();
    }
}
