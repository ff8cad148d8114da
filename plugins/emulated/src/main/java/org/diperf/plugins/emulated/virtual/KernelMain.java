package org.diperf.plugins.emulated.virtual;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.diperf.core.folder.ScratchFolder;

/** Builds the kernel of {@link VirtualTime}; takes the arguments of {@code build-kernel} and ends with its exit code. */
public final class KernelMain {

    private KernelMain() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        System.exit(build(arguments));
    }

    private static int build(String[] arguments) throws IOException, InterruptedException {
        try (ScratchFolder scratch = ScratchFolder.temporary()) {
            Path folder = scratch.path();
            VirtualTime.copy(folder);
            List<String> command =
                    new ArrayList<>(List.of(folder.resolve(VirtualTime.BUILD).toString()));
            command.addAll(List.of(arguments));
            return new ProcessBuilder(command).inheritIO().start().waitFor();
        }
    }
}
