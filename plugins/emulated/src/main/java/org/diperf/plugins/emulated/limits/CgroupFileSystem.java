package org.diperf.plugins.emulated.limits;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The file system by which the kernel has control groups. Stateless. */
interface CgroupFileSystem {

    /** The kernel of this machine. */
    CgroupFileSystem REAL = new CgroupFileSystem() {
        @Override
        public void make(Path group) throws IOException {
            Files.createDirectory(group);
        }

        @Override
        public void write(Path file, String line) throws IOException {
            // A file that is not there is not made.
            Files.writeString(file, line + "\n", StandardOpenOption.WRITE);
        }

        @Override
        public void remove(Path group) throws IOException {
            Files.deleteIfExists(group);
        }
    };

    /** Makes a group, with the files that groups have. */
    void make(Path group) throws IOException;

    /** Sets something of a group. */
    void write(Path file, String line) throws IOException;

    /**
     * Removes a group; one that is not there is removed already.
     *
     * @throws IOException while it has processes or other groups
     */
    void remove(Path group) throws IOException;
}
