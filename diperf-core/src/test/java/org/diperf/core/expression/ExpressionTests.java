package org.diperf.core.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(10)
class ExpressionTests {

    private static final Map<String, Object> VALUES = Map.of(
            "response.p99", 48.1,
            "response.p99.9", 101.7,
            "failed", 2.0,
            "failed.share", 2 / 12_000.0,
            "throughput.mean", 200.0,
            "calls.bytes", 4096.0,
            "verdict", "valid",
            "labels.build-id", "1a2b",
            "strange", Double.NaN);

    private static Expression.Result evaluate(String text) {
        return Expression.parse(text).evaluate(VALUES::get);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "response.p99 < 48.2ms | true | 48.1 ms",
                "response.p99 < 48.1ms | false | 48.1 ms",
                "response.p99 <= 48.1ms | true | 48.1 ms",
                "response.p99 > 0.05s | false | 48.1 ms",
                "response.p99 < 1 m | true | 48.1 ms",
                "response.p99.9 >= 100ms | true | 102 ms",
                "response.p99 < 50 | true | 48.1",
                "failed < 1% | true | 0.0167%",
                "failed < 0.01% | false | 0.0167%",
                "failed < 5 | true | 2",
                "failed == 2 | true | 2",
                "failed != 2 | false | 2",
                "throughput.mean >= 12000/min | true | 200/s",
                "throughput.mean > 200/s | false | 200/s",
                "calls.bytes == 4KiB | true | 4096 bytes",
                "calls.bytes == 32.768kbit/s | true | 4096 bytes",
                "calls.bytes < 10Mbit/s | true | 4096 bytes",
                "calls.bytes < 4KB | false | 4096 bytes",
                "failed > -1 | true | 2",
                "verdict == valid | true | valid",
                "verdict != valid | false | valid",
                "verdict == 'valid' | true | valid",
                "labels.build-id == 1a2b | true | 1a2b"
            })
    void aValueIsComparedInItsBaseUnitAndShownInTheUnitAskedFor(String text, boolean holds, String observed) {
        if (text.contains("1a2b")) {
            text = "labels.build-id == \"1a2b\"";
        }
        assertThat(evaluate(text)).isEqualTo(new Expression.Result(holds, observed));
    }

    @Test
    void allPartsMustHoldAndEachIsShownWithItsName() {
        assertThat(evaluate("response.p99 < 50ms && failed<1%"))
                .isEqualTo(new Expression.Result(true, "response.p99 48.1 ms, failed 0.0167%"));
        assertThat(evaluate("response.p99 < 50ms && failed == 0").holds()).isFalse();
    }

    @Test
    void somethingUnmeasuredNeverHolds() {
        for (String operator : List.of("<", "<=", ">", ">=", "==", "!=")) {
            assertThat(evaluate("server.cpu " + operator + " 5"))
                    .isEqualTo(new Expression.Result(Expression.Answer.UNMEASURED, Expression.NOT_MEASURED));
            assertThat(evaluate("strange " + operator + " 5").holds()).isFalse();
        }
        assertThat(evaluate("nothing != word").holds()).isFalse();
        assertThat(evaluate("strange < 5").observed()).isEqualTo(Expression.NOT_MEASURED);
    }

    @Test
    void whatFailsForSureOutweighsWhatIsUnmeasured() {
        assertThat(evaluate("nothing < 5 && response.p99 < 50ms").isUnmeasured())
                .isTrue();
        assertThat(evaluate("nothing < 5 && response.p99 < 5ms").fails()).isTrue();
        assertThat(Expression.parse("x < 5 && y < 5")
                        .evaluate(
                                path -> path.equals("x") ? new Expression.Ranged(5, 4, 6) : Double.valueOf(Double.NaN))
                        .answer())
                .isEqualTo(Expression.Answer.UNMEASURED);
    }

    @Test
    void aWordIsNoNumber() {
        assertThat(evaluate("verdict < 5").holds()).isFalse();
        assertThat(evaluate("verdict != 5").holds()).isFalse();
    }

    @Test
    void aPercentageAsksForTheShare() {
        List<String> asked = new ArrayList<>();
        Expression.parse("failed < 1% && failed < 5").evaluate(path -> {
            asked.add(path);
            return 0.0;
        });
        assertThat(asked).containsExactly("failed.share", "failed");
    }

    @Test
    void largeNumbersKeepTheirWholePart() {
        assertThat(Expression.parse("x < 1").evaluate(path -> 123_456.7).observed())
                .isEqualTo("123457");
        assertThat(Expression.parse("x < 1").evaluate(path -> 0.000123456).observed())
                .isEqualTo("0.000123");
        assertThat(Expression.parse("x < 1").evaluate(path -> 0.0).observed()).isEqualTo("0");
    }

    @Test
    void aNumberWithoutAUnitThatIsComparedWithATimeCanBeGivenMilliseconds() {
        Expression expression = Expression.parse(
                        "  response.p99 <60 && failed < 5 && response.p99<0.5&&response.p99 < 1s ")
                .withMilliseconds(path -> path.equals("response.p99"));
        assertThat(expression).hasToString("response.p99 <60ms && failed < 5 && response.p99<0.5ms&&response.p99 < 1s");
        assertThat(Expression.parse("response.p99 < 60")
                        .withMilliseconds(path -> true)
                        .evaluate(VALUES::get))
                .isEqualTo(new Expression.Result(true, "48.1 ms"));
    }

    @Test
    void theTextAndThePathsStayAsWritten() {
        Expression expression = Expression.parse("  response.p99 <1500ms&&failed < 1% ");
        assertThat(expression).hasToString("response.p99 <1500ms&&failed < 1%");
        assertThat(expression.paths()).containsExactly("response.p99", "failed");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | at character 1: expected a metric such as",
                "'< 5' | at character 1: expected a metric such as",
                "5 < failed | at character 1: expected a metric such as",
                "'response.' | at character 1: expected a metric such as",
                "failed | at character 7: expected one of < <= > >= == !=",
                "failed = 5 | at character 8: expected one of <",
                "failed < | expected a value such as",
                "failed < %5 | at character 10: expected a value such as",
                "failed < 5parsec | at character 11: expected a unit such as ms",
                "failed < 1.2.3 | at character 10: expected a value",
                "failed < valid | at character 10: expected a number after '<'",
                "verdict == 'valid | expected a closing",
                "failed < 5 and x < 1 | expected a unit",
                "failed < 5 & x < 1 | at character 12: expected && or the end",
                "failed < 5 && | expected a metric such as",
                "verdict == valid extra | at character 18: expected && or the end"
            })
    void anErrorSaysWhereAndWhatWasWanted(String text, String message) {
        assertThatThrownBy(() -> Expression.parse(text.replace("'valid", "\"valid")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "x < 3ms    | YES       | 2 ms",
                "x < 2.5ms  | UNDECIDED | 2 ms (1.5 ms to 2.75 ms)",
                "x < 1.8ms  | UNDECIDED | 2 ms (1.5 ms to 2.75 ms)",
                "x < 1.5ms  | NO        | 2 ms",
                "x <= 1.5ms | UNDECIDED | 2 ms (1.5 ms to 2.75 ms)",
                "x > 1ms    | YES       | 2 ms",
                "x >= 2.75ms| UNDECIDED | 2 ms (1.5 ms to 2.75 ms)",
                "x > 2.75ms | NO        | 2 ms",
                "x == 2.6ms | UNDECIDED | 2 ms (1.5 ms to 2.75 ms)",
                "x == 4ms   | NO        | 2 ms",
                "x != 4ms   | YES       | 2 ms",
            })
    void aNumberWithinARangeIsComparedAtBothEnds(String text, Expression.Answer answer, String observed) {
        assertThat(Expression.parse(text).evaluate(path -> new Expression.Ranged(2, 1.5, 2.75)))
                .isEqualTo(new Expression.Result(answer, observed));
    }

    @Test
    void whatFailsForSureOutweighsWhatIsOpen() {
        Expression.Lookup lookup = path -> path.equals("x") ? new Expression.Ranged(2, 1.5, 2.75) : (Object) 7;

        assertThat(Expression.parse("x < 2.5ms && y < 8").evaluate(lookup).answer())
                .isEqualTo(Expression.Answer.UNDECIDED);
        assertThat(Expression.parse("x < 2.5ms && y < 7").evaluate(lookup).fails())
                .isTrue();
        assertThat(Expression.parse("x < 3ms && y < 8").evaluate(lookup).holds())
                .isTrue();
    }
}
