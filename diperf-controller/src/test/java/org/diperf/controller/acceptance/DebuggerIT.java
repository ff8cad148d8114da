package org.diperf.controller.acceptance;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.Method;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.VMDisconnectEvent;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.ClassPrepareRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A person who stops in a client's code and looks around must not break the experiment. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class DebuggerIT {

    private static final String CLIENT = "org.diperf.examples.echo.EchoClient";
    private static final Pattern LISTENING = Pattern.compile("Listening for transport dt_socket at address: (\\d+)");

    @TempDir
    Path work;

    @Test
    void aBreakpointOfFifteenSecondsInAClientLeavesTheRunWhole() throws Exception {
        Path plugins = Files.createDirectory(work.resolve("plugins"));
        EchoPlugin.copyTo(plugins);
        Path file = Files.writeString(work.resolve("echo.yml"), """
                testbed: { kind: in-process }
                load: { clients: 2, run-for: 22s, think: 20ms, timeout: 1s }
                controller: { lease: 2s }
                """);
        try (EchoServer server = new EchoServer()) {
            List<String> command = new ArrayList<>(Command.commandLine(
                    Command.controllerJar(),
                    "run",
                    "--no-report",
                    file.toString(),
                    "--plugins",
                    plugins.toString(),
                    "--set",
                    "target=" + server.url(),
                    "--out",
                    work.resolve("run").toString()));
            command.add(1, "-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,address=127.0.0.1:0");
            try (Command diperf = Command.start(work, command)) {
                diperf.awaitOutput(output -> LISTENING.matcher(output).find());
                Matcher port = LISTENING.matcher(diperf.output());
                assertThat(port.find()).isTrue();
                assertThat(stopOnceInTheClient(port.group(1))).isTrue();
                assertThat(diperf.exitCode()).as(diperf.output()).isZero();
            }
        }
        RunFolder run = new RunFolder(work.resolve("run"));
        assertThat(run.calls("ok")).as("calls before and after the pause").isGreaterThan(50);
        assertThat(run.calls("timedOut")).isZero();
        assertThat(run.summary().get("verdict").asString()).isEqualTo("suspect");
        assertThat(run.summary().get("warnings").toString()).contains("debugger");
    }

    /** Attaches, stops everything at the client's first call for 15 s, and resumes. */
    private static boolean stopOnceInTheClient(String port) throws Exception {
        VirtualMachine machine = attach(port);
        ClassPrepareRequest prepared = machine.eventRequestManager().createClassPrepareRequest();
        prepared.addClassFilter(CLIENT);
        prepared.enable();
        machine.resume();
        boolean stopped = false;
        while (true) {
            EventSet events = machine.eventQueue().remove(60_000);
            if (events == null) {
                return stopped;
            }
            for (Event event : events) {
                if (event instanceof ClassPrepareEvent prepare) {
                    breakAtCall(machine, prepare.referenceType());
                } else if (event instanceof BreakpointEvent hit) {
                    hit.request().disable();
                    // Everything stands still meanwhile; no event comes.
                    assertThat(machine.eventQueue().remove(15_000)).isNull();
                    stopped = true;
                    machine.dispose();
                    return stopped;
                } else if (event instanceof VMDisconnectEvent) {
                    return stopped;
                }
            }
            events.resume();
        }
    }

    private static void breakAtCall(VirtualMachine machine, ReferenceType type) {
        Method call = type.methodsByName("call").get(0);
        BreakpointRequest request = machine.eventRequestManager().createBreakpointRequest(call.location());
        request.enable();
    }

    private static VirtualMachine attach(String port) throws Exception {
        AttachingConnector connector = Bootstrap.virtualMachineManager().attachingConnectors().stream()
                .filter(each -> each.transport().name().equals("dt_socket"))
                .findFirst()
                .orElseThrow();
        Map<String, Connector.Argument> arguments = connector.defaultArguments();
        requireNonNull(arguments.get("hostname")).setValue("127.0.0.1");
        requireNonNull(arguments.get("port")).setValue(port);
        return connector.attach(arguments);
    }
}
