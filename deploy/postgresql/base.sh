#!/bin/bash
# Stores a whole PostgreSQL cluster, compressed and encrypted, from which the log leads on: once a day, say.
#
#   ARCHIVE=/backups/log RECIPIENTS=/etc/concord/recipients PGHOST=… PGUSER=… base.sh
set -euo pipefail
to=$ARCHIVE/base-$(date -u +%Y%m%dT%H%M%SZ).tar.zst.age
part=$(mktemp "$ARCHIVE/.part-XXXXXX")
trap 'rm -f "$part"' EXIT
pg_basebackup --no-password --checkpoint=fast --wal-method=fetch --format=tar --pgdata=- |
    zstd --quiet --stdout | age --encrypt --recipients-file "$RECIPIENTS" > "$part"
sync "$part"
mv "$part" "$to"
sync "$ARCHIVE"
echo "$to"
