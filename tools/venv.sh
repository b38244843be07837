#!/bin/sh
# Make .venv hold what requirements.txt (or, with the argument "dev", requirements-dev.txt) pins.
# Quiet; does nothing when that is so already. PYTHON=... chooses the interpreter.
set -eu
cd "$(dirname "$0")/.."
set_name=${1:-run}

stop() {
    echo "$1" >&2
    exit 1
}

# One of 3.11, 3.12 and 3.13; run, because a python3.x of a version manager may be an empty shell.
is_wanted() {
    "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null
}

case $set_name in
run) files=requirements.txt ;;
dev) files="requirements.txt requirements-dev.txt" ;;
*) stop "tools/venv.sh takes nothing or dev." ;;
esac
# shellcheck disable=SC2086 # the list of files is meant to be split
wanted=$(cat $files | cksum)
marker=.venv/.installed-$set_name
if [ -x .venv/bin/python ] && [ "$(cat "$marker" 2>/dev/null)" = "$wanted" ]; then
    exit 0
fi

if [ -x .venv/bin/python ] && is_wanted .venv/bin/python; then
    python=""
else
    python=${PYTHON:-}
    if [ -n "$python" ]; then
        is_wanted "$python" || stop "PYTHON=$python is not Python 3.11, 3.12 or 3.13."
    else
        for name in python3 python3.13 python3.12 python3.11; do
            if is_wanted "$name"; then
                python=$name
                break
            fi
        done
    fi
    [ -n "$python" ] || stop "Python 3.11, 3.12 or 3.13 is needed and none was found: install \
one, or name it with PYTHON=/path/to/python3.12."
fi

machine=$(uname -s)-$(uname -m)
case $machine in
Linux-x86_64 | Darwin-arm64) ;;
*) stop "The simulated board needs Linux on x86-64 or macOS on Apple silicon: there is no \
MicroPython package for $machine." ;;
esac

if [ -n "$python" ]; then
    echo "Setting up .venv with $("$python" --version 2>&1) ..." >&2
    rm -rf .venv
    "$python" -m venv .venv >/dev/null 2>.venv-error </dev/null || {
        rm -rf .venv
        rm -f .venv-error
        stop "Python's venv module does not work: on Debian and Ubuntu install python3-venv."
    }
    rm -f .venv-error
else
    echo "Bringing .venv up to date ..." >&2
fi
log=.venv/install.log
if ! .venv/bin/python -m pip install --disable-pip-version-check -q -r "${files##* }" \
    >"$log" 2>&1 </dev/null; then
    tail -n 5 "$log" >&2
    stop "The packages of ${files##* } could not be installed (all of it is in $log): check the \
network and repeat."
fi
echo "$wanted" >"$marker"
# The larger set holds the smaller one.
[ "$set_name" = run ] || cksum <requirements.txt >.venv/.installed-run
