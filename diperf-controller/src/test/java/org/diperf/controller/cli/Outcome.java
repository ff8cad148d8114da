package org.diperf.controller.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

/**
 * What a command did, run in this process.
 *
 * @param code it exits with
 * @param out its standard output
 * @param err its standard error
 */
record Outcome(int code, String out, String err) {

    static Outcome of(List<String> arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Main.run(arguments.toArray(String[]::new), new PrintWriter(out), new PrintWriter(err));
        return new Outcome(code, out.toString(), err.toString());
    }

    static Outcome of(String... arguments) {
        return of(List.of(arguments));
    }
}
