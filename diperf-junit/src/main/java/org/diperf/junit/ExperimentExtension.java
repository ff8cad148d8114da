package org.diperf.junit;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.diperf.analyzer.result.Analysis;
import org.diperf.controller.Diperf;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;
import org.opentest4j.AssertionFailedError;

/** Carries out the experiment of a test. Has no state: that of a test is in its context. */
final class ExperimentExtension implements BeforeTestExecutionCallback, AfterTestExecutionCallback, ParameterResolver {

    private static final Namespace NAMESPACE = Namespace.create(ExperimentExtension.class);
    private static final String DIRECTORY = "diperf.directory";
    private static final String FOLDERS = "folders";

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        if (!(parameter.getDeclaringExecutable() instanceof Method method)) {
            return false;
        }
        return type == Diperf.Run.class || type == Analysis.class && method.equals(context.getRequiredTestMethod());
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        ExperimentSession session = session(context);
        if (parameter.getParameter().getType() == Diperf.Run.class) {
            return session.share();
        }
        Analysis result = session.result();
        if (result == null) {
            throw new ExtensionConfigurationException(
                    "A test receives the result as a parameter or starts the run itself: declare Analysis or "
                            + "Diperf.Run, not both; Diperf.Run.run() returns the result");
        }
        return result;
    }

    @Override
    public void beforeTestExecution(ExtensionContext context) throws Exception {
        Experiment experiment = experiment(context);
        ExperimentSession session = session(context);
        if (startsItself(context)) {
            return;
        }
        if (experiment.value().isEmpty() && !session.isShared()) {
            throw new ExtensionConfigurationException(
                    "@Experiment without a file needs a test that defines what to run: specify a file, or declare "
                            + "a parameter of type Diperf.Run and call its run()");
        }
        Judgement.of(session.run().run(), session.folder(), experiment.strict()).check();
    }

    @Override
    public void afterTestExecution(ExtensionContext context) {
        if (!startsItself(context)) {
            return;
        }
        ExperimentSession session = session(context);
        Analysis result = session.result();
        if (result != null) {
            Judgement.of(result, session.folder(), experiment(context).strict()).check();
        } else if (context.getExecutionException().isEmpty()) {
            throw new AssertionFailedError("The test has a Diperf.Run parameter but ran no experiment: call its run()");
        }
    }

    private static boolean startsItself(ExtensionContext context) {
        return Arrays.stream(context.getRequiredTestMethod().getParameters())
                .map(Parameter::getType)
                .anyMatch(Diperf.Run.class::equals);
    }

    private static Experiment experiment(ExtensionContext context) {
        return AnnotationSupport.findAnnotation(context.getRequiredTestMethod(), Experiment.class)
                .orElseThrow(() -> new ExtensionConfigurationException(
                        "Expected @Experiment on " + context.getRequiredTestMethod() + ", got none"));
    }

    private static ExperimentSession session(ExtensionContext context) {
        ExtensionContext.Store store = context.getStore(NAMESPACE);
        ExperimentSession known = store.get(ExperimentSession.class, ExperimentSession.class);
        if (known != null) {
            return known;
        }
        try {
            ExperimentSession session = ExperimentSession.begin(experiment(context), folder(context), context);
            store.put(ExperimentSession.class, session);
            return session;
        } catch (IOException e) {
            throw new ExtensionConfigurationException("Could not empty the folder of the last run: " + e, e);
        }
    }

    /** Names a folder that no other test of this execution has. */
    private static Path folder(ExtensionContext context) {
        Path all = Path.of(context.getConfigurationParameter(DIRECTORY).orElse("target/diperf"));
        String name = context.getRequiredTestClass().getName() + "."
                + context.getRequiredTestMethod().getName();
        Folders taken = folders(context);
        return all.resolve(taken.take(name));
    }

    private static Folders folders(ExtensionContext context) {
        ExtensionContext.Store store = context.getRoot().getStore(NAMESPACE);
        synchronized (ExperimentExtension.class) {
            Folders known = store.get(FOLDERS, Folders.class);
            if (known == null) {
                known = new Folders();
                store.put(FOLDERS, known);
            }
            return known;
        }
    }

    /** The names of folders that tests of this execution have. Any thread. */
    private static final class Folders {

        private final Set<String> taken = new HashSet<>();

        /** Methods of the same name differ by their parameters: the second one's folder ends in {@code -2}. */
        synchronized String take(String name) {
            String free = name;
            for (int i = 2; !taken.add(free); i++) {
                free = name + "-" + i;
            }
            return free;
        }
    }
}
