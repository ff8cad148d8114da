package org.diperf.plugins.srm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.diperf.core.contract.CallProbe;
import org.diperf.core.contract.NettyLoop;
import org.diperf.core.contract.PluginHarness;
import org.diperf.core.contract.TestLoop;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.gridftp.FtpStandIn;
import org.diperf.plugins.lib.gsi.GsiWorld;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The client against the stand-in of the examples, by plain HTTP, with transfers to a server that knows any file. */
@Timeout(60)
class SrmClientTests {

    @TempDir
    Path folder;

    @TempDir
    Path files;

    private PluginHarness harness(Url target, Map<String, ?> with) throws Exception {
        return harness(target, with, new NettyLoop());
    }

    private PluginHarness harness(Url target, Map<String, ?> with, TestLoop loop) throws Exception {
        Map<String, Object> all = new HashMap<>(Map.of("protocols", List.of("ftp")));
        all.putAll(with);
        return new PluginHarness(new SrmPlugin(), List.of(target), all, Duration.ofSeconds(5), folder, loop);
    }

    private Manager manager(FtpStandIn ftp, String... options) throws Exception {
        for (int i = 0; i < 8; i++) {
            Files.write(files.resolve("f" + i), new byte[100]);
        }
        return Manager.start(files, "ftp://127.0.0.1:" + ftp.target().port(), options);
    }

    private static double steps(CallProbe call) {
        double sum = 0;
        for (String step : List.of("connect", "gather", "prepare", "ready", "transfer", "finish")) {
            sum += call.metrics().getOrDefault("srm." + step, 0.0);
        }
        return sum;
    }

