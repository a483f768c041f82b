#!/usr/bin/env bash
# step.sh format|check|test: runs a command on $INPUT_PATHS, one path per line, with annotations, and adds what it found
# to the summary of the job. Fails if the command fails. The folder $REPORTS keeps the output for later steps.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

case $1 in
format) command=(tile fmt --check) ;;
check) command=(tile check ${INPUT_GPU:+"--gpu=$INPUT_GPU"}) ;;
test) command=(tile test --allow-empty) ;;
esac

paths=()
while read -r path; do
    [ -z "$path" ] || paths+=("$path")
done <<<"$INPUT_PATHS"
[ ${#paths[@]} -gt 0 ] || paths=(.)

report=$REPORTS/$1
status=0
"${command[@]}" --output-format=github -- "${paths[@]}" >"$report" 2>&1 || status=$?
# `tile test` reports the errors of a program that cannot run, as `tile check` did.
if [ "$1" = test ] && [ -s "$REPORTS/check" ]; then
    grep -vxF -f "$REPORTS/check" "$report" >"$report.new" || true
    mv "$report.new" "$report"
fi
cat "$report"

result=passed
[ "$status" = 0 ] || result=failed
{
    printf '### `%s`: %s\n\n' "${command[0]} ${command[1]}" "$result"
    [ ! -s "$report" ] || awk -f "$here/summary.awk" "$report"
} >>"$GITHUB_STEP_SUMMARY"
exit "$status"
