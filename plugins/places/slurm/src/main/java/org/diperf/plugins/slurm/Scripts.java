package org.diperf.plugins.slurm;

import static org.diperf.plugins.slurm.LoginNode.quoted;

/** The shell scripts of a run, for the POSIX shell. None holds a secret. */
final class Scripts {

    /** Begins a ticket in the stream of all tickets. */
    static final String TICKET = "@@ticket ";

    /** Takes the stream of all tickets apart. */
    static final String SPLIT_TICKETS = "/^@@ticket /{close(f); f=\"tester-\" $2 \".part\"; next} {print > f}";

    /** Gives the tickets their names, now that they are whole. */
    static final String NAME_TICKETS = "for each in *.part; do mv \"$each\" \"${each%.part}.ticket\" || exit 1; done";

    /** Begins a log in the stream of all logs. */
    static final String LOG = "@@log ";

    /** Makes one stream of all logs, of each the first thousand lines. */
    static final String JOIN_LOGS = "FNR==1{print \"@@log \" FILENAME} FNR<=1000{print \"|\" $0}";

    /** Stands between the parts of what {@link #poll} says. */
    static final String PART = "@@part";

    private static final String TESTER = """
            #!/bin/sh
            # Starts one tester, as a task of a Slurm job. The task's number says which one.
            umask 077
            folder=@FOLDER@
            job=$1
            n=$(sed -n "$((SLURM_PROCID + 1))p" "$folder/jobs/$job.testers")
            exec >"$folder/logs/tester-$n.log" 2>&1
            state=$folder/states/tester-$n
            echo "${SLURMD_NODENAME:-$(uname -n)}" >"$state.part" && mv "$state.part" "$state.node"
            scratch=$(mktemp -d "${TMPDIR:-/tmp}/diperf-tester-XXXXXXXX") || exit 1
            # The tester hears the signals of Slurm too; this shell stays to clean up.
            trap : TERM INT
            exec <"$folder/tickets/tester-$n.ticket" && rm -f "$folder/tickets/tester-$n.ticket"
            cd "$scratch"
            @COMMAND@ --folder "$scratch" --spool "$folder/spool"
            code=$?
            cd /
            rm -rf "$scratch"
            echo $code >"$state.part" && mv "$state.part" "$state.exit"
            exit 0
            """;

    /** A task that ends with an error, or on a node that fails, must not end the others: hence the options of srun. */
    private static final String JOB = """
            #!/bin/sh
            # Starts the testers of one job on the nodes that Slurm gave it. Where their controller is gone for good, removes
            # what it can no longer remove.
            folder=@FOLDER@
            cd /
            # The tasks hear the signals of Slurm; this shell stays to clean up.
            trap : TERM INT
            [ -z "$SLURM_CPUS_PER_TASK" ] || export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"
            srun --no-kill --kill-on-bad-exit=0 --wait=0 --input=none --output=none \\
                sh "$folder/tester.sh" @JOB@
            code=$?
            : >"$folder/jobs/@JOB@.done" || exit $code
            gone=
            for each in "$folder"/states/*.exit; do
                case $(cat "$each" 2>/dev/null) in
                    # This tester's controller was gone.
                    3) gone=yes ;;
                    # It told this one to end, and so takes the logs and the rest.
                    0 | 4 | 5) exit $code ;;
                esac
            done
            [ -n "$gone" ] || exit $code
            for each in "$folder"/jobs/*.sh; do
                [ -e "${each%.sh}.done" ] || exit $code
            done
            exec >/dev/null 2>&1
            @REMOVE@
            exit $code
            """;

    /** The folders of a run next to that of the samples. */
    static final String FOLDERS = "jobs logs plugins states tickets";

    /**
     * Removes the folder of a run but for the samples that testers have left in it. What no run puts there stays, and the folder
     * with it.
     */
    private static final String REMOVE = """
            for each in diperf-tester.jar tester.sh @FOLDERS@; do
                rm -rf -- "$folder/$each"
            done
            rmdir "$folder/spool" 2>/dev/null
            [ -d "$folder/spool" ] || [ ! -d "$folder" ] || rmdir "$folder"
            """.replace("@FOLDERS@", FOLDERS);

    private Scripts() {}

    /** @param command starts a tester that reads its ticket from its standard input; {@code --folder} is added */
    static String tester(String folder, String command) {
        return TESTER.replace("@FOLDER@", quoted(folder)).replace("@COMMAND@", command);
    }

    static String job(String folder, int job) {
        return JOB.replace("@FOLDER@", quoted(folder))
                .replace("@JOB@", String.valueOf(job))
                .replace("@REMOVE@", REMOVE.strip());
    }

    /** Removes the folder but for the samples that testers have left in it. */
    static String remove(String folder) {
        return "folder=" + quoted(folder) + "\n" + REMOVE;
    }

    /**
     * Asks for the jobs, for the nodes that they still have, and for what the tasks left, at once.
     *
     * @param jobIds Slurm's numbers of the jobs, separated by {@code |}
     */
    static String poll(String folder, String jobIds) {
        // By user, because squeue refuses to speak of jobs that it has forgotten.
        return "all=$(squeue --noheader --states=all --user=\"$(id -un)\" --format='" + JobState.FORMAT
                + "') || exit 1; jobs=$(echo \"$all\" | grep -E '^(" + jobIds + ")[|]'); echo \"$jobs\"; echo " + PART
                + "; nodes=$(echo \"$jobs\" | awk -F'|' '$4 != \"\" {print $4}' | paste -sd, -);"
                + " [ -z \"$nodes\" ] || sinfo --noheader --Node --nodes=\"$nodes\" --format='%N %t'; echo " + PART
                + "; cd " + quoted(folder) + "/states && grep '' tester-*.node tester-*.exit /dev/null 2>/dev/null;"
                + " exit 0";
    }
}
