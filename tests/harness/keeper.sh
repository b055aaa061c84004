# Runs a browser's driver, and ends it with all that it has started once nobody wants it any more: standard input is a
# pipe whose other end only the tests hold, so it ends with them, however they end. Then the folder is removed.
#
#   bash -c "$(cat keeper.sh)" keeper FOLDER DRIVER [ARGUMENT…]
set -m # The driver leads a process group of its own, which the browser belongs to as well.
folder=$1
shift
"$@" </dev/null &
driver=$!
exec >/dev/null # What the driver prints ends with the driver, so that one that cannot start is noticed at once.
cat >/dev/null
kill -KILL -- "-$driver"
wait
rm -rf -- "$folder"
