#!/bin/sh
# Run as root while the container is built; PACKAGE is the option of the same name.
set -eu
if ! command -v npm >/dev/null; then
  echo "sandpiper: this feature needs Node 20.19, 22.2 or newer. Use an image that has it, or add the feature ghcr.io/devcontainers/features/node." >&2
  exit 1
fi
if [ -z "${PACKAGE:-}" ]; then
  echo "sandpiper: set the option \"package\" to what npm pack made, or to the name under which you published it." >&2
  exit 1
fi
npm install --global --no-audit --no-fund "$PACKAGE"
sandpiper --version
