#!/usr/bin/env bash
# Prints this machine's GPUs for Spark, as {"name": "gpu", "addresses": ["...", ...]}.
#
# The addresses are the UUIDs of NVIDIA GPUs where their driver's tool is present, else the PCI
# addresses of all display controllers with a render node: never an order of enumeration, which
# may differ between this script and the executor.
set -euo pipefail

uuids() {
  nvidia-smi --query-gpu=uuid --format=csv,noheader 2>/dev/null | sed 's/^GPU-//'
}

render_nodes() {
  local device
  for device in /sys/class/drm/renderD*/device; do
    if [[ -e $device ]]; then
      basename "$(readlink -f "$device")"
    fi
  done
}

if command -v nvidia-smi >/dev/null; then
  addresses=$(uuids)
else
  addresses=$(render_nodes)
fi

printf '{"name": "gpu", "addresses": ['
separator=''
for address in $addresses; do
  printf '%s"%s"' "$separator" "$address"
  separator=', '
done
printf ']}\n'
