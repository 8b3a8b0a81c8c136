/**
 * What is typed into a router so that it reports its address, ready to be copied. Pure.
 *
 * inadyn ends at a refusal unless it is started with -C, as UniFi gateways start it; no line of its file says that. It expands `%i`
 * and stops at any other `%`, takes paths of up to 255 characters, and sends a name and a password whether they are needed or not.
 * ddclient asks `/nic/update` with Basic credentials. curl's `-f` hides why a report was refused; `--fail-with-body`, which shows
 * it and fails all the same, came with curl 7.76 (March 2021).
 */
import type { Secret } from '../../kernel/secret.ts'
import type { RouterLines } from './views.ts'

/** inadyn before 2.13 cuts longer ones; the address takes up to 60 of the 255. */
const MAX_INADYN_PATH = 200

const UNUSED = { username: 'ddns', password: 'unused' } as const

/** @param base `https://plumbline.example.com`, without a slash at its end */
export function routerLines(base: string, host: string, secret: Secret): RouterLines {
  const at = new URL(base)
  const prefix = at.pathname.replace(/\/$/, '')
  const path = updatePath(prefix, host, secret)
  const url = `${at.origin}${path}`
  return {
    url,
    curl: `curl --fail-with-body -sS "${url}&ip=$ADDRESS"`,
    unifi: { service: 'custom', hostname: host, ...UNUSED, server: `${at.host}${path}&ip=%i` },
    inadyn: inadynLines(at, host, path),
    ddclient: ddclientLines(at, { host, prefix, secret }),
  }
}

/** What may keep a router from using its line; empty when nothing does. */
export function lineWarnings(base: string, host: string, secret: Secret): string[] {
  const { length } = updatePath(new URL(base).pathname.replace(/\/$/, ''), host, secret)
  const long = `The path is ${length} characters long, and some routers cut it at 255 with the address in it.`
  const plain = `${base} is not https, so the key goes over the line as it is. Set PLUMBLINE_PUBLIC_URL.`
  return [...(length > MAX_INADYN_PATH ? [long] : []), ...(base.startsWith('https:') ? [] : [plain])]
}

const updatePath = (prefix: string, host: string, secret: Secret): string =>
  `${prefix}/api/ddns/update/${host}?key=${secret.reveal()}`

const inadynLines = (at: URL, host: string, path: string): string =>
  [
    `custom ${host} {`,
    '    # Start it with -C, or it ends at the first refusal: inadyn -C',
    `    ddns-server = "${at.host}"`,
    `    ddns-path   = "${path}&ip=%i"`,
    `    ssl         = ${at.protocol === 'https:'}`,
    `    hostname    = "${host}"`,
    `    username    = "${UNUSED.username}"`,
    `    password    = "${UNUSED.password}"`,
    '}',
  ].join('\n')

interface Ddclient {
  readonly host: string
  readonly prefix: string
  readonly secret: Secret
}

const ddclientLines = (at: URL, { host, prefix, secret }: Ddclient): string =>
  [
    'protocol=dyndns2',
    // By usev4 Debian's 3.10 forgets what it reported, and warns and reports again ever after. On the gateway itself: use=if, if=eth0.
    'use=web',
    'web=ipify-ipv4',
    `ssl=${at.protocol === 'https:' ? 'yes' : 'no'}`,
    `server=${at.host}`,
    `script=${prefix}/nic/update`,
    `login=${UNUSED.username}`,
    `password=${secret.reveal()}`,
    host,
  ].join('\n')
