package org.diperf.plugins.lib.netty;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.stream.Collectors;

/** All addresses of one server, at least one, in the order in which the resolver gives them. Immutable. */
public final class Addresses {

    private final InetSocketAddress[] all;

    private Addresses(InetSocketAddress[] all) {
        this.all = all;
    }

    /** Returns these addresses, at least one. */
    public static Addresses of(InetSocketAddress... all) {
        return new Addresses(all.clone());
    }

    /**
     * Looks up a host.
     *
     * @param host a name or an address; an IPv6 one without brackets
     * @throws IOException when the name is not known
     */
    public static Addresses of(String host, int port) throws IOException {
        try {
            return new Addresses(Arrays.stream(InetAddress.getAllByName(host))
                    .map(found -> new InetSocketAddress(found, port))
                    .toArray(InetSocketAddress[]::new));
        } catch (UnknownHostException e) {
            throw new IOException(
                    "unknown host '" + host + "'; correct the target, or make the name resolvable on this machine", e);
        }
    }

    /** Returns the number of addresses. */
    public int size() {
        return all.length;
    }

    /** Returns the address with which the client of a number begins: number mod {@link #size}. */
    public InetSocketAddress at(int number) {
        return all[Math.floorMod(number, all.length)];
    }

    /** Returns the first address, for clients that measure one path. */
    public InetSocketAddress first() {
        return all[0];
    }

    /** Returns the same addresses in the order in which the client of a number tries them. */
    public Addresses from(int number) {
        if (all.length == 1) {
            return this;
        }
        InetSocketAddress[] turned = new InetSocketAddress[all.length];
        Arrays.setAll(turned, i -> at(number + i));
        return new Addresses(turned);
    }

    /** Returns the same hosts with another port. */
    public Addresses withPort(int port) {
        if (port == all[0].getPort()) {
            return this;
        }
        return new Addresses(Arrays.stream(all)
                .map(each -> new InetSocketAddress(each.getAddress(), port))
                .toArray(InetSocketAddress[]::new));
    }

    /** Lists them as a person writes them: {@code 192.0.2.1:80, 192.0.2.2:80}. */
    @Override
    public String toString() {
        return Arrays.stream(all)
                .map(each -> new TargetAddress(each.getAddress().getHostAddress(), each.getPort()).toString())
                .collect(Collectors.joining(", "));
    }
}
