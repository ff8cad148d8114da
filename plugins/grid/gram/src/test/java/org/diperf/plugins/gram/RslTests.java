package org.diperf.plugins.gram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.netty.TargetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(20)
class RslTests {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "&(executable=/bin/true)",
                "& ( executable = /bin/true ) ( arguments = a b 'c d' \"e \"\"f\"\"\" ) ",
                "&(* a comment *)(executable=$(HOME)/bin/x)(* another (one) *)",
                "&(executable=$(HOME)#/bin/x)(environment=(A 1)(B \"two words\"))",
                "&(executable=^%/bin/x%%y%)(count>=2)(memory!=5)(maxtime<=3)",
                "&(rsl_substitution=(A https://host:1/))(executable=$(A default))(stdout=$(A) # /dev/stdout)",
                "&(|(executable=/bin/a)(executable=/bin/b))",
                "&\n(executable=/bin/true)\n\t(count=4)\n",
                "&(executable=/bin/sleep)(arguments=${random:1..9} ${client})",
            })
    void whatAJobManagerTakesIsTaken(String rsl) throws Exception {
        Rsl.ofTemplate(rsl);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "``                            | expected & and relations in parentheses, such as &(executable=/bin/true), got the end at line 1, column 1",
                "(executable=/bin/true)        | expected & and relations in parentheses, such as &(executable=/bin/true), got '(' at line 1, column 1",
                "+(&(executable=/bin/true))    | expected one job, &(...), got '+' at line 1, column 1 of the RSL; a gatekeeper does not accept multi-requests (+)",
                "&                             | expected ( and a relation, got the end at line 1, column 2",
                "&(executable=/bin/true        | expected ), got the end at line 1, column 23",
                "&(executable=/bin/true))      | expected the end, or another relation in parentheses, got ')' at line 1, column 24",
                "&(executable)                 | expected =, got ')' at line 1, column 13",
                "&(executable=)                | expected a value, got ')' at line 1, column 14",
                "&(=/bin/true)                 | expected the name of an attribute, got '=' at line 1, column 3",
                "&(a=x=y)                      | expected ), got '=' at line 1, column 6 of the RSL; quote values with special characters",
                "&(a=\"open)                   | expected a closing \" to match the one at line 1, column 5, "
                        + "got the end at line 1, column 11",
                "&(a=$HOME)                    | expected ( after $, as in $(HOME), got 'H' at line 1, column 6",
                "&(a=b #)                      | expected a value after #, got ')' at line 1, column 8",
                "&(a=(b)                       | expected ), got the end at line 1, column 8",
                "&(a=b)(* c                    | expected *) to close the comment at line 1, column 7, got the "
                        + "end at line 1, column 11",
                "&(executable=/bin/x)(b=${call}| expected ), got the end at line 1, column 31",
            })
    void whatItWouldNotTakeIsToldWithItsPlace(String rsl, String message) {
        assertThatThrownBy(() -> Rsl.ofTemplate(rsl)).hasMessageContaining(message);
    }

    @Test
    void aPlaceCountsLines() {
        assertThatThrownBy(() -> Rsl.of("&(a=b)\n (c=d)\n  (e f)"))
                .hasMessage("expected =, got 'f' at line 3, column 6 of the RSL");
    }

    @Test
    void parenthesesWithinOneAnotherHaveAnEnd() {
        assertThatThrownBy(() -> Rsl.of("&(a=" + "(".repeat(100_000)))
                .hasMessageContaining("expected at most 100 levels of nested parentheses");
    }

    @Test
    void caseAndUnderscoresOfNamesDoNotMatter() throws Exception {
        Rsl rsl = Rsl.of("&(EXECUTABLE=x)(std_Out=y)");
        assertThat(rsl.has("executable")).isTrue();
        assertThat(rsl.has("stdout")).isTrue();
        assertThat(rsl.has("stderr")).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rsl            | &(count=1)                         | rsl            | expected an executable",
                "rsl            | &(executable=x                     | rsl            | expected ), got the end at line 1, column 15",
                "callback-ports | 9-1                                | callback-ports | expected a range such as 20000-20100, got '9-1'",
                "callback-ports | a                                  | callback-ports | expected a range such as 20000-20100, got 'a'",
                "step-timeout   | 0s                                 | step-timeout   | expected more than 0, got 0s",
                "rsl            | &(executable=x)(count=abc)         | rsl            | expected a count of 1 "
                        + "or more, because job managers reject other counts, got 'abc'",
                "rsl            | &(executable=x)(count=1 2)         | rsl            | got 2 values",
                "rsl            | &(executable=x)(count='0')         | rsl            | got '0'",
                "rsl            | &(executable=x)(count=1.5)         | rsl            | got '1.5'",
                "rsl            | &(executable=x y)                  | rsl            | expected one program as "
                        + "executable, because job managers reject other jobs, got 2 values",
                "rsl            | &(executable=\"\")                  | rsl            | got ''",
                "rsl            | &(executable=x)(count=\"2\")        |                |",
                "rsl            | &(executable=x)(count=$(N))        |                |",
                "rsl            | &(executable=x)(count=${random:1..3}) |             |",
                "rsl            | &(executable=x)(count=a)(count=2)  |                |",
                "rsl            | &(executable=x)(executable=y # z)  |                |",
                "poll-every     | 0s                                 | poll-every     | expected more than 0",
                "until          | ping                               |                |",
            })
    void parametersAreCheckedBeforeTheRun(String name, String value, String blamed, String message) {
        Map<String, Object> with =
                new HashMap<>(Map.of("rsl", "&(executable=/bin/true)", "proxy-file", "/tmp/p", "ca-dir", "/tmp/c"));
        with.put(name, value);
        Parameters read = Parameters.read(new GramPlugin().parameters(), with, 1);
        Url target = Url.of("gram://localhost:2119/jobmanager-fork");
        if (message == null) {
            new GramPlugin().check(target, read);
            return;
        }
        assertThatThrownBy(() -> new GramPlugin().check(target, read))
                .isInstanceOfSatisfying(
                        Parameters.Unusable.class,
                        unusable -> assertThat(unusable.parameter()).isEqualTo(blamed))
                .hasMessageContaining(message);
    }

    @Test
    void whatDoesNotFitTogetherIsToldBeforeTheRun() {
        assertThatThrownBy(() -> Parameters.read(new GramPlugin().parameters(), Map.of("ca-dir", "/tmp/c"), 1))
                .hasMessageContaining("with the GSI credential");
        assertRefused(
                Map.of("rsl", "&(executable=x)", "proxy-file", "/p", "ca-dir", "/c", "output", true, "until", "active"),
                "expected until: done, because a job's output is only complete when it ends, got until: active");
        assertRefused(
                Map.of("rsl", "&(executable=x)(stdout=y)", "proxy-file", "/p", "ca-dir", "/c", "output", true),
                "expected neither stdout nor stderr, because output: true sets them");
    }

    private static void assertRefused(Map<String, ?> with, String message) {
        Parameters read = Parameters.read(new GramPlugin().parameters(), with, 1);
        assertThatThrownBy(() -> new GramPlugin().check(Url.of("gram://localhost/"), read))
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource({
        "gram://h/, h, 2119, jobmanager, ",
        "gram://h:99/jobmanager-fork, h, 99, jobmanager-fork, ",
        "gram://h/jobmanager-fork@someone, h, 2119, jobmanager-fork@someone, ",
        "gram://[::1]:7/j:/O=Grid/CN=A%20User, ::1, 7, j, /O=Grid/CN=A User",
    })
    void aContactIsATarget(Url uri, String host, int port, String service, String subject) {
        assertThat(Contact.of(uri)).isEqualTo(new Contact(new TargetAddress(host, port), service, subject));
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://h/", "gram:///x", "gram://h/a%20b", "gram://h/a:subject", "gram://h/a?b"})
    void anythingElseIsNone(Url uri) {
        assertThatThrownBy(() -> Contact.of(uri)).hasMessageContaining("expected gram://HOST:PORT/SERVICE");
    }

    @Test
    void allErrorsOfGramHaveNames() {
        assertThat(GramError.named(1)).isEqualTo("1 PARAMETER_NOT_SUPPORTED");
        assertThat(GramError.named(48)).isEqualTo("48 BAD_RSL");
        assertThat(GramError.named(110)).isEqualTo("110 WAITING_FOR_COMMIT");
        assertThat(GramError.named(156)).isEqualTo("156 JOB_CONTACT_NOT_FOUND");
        assertThat(GramError.named(167)).isEqualTo("167 INVALID_USER_NAME");
        assertThat(GramError.named(168)).isEqualTo("168");
        assertThat(GramError.named(-1)).isEqualTo("-1");
    }

    @Test
    void messagesQuoteWhatTheyCarry() throws Exception {
        String rsl = "&(executable=\"a \\ b\")";
        String message = GramMessage.jobRequest("https://h:1/2", rsl);
        assertThat(GramMessage.read(message))
                .containsEntry("rsl", rsl)
                .containsEntry("callback-url", "https://h:1/2")
                .containsEntry("job-state-mask", "1048575")
                .containsEntry("protocol-version", "2");
    }
}
