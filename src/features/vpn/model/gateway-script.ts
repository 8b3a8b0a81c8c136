/**
 * What an operator puts onto a gateway: the script that exports, and the line that lets our key run nothing else. It uses what
 * such machines have (`wg`, `ip`, a POSIX shell, any awk), and cuts every secret there: `wg show all dump` prints the private
 * key of the server and all preshared keys.
 */

import type { HandedKey } from '../../../model/ssh/public-key.ts'

/** Where the script is to lie: `/data` of a UniFi gateway outlives updates of its firmware. */
const SCRIPT_PATH = '/data/plumbline/wg-export'

export const GATEWAY_SCRIPT = String.raw`#!/bin/sh
# WireGuard servers of this gateway as JSON, without any secret. No arguments; SSH_ORIGINAL_COMMAND is ignored.
# Names come from lines "PUBLIC_KEY NAME" in the file "names" beside this script, where there is one.
set -u
PATH=/usr/sbin:/usr/bin:/sbin:/bin; LC_ALL=C; export PATH LC_ALL
names=$(dirname "$0")/names
{
  [ -r "$names" ] && sed 's/^/name\t/' "$names"
  for dev in $(wg show interfaces 2>/dev/null); do
    ip -o addr show dev "$dev" 2>/dev/null | awk -v d="$dev" '{ for (i = 1; i < NF; i++) if ($i == "inet" || $i == "inet6") print "addr\t" d "\t" $(i + 1) }'
    mtu=$(cat "/sys/class/net/$dev/mtu" 2>/dev/null) && printf 'mtu\t%s\t%s\n' "$dev" "$mtu"
  done
  echo dump
  wg show all dump 2>/dev/null
} | tr -cd '\11\12\40-\176' | awk -F '\t' -v now="$(date +%s)" -v host="$(hostname)" '
  function q(s) { gsub(/["\\]/, "", s); return "\"" substr(s, 1, 128) "\"" }
  function list(s,  n, i, p, out) { if (s == "" || s == "(none)") return "[]"; n = split(s, p, ","); out = ""
    for (i = 1; i <= n; i++) out = out (i > 1 ? "," : "") q(p[i]); return "[" out "]" }
  function num(s) { return s ~ /^[0-9]+$/ ? s : 0 }
  function shut() { if (open_dev) printf "]}" }
  BEGIN { printf "{\"format\":\"plumbline-wg/1\",\"hostname\":%s,\"generated_at\":%s,\"interfaces\":[", q(host), num(now) }
  !dumping && $1 == "name" { k = $2; sub(/ .*$/, "", k); v = $2; if (sub(/^[^ ]+ +/, "", v)) name[k] = v; next }
  !dumping && $1 == "addr" { addr[$2] = addr[$2] (addr[$2] == "" ? "" : ",") $3; next }
  !dumping && $1 == "mtu" { mtu[$2] = $3; next }
  !dumping && $1 == "dump" { dumping = 1; next }
  NF == 5 { shut(); printf "%s{\"name\":%s,\"public_key\":%s,\"listen_port\":%s,\"addresses\":%s,\"mtu\":%s,\"peers\":[", (open_dev ? "," : ""), q($1),
    ($3 == "(none)" ? "null" : q($3)), num($4), list(addr[$1]), (mtu[$1] == "" ? "null" : num(mtu[$1])); open_dev = 1; first = 1; next }
  NF == 9 { printf "%s{\"name\":%s,\"public_key\":%s,\"has_preshared_key\":%s,\"endpoint\":%s,\"allowed_ips\":%s,\"latest_handshake\":%s,\"transfer_rx\":%s,\"transfer_tx\":%s,\"persistent_keepalive\":%s}",
    (first ? "" : ","), (($2 in name) ? q(name[$2]) : "null"), q($2), ($3 == "(none)" ? "false" : "true"), ($4 == "(none)" ? "null" : q($4)), list($5), num($6), num($7), num($8), num($9); first = 0 }
  END { shut(); print "]}" }'
`

/** For `authorized_keys` there. */
export const gatewayLine = ({ type, key, comment }: HandedKey): string =>
  `restrict,command="${SCRIPT_PATH}" ${type} ${key} ${comment}`.trimEnd()
