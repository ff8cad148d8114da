package org.diperf.core.spi;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a field of a one-class plugin as a parameter of {@code client.with}. The field must not be final and must have one
 * of the types {@code String}, {@link Text}, {@code int}, {@code long}, {@code double}, {@code boolean},
 * {@link java.time.Duration}, {@code List<String>} or {@code Map<String, String>}; it is set before {@code open}.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface Param {

    /** Describes the parameter in one line. */
    String help();

    /** Names the parameter; by default the field's name with hyphens: {@code maxDepth} is {@code max-depth}. */
    String name() default "";

    /** Names the unit of a number, for {@code diperf plugins ID}. */
    String unit() default "";

    /** Returns the default as written in the file; without one the parameter is required. */
    String or() default REQUIRED;

    /** Returns a value as written in the file, which {@code diperf init} writes into new ones; see {@link Parameter#suchAs}. */
    String example() default "";

    /** The value of {@link #or} that means "no default". */
    String REQUIRED = "\0required";
}
