package org.diperf.plugins.grpc;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What files of descriptors (descriptor.proto) say of services. Confined to one thread until it is complete. */
final class Schema {

    private static final int MAX_IMPORTS = 200;

    private final Map<String, FileDescriptorProto> files = new LinkedHashMap<>();
    private final Set<String> absent = new HashSet<>();
    private final Map<String, FileDescriptor> built = new HashMap<>();

    /**
     * Adds a set of files, as {@code protoc --descriptor_set_out --include_imports} writes it.
     *
     * @throws IllegalArgumentException when it is none
     */
    void addSet(byte[] set) {
        try {
            FileDescriptorSet.parseFrom(set).getFileList().forEach(file -> files.putIfAbsent(file.getName(), file));
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException("bytes that are not a descriptor set", e);
        }
    }

    /**
     * Adds a file.
     *
     * @throws IllegalArgumentException when it is none
     */
    void addFile(byte[] file) {
        try {
            FileDescriptorProto read = FileDescriptorProto.parseFrom(file);
            files.putIfAbsent(read.getName(), read);
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException("bytes that are not a descriptor", e);
        }
    }

    /** Returns a file that others refer to and that is not here; {@code null}: none. */
    @Nullable
    String missingFile() {
        return files.values().stream()
                .flatMap(file -> file.getDependencyList().stream())
                .filter(name -> !files.containsKey(name) && !absent.contains(name))
                .sorted()
                .findFirst()
                .orElse(null);
    }

    /** Forgets that a file is missing, because nobody has it. */
    void doWithout(String file) {
        absent.add(file);
    }

    /**
     * Finds a method.
     *
     * @param path as {@code pkg.Service/Method}
     * @throws IllegalArgumentException when there is none; names what there is
     */
    MethodDescriptor method(String path) {
        String service = path.substring(0, path.indexOf('/'));
        String name = path.substring(path.indexOf('/') + 1);
        Map<String, ServiceDescriptor> services = new TreeMap<>();
        for (String file : List.copyOf(files.keySet())) {
            build(file, new HashSet<>()).getServices().forEach(each -> services.put(each.getFullName(), each));
        }
        ServiceDescriptor found = services.get(service);
        if (found == null) {
            throw new IllegalArgumentException(
                    "method: expected one of the services " + services.keySet() + ", got '" + service + "'");
        }
        MethodDescriptor method = found.findMethodByName(name);
        if (method == null) {
            throw new IllegalArgumentException("method: expected one of " + service + "'s methods "
                    + found.getMethods().stream().map(MethodDescriptor::getName).toList()
                    + ", got '" + name + "'");
        }
        return method;
    }

    private FileDescriptor build(String name, Set<String> importing) {
        FileDescriptor known = built.get(name);
        if (known != null) {
            return known;
        }
        FileDescriptorProto file = files.get(name);
        if (file == null || !importing.add(name) || importing.size() > MAX_IMPORTS) {
            throw new IllegalArgumentException(
                    "descriptors: expected files without circular imports, got one " + "at " + name);
        }
        FileDescriptor[] imported = file.getDependencyList().stream()
                .filter(files::containsKey)
                .map(each -> build(each, importing))
                .toArray(FileDescriptor[]::new);
        importing.remove(name);
        try {
            FileDescriptor made = FileDescriptor.buildFrom(file, imported, true);
            built.put(name, made);
            return made;
        } catch (DescriptorValidationException | RuntimeException e) {
            throw new IllegalArgumentException(
                    "descriptors: " + e.getMessage() + "; create the descriptor set with --include_imports", e);
        }
    }
}
