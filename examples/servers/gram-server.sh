#!/bin/sh
# A GRAM5 gatekeeper with the job manager "fork", until it is stopped. It has everything of its own, in /tmp/diperf-gram/PORT: an authority, a
# certificate of localhost, a user's proxy.pem, the trusted certificates, and, in a mount namespace, the account gramuser, which jobs run as.
# When it is stopped its process namespace goes, and with it job managers and jobs. The job manager writes what it does to jobmanager.log.
# It listens on all addresses; it serves only its own authority's user.
# Needs grid-certificates.sh next to this, root, util-linux, openssl, globus-proxy-utils, globus-gatekeeper, globus-gram-job-manager, globus-gram-job-manager-fork.
# Usage: gram-server.sh PORT [OTHER-PORT]: with the authority and certificates of the gatekeeper at OTHER-PORT, so that one proxy is good for both
set -eu
here=$(cd "$(dirname "$0")" && pwd)
port=$1
others=${2:+/tmp/diperf-gram/$2}
folder=/tmp/diperf-gram/$port
account=$((40000 + port % 20000))
rm -rf "$folder"
mkdir -p "$folder/trusted" "$folder/services" "$folder/home" "$folder/state"
cd "$folder"
if [ -n "$others" ]; then
    cp "$others/trusted/"* trusted
    cp "$others"/*.pem .
else
    sh "$here/grid-certificates.sh" "$folder"
fi
echo '"/O=Grid/OU=test/CN=Test User" gramuser' > grid-mapfile
cp /etc/passwd passwd
echo "gramuser:x:$account:$(id -g nobody):GRAM:$folder/home:/bin/sh" >> passwd
chown "$account" home state
: > jobmanager.log
chown "$account" jobmanager.log
chmod 755 "$folder"
# Its certificates are no default of the helpers that bring output back, so they are told.
# In this process namespace numbers of processes, which are jobs' names, begin anew, so no state of another one may be found.
printf '%s\n' '-globus-toolkit-version 6.2' "-log-pattern $folder/jobmanager.log" '-log-levels TRACE|INFO|DEBUG|WARN|ERROR|FATAL' \
    "-x509-cert-dir $folder/trusted" "-state-file-dir $folder/state" > job-manager.conf
echo "stderr_log,local_cred - /usr/sbin/globus-job-manager globus-job-manager -conf $folder/job-manager.conf -type fork" \
    > services/jobmanager-fork
# unshare lets SIGTERM pass; when it is killed, so is the first process of the namespace, and with that all others.
X509_CERT_DIR=$folder/trusted setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child --mount-proc sh -c "
    mount --bind '$folder/passwd' /etc/passwd
    exec globus-gatekeeper -f -p $port -l '$folder/gatekeeper.log' -grid_services '$folder/services' -gridmap '$folder/grid-mapfile' \
        -x509_cert_dir '$folder/trusted' -x509_user_cert '$folder/host-cert.pem' -x509_user_key '$folder/host-key.pem'" &
server=$!
trap 'kill -KILL $server' EXIT
trap 'exit 0' INT TERM
wait $server
