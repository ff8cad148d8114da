package org.diperf.plugins.ssh;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
class ScriptTests {

    @Test
    void theShellTakesEveryTextAsItIs() throws Exception {
        String nasty = "it's \"$HOME\" `id` \\ *\n\tnext";

        assertThat(sh(new Script("", "printf %s \"$text\"").with("text", nasty)))
                .isEqualTo(nasty);
    }

    @Test
    void aTestersScriptKeepsBlanksInPathsAndFlags() throws Exception {
        Deployment.Site site = new Deployment.Site("/no such/base", "/no such/base/runs/r1", "disk");

        String script = TesterCommand.script(
                3,
                site,
                "/opt/a java/bin/java",
                List.of("-Xmx256m", "-Da=it's"),
                List.of("tools/plugin-0/my plugin.jar"));

        assertThat(script)
                .contains("'/opt/a java/bin/java' '-Xmx256m' '-Da=it'\\''s' '-Ddiperf.role=diperf-tester'")
                .contains("'--plugin' '/no such/base/runs/r1/tools/plugin-0/my plugin.jar'")
                .contains("mkdir '/no such/base/runs/r1/tester-3'");
        assertThat(TesterCommand.number(TesterCommand.name(3))).isEqualTo(3);
        assertThat(TesterCommand.number("program-3")).isZero();
    }

    private static String sh(Script script) throws Exception {
        Process process = new ProcessBuilder("sh", "-c", script.text()).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        return out;
    }
}
