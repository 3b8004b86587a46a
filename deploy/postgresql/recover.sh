#!/bin/bash
# Makes a PostgreSQL cluster as it was at a time, in a folder that is empty: start PostgreSQL on it, and it reads
# the log up to then. Run it as the account that PostgreSQL runs as.
#
#   ARCHIVE=/backups/log IDENTITY=/root/backup.key recover.sh FOLDER ['2026-11-26 09:15:00+00']
set -euo pipefail
folder=$1 until=${2:-}

# The last whole copy from before that time; names sort as times do.
last=base-9
[ -z "$until" ] || last=base-$(date -u -d "$until" +%Y%m%dT%H%M%SZ)
base=
for file in "$ARCHIVE"/base-*.tar.zst.age; do
    [[ ${file##*/} > $last ]] || base=$file
done
[ -e "$base" ] || { echo "no base-*.tar.zst.age from before that time in $ARCHIVE" >&2; exit 1; }

mkdir -p "$folder"
chmod 700 "$folder"
[ -z "$(ls -A "$folder")" ] || { echo "$folder is not empty" >&2; exit 1; }
age --decrypt --identity "$IDENTITY" "$base" | zstd --quiet --decompress | tar -x -C "$folder"

# What PostgreSQL calls for each piece of the log; it may ask for one that there is not.
cat > "$folder/fetch.sh" <<EOF
#!/bin/bash
set -euo pipefail
[ -e '$ARCHIVE'/"\$1".zst.age ]
age --decrypt --identity '$IDENTITY' '$ARCHIVE'/"\$1".zst.age | zstd --quiet --decompress > "\$2"
EOF
chmod 700 "$folder/fetch.sh"
{
    echo "restore_command = '$folder/fetch.sh %f %p'"
    # It must not write over what the cluster that it is made of has stored.
    echo "archive_mode = off"
    [ -z "$until" ] || echo "recovery_target_time = '$until'"
    echo "recovery_target_action = 'promote'"
} >> "$folder/postgresql.auto.conf"
touch "$folder/recovery.signal"
echo "made of ${base##*/}: start PostgreSQL on $folder"
