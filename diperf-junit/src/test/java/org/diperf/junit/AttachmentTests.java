package org.diperf.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtensionContext;

class AttachmentTests {

    @Test
    void whereFilesCannotBeAttachedAnEntryNamesTheReport() {
        List<Object> entries = new ArrayList<>();
        // A context as of JUnit 5.11, which lacks the method and has the other.
        ExtensionContext older = (ExtensionContext) Proxy.newProxyInstance(
                AttachmentTests.class.getClassLoader(),
                new Class<?>[] {ExtensionContext.class},
                (proxy, method, given) -> {
                    if (method.getName().equals("publishFile")) {
                        throw new NoSuchMethodError("publishFile");
                    }
                    entries.add(given[0]);
                    return null;
                });
        Attachment.attach(older, Path.of("run"));
        assertThat(entries.toString())
                .contains("diperf report=" + Path.of("run", "report.html").toAbsolutePath());
    }
}
