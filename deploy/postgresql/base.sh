#!/bin/bash
# Stores a whole PostgreSQL cluster, compressed and encrypted, from which the log leads on: once a day, say. It is
# called by when it was finished: the log leads to no time before that.
#
#   ARCHIVE=/backups/log RECIPIENTS=/etc/concord/recipients PGHOST=… PGUSER=… base.sh
set -euo pipefail
# What was killed a day ago or longer does not come back.
find "$ARCHIVE" -maxdepth 1 -name '.part-*' -mmin +1440 -delete
part=$(mktemp "$ARCHIVE/.part-XXXXXX")
trap 'rm -f "$part"' EXIT
pg_basebackup --no-password --checkpoint=fast --wal-method=fetch --format=tar --pgdata=- |
    zstd --quiet --stdout | age --encrypt --recipients-file "$RECIPIENTS" > "$part"
to=$ARCHIVE/base-$(date -u +%Y%m%dT%H%M%S.%6NZ).tar.zst.age
sync "$part"
mv "$part" "$to"
sync "$ARCHIVE"
echo "$to"
