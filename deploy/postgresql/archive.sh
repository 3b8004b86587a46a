#!/bin/bash
# Stores a piece of PostgreSQL's log, compressed and encrypted. In postgresql.conf:
#
#   archive_mode = on
#   archive_timeout = 60s      # a piece a minute at least, even if few write
#   archive_command = 'ARCHIVE=/backups/log RECIPIENTS=/etc/concord/recipients bash /etc/concord/archive.sh %p %f'
set -euo pipefail
from=$1 name=$2

# PostgreSQL asks again where it does not know whether it was answered: what is there has to be the same.
sum=$(sha256sum < "$from")
if [ -e "$ARCHIVE/$name.zst.age" ]; then
    [ "$sum" = "$(cat "$ARCHIVE/$name.sha256")" ]
    exit
fi
part=$(mktemp "$ARCHIVE/.part-XXXXXX")
trap 'rm -f "$part"' EXIT
zstd --quiet --stdout < "$from" | age --encrypt --recipients-file "$RECIPIENTS" > "$part"
echo "$sum" > "$ARCHIVE/$name.sha256"
sync "$part" "$ARCHIVE/$name.sha256"
mv "$part" "$ARCHIVE/$name.zst.age"
sync "$ARCHIVE"
