package org.diperf.plugins.imports;

import java.util.List;

/** What a column may say of a call, with the names by which columns are known without being told. */
enum Field {
    TIME("time", "intended_epoch_ns", "timeStamp", "timestamp", "time", "start", "started", "start_time", "date"),
    LATENCY("latency", "response_ns", "elapsed", "latency", "response_time", "response", "duration", "rt"),
    LAG("lag", "send_lag_ns", "send_lag", "lag"),
    OUTCOME("outcome", "outcome"),
    SUCCESS("success", "success", "ok"),
    CODE("code", "responseCode", "status", "status_code", "code"),
    CLIENT("client", "client", "threadName", "thread", "user", "worker"),
    REQUEST("request", "request", "label", "name"),
    TARGET("target", "target", "URL", "url", "uri"),
    BYTES("bytes", "bytes", "size"),
    TESTER("tester", "tester", "Hostname", "host"),
    SINCE_START("since-start", "intended_ns"),
    FIRST("first", "first");

    private final String word;
    private final List<String> names;

    Field(String word, String... names) {
        this.word = word;
        this.names = List.of(names);
    }

    /** Returns its name in {@code --columns}. */
    String word() {
        return word;
    }

    /** Returns the columns' names, the likeliest first. */
    List<String> names() {
        return names;
    }
}
