package org.diperf.controller.course;

import org.diperf.core.experiment.LoadSettings;

/** Which course a load takes. */
public final class Courses {

    private Courses() {}

    /** Makes the course of a load; one that grows sees through these eyes. */
    public static Course of(LoadSettings load, LiveSamples eyes) {
        if (load instanceof LoadSettings.Search search) {
            return new SearchCourse(search, eyes);
        }
        if (load instanceof LoadSettings.Levels levels && levels.settle() == null) {
            return new LevelCourse(levels, eyes);
        }
        return load instanceof LoadSettings.Groups groups ? new GroupsCourse(groups) : new PlannedCourse(load);
    }
}