    @ParameterizedTest
    @CsvSource({"get, keep", "get, new", "put, keep", "put, new"})
    void aFileIsPreparedMovedAndFinishedAndTheStepsAddUp(String operation, String connection) throws Exception {
        Map<String, Object> with =
                new HashMap<>(Map.of("operation", operation, "connection", connection, "size", "200000"));
        if (operation.equals("put")) {
            with.put("overwrite", "ALWAYS");
        }
        try (FtpStandIn ftp = FtpStandIn.start();
                Manager manager = manager(ftp);
                PluginHarness harness = harness(manager.uri("/f1"), with);
                PluginHarness.Owned client = harness.client(0)) {
            for (int i = 1; i <= 4; i++) {
                long begun = System.nanoTime();
                CallProbe call = client.call();
                double took = (System.nanoTime() - begun) / 1e6;
                assertThat(call.failure()).as(call.toString()).isNull();
                assertThat(call.bytes()).isEqualTo(200_000);
                assertThat(call.isFirst()).isEqualTo(i == 1 || connection.equals("new"));
                assertThat(call.metrics())
                        .containsKeys("srm.prepare", "srm.ready", "srm.transfer", "srm.finish", "transfer")
                        .containsEntry("srm.polls", 0.0);
                assertThat(steps(call)).isLessThanOrEqualTo(took);
                assertThat(manager.count(operation.equals("get") ? "SRM_RELEASED" : "done"))
                        .isEqualTo(i);
            }
            assertThat(manager.count("AbortRequest")).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource({"get, ReleaseFiles", "put, AbortRequest"})
    void withoutTheTransferSrmIsAllThereIs(String operation, String last) throws Exception {
        Map<String, Object> with = Map.of("operation", operation, "transfer", false, "path", operation);
        try (FtpStandIn ftp = FtpStandIn.start();
                Manager manager = manager(ftp)) {
            Files.createFile(files.resolve("get"));
            try (PluginHarness harness = harness(manager.uri("/f1"), with);
                    PluginHarness.Owned client = harness.client(0)) {
                CallProbe call = client.call();
                assertThat(call.failure()).isNull();
                assertThat(call.metrics()).doesNotContainKeys("srm.transfer", "transfer");
                assertThat(call.bytes()).as("nothing was moved").isZero();
                assertThat(manager.count(last)).isEqualTo(1);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"ping, Ping, -1", "ls, Ls, 9"})
    void questionsAreOneMessage(String operation, String name, int entries) throws Exception {
        try (FtpStandIn ftp = FtpStandIn.start();
                Manager manager = manager(ftp);
                PluginHarness harness = harness(manager.uri("/"), Map.of("operation", operation, "levels", 1));
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe call = client.call();
            assertThat(call.failure()).isNull();
            assertThat(call.metrics().getOrDefault("srm.entries", -1.0)).isEqualTo(entries);
            assertThat(manager.count(name)).isEqualTo(1);
        }
    }

    @Test
    void aFileThatIsNotReadyIsAskedAboutWhenTheServerSaidSo() throws Exception {
        try (FtpStandIn ftp = FtpStandIn.start();
                Manager manager = manager(ftp, "ready=500", "wait=1");
                PluginHarness harness = harness(manager.uri("/f1"), Map.of());
                PluginHarness.Owned client = harness.client(0)) {
            long begun = System.nanoTime();
            CallProbe call = client.call();
            double took = (System.nanoTime() - begun) / 1e6;
            assertThat(call.failure()).isNull();
            assertThat(call.metrics()).containsEntry("srm.polls", 1.0);
            assertThat(call.metrics().get("srm.ready")).isBetween(1_000.0, 4_000.0);
            assertThat(steps(call)).isCloseTo(took, within(took / 100 + 50));
        }
    }

    @Test
    void whereTheServerDoesNotSayTheClientWaitsTwiceAsLongEachTime() throws Exception {
        Map<String, Object> with = Map.of("poll", "50ms", "most-poll", "100ms");
        try (FtpStandIn ftp = FtpStandIn.start();
                Manager manager = manager(ftp, "ready=320", "wait=0");
                PluginHarness harness = harness(manager.uri("/f1"), with);
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe call = client.call();
            assertThat(call.failure()).isNull();
            assertThat(call.metrics().get("srm.polls")).isBetween(2.0, 4.0); // after 50, 150, 250, 350 ms
        }
    }

    @Test
    void filesOfABatchShareARequestAndAreCallsOfTheirOwn() throws Exception {
        Map<String, Object> with = Map.of(
                "batch", 8, "gather", "5s", "files", List.of("f0", "f1", "f2", "f3", "f4", "f5", "missing", "f7"));
        try (FtpStandIn ftp = FtpStandIn.start();
                Manager manager = manager(ftp, "ready=100", "wait=0");
                PluginHarness harness = harness(manager.uri("/f1"), with);
                PluginHarness.Owned client = harness.client(0)) {
            assertThat(((AsyncClient) client.client()).callsAtOnce()).isEqualTo(8);
            List<CallProbe> calls = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                calls.add(client.begin(0));
            }
            for (CallProbe call : calls) {
                assertThat(call.awaitEnd(10_000)).isTrue();
            }
            assertThat(calls.stream().filter(CallProbe::isOk)).hasSize(7);
            assertThat(calls.get(6).failure()).isEqualTo("PrepareToGet: SRM_INVALID_PATH");
            assertThat(manager.count("PrepareToGet")).isEqualTo(1);
            assertThat(manager.count("SRM_RELEASED")).isEqualTo(7);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "PrepareToGet, SRM_INTERNAL_ERROR, PrepareToGet: SRM_INTERNAL_ERROR",
        "PrepareToGet, SRM_AUTHORIZATION_FAILURE, PrepareToGet: SRM_AUTHORIZATION_FAILURE",
        "PrepareToGet, SRM_SUCCESS, PrepareToGet: SRM_SUCCESS without a transferURL",
        "PrepareToGet, SRM_REQUEST_QUEUED, PrepareToGet: no requestToken",
        "PrepareToGet, fault, PrepareToGet: fault: Server: on demand",
        "PrepareToGet, half, PrepareToGet: closed within the response",
        "PrepareToGet, bomb, PrepareToGet: XML with a document type",
        "PrepareToGet, garbage, PrepareToGet: malformed XML",
        "PrepareToGet, close, PrepareToGet: closed before the response",
        "PrepareToGet, version, PrepareToGet: another version of SRM",
        "StatusOfGetRequest, SRM_REQUEST_TIMED_OUT, StatusOfGetRequest: SRM_REQUEST_TIMED_OUT",
        "StatusOfGetRequest, bomb, StatusOfGetRequest: XML with a document type",
        "ReleaseFiles, SRM_INVALID_REQUEST, ReleaseFiles: SRM_INVALID_REQUEST",
        "ReleaseFiles, half, ReleaseFiles: closed within the response",
    })
    void eachFaultHasAKindOfItsOwnAndTheNextCallGoesWell(String operation, String what, String kind) throws Exception {
        try (FtpStandIn ftp = FtpStandIn.start();
                Manager manager = manager(ftp, "fail=" + operation + ":" + what + ":2", "ready=10", "wait=0");
                PluginHarness harness = harness(manager.uri("/f1"), Map.of("poll", "50ms"));
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe first = client.call();
            CallProbe second = client.call();
            CallProbe third = client.call();
            List<String> kinds = new ArrayList<>();
            for (CallProbe call : List.of(first, second, third)) {
                kinds.add(String.valueOf(call.failure()));
            }
            assertThat(kinds).containsExactly("null", kind, "null");
        }
    }

    @Test
    void whatIsMissingIsRefusedAndLeavesNothingBehind() throws Exception {
        try (FtpStandIn ftp = FtpStandIn.start();
                Manager manager = manager(ftp);
                PluginHarness harness = harness(manager.uri("/missing"), Map.of());
                PluginHarness.Owned client = harness.client(0)) {
            assertThat(client.call().failure()).isEqualTo("PrepareToGet: SRM_INVALID_PATH");
            assertThat(client.call().failure()).isEqualTo("PrepareToGet: SRM_INVALID_PATH");
            assertThat(manager.count("SRM_FILE_PINNED")).isZero();
        }
    }

    @Test
    void aTransferThatFailsGivesUpThePin() throws Exception {
        try (FtpStandIn ftp = FtpStandIn.start();
                Manager manager = manager(ftp);
                PluginHarness harness = harness(manager.uri("/f1"), Map.of())) {
            ftp.close();
            try (PluginHarness.Owned client = harness.client(0)) {
                assertThat(client.call().failure()).isEqualTo("transfer: connect: connection refused");
                assertThat(manager.awaitCount("SRM_ABORTED", 1)).isTrue();
            }
        }
    }

    @Test
    void aCallThatIsCancelledWhileItWaitsIsAborted() throws Exception {
        try (FtpStandIn ftp = FtpStandIn.start();
                Manager manager = manager(ftp, "ready=60000", "wait=0");
                PluginHarness harness = harness(manager.uri("/f1"), Map.of("poll", "20ms", "most-poll", "20ms"));
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe call = client.begin(0);
            assertThat(manager.awaitCount("PrepareToGet", 1)).isTrue();
            client.cancel(call);
            assertThat(call.awaitEnd(1_000)).isTrue();
            assertThat(manager.awaitCount("AbortRequest", 1)).isTrue();
            assertThat(manager.awaitCount("SRM_ABORTED", 1)).isTrue();
        }
    }

    @Test
    void aCallThatIsCancelledBetweenTwoQuestionsIsAbortedAtOnce() throws Exception {
        Map<String, Object> with = Map.of("batch", 2, "gather", "5s", "files", List.of("f0", "missing"));
        try (FtpStandIn ftp = FtpStandIn.start();
                Manager manager = manager(ftp, "ready=60000", "wait=3600");
                PluginHarness harness = harness(manager.uri("/f1"), with);
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe waits = client.begin(0);
            CallProbe missing = client.begin(0);
            assertThat(missing.awaitEnd(10_000))
                    .as("the answer has come; the next question is an hour away")
                    .isTrue();
            client.cancel(waits);
            assertThat(manager.awaitCount("AbortFiles", 2))
                    .as("the missing one, and this")
                    .isTrue();
            assertThat(manager.awaitCount("SRM_ABORTED", 2)).isTrue();
            assertThat(manager.count("StatusOfGetRequest")).isZero();
            assertThat(waits.failure()).isEqualTo("cancelled");
        }
    }

    @Test
    void aRequestWhoseQuestionGetsNoAnswerIsAborted() throws Exception {
        try (FtpStandIn ftp = FtpStandIn.start();
                Manager manager = manager(ftp, "fail=StatusOfGetRequest:close:1", "ready=60000", "wait=0");
                PluginHarness harness = harness(manager.uri("/f1"), Map.of("poll", "20ms"));
                PluginHarness.Owned client = harness.client(0)) {
            assertThat(client.call().failure()).isEqualTo("StatusOfGetRequest: closed before the response");
            assertThat(manager.awaitCount("SRM_ABORTED", 1)).isTrue();
            assertThat(manager.count("AbortRequest")).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @CsvSource({"PrepareToPut, SRM_NO_FREE_SPACE", "PrepareToPut, close"})
    void anUploadThatDoesNotComeAboutCountsNoBytes(String operation, String what) throws Exception {
        try (FtpStandIn ftp = FtpStandIn.start();
                Manager manager = manager(ftp, "fail=" + operation + ":" + what + ":1");
                PluginHarness harness = harness(manager.uri("/new"), Map.of("operation", "put"));
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe call = client.call();
            assertThat(call.isOk()).isFalse();
            assertThat(call.bytes()).isZero();
        }
    }

    @Test
    void aFileThatIsBroughtOnlineIsAskedAboutAndReleased() throws Exception {
        Map<String, Object> with = Map.of("operation", "bring-online", "poll", "20ms", "most-poll", "40ms");
        try (FtpStandIn ftp = FtpStandIn.start();
                Manager manager = manager(ftp, "ready=150", "wait=0");
                PluginHarness harness = harness(manager.uri("/f1"), with);
                PluginHarness.Owned client = harness.client(0)) {
            for (int i = 1; i <= 3; i++) {
                CallProbe call = client.call();
                assertThat(call.failure()).isNull();
                assertThat(call.metrics())
                        .containsKeys("srm.prepare", "srm.ready", "srm.finish")
                        .doesNotContainKeys("srm.transfer", "transfer");
                assertThat(call.metrics().get("srm.polls")).isGreaterThanOrEqualTo(2);
                assertThat(call.metrics().get("srm.ready")).isGreaterThan(100);
                assertThat(call.bytes()).as("nothing was moved").isZero();
                assertThat(manager.count("SRM_RELEASED")).isEqualTo(i);
            }
            assertThat(manager.count("BringOnline")).isEqualTo(3);
            assertThat(manager.count("online")).isEqualTo(3);
            assertThat(manager.count("PrepareToGet")).isZero();
        }
    }

    @Test
    void aManagerWithoutTapesMaySayOfAllFilesAtOnceThatTheyAreOnline() throws Exception {
        try (FtpStandIn ftp = FtpStandIn.start();
                Manager manager = manager(ftp, "fail=BringOnline:SRM_SUCCESS:1");
                PluginHarness harness = harness(manager.uri("/f1"), Map.of("operation", "bring-online"));
                PluginHarness.Owned client = harness.client(0)) {
            assertThat(client.call().failure()).isNull();
            assertThat(manager.count("ReleaseFiles"))
                    .as("there is no token to release by")
                    .isZero();
        }
    }

    @ParameterizedTest
    @CsvSource({"to", "from"})
    void aManagerCopiesAFileOfItsOwnAndTheBytesAreThoseOfTheFile(String end) throws Exception {
        Map<String, Object> with = Map.of(
                "operation",
                "copy",
                "copy-" + end,
                "new-${call}",
                "overwrite",
                "ALWAYS",
                "poll",
                "20ms",
                "most-poll",
                "40ms");
        try (FtpStandIn ftp = FtpStandIn.start();
                Manager manager = manager(ftp, "ready=100", "wait=0")) {
            Files.write(files.resolve("new-1"), new byte[70]);
            Files.write(files.resolve("f1"), new byte[90]);
            try (PluginHarness harness = harness(manager.uri("/f1"), with);
                    PluginHarness.Owned client = harness.client(0)) {
                for (int i = 0; i < 2; i++) {
                    CallProbe call = client.call();
                    boolean missing = end.equals("from") && i == 0;
                    assertThat(call.failure()).isEqualTo(missing ? "StatusOfCopyRequest: SRM_INVALID_PATH" : null);
                    assertThat(call.bytes()).isEqualTo(missing ? 0 : end.equals("to") ? 90 : 70);
                    assertThat(call.metrics()).doesNotContainKeys("srm.transfer", "srm.finish");
                }
                assertThat(files.resolve("new-1")).hasSize(end.equals("to") ? 90 : 70);
                assertThat(files.resolve("f1")).hasSize(end.equals("to") ? 90 : 70);
                assertThat(manager.count("copied")).isEqualTo(end.equals("to") ? 2 : 1);
                assertThat(manager.count("StatusOfCopyRequest")).isGreaterThanOrEqualTo(2);
                assertThat(manager.count("ReleaseFiles")).isZero();
            }
        }
    }

    @Test
    void copiesOfABatchAreOneRequest() throws Exception {
        Map<String, Object> with = Map.of(
                "operation",
                "copy",
                "copy-to",
                "copy-${call}",
                "batch",
                3,
                "gather",
                "5s",
                "poll",
                "20ms",
                "files",
                List.of("f0", "missing", "f2"));
        try (FtpStandIn ftp = FtpStandIn.start();
                Manager manager = manager(ftp, "wait=0");
                PluginHarness harness = harness(manager.uri("/f1"), with);
                PluginHarness.Owned client = harness.client(0)) {
            List<CallProbe> calls = List.of(client.begin(0), client.begin(0), client.begin(0));
            for (CallProbe call : calls) {
                assertThat(call.awaitEnd(10_000)).isTrue();
            }
            assertThat(calls.stream()
                            .map(call -> String.valueOf(call.failure()))
                            .toList())
                    .satisfiesExactly(
                            first -> assertThat(first).isEqualTo("null"),
                            second -> assertThat(second).endsWith(": SRM_INVALID_PATH"),
                            third -> assertThat(third).isEqualTo("null"));
            assertThat(manager.count("Copy")).isEqualTo(1);
            assertThat(files.resolve("copy-0")).exists();
            assertThat(files.resolve("copy-2")).exists();
        }
    }

    @Test
    void aCopyThatIsCancelledIsAbortedAndNotMade() throws Exception {
        Map<String, Object> with = Map.of("operation", "copy", "copy-to", "never", "poll", "20ms", "most-poll", "20ms");
        try (FtpStandIn ftp = FtpStandIn.start();
                Manager manager = manager(ftp, "ready=60000", "wait=0");
                PluginHarness harness = harness(manager.uri("/f1"), with);
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe call = client.begin(0);
            assertThat(manager.awaitCount("Copy", 1)).isTrue();
            client.cancel(call);
            assertThat(call.awaitEnd(1_000)).isTrue();
            assertThat(manager.awaitCount("SRM_ABORTED", 1)).isTrue();
            assertThat(files.resolve("never")).doesNotExist();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "copy, Copy, SRM_NOT_SUPPORTED, Copy: SRM_NOT_SUPPORTED",
        "copy, Copy, SRM_SUCCESS, Copy: SRM_SUCCESS without a file's status",
        "copy, Copy, SRM_REQUEST_QUEUED, Copy: no requestToken",
        "copy, Copy, fault, Copy: fault: Server: on demand",
        "copy, Copy, bomb, Copy: XML with a document type",
        "copy, StatusOfCopyRequest, half, StatusOfCopyRequest: closed within the response",
        "copy, StatusOfCopyRequest, SRM_SUCCESS, StatusOfCopyRequest: SRM_SUCCESS without a file's status",
        "copy, StatusOfCopyRequest, SRM_ABORTED, StatusOfCopyRequest: SRM_ABORTED",
        "bring-online, BringOnline, SRM_FILE_UNAVAILABLE, BringOnline: SRM_FILE_UNAVAILABLE",
        "bring-online, BringOnline, garbage, BringOnline: malformed XML",
        "bring-online, BringOnline, version, BringOnline: another version of SRM",
        "bring-online, StatusOfBringOnlineRequest, SRM_REQUEST_TIMED_OUT, StatusOfBringOnlineRequest: SRM_REQUEST_TIMED_OUT",
        "bring-online, ReleaseFiles, SRM_INVALID_REQUEST, ReleaseFiles: SRM_INVALID_REQUEST",
    })
    void aManagerThatLiesOfACopyOrAFileOnTapeIsAnOutcome(String operation, String of, String what, String kind)
            throws Exception {
        Map<String, Object> with = new HashMap<>(Map.of("operation", operation, "poll", "20ms"));
        if (operation.equals("copy")) {
            with.putAll(Map.of("copy-to", "new", "overwrite", "ALWAYS"));
        }
        try (FtpStandIn ftp = FtpStandIn.start();
                Manager manager = manager(ftp, "fail=" + of + ":" + what + ":2", "ready=10", "wait=0");
                PluginHarness harness = harness(manager.uri("/f1"), with);
                PluginHarness.Owned client = harness.client(0)) {
            List<String> kinds = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                kinds.add(String.valueOf(client.call().failure()));
            }
            // How often a copy is asked about before it is done is up to the machine.
            assertThat(kinds).contains("null", kind).isSubsetOf("null", kind);
        }
    }

    @Test
    void whatCannotBeIsToldBeforeTheRun() {
        Url any = Url.of("http://127.0.0.1:1/srm/managerv2?SFN=/a");
        assertThatThrownBy(() -> harness(any, Map.of("batch", 0)).close())
                .hasMessageContaining("batch: expected a number from 1 to 1000, got 0");
        assertThatThrownBy(() ->
                        harness(any, Map.of("batch", 2, "operation", "ls")).close())
                .hasMessageContaining("batch: expected operation: get, put, bring-online or copy");
        assertThatThrownBy(() -> harness(any, Map.of("parallelism", 4)).close())
                .hasMessageContaining("mode: expected extended");
        assertThatThrownBy(() -> harness(any, Map.of("poll", "20s")).close()).hasMessageContaining("at most most-poll");
        assertThatThrownBy(() -> harness(any, Map.of("levels", -1)).close()).hasMessageContaining("levels: expected 0");
        assertThatThrownBy(() -> harness(Url.of("ftp://127.0.0.1/a"), Map.of()).close())
                .hasMessageContaining("target: expected srm://HOST:PORT/PATH");
        assertThatThrownBy(
                        () -> harness(Url.of("srm://127.0.0.1/a?b=c"), Map.of()).close())
                .hasMessageContaining("after ?SFN=");
        assertThatThrownBy(
                        () -> harness(Url.of("srm://127.0.0.1:1/a"), Map.of()).close())
                .hasMessageContaining("proxy-file: expected a PEM file");
    }

    static Stream<Arguments> meaningless() {
        return Stream.of(
                Arguments.of(Map.of("path", "a", "files", List.of("b")), "path", "expected path or files, got both"),
                Arguments.of(Map.of("path", ""), "path", "expected the path of a file, got ''"),
                Arguments.of(Map.of("files", List.of()), "files", "expected at least one file, got none"),
                Arguments.of(Map.of("files", List.of("a", "")), "files", "expected the path of a file, got ''"),
                Arguments.of(Map.of("buffer", 0), "buffer", "expected more than 0, got 0"),
                Arguments.of(Map.of("request-time", "0s"), "request-time", "expected 1s or more, got 0s"),
                Arguments.of(Map.of("pin-time", "500ms"), "pin-time", "expected 1s or more, got 500ms"),
                Arguments.of(Map.of("overwrite", "ALWAYS"), "overwrite", "expected operation: put or copy"),
                Arguments.of(
                        Map.of("operation", "copy"),
                        "copy-to",
                        "expected copy-to or copy-from, the other end of the copy, got neither"),
                Arguments.of(Map.of("operation", "copy", "copy-to", "a", "copy-from", "b"), "copy-to", "got both"),
                Arguments.of(
                        Map.of("operation", "copy", "copy-to", " "),
                        "copy-to",
                        "expected a SURL or the path of a file, got ''"),
                Arguments.of(
                        Map.of("copy-from", "a"), "copy-from", "expected operation: copy, got operation: get; drop it"),
                Arguments.of(
                        Map.of("operation", "copy", "copy-to", "a", "transfer", false),
                        "transfer",
                        "expected operation: get or put"),
                Arguments.of(
                        Map.of("transfer", false, "operation", "ping"), "transfer", "expected operation: get or put"));
    }

    @ParameterizedTest
    @MethodSource("meaningless")
    void whatWouldMeanNothingIsRefusedAtItsKey(Map<String, ?> given, String key, String message) {
        Parameters with = Parameters.read(new SrmPlugin().parameters(), given, 1);
        Url target = Url.of("http://127.0.0.1:1/srm/managerv2?SFN=/a");
        assertThatThrownBy(() -> new SrmPlugin().check(target, with))
                .isInstanceOfSatisfying(
                        Parameters.Unusable.class,
                        unusable -> assertThat(unusable.parameter()).isEqualTo(key))
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "fail=Nonsense:close:1 | fail: expected one of [AbortFiles, AbortRequest, ",
                "fail=PrepareToGet:foo:1 | fail: expected a status such as SRM_INTERNAL_ERROR or one of [bomb, ",
                "fail=PrepareToGet:close:0 | fail: expected a number from 1, got 0",
                "fail=PrepareToGet:close:x | fail: expected a number from 1, got x",
            })
    void theStandInRefusesAFaultThatItCannotMake(String option, String message) {
        assertThatThrownBy(() -> Manager.start(files, "ftp://127.0.0.1:1", option))
                .rootCause()
                .hasMessageContaining(message);
    }

    @Test
    void aCredentialThatHasEndedIsRefusedBeforeTheRun() throws Exception {
        GsiWorld world = GsiWorld.make(files);
        Map<String, Object> with =
                world.with("proxy-file", files.resolve("ended.pem").toString());
        assertThatThrownBy(() -> harness(Url.of("srm://127.0.0.1:1/a"), with).close())
                .hasMessageContaining("proxy-file: expected a valid credential, got one that expired at");
    }

    @Test
    void aManagerThatSpeaksNoTlsIsToldToSpeakNone() throws Exception {
        GsiWorld world = GsiWorld.make(files);
        try (FtpStandIn ftp = FtpStandIn.start();
                PluginHarness harness =
                        harness(Url.of("srm://127.0.0.1:" + ftp.target().port() + "/a"), world.with());
                PluginHarness.Owned client = harness.client(0)) {
            assertThat(client.call().failure()).isEqualTo("PrepareToGet: GSI: the server does not speak TLS");
        }
    }
}
