package org.diperf.controller.acceptance;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Apache JMeter, of the jars that {@code benchmarks/peers} fetched. */
record JMeter(Path home) {

    /** Two requests in turn, one of which the service does not have. */
    private static final String PLAN = """
            <?xml version="1.0" encoding="UTF-8"?>
            <jmeterTestPlan version="1.2" properties="5.0" jmeter="5.6.3">
              <hashTree>
                <TestPlan guiclass="TestPlanGui" testclass="TestPlan" testname="plan">
                  <elementProp name="TestPlan.user_defined_variables" elementType="Arguments">
                    <collectionProp name="Arguments.arguments"/>
                  </elementProp>
                </TestPlan>
                <hashTree>
                  <ThreadGroup guiclass="ThreadGroupGui" testclass="ThreadGroup" testname="users">
                    <intProp name="ThreadGroup.num_threads">4</intProp>
                    <intProp name="ThreadGroup.ramp_time">0</intProp>
                    <stringProp name="ThreadGroup.on_sample_error">continue</stringProp>
                    <elementProp name="ThreadGroup.main_controller" elementType="LoopController"
                        guiclass="LoopControlPanel" testclass="LoopController" testname="loop">
                      <boolProp name="LoopController.continue_forever">false</boolProp>
                      <stringProp name="LoopController.loops">250</stringProp>
                    </elementProp>
                  </ThreadGroup>
                  <hashTree>%s%s</hashTree>
                </hashTree>
              </hashTree>
            </jmeterTestPlan>
            """;

    private static final String SAMPLER = """
            <HTTPSamplerProxy guiclass="HttpTestSampleGui" testclass="HTTPSamplerProxy" testname="%s">
              <stringProp name="HTTPSampler.domain">127.0.0.1</stringProp>
              <stringProp name="HTTPSampler.port">%d</stringProp>
              <stringProp name="HTTPSampler.protocol">http</stringProp>
              <stringProp name="HTTPSampler.path">%s</stringProp>
              <stringProp name="HTTPSampler.method">GET</stringProp>
              <boolProp name="HTTPSampler.use_keepalive">true</boolProp>
              <elementProp name="HTTPsampler.Arguments" elementType="Arguments">
                <collectionProp name="Arguments.arguments"/>
              </elementProp>
            </HTTPSamplerProxy>
            <hashTree/>
            """;

    /** Lays its folder out as it wants it; skips the test where its jars are not. */
    static JMeter at(Path home) throws IOException {
        Path jars = Caches.folder().resolve("jmeter/lib");
        assumeTrue(Files.isDirectory(jars), "JMeter is not here: benchmarks/peers jmeter fetches it into " + jars);
        Path bin = Files.createDirectories(home.resolve("bin"));
        Path lib = Files.createDirectories(home.resolve("lib/ext")).getParent();
        Files.createDirectories(home.resolve("lib/junit"));
        List<Path> all;
        try (Stream<Path> entries = Files.list(jars)) {
            all = entries.toList();
        }
        for (Path jar : all) {
            String name = jar.getFileName().toString();
            // Copies: it finds its folder by the real path of its jar.
            Files.copy(
                    jar,
                    name.startsWith("ApacheJMeter-")
                            ? bin.resolve("ApacheJMeter.jar")
                            : name.startsWith("ApacheJMeter_")
                                    ? lib.resolve("ext").resolve(name)
                                    : lib.resolve(name));
            if (name.startsWith("ApacheJMeter_config-")) {
                unpack(jar, home);
            }
        }
        return new JMeter(home);
    }

    private static void unpack(Path jar, Path home) throws IOException {
        try (InputStream file = Files.newInputStream(jar);
                ZipInputStream zip = new ZipInputStream(file)) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path to = home.resolve(entry.getName()).normalize();
                if (to.startsWith(home.resolve("bin")) && !entry.isDirectory()) {
                    Files.createDirectories(to.getParent());
                    Files.copy(zip, to);
                }
            }
        }
    }

    /** Makes its report of a file of results, and gives the statistics that are in it. */
    JsonNode report(Path results, Path folder) throws IOException, InterruptedException {
        run("-g", results.toString(), "-o", folder.toString());
        return JsonMapper.shared().readTree(Files.readAllBytes(folder.resolve("statistics.json")));
    }

    /** Makes 4 x 250 calls of / and as many of /missing, and gives the file with the results. */
    Path results(int port) throws IOException, InterruptedException {
        Path plan = Files.writeString(
                home.resolve("plan.jmx"),
                PLAN.formatted(
                        SAMPLER.formatted("get", port, "/"), SAMPLER.formatted("missing, always", port, "/missing")));
        Path results = home.resolve("results.jtl");
        run("-n", "-t", plan.toString(), "-l", results.toString());
        return results;
    }

    private void run(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Command.java(),
                "-Xmx512m",
                "-Djava.awt.headless=true",
                "-Djmeter.home=" + home,
                "-cp",
                home.resolve("bin/ApacheJMeter.jar").toString(),
                "org.apache.jmeter.NewDriver",
                "-j",
                home.resolve("jmeter.log").toString()));
        command.addAll(List.of(arguments));
        try (Command jmeter = Command.start(home, command)) {
            if (jmeter.exitCode() != 0) {
                throw new AssertionError("JMeter failed:\n" + jmeter.output());
            }
        }
    }
}
