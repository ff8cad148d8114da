#!/bin/sh
# The NAS parallel benchmarks on hosts of an emulated network. Needs the sources of NPB 3.4, of which NPB says the folder NPB3.4-MPI, Open MPI and
# gfortran (libopenmpi-dev, openmpi-bin, gfortran), and on-host.sh next to this.
#   npb.sh build CODE.CLASS...          builds what is missing into /tmp/diperf-npb, and says so; then it waits to be stopped
#   npb.sh run CODE.CLASS HOST,HOST,... runs one of them there, one process a host, and fails unless it verifies its own result
set -eu
to=/tmp/diperf-npb
word=$1
shift
case $word in
    build)
        here=$PWD
        for each in "$@"; do
            [ ! -x "$to/$each" ] || continue
            if [ ! -f "$to/sources/config/make.def" ]; then
                [ -f "${NPB:-}/config/make.def.template" ] || { echo "npb.sh: expected in NPB the folder NPB3.4-MPI of the sources, got '${NPB:-}'" >&2; exit 1; }
                mkdir -p "$to"
                cp -r "$NPB" "$to/sources"
                mkdir -p "$to/sources/bin"
                sed 's/^FFLAGS.*/FFLAGS = -O2 -fallow-argument-mismatch -fallow-invalid-boz/' "$NPB/config/make.def.template" > "$to/sources/config/make.def"
            fi
            make -C "$to/sources" "${each%.*}" CLASS="${each#*.}" > "$to/$each.log" 2>&1 || { tail -n 5 "$to/$each.log" >&2; exit 1; }
            cp "$to/sources/bin/$each.x" "$to/$each"
        done
        cp "$here/npb.sh" "$here/on-host.sh" "$to"
        # How mpirun starts its part on a host: with the host's name and a line for a shell.
        printf '#!/bin/sh\nhost=$1\nshift\nexec sh %s/on-host.sh "$host" sh -c "$*"\n' "$to" > "$to/agent"
        chmod 755 "$to/agent"
        echo 'all programs are there'
        exec sleep infinity
        ;;
    run)
        code=$1 hosts=$2
        # Processes that wait give the processor away, since there are fewer processors than processes; all they say to one another goes over the network.
        out=$(mpirun --allow-run-as-root --host "$hosts" --map-by node --mca plm_rsh_agent "$to/agent" --mca plm_rsh_no_tree_spawn 1 \
            --mca mpi_yield_when_idle 1 --mca btl self,tcp --mca pml ob1 --mca btl_tcp_if_include 10.99.0.0/16 --mca oob_tcp_if_include 10.99.0.0/16 \
            "$to/$code" 2>&1) || { echo "$out" | tail -n 5; exit 1; }
        echo "$out"
        echo "$out" | grep -q 'SUCCESSFUL'
        ;;
    *)
        echo 'Usage: npb.sh build CODE.CLASS... | run CODE.CLASS HOST,HOST,...' >&2
        exit 2
        ;;
esac
