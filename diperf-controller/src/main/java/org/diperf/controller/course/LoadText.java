package org.diperf.controller.course;

import java.math.BigDecimal;
import java.math.MathContext;
import org.diperf.core.experiment.LoadTemplate;

/** Says in words what value a load has. */
public final class LoadText {

    private LoadText() {}

    /** Returns a value with its unit, such as {@code 400/s} or {@code 8 clients}. */
    public static String value(LoadTemplate template, double value) {
        return value(template.of(), value);
    }

    static String value(String of, double value) {
        String number = new BigDecimal(value)
                .round(new MathContext(6))
                .stripTrailingZeros()
                .toPlainString();
        if (of.equals("rate")) {
            return number + "/s";
        }
        return number + (value == 1 ? " client" : " clients");
    }
}
