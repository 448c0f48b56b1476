#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the Debian 12 packages that Bricard needs and that are missing; does nothing, fast, when
# all are there.
#     scripts/install-packages.sh [test] [bench] [format] [tidy]
set -euo pipefail

wanted=(
  cmake ninja-build g++ ccache pkg-config
  libeigen3-dev libspectra-dev libsuitesparse-dev liblapack-dev libmetis-dev libmatio-dev libyaml-cpp-dev libhdf5-dev zlib1g-dev libcli11-dev libfmt-dev
  nlohmann-json3-dev libgtest-dev libmuparser-dev
)
# Node.js may come from elsewhere than Debian: a command that works is not replaced.
command -v node >/dev/null || wanted+=(nodejs ca-certificates)
command -v npm >/dev/null || wanted+=(npm)

for use in "$@"; do
  case $use in
    test)  # chromium: tests of the viewer's page; gmsh, calculix-ccx: parts that tests mesh and solve
      wanted+=(chromium gmsh calculix-ccx python3 python3-jsonschema python3-yaml)
      wanted+=(python3-dev python3-numpy python3-matplotlib python3-pytest python3-pip pybind11-dev)  # the Python module
      ;;
    bench) wanted+=(libbenchmark-dev libsundials-dev) ;;  # SUNDIALS: a peer to compare with
    format) wanted+=(clang-format) ;;
    tidy) wanted+=(clang-tidy) ;;
    *)
      echo "usage: $0 [test] [bench] [format] [tidy]" >&2
      exit 2
      ;;
  esac
done

if ! command -v dpkg-query >/dev/null; then
  echo "Not a Debian system; please install what corresponds to: ${wanted[*]}" >&2
  exit 0
fi

# dpkg-query complains about, and leaves out, packages it never heard of: those are missing too.
installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${wanted[@]}" 2>/dev/null |
  sed -n 's/^installed //p' || true)
missing=()
for package in "${wanted[@]}"; do
  grep -qxF -- "$package" <<<"$installed" || missing+=("$package")
done
((${#missing[@]} > 0)) || exit 0

as_root=()
if ((EUID != 0)); then
  if ! command -v sudo >/dev/null; then
    echo "Missing packages: ${missing[*]}" >&2
    echo "Neither root nor sudo is available. Ask an administrator for:" >&2
    echo "    apt-get install --no-install-recommends ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi

apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq)
echo "Installing: ${missing[*]}"
"${apt[@]}" update
"${apt[@]}" install -y --no-install-recommends "${missing[@]}"
