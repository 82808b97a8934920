#!/bin/sh
# Installs the tree that contains this file, or switches back to an installed release, under systemd (Debian 12 or later, as root):
#
#   deploy/systemd/install.sh                    installs and makes it current; starts nothing the first time
#   deploy/systemd/install.sh --use <release>    goes back to (or on to) a release that is installed
#
# It prints every step and may be run again at any time: it keeps what exists, above all /etc/midman/midman.env.
#
#   /opt/midman/bun                the Bun that Midman was tried with
#   /opt/midman/releases/<…>       one folder for each release, with its packages and built pages
#   /opt/midman/current            a link to the one that runs
#   /etc/midman/midman.env         settings and secrets; root writes, the service reads
#   /var/lib/midman                data (the unit makes it); /var/backups/midman  nightly archives
set -eu
umask 022

home=/opt/midman
settings=/etc/midman/midman.env
tree=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)

say() { printf '%s\n' "$*"; }
end() {
  printf 'install.sh: %s\n' "$*" >&2
  exit 1
}

[ "$(id -u)" = 0 ] || end "run it as root"
for tool in setpriv useradd install sha256sum tar; do
  command -v "$tool" >/dev/null || end "$tool is missing (Debian: util-linux, passwd, coreutils, tar)"
done
booted=no
[ -d /run/systemd/system ] && booted=yes

make_user() {
  id midman >/dev/null 2>&1 && return
  say "user midman: made, without a shell"
  useradd --system --user-group --home-dir /var/lib/midman --no-create-home --shell /usr/sbin/nologin midman
}

# The version that scripts/prepare.ts names: from a Bun on the path, or from npm, which verifies what it downloads. Never at a start.
install_bun() {
  wanted=$(sed -n 's/^export const BUN = "\([0-9.]*\)";$/\1/p' "$tree/scripts/prepare.ts")
  [ -n "$wanted" ] || end "scripts/prepare.ts names no Bun"
  if [ -x "$home/bun" ] && [ "$("$home/bun" --version)" = "$wanted" ]; then
    say "$home/bun: is $wanted"
    return
  fi
  from=$(command -v bun || true)
  if [ -z "$from" ] || [ "$("$from" --version)" != "$wanted" ]; then
    command -v npm >/dev/null || end "neither Bun $wanted nor npm is here (Debian: apt-get install npm)"
    fetched=$(mktemp -d)
    say "Bun $wanted: fetched from npm"
    npm install --silent --no-audit --no-fund --prefix "$fetched" "bun@$wanted" >/dev/null
    from=$fetched/node_modules/bun/bin/bun.exe
  fi
  # Installed under another name and renamed in one step: the running server keeps the old file.
  install -m 0755 "$(readlink -f "$from")" "$home/bun.new"
  [ -z "${fetched:-}" ] || rm -rf "$fetched"
  [ "$("$home/bun.new" --version)" = "$wanted" ] || end "what was fetched is no Bun $wanted"
  mv -f "$home/bun.new" "$home/bun"
  say "$home/bun: $wanted installed"
}

# The tree may belong to a user other than root.
in_git() { git -c "safe.directory=$tree" -C "$tree" "$@"; }

# Version and commit; a tree with changes gets a new release each time.
name_release() {
  version=$(sed -n 's/^  "version": "\([^"]*\)",$/\1/p' "$tree/package.json")
  [ -n "$version" ] || end "package.json names no version"
  commit=
  if [ -e "$tree/.git" ] && command -v git >/dev/null; then
    commit=$(in_git rev-parse HEAD)
    [ -z "$(in_git status --porcelain)" ] || commit=
  fi
  if [ -n "$commit" ]; then release=$version-$(printf %.8s "$commit"); else release=$version-$(date -u +%Y%m%d%H%M%S); fi
}

# Built in a temporary folder and then renamed: a folder below releases/ is always complete.
install_release() {
  if [ -d "$home/releases/$release" ]; then
    say "$home/releases/$release: is there"
    return
  fi
  say "$home/releases/$release: copied, packages installed, pages built (some minutes)"
  work=$home/releases/.building
  rm -rf "$work"
  install -d "$work"
  tar -C "$tree" --exclude=./.git --exclude=./.data --exclude=./.env --exclude=./node_modules --exclude=./build \
    --exclude=./test-results --exclude=./deploy/.env --exclude=./deploy/certs --no-same-owner -cf - . | tar -C "$work" --no-same-owner -xf -
  log=$work/.install.log
  (
    cd "$work"
    PATH=$home:$PATH
    export PATH
    bun install --frozen-lockfile &&
      MIDMAN_COMMIT=$commit bun scripts/build.ts &&
      # Packages that are only for building are removed.
      rm -rf node_modules && bun install --frozen-lockfile --production
  ) >"$log" 2>&1 || { cat "$log" >&2; end "the build failed; nothing was changed"; }
  rm "$log"
  chmod -R go+rX,go-w "$work"
  mv "$work" "$home/releases/$release"
}

make_current() {
  [ -d "$home/releases/$release" ] || end "there is no $home/releases/$release"
  ln -sfn "releases/$release" "$home/current.new"
  mv -fT "$home/current.new" "$home/current"
  say "$home/current: $release"
}

install_settings() {
  install -d -m 0750 -o root -g midman /etc/midman
  if [ -e "$settings" ]; then
    say "$settings: kept as it is"
    chown root:midman "$settings"
    chmod 0640 "$settings"
    return
  fi
  install -m 0640 -o root -g midman "$home/current/deploy/example.env" "$settings"
  # Generated secrets, written once and never shown.
  for name in SESSION_SECRET ENCRYPTION_KEY METRICS_TOKEN; do
    secret=$(od -An -N32 -tx1 /dev/urandom | tr -d ' \n')
    sed -i "s/^$name=\$/$name=$secret/" "$settings"
  done
  say "$settings: made from deploy/example.env, with secrets of its own; fill in the rest, and keep ENCRYPTION_KEY elsewhere too"
}

install_units() {
  from=$home/current/deploy
  install -d -m 0700 -o midman -g midman /var/backups/midman
  for unit in midman.service midman-backup.service midman-backup.timer; do
    install -m 0644 "$from/systemd/$unit" "/etc/systemd/system/$unit"
  done
  install -D -m 0644 "$from/systemd/journald-midman.conf" /etc/systemd/journald.conf.d/midman.conf
  install -m 0755 "$from/midman" /usr/local/bin/midman
  say "units, the journal's limits and /usr/local/bin/midman: installed"
  if [ "$booted" = no ]; then
    say "systemd does not run here: enable midman.service and midman-backup.timer yourself"
    return
  fi
  systemctl daemon-reload
  systemctl restart systemd-journald
  systemctl enable --quiet midman.service
  systemctl enable --quiet --now midman-backup.timer
}

start_or_say() {
  [ "$booted" = yes ] || return 0
  if systemctl is-active --quiet midman.service; then
    say "midman: restarted"
    systemctl restart midman.service
    return
  fi
  say "next: fill in $settings, then  systemctl start midman && journalctl -u midman -f"
}

install -d -m 0755 "$home" "$home/releases"
case "${1:-}" in
  "")
    make_user
    install_bun
    name_release
    install_release
    ;;
  --use)
    release=${2:-}
    case "$release" in "" | */* | .*) end "usage: install.sh --use <release>; there are: $(ls "$home/releases")" ;; esac
    ;;
  *) end "usage: install.sh [--use <release>]" ;;
esac
make_current
install_settings
install_units
start_or_say
