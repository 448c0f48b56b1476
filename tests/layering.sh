#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A folder of src/bricard may include itself and the folders before it in this order, no other.
set -euo pipefail
cd "$(dirname "$0")/.."

order=(math model system elements assemble solve integrate results analysis io)

declare -A place
for i in "${!order[@]}"; do place[${order[i]}]=$i; done

faults=0
fault() {
  echo "$1" >&2
  faults=$((faults + 1))
}

for folder in src/bricard/*/; do
  name=$(basename "$folder")
  [[ -n ${place[$name]:-} ]] || fault "src/bricard/$name: not in the order of folders"
done

# Lines file:line:#include "target"; a relative path would hide its folder from this test.
while IFS=: read -r file line text; do
  [[ $text =~ [\"\<]([^\"\>]+)[\"\>] ]] || continue
  target=${BASH_REMATCH[1]}
  from=$(cut -d/ -f3 <<<"$file")
  if [[ $target == *../* ]]; then
    fault "$file:$line: includes $target: write it as bricard/<folder>/<file>"
  elif [[ $target == bricard/* ]]; then
    to=$(cut -d/ -f2 <<<"$target")
    if [[ -z ${place[$to]:-} ]]; then
      fault "$file:$line: includes $target: not in the order of folders"
    elif [[ -n ${place[$from]:-} ]] && ((${place[$to]} > ${place[$from]})); then
      fault "$file:$line: $from includes $target, but $to comes after $from"
    fi
  elif [[ $target == cli/* ]]; then
    fault "$file:$line: the library includes the program: $target"
  fi
done < <(grep -rnE --include='*.h' --include='*.cpp' '^[[:space:]]*#[[:space:]]*include' \
  src/bricard || true)

if ((faults > 0)); then
  echo "$faults faults; the order is: ${order[*]}" >&2
  exit 1
fi
