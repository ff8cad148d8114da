#!/bin/sh
# Starts the framework's time server by the program that runs the experiment, however that was started: it is the parent of this script,
# and what follows -jar in its command is the jar.
#   sh time-server.sh [OPTION ...]
set -eu
jar=$(tr '\0' '\n' </proc/$PPID/cmdline | sed -n '/^-jar$/{n;p;q;}')
case $jar in
/*) ;;
# As the parent process sees it; this script is elsewhere.
*) jar=$(readlink /proc/$PPID/cwd)/$jar ;;
esac
[ -f "$jar" ] || { echo "time-server.sh: expected a java -jar JAR as the parent process, got $(tr '\0' ' ' </proc/$PPID/cmdline)" >&2; exit 1; }
exec "${JAVA_HOME:+$JAVA_HOME/bin/}java" -jar "$jar" time-server "$@"
