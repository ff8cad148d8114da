package org.diperf.controller.course;

import org.diperf.core.experiment.LoadChoice;

/** Which course a load takes. */
public final class Courses {

    private Courses() {}

    /** Makes the course of a load; one that grows sees through these eyes. */
    public static Course of(LoadChoice load, LiveSamples eyes) {
        if (load instanceof LoadChoice.Search search) {
            return new SearchCourse(search, eyes);
        }
        if (load instanceof LoadChoice.Levels levels && levels.settle() == null) {
            return new LevelCourse(levels, eyes);
        }
        return load instanceof LoadChoice.Groups groups ? new GroupsCourse(groups) : new PlannedCourse(load);
    }
}
