package org.diperf.core.plugin;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Optional;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.BlockingClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Context;
import org.diperf.core.spi.JavaJourney;
import org.diperf.core.spi.JourneyContext;
import org.diperf.core.spi.JourneyStep;
import org.jspecify.annotations.Nullable;

/**
 * An object of a plugin's jar, entered with the jar's loader as the thread's context class loader, because libraries look up
 * their parts through it; what its methods make is entered likewise. What is called for each call of a load is wrapped by hand
 * and passed on as it is: a reflective call, or two changes of the context, would be measured.
 */
record PluginLoaderProxy(Object target, ClassLoader loader) implements InvocationHandler {

    /** Wraps an object as one of the SPI's interfaces. */
    static <T> T of(Class<T> type, Object target, ClassLoader loader) {
        Object wrapped;
        if (target instanceof AsyncClient client) {
            wrapped = new OwnAsync(client, loader);
        } else if (target instanceof BlockingClient client) {
            wrapped = new OwnBlocking(client, loader);
        } else if (target instanceof JavaJourney journey) {
            wrapped = new OwnJourney(journey, loader);
        } else {
            wrapped = Proxy.newProxyInstance(
                    type.getClassLoader(), new Class<?>[] {type}, new PluginLoaderProxy(target, loader));
        }
        return type.cast(wrapped);
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        if (method.getName().equals("equals") && method.getDeclaringClass() == Object.class) {
            return arguments != null && proxy == arguments[0];
        }
        try (ContextLoaderScope entered = ContextLoaderScope.into(loader)) {
            return wrapped(method.getGenericReturnType(), method.invoke(target, arguments));
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private @Nullable Object wrapped(Type declared, @Nullable Object made) {
        if (made instanceof Optional<?> optional && declared instanceof ParameterizedType of) {
            return optional.map(value -> wrapped(of.getActualTypeArguments()[0], value));
        }
        return made != null
                        && declared instanceof Class<?> type
                        && type.isInterface()
                        && type.getPackage() == JavaJourney.class.getPackage()
                ? of(type, made, loader)
                : made;
    }

    private record OwnJourney(JavaJourney journey, ClassLoader loader) implements JavaJourney {

        @Override
        public String experiment() {
            try (ContextLoaderScope entered = ContextLoaderScope.into(loader)) {
                return journey.experiment();
            }
        }

        @Override
        public List<JourneyStep> steps() {
            try (ContextLoaderScope entered = ContextLoaderScope.into(loader)) {
                return journey.steps();
            }
        }

        @Override
        public List<String> values() {
            try (ContextLoaderScope entered = ContextLoaderScope.into(loader)) {
                return journey.values();
            }
        }

        @Override
        public void go(JourneyContext context) throws Exception {
            // The thread runs nothing but journeys.
            Thread.currentThread().setContextClassLoader(loader);
            journey.go(context);
        }
    }

    private record OwnBlocking(BlockingClient client, ClassLoader loader) implements BlockingClient {

        @Override
        public void open(Context context) throws Exception {
            // The thread is this client's own, so its context stays as it is until close.
            Thread.currentThread().setContextClassLoader(loader);
            client.open(context);
        }

        @Override
        public void call(Call call) throws Exception {
            client.call(call);
        }

        @Override
        public boolean selfTimed() {
            return client.selfTimed();
        }

        @Override
        public void close() throws Exception {
            try (ContextLoaderScope entered = ContextLoaderScope.into(loader)) {
                client.close();
            }
        }
    }

    private record OwnAsync(AsyncClient client, ClassLoader loader) implements AsyncClient {

        @Override
        public void open(Context context) throws Exception {
            try (ContextLoaderScope entered = ContextLoaderScope.into(loader)) {
                client.open(context);
            }
        }

        @Override
        public void call(Call call) throws Exception {
            client.call(call);
        }

        @Override
        public void connect(Call call) throws Exception {
            client.connect(call);
        }

        @Override
        public void cancel(Call call) {
            client.cancel(call);
        }

        @Override
        public int callsAtOnce() {
            return client.callsAtOnce();
        }

        @Override
        public boolean sharesConnection() {
            return client.sharesConnection();
        }

        @Override
        public void close() throws Exception {
            try (ContextLoaderScope entered = ContextLoaderScope.into(loader)) {
                client.close();
            }
        }
    }
}
