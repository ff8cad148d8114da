package org.diperf.plugins.emulated.limits;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The control groups of one run, named by the process that makes them and a number of its own. Those of runs whose process
 * has gone are removed by the next run. Confined to one thread.
 */
public final class Cgroups {

    private static final Pattern NAME = Pattern.compile("diperf-([0-9]+)-([0-9]+)-[0-9]+");
    /** In stat, as of proc(5), of what follows the name of the command: ticks from the machine's start to the process's. */
    private static final int STARTED = 19;

    private final CgroupFileSystem kernel;
    /** By host, the groups into which its programs go. */
    private final Map<String, List<Path>> byHost = new LinkedHashMap<>();
    /** All that were made, parents first. */
    private final Set<Path> made = new LinkedHashSet<>();

    private Cgroups(CgroupFileSystem kernel) {
        this.kernel = kernel;
    }

    /** Says why these limits cannot be set on this machine; empty: they can. */
    public static String missing(Iterable<Limits> all) {
        return missing(all, Path.of("/"));
    }

    static String missing(Iterable<Limits> all, Path root) {
        try {
            for (Limits limits : all) {
                for (Resource resource : limits.resources()) {
                    Optional<Hierarchy> hierarchy = Hierarchy.find(resource, root);
                    if (hierarchy.isEmpty()) {
                        return "host limits need the cgroup v1 controller '" + resource.one + "' or the v2 controller '"
                                + resource.two + "', but neither is mounted";
                    }
                    Path parent = hierarchy.get().parent();
                    if (!Files.isWritable(parent)) {
                        return "host limits need to create cgroups in " + parent
                                + ", which is not writable; containers often mount cgroups read-only";
                    }
                }
            }
            return "";
        } catch (IOException e) {
            return "host limits need cgroups, which cannot be read: " + e.getMessage();
        }
    }

    /**
     * Makes the groups of hosts.
     *
     * @param limits by name of the host; those without any are not in a group
     * @throws IOException with what the kernel refuses; nothing is left then
     */
    public static Cgroups make(Map<String, Limits> limits) throws IOException {
        return make(
                limits,
                Path.of("/"),
                CgroupFileSystem.REAL,
                ProcessHandle.current().pid());
    }

    static Cgroups make(Map<String, Limits> limits, Path root, CgroupFileSystem kernel, long process)
            throws IOException {
        Cgroups groups = new Cgroups(kernel);
        try {
            groups.makeAll(limits, root, "diperf-" + process + "-" + started(root, process));
        } catch (IOException e) {
            groups.tryRemove();
            throw new IOException("Cannot set the host limits: " + e, e);
        }
        return groups;
    }

    private void makeAll(Map<String, Limits> limits, Path root, String process) throws IOException {
        Map<Resource, Hierarchy> hierarchies = new EnumMap<>(Resource.class);
        for (Limits each : limits.values()) {
            for (Resource resource : each.resources()) {
                if (!hierarchies.containsKey(resource)) {
                    hierarchies.put(
                            resource,
                            Hierarchy.find(resource, root)
                                    .orElseThrow(() -> new IOException(missing(limits.values(), root))));
                }
            }
        }
        String run = freeName(process, hierarchies.values());
        for (Hierarchy hierarchy : hierarchies.values()) {
            removeStale(hierarchy.parent(), root);
            Path all = hierarchy.parent().resolve(run);
            if (hierarchy.isVersionTwo()) {
                String wanted = "+" + hierarchy.resource().two;
                kernel.write(hierarchy.parent().resolve("cgroup.subtree_control"), wanted);
                make(all);
                kernel.write(all.resolve("cgroup.subtree_control"), wanted);
            } else {
                make(all);
            }
        }
        for (Map.Entry<String, Limits> host : limits.entrySet()) {
            Set<Path> own = new LinkedHashSet<>();
            for (Hierarchy hierarchy : hierarchies.values()) {
                if (host.getValue().resources().contains(hierarchy.resource())) {
                    Path group = hierarchy.parent().resolve(run).resolve(host.getKey());
                    make(group);
                    hierarchy.limit(group, host.getValue(), root, kernel);
                    own.add(group);
                }
            }
            byHost.put(host.getKey(), List.copyOf(own));
        }
    }

    /** Other runs of this process have other numbers. */
    private static String freeName(String process, Collection<Hierarchy> hierarchies) {
        int number = 1;
        while (isTaken(process + "-" + number, hierarchies)) {
            number++;
        }
        return process + "-" + number;
    }

    private static boolean isTaken(String name, Collection<Hierarchy> hierarchies) {
        return hierarchies.stream()
                .anyMatch(hierarchy -> Files.exists(hierarchy.parent().resolve(name)));
    }

    private void make(Path group) throws IOException {
        if (!made.contains(group)) {
            kernel.make(group);
            made.add(group);
        }
    }

    /** Removes groups of processes that have gone, as far as nothing runs in them. */
    private void removeStale(Path parent, Path root) throws IOException {
        List<Path> children;
        try (Stream<Path> all = Files.list(parent)) {
            children = all.toList();
        }
        for (Path group : children) {
            Matcher name = NAME.matcher(group.getFileName().toString());
            if (name.matches() && !started(root, Long.parseLong(name.group(1))).equals(name.group(2))) {
                try (Stream<Path> hosts = Files.list(group)) {
                    for (Path host : hosts.filter(Files::isDirectory).toList()) {
                        kernel.remove(host);
                    }
                    kernel.remove(group);
                } catch (IOException e) {
                    // Something runs there, such as what a container started whose processes are numbered by
                    // themselves.
                    continue;
                }
            }
        }
    }

    /** Returns by when a process was started, which no other of its number was; empty: there is none. */
    private static String started(Path root, long process) {
        try {
            String stat = Files.readString(root.resolve("proc/" + process + "/stat"));
            return stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ")[STARTED];
        } catch (IOException e) {
            return "";
        }
    }

    /** Returns the groups into which a host's programs go. */
    public List<Path> of(String host) {
        return byHost.getOrDefault(host, List.of());
    }

    /** Lists all groups, those within others first, as they are to be removed. */
    public List<Path> all() {
        List<Path> all = new ArrayList<>();
        made.forEach(group -> all.add(0, group));
        return all;
    }

    /**
     * Removes the groups; their processes must have ended.
     *
     * @return whether all are gone
     */
    public boolean tryRemove() {
        boolean isGone = true;
        for (Path group : all()) {
            try {
                kernel.remove(group);
            } catch (IOException e) {
                isGone = false;
            }
        }
        return isGone;
    }
}
