# Shared by the scripts: where we are, how we talk, and how missing system packages are installed.
# shellcheck shell=bash
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# A line for people, on standard error.
say() { printf '%s\n' "$*" >&2; }

# A headline for people.
step() { printf '\n== %s\n' "$*" >&2; }

stop() {
    say "error: $*"
    exit 1
}

need_swift() {
    command -v swift >/dev/null 2>&1 || stop "Swift 6.3 or later is needed: https://www.swift.org/install/linux/"
}

# Installs the Debian packages that are missing, and says which.
need_packages() {
    local missing=() name
    for name in "$@"; do
        [ "$(dpkg-query -W -f='${db:Status-Status}' "$name" 2>/dev/null || true)" = installed ] || missing+=("$name")
    done
    [ ${#missing[@]} -eq 0 ] && return 0
    say "installing Debian packages: ${missing[*]}"
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null 2>&1 || stop "install these as root first: apt-get install ${missing[*]}"
        as_root=(sudo)
    fi
    "${as_root[@]}" apt-get update -qq >&2
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
}

# What the program needs to be built and run.
need_build_packages() {
    need_packages libsodium-dev libsecret-1-dev libsqlite3-dev libqrencode-dev libpng-dev libsystemd-dev \
        pkg-config zbar-tools
    write_headers
}

# Of libsecret only the headers are for the build: the program looks its functions up when it first needs them,
# and a program that is linked to it pays for that at every start. So the build finds this description first.
headers=$root/.build/headers
write_headers() {
    mkdir -p "$headers"
    {
        echo "Name: libsecret-1"
        echo "Description: its headers, without the library"
        echo "Version: $(pkg-config --modversion libsecret-1)"
        echo "Cflags: $(pkg-config --cflags-only-I libsecret-1)"
    } >"$headers/libsecret-1.pc.new-$$"
    mv "$headers/libsecret-1.pc.new-$$" "$headers/libsecret-1.pc"
}

# An undeclared import between modules is an error. The toolchain's own linker needs less than half the time of gold.
strict=(--explicit-target-dependency-import-check error --pkg-config-path "$headers" -Xswiftc -use-ld=lld)

# How the program is built to be installed. Its start decides how quick it feels, and most of that is the
# loader's work. So the Swift libraries and the C++ ones below them are inside (the linker takes the archives
# because the folder named first has nothing else), what is unused is left out, addresses are written down
# briefly, and the rest is resolved at once. The C libraries stay shared, so that the system's security
# updates reach them, and are never looked for beside the program.
set_release() {
    local archive folder=$root/.build/archives
    release=(-c release --static-swift-stdlib --disable-local-rpath -Xlinker -z -Xlinker now -Xlinker -s "${strict[@]}")
    # No one looks up the names of the program's own functions, so the loader need not either.
    release+=(-Xlinker --no-export-dynamic)
    # Each function is a section of its own and none is kept for programs that are linked later: the linker leaves
    # out what nothing calls.
    release+=(-Xswiftc -Xfrontend -Xswiftc -internalize-at-link -Xswiftc -Xfrontend -Xswiftc -function-sections)
    release+=(-Xcc -ffunction-sections -Xcc -fdata-sections)
    # Generic types are put together from their parts and not from their names (ARCHITECTURE.md, quick starts).
    release+=(-Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors)
    # Functions of the same instructions are kept once: every type has its own, and many are alike.
    release+=(-Xlinker --icf=all)
    # Package.swift reads this: more modules are built to be small than where another package uses ours.
    export HSIP_INSTALLED=1
    # They are stripped, so nothing is written for a debugger in the first place.
    release+=(-debug-info-format none)
    release+=(-Xlinker -T -Xlinker "$root/Scripts/release.ld" -Xlinker --no-eh-frame-hdr)
    mkdir -p "$folder"
    release+=(-Xswiftc "-L$folder")
    for archive in libstdc++.a=libstdc++.a libgcc_eh.a=libgcc_s.a; do
        local found
        found=$(clang -print-file-name="${archive%=*}" 2>/dev/null || true)
        [ ! -f "$found" ] || ln -sfn "$found" "$folder/${archive#*=}"
    done
    # The same for Swift's own libraries, of which a program uses little.
    need_packages python3
    local option
    while read -r option; do release+=(-Xlinker "$option"); done < <("$root/Scripts/lighten" "$folder")
    # The loader reads them since glibc 2.36.
    if [ "$(printf '%s\n' 2.36 "$(getconf GNU_LIBC_VERSION | cut -d' ' -f2)" | sort -V | head -n 1)" = 2.36 ]; then
        release+=(-Xlinker -z -Xlinker pack-relative-relocs)
    fi
}

# Builds the programs and the library to be installed; `built` is then the folder they are in.
build_release() {
    local product
    set_release
    step "build (the first time takes some minutes)"
    for product in hsip hsip-agent hsip-secrets hsip-hardware LibHSIP; do
        swift build "${release[@]}" --product "$product" >&2
    done
    built=$(swift build "${release[@]}" --show-bin-path)
    for product in hsip hsip-agent hsip-secrets hsip-hardware libLibHSIP.so; do
        ! grep -q icudt "$built/$product" || stop "$product has ICU's data inside: something imports Foundation"
    done
}
