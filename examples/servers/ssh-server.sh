#!/bin/sh
# An sshd on the loopback, or on any address, until it is stopped, with keys of its own in /tmp/diperf-ssh/PORT: user (to log in by),
# known_hosts. Needs openssh-server and openssh-client. Usage: ssh-server.sh PORT [any]
set -eu
folder=/tmp/diperf-ssh/$1
rm -rf "$folder"
mkdir -p "$folder" /run/sshd
address=127.0.0.1
[ "${2:-}" != any ] || address=0.0.0.0
chmod 755 "$folder"
for key in host user; do ssh-keygen -q -t ed25519 -N '' -f "$folder/$key"; done
printf '[127.0.0.1]:%s %s\n' "$1" "$(cat "$folder/host.pub")" > "$folder/known_hosts"
cat > "$folder/sshd_config" <<END
ListenAddress $address
Port $1
HostKey $folder/host
AuthorizedKeysFile $folder/user.pub
PidFile none
StrictModes no
UsePAM no
PermitRootLogin yes
MaxStartups 500
MaxSessions 100
Subsystem sftp internal-sftp
END
exec /usr/sbin/sshd -D -f "$folder/sshd_config" -E "$folder/log"
