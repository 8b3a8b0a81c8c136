/** The real programs that tests lean on, and the Debian packages that bring them. */
import { existsSync } from 'node:fs'
import { whichProgram } from './peer.ts'

/** The Debian package of each program. */
export const PACKAGES = {
  pdns_server: 'pdns-server pdns-backend-sqlite3',
  pdnsutil: 'pdns-server',
  sqlite3: 'sqlite3',
  knotd: 'knot',
  knotc: 'knot',
  kdig: 'knot-dnsutils',
  kzonecheck: 'knot-dnssecutils',
  named: 'bind9',
  'named-checkzone': 'bind9-utils',
  dig: 'bind9-dnsutils',
  nsupdate: 'bind9-dnsutils',
  dnsmasq: 'dnsmasq-base',
  unbound: 'unbound',
  'unbound-control': 'unbound',
  nsd: 'nsd',
  'nsd-checkzone': 'nsd',
  ddclient: 'ddclient',
  inadyn: 'inadyn',
  curl: 'curl',
  pebble: 'pebble',
  openssl: 'openssl',
  argon2: 'argon2',
  sshd: 'openssh-server',
  'systemd-analyze': 'systemd',
  'systemd-notify': 'systemd',
  ssh: 'openssh-client',
  'ssh-keygen': 'openssh-client',
  prometheus: 'prometheus',
  promtool: 'prometheus',
  chromium: 'chromium',
  nginx: 'nginx',
  amtool: 'prometheus-alertmanager',
  'prometheus-alertmanager': 'prometheus-alertmanager',
  wg: 'wireguard-tools',
  'wg-quick': 'wireguard-tools',
  'wireguard-go': 'wireguard-go',
  ip: 'iproute2',
  unshare: 'util-linux',
  zbarimg: 'zbar-tools',
  'rsvg-convert': 'librsvg2-bin',
  busybox: 'busybox',
  gawk: 'gawk',
  mawk: 'mawk',
  go: 'golang-go golang-gopkg-yaml.v3-dev',
} as const

export type Program = keyof typeof PACKAGES

/** What must be there beside the program itself. */
const BESIDE: { readonly [name in Program]?: string } = { go: '/usr/share/gocode/src/gopkg.in/yaml.v3' }

export const missingOf = (programs: readonly Program[]): Program[] =>
  programs.filter((program) => whichProgram(program) === null || !existsSync(BESIDE[program] ?? '/'))

/** With `PLUMBLINE_PEERS=required` a missing program is a failing test. */
export const isRequired = (): boolean => process.env['PLUMBLINE_PEERS'] === 'required'

/** `apt-get install …` for these. */
export const remedyFor = (programs: readonly Program[]): string =>
  `apt-get install ${[...new Set(programs.map((program) => PACKAGES[program]))].join(' ')}`
