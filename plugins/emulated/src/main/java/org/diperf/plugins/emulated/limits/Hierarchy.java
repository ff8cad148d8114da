package org.diperf.plugins.emulated.limits;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where groups that limit a resource are made, and how. In version 1 they are made below the group of this process, whose own
 * limits so hold for them too; in version 2, where a group with processes can have no others that limit, below the root.
 * Immutable.
 *
 * @param parent of the groups
 * @param isVersionTwo which of the kernel's two kinds it is
 */
record Hierarchy(Resource resource, Path parent, boolean isVersionTwo) {

    private static final long PERIOD_MICROS = 100_000;
    /** The kernel takes no less. */
    private static final long MIN_QUOTA_MICROS = 1_000;

    /**
     * Finds the one for a resource.
     *
     * @param root of the machine's files
     * @return empty: this machine has none
     */
    static Optional<Hierarchy> find(Resource resource, Path root) throws IOException {
        List<String> mounts = Files.readAllLines(root.resolve("proc/self/mountinfo"));
        for (String mount : mounts) {
            // As of proc(5): ... root, mount point, options, ..., -, type, source, options of the file system
            String[] words = mount.split(" ");
            int dash = List.of(words).indexOf("-");
            if (dash < 0 || words.length < dash + 4) {
                continue;
            }
            Path point = root.resolve(words[4].substring(1));
            if (words[dash + 1].equals("cgroup")
                    && List.of(words[dash + 3].split(",")).contains(resource.one)) {
                return Optional.of(new Hierarchy(resource, ownGroup(resource, root, words[3], point), false));
            }
            Path known = point.resolve("cgroup.controllers");
            if (words[dash + 1].equals("cgroup2")
                    && Files.isReadable(known)
                    && List.of(Files.readString(known).strip().split(" ")).contains(resource.two)) {
                return Optional.of(new Hierarchy(resource, point, true));
            }
        }
        return Optional.empty();
    }

    private static Path ownGroup(Resource resource, Path root, String mounted, Path point) throws IOException {
        for (String line : Files.readAllLines(root.resolve("proc/self/cgroup"))) {
            String[] words = line.split(":", 3);
            if (words.length == 3 && List.of(words[1].split(",")).contains(resource.one)) {
                String inside = words[2].startsWith(mounted) ? words[2].substring(mounted.length()) : words[2];
                Path group = point.resolve(inside.replaceFirst("^/+", "")).normalize();
                // In a container what is mounted may be another part than what the kernel names.
                return Files.isDirectory(group) ? group : point;
            }
        }
        return point;
    }

    /** Sets limits of a group that has been made. */
    void limit(Path group, Limits limits, Path root, CgroupFileSystem kernel) throws IOException {
        switch (resource) {
            case PROCESSOR -> {
                long quota = Math.max(MIN_QUOTA_MICROS, Math.round(limits.processors() * PERIOD_MICROS));
                if (isVersionTwo) {
                    kernel.write(group.resolve("cpu.max"), quota + " " + PERIOD_MICROS);
                } else {
                    kernel.write(group.resolve("cpu.cfs_period_us"), Long.toString(PERIOD_MICROS));
                    kernel.write(group.resolve("cpu.cfs_quota_us"), Long.toString(quota));
                }
            }
            case MEMORY -> {
                String bytes = Long.toString(limits.memoryBytes());
                kernel.write(group.resolve(isVersionTwo ? "memory.max" : "memory.limit_in_bytes"), bytes);
                // Otherwise what finds no room would be swapped; not every kernel counts that.
                Path swap = group.resolve(isVersionTwo ? "memory.swap.max" : "memory.memsw.limit_in_bytes");
                if (Files.exists(swap)) {
                    kernel.write(swap, isVersionTwo ? "0" : bytes);
                }
            }
            case DISK -> {
                String rate = Long.toString(limits.diskBytesPerSecond());
                for (String disk : disks(root)) {
                    if (isVersionTwo) {
                        kernel.write(group.resolve("io.max"), disk + " rbps=" + rate + " wbps=" + rate);
                    } else {
                        kernel.write(group.resolve("blkio.throttle.read_bps_device"), disk + " " + rate);
                        kernel.write(group.resolve("blkio.throttle.write_bps_device"), disk + " " + rate);
                    }
                }
            }
        }
    }

    /** Returns the numbers of disks, without those that are made of memory or files. */
    private static List<String> disks(Path root) throws IOException {
        List<String> numbers = new ArrayList<>();
        try (Stream<Path> all = Files.list(root.resolve("sys/block"))) {
            for (Path disk : all.sorted().toList()) {
                String name = disk.getFileName().toString().toLowerCase(Locale.ROOT);
                if (!name.matches("(loop|ram|zram)[0-9]+")) {
                    numbers.add(Files.readString(disk.resolve("dev")).strip());
                }
            }
        }
        return numbers;
    }
}
