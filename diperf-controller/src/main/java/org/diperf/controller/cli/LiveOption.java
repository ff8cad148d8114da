package org.diperf.controller.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.Stack;
import org.diperf.controller.page.LivePage;
import org.diperf.controller.progress.RunFailedException;
import org.diperf.controller.progress.RunObserver;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Asks for a page that shows the run while it is under way. */
final class LiveOption {

    private static final int MAX_PORT = 65_535;

    @Option(
            names = "--live",
            arity = "0..1",
            paramLabel = "PORT",
            parameterConsumer = OptionalPort.class,
            description = "Show the run live in a browser, at the printed link, on this port or any free port.")
    @Nullable
    Integer port;

    @Option(
            names = "--listen",
            paramLabel = "ADDRESS",
            description =
                    "With --live: address to listen on, e.g. 0.0.0.0 so that others can reach it. Viewers then need "
                            + "the full link. Default: 127.0.0.1")
    @Nullable
    String listen;

    boolean isAsked() {
        return port != null || listen != null;
    }

    /** Takes the next word if it is a number: what follows --live may be the experiment. */
    static final class OptionalPort implements IParameterConsumer {

        @Override
        public void consumeParameters(Stack<String> words, ArgSpec option, CommandSpec command) {
            int port = 0;
            if (!words.isEmpty() && words.peek().matches("[0-9]{1,5}")) {
                String word = words.pop();
                port = Integer.parseInt(word);
                if (port > MAX_PORT) {
                    throw new ParameterException(
                            command.commandLine(), "--live: expected a port from 0 to " + MAX_PORT + ", got " + word);
                }
            }
            option.setValue(port);
        }
    }

    /**
     * Begins to serve the page, and says where.
     *
     * @param out takes the link
     * @param err takes a warning where others can reach it
     * @return {@code null}: none is wanted
     */
    @Nullable
    LivePage open(PrintWriter out, PrintWriter err) throws UsageException, RunFailedException {
        Integer at = port;
        if (at == null) {
            if (listen != null) {
                throw new UsageException("--listen requires --live, got none");
            }
            return null;
        }
        try {
            LivePage page = new LivePage(listen == null ? "127.0.0.1" : listen, at, Headline::of);
            out.println("live    " + page.link());
            out.flush();
            if (page.isOpenToOthers()) {
                err.println("warning: the live page is not encrypted; anyone who sees its link can stop the run");
                err.flush();
            }
            return page;
        } catch (IOException e) {
            throw new RunFailedException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Returns who looks on. */
    static RunObserver onlooker(@Nullable LivePage page) {
        return page == null ? RunObserver.NONE : page;
    }
}
