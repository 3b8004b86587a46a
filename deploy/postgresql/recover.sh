#!/bin/bash
# Makes a PostgreSQL cluster as it was at a time, in a folder that is empty: start PostgreSQL on it, and it reads
# the log up to then. Run it as the account that PostgreSQL runs as.
#
#   ARCHIVE=/backups/log IDENTITY=/root/backup.key recover.sh FOLDER ['2026-11-26 09:15:00+00']
set -euo pipefail
# Names sort as times do.
export LC_ALL=C
# PostgreSQL calls what is written here from another folder.
archive=$(realpath -e "$ARCHIVE") identity=$(realpath -e "$IDENTITY") folder=$(realpath -m "$1") until=${2:-}

# The last whole copy that was finished by then.
last=base-9
if [ -n "$until" ]; then
    last=base-$(date -u -d "$until" +%Y%m%dT%H%M%S.%6NZ)
    until=$(date -u -d "$until" '+%Y-%m-%d %H:%M:%S.%6N+00')
fi
base=
for file in "$archive"/base-*.tar.zst.age; do
    name=${file##*/}
    [[ ${name%.tar.zst.age} > $last ]] || base=$file
done
[ -e "$base" ] || { echo "no base-*.tar.zst.age from before that time in $archive" >&2; exit 1; }

mkdir -p "$folder"
chmod 700 "$folder"
[ -z "$(ls -A "$folder")" ] || { echo "$folder is not empty" >&2; exit 1; }
age --decrypt --identity "$identity" "$base" | zstd --quiet --decompress | tar -x -C "$folder"

# What PostgreSQL calls for each piece of the log; it may ask for one that there is not. Up to 125 means just
# that, and it ends recovery and goes on from there; anything above stops it.
{
    printf '#!/bin/bash\narchive=%q identity=%q base=%q\n' "$archive" "$identity" "$base"
    cat <<'EOF'
set -uo pipefail
export LC_ALL=C
stop() { echo "$1" >&2; exit 200; }
[ -r "$base" ] || stop "$archive cannot be read"
if [ ! -e "$archive/$1.zst.age" ]; then
    # A later piece of the same history says that this one was lost.
    if [[ $1 =~ ^[0-9A-F]{24}$ ]]; then
        for file in "$archive/${1:0:8}"????????????????.zst.age; do
            name=${file##*/}
            [[ -e $file && ${name%.zst.age} > $1 ]] && stop "$1 is missing, and $name is there"
        done
    fi
    exit 1
fi
age --decrypt --identity "$identity" "$archive/$1.zst.age" | zstd --quiet --decompress > "$2" ||
    stop "$1.zst.age is damaged, or cannot be read"
EOF
} > "$folder/fetch.sh"
{
    echo "restore_command = 'bash fetch.sh %f %p'"
    # It must not write over what the cluster that it is made of has stored.
    echo "archive_mode = off"
    [ -z "$until" ] || echo "recovery_target_time = '$until'"
    echo "recovery_target_action = 'promote'"
} >> "$folder/postgresql.auto.conf"
touch "$folder/recovery.signal"
cat <<EOF
made of ${base##*/}: start PostgreSQL on $folder
It archives nothing. Once it is what you want, name an empty folder in archive_command, then:
    psql -c 'ALTER SYSTEM RESET archive_mode' -c 'ALTER SYSTEM RESET restore_command'
    psql -c 'ALTER SYSTEM RESET recovery_target_time' -c 'ALTER SYSTEM RESET recovery_target_action'
and start PostgreSQL again and run base.sh: what was archived before leads to no later time.
EOF
