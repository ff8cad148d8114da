package org.diperf.controller.course;

import java.util.ArrayList;
import java.util.List;
import org.diperf.core.experiment.Group;
import org.diperf.core.experiment.LoadSettings;
import org.diperf.core.plan.Stage;

/** The course of groups side by side, all known before the run. Immutable. */
public final class GroupSchedule implements LoadSchedule {

    private final List<Group> groups;
    private final List<PlannedSchedule> courses;
    private final List<Stage> stages = new ArrayList<>();

    public GroupSchedule(LoadSettings.Groups choice) {
        this.groups = choice.groups();
        this.courses =
                groups.stream().map(group -> new PlannedSchedule(group.load())).toList();
        for (Group group : groups) {
            stages.addAll(stages(group, stages.size()));
        }
    }

    /**
     * Returns the stages of a group.
     *
     * @param first number of its first stage in the whole run
     */
    public static List<Stage> stages(Group group, int first) {
        return new PlannedSchedule(group.load())
                .first().stream()
                        .map(stage -> new Stage(
                                first + stage.number(),
                                stage.load(),
                                group.startAfter().toNanos() + stage.startNanos()))
                        .toList();
    }

    @Override
    public List<Stage> first() {
        return List.copyOf(stages);
    }

    @Override
    public String phase(long elapsedNanos) {
        List<String> phases = new ArrayList<>();
        for (int i = 0; i < groups.size(); i++) {
            long since = elapsedNanos - groups.get(i).startAfter().toNanos();
            phases.add(groups.get(i).name() + " "
                    + (since < 0 ? "waits" : courses.get(i).phase(since)));
        }
        return String.join(", ", phases);
    }
}
