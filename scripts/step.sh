#!/usr/bin/env bash
# step.sh [--usual SECONDS] [--total N --counter CODE] [--hint TEXT] TITLE COMMAND…
#
# Runs one step of the set-up. What COMMAND prints goes to .venv/setup.log. A terminal shows the title, the usual
# time and a moving line; anything else gets a line every 30 s. On failure: the end of the log, and the hint.
# CODE is shell code that prints how many of the N parts are done; it finds the log's part of this step in $part.
set -euo pipefail

usual="" total=0 counter="" hint="Then give the same command again: what is done stays done."
while [ $# -gt 0 ]; do
  case $1 in
    --usual) usual=", usually $2 s" ;;
    --total) total=$2 ;;
    --counter) counter=$2 ;;
    --hint) hint="$2 $hint" ;;
    *) break ;;
  esac
  shift 2
done
title=$1
shift

root=$(cd "$(dirname "$0")/.." && pwd)
log="$root/.venv/setup.log"
mkdir -p "${log%/*}"
echo "── $(date '+%F %T') $title: $*" >>"$log"
from=$(($(wc -c <"$log") + 1))
part() { tail -c "+$from" "$log"; }
echo "── $title$usual (log: .venv/setup.log)"

# Two steps at a time (make -j) cannot share one moving line.
moving=no
case " ${MAKEFLAGS:-} " in *jobserver*) ;; *) [ ! -t 1 ] || moving=yes ;; esac

how_far() {
  local counted=0 bar="" i
  if [ "$total" -gt 0 ]; then
    counted=$(eval "$counter" 2>/dev/null || true)
    [ "${counted:-0}" -le "$total" ] || counted=$total
    for ((i = 0; i < 20; i++)); do [ $((i * total)) -lt $((counted * 20)) ] && bar="$bar#" || bar="$bar."; done
    bar="[$bar] $((counted * 100 / total)) %, "
  fi
  echo "$bar$SECONDS s"
}

# The command runs in the foreground, so that Ctrl-C reaches it; the moving line does not.
paint() {
  local parent=$1 next=30
  while kill -0 "$parent" 2>/dev/null; do
    if [ "$moving" = yes ]; then
      printf '\r\033[K   %s' "$(how_far)"
    elif [ "$SECONDS" -ge "$next" ]; then
      echo "   $(how_far)"
      next=$((next + 30))
    fi
    sleep 1 >/dev/null 2>&1
  done
}
SECONDS=0
interrupted=no painter=
end_painter() {
  [ -n "$painter" ] || return 0
  kill "$painter" 2>/dev/null || true
  wait "$painter" 2>/dev/null || true
  painter=
  if [ "$moving" = yes ]; then printf '\r\033[K'; fi
}
# The traps come after the painter: a painter that is ended at once would still run an inherited one, with an error.
paint $$ 2>/dev/null &
painter=$!
trap end_painter EXIT
trap 'interrupted=yes' INT

status=0
"$@" >>"$log" 2>&1 </dev/null || status=$?
end_painter

if [ "$interrupted" = yes ]; then
  echo "── $title: interrupted. The same command goes on from here." >&2
  exit 130
elif [ "$status" -ne 0 ]; then
  {
    echo "   failed after $SECONDS s. The end of .venv/setup.log:"
    part | tail -n 20 | sed 's/^/   │ /'
    echo "error: $title failed. $hint"
  } >&2
  exit "$status"
fi
echo "   done in $SECONDS s"
