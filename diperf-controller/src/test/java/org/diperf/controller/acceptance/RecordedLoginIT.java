package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.diperf.core.ports.FreePorts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * A log-in with a token against forged requests, into Django's administration, recorded by Chromium: the recording becomes a journey
 * that runs once the password is in its place. Of the long tests, because Django may have to be fetched.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class RecordedLoginIT {

    private static final String RECORDED = "of-the-recording-1";
    private static final String CHANGED = "another & 100% of it";

    @TempDir
    Path work;

    /** Returns a Python that has Django; skips the test where it cannot be had. */
    private Path python() throws Exception {
        assumeTrue(Command.installed("python3"), "python3 is not installed");
        Path own = Caches.folder().resolve("django");
        Path python = own.resolve("bin/python");
        if (!Files.isExecutable(python)) {
            Files.createDirectories(own);
            boolean made = succeeds(List.of("python3", "-m", "venv", own.toString()))
                    && succeeds(List.of(python.toString(), "-m", "pip", "install", "-q", "django"));
            assumeTrue(made, "Django cannot be had: python3 -m venv, pip install django");
        }
        assumeTrue(succeeds(List.of(python.toString(), "-c", "import django")), "Django is not installed in " + own);
        return python;
    }

    private boolean succeeds(List<String> words) throws IOException, InterruptedException {
        try (Command command = Command.start(work, words)) {
            return command.exitCode() == 0;
        }
    }

    private void django(Path python, String... words) throws Exception {
        List<String> all = new ArrayList<>(List.of(python.toString(), "manage.py"));
        all.addAll(List.of(words));
        try (Command command = Command.start(work, all)) {
            assertThat(command.exitCode()).as(command.output()).isZero();
        }
    }

    private static void awaitServer(int port) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (System.nanoTime() - deadline < 0) {
            try {
                HttpURLConnection connection =
                        (HttpURLConnection) URI.create("http://127.0.0.1:" + port + "/admin/login/")
                                .toURL()
                                .openConnection();
                if (connection.getResponseCode() == 200) {
                    return;
                }
            } catch (IOException notYet) {
                Thread.sleep(100);
            }
        }
        throw new AssertionError("Django does not answer on port " + port);
    }

    /** Waits for a page that has come whole, whatever becomes of the one before meanwhile. */
    private static void awaitPage(Browser browser, String condition) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (System.nanoTime() - deadline < 0) {
            try {
                if (browser.ask(condition + " && document.readyState === 'complete'")
                        .asBoolean(false)) {
                    browser.keepAnswers();
                    return;
                }
            } catch (AssertionError onItsWayToAnotherPage) {
                // Asked again.
            }
            Thread.sleep(50);
        }
        throw new AssertionError("The browser came to no page with " + condition);
    }

    private String record(int port) throws Exception {
        try (Browser browser = Browser.open(1_200, 800)) {
            browser.go("http://127.0.0.1:" + port + "/admin/");
            awaitPage(browser, "document.querySelector('#id_password') !== null");
            browser.ask("document.querySelector('#id_username').value = 'admin';"
                    + "document.querySelector('#id_password').value = '" + RECORDED + "';"
                    + "document.querySelector('#login-form').submit(); 1");
            awaitPage(browser, "document.querySelector('#logout-form') !== null");
            browser.go("http://127.0.0.1:" + port + "/admin/auth/user/");
            awaitPage(browser, "document.querySelector('#changelist') !== null");
            browser.ask("document.querySelector('#logout-form').submit(); 1");
            awaitPage(browser, "location.pathname.includes('logout')");
            return browser.har();
        }
    }

    @Test
    void aLogInIntoDjangosAdministrationRunsWithAnotherPassword() throws Exception {
        assumeTrue(Boolean.getBoolean("diperf.long"), "a long check: ./check --long");
        assumeTrue(Browser.program().isPresent(), "no Chromium");
        Path python = python();
        assertThat(succeeds(List.of(python.toString(), "-m", "django", "startproject", "site1", work.toString())))
                .isTrue();
        django(python, "migrate", "-v", "0");
        password(python, RECORDED);
        int port = FreePorts.take();
        try (Command server = Command.start(
                work,
                List.of(
                        python.toString(),
                        "manage.py",
                        "runserver",
                        "--noreload",
                        "--insecure",
                        "127.0.0.1:" + port))) {
            awaitServer(port);
            Path har = Files.writeString(work.resolve("admin.har"), record(port));
            try (Command init =
                    Command.diperf(work, "init", "admin.yml", "--har", har.toString(), "--without-assets")) {
                assertThat(init.exitCode()).as(init.output()).isZero();
            }
            Path file = work.resolve("admin.yml");
            String made = Files.readString(file);
            assertThat(made).contains(RECORDED).contains("csrfmiddlewaretoken: \"${");
            // The user has another password now; the recorded one is still in the file.
            password(python, CHANGED);
            assertThat(run(file, "wrong")).isNotZero();
            Files.writeString(file, made.replace(RECORDED, CHANGED));
            assertThat(run(file, "right")).isZero();
            JsonNode summary = new RunFolder(work.resolve("right")).summary();
            assertThat(summary.at("/calls/failed").asInt()).isZero();
            assertThat(summary.at("/journeys/recorded/calls/ok").asInt()).isEqualTo(6);
            assertThat(summary.at("/requests/post-logout/calls/ok").asInt()).isEqualTo(6);
        }
    }

    private void password(Path python, String password) throws Exception {
        Path script = Files.writeString(work.resolve("password.py"), """
                from django.contrib.auth.models import User
                user, made = User.objects.get_or_create(username="admin", is_staff=True, is_superuser=True)
                user.set_password(%s)
                user.save()
                """.formatted("\"" + password + "\""));
        try (Command command = Command.start(work, List.of("sh", "-c", python + " manage.py shell < " + script))) {
            assertThat(command.exitCode()).as(command.output()).isZero();
        }
    }

    private int run(Path file, String out) throws Exception {
        try (Command run = Command.diperf(
                work,
                "run",
                file.toString(),
                "--out",
                out,
                "--quiet",
                "--no-report",
                "--set",
                "load={clients: 3, calls: 6}")) {
            return run.exitCode();
        }
    }
}
