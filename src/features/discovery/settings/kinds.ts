/** Grammars of what runs in the network: Docker hosts and network controllers, each with a name of the operator's choice. */
import { httpUrl, parseHost } from '../../../config/kinds/network.ts'
import { listOf, Wrong, wrong } from '../../../config/kinds/refine.ts'

export interface DockerHostSetting {
  readonly name: string
  /** Exactly one of the two. */
  readonly socket_path: string | null
  /** Without a slash at its end. */
  readonly url: string | null
  /** Under which its published ports are reached; null where it is not known. */
  readonly address: string | null
}

const NAMED = /^([a-z0-9][a-z0-9-]{0,62})=(.+)$/is
const NAME_FORM = 'must begin with a name of your choice and an equals sign, such as hub='

/** `hub=unix:/var/run/docker.sock@192.168.1.10`, `nas=tcp://192.168.1.9:2375`. */
function parseDockerHost(text: string): DockerHostSetting | Wrong {
  const [, name, place = ''] = NAMED.exec(text) ?? []
  if (name === undefined) return wrong(NAME_FORM)
  const [, endpoint = '', given] = /^(.*?)(?:@([^@/]+))?$/s.exec(place) ?? []
  const address = given === undefined ? null : parseHost(given)
  if (address instanceof Wrong) return address
  const [, path] = /^unix:(?:\/\/)?(\/.+)$/s.exec(endpoint) ?? []
  // oxlint-disable-next-line no-control-regex
  if (path !== undefined && !/[\u0000-\u001f\u007f]/.test(path))
    return { name, socket_path: path, url: null, address }
  const url = httpUrl.safeParse(endpoint.replace(/^tcp:/i, 'http:'))
  if (!url.success) return wrong('must go on with unix: and an absolute path, or tcp:// and host:port')
  const { hostname } = new URL(url.data)
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  return { name, socket_path: null, url: url.data, address: address ?? host }
}

export const dockerHosts = distinct(parseDockerHost)

export const showDockerHosts = (hosts: readonly DockerHostSetting[]): string =>
  hosts
    .map(({ name, socket_path, url, address }) => {
      const place = socket_path === null ? url : `unix:${socket_path}`
      return `${name}=${place}${address === null ? '' : `@${address}`}`
    })
    .join(',')

export interface CertificateFolder {
  readonly name: string
  /** With `ca.pem`, `cert.pem` and `key.pem`, as Docker itself keeps them. */
  readonly folder: string
}

/** `nas=/etc/plumbline/docker/nas` */
export const certificateFolders = distinct((text): CertificateFolder | Wrong => {
  const [, name, folder = ''] = NAMED.exec(text) ?? []
  // oxlint-disable-next-line no-control-regex
  return name === undefined || !/^\/[^\u0000-\u001f\u007f]*$/.test(folder)
    ? wrong('must be the name of a Docker host, an equals sign and an absolute path')
    : { name, folder: folder.replace(/(.)\/+$/, '$1') }
})

export interface ControllerSetting {
  readonly name: string
  /** Without a slash at its end. */
  readonly url: string
}

function parseController(text: string): ControllerSetting | Wrong {
  const [, name, place = ''] = NAMED.exec(text) ?? []
  if (name === undefined || !/^https?:/i.test(place))
    return wrong(`${NAME_FORM.replace('hub', 'home')}https://192.168.1.1`)
  const url = httpUrl.safeParse(place)
  return url.success ? { name, url: url.data } : wrong(url.error.issues[0]?.message ?? 'is no URL')
}

export const controllers = distinct(parseController)

export const showControllers = (all: readonly ControllerSetting[]): string =>
  all.map(({ name, url }) => `${name}=${url}`).join(',')

/** `home=https://192.168.1.5`: the API is at port 8006 where none is written. */
function parseCluster(text: string): ControllerSetting | Wrong {
  const controller = parseController(text)
  if (controller instanceof Wrong) return wrong(controller.msg.replace('192.168.1.1', '192.168.1.5:8006'))
  const has_port = /^[^=]+=https?:\/\/(?:\[[^\]]*\]|[^/:]*):\d+/i.test(text)
  const { name, url } = controller
  return { name, url: has_port ? url : Object.assign(new URL(url), { port: '8006' }).href.replace(/\/$/, '') }
}

export const clusters = distinct(parseCluster)

/** `user@realm!id=secret`, one for all; or `home=user@realm!id=secret,office=…`. */
export interface ClusterTokens {
  /** Null: for all. */
  readonly name: string | null
  readonly token: string
}

const TOKEN = /^(?:([a-z0-9][a-z0-9-]{0,62})=)?([^\s@=,!]+@[^\s@=,!]+![^\s@=,!]+=[!-+.-~-]+)$/i

export const tokensIn = (text: string): readonly ClusterTokens[] | null => {
  const read = text.split(',').map((entry) => TOKEN.exec(entry.trim()))
  if (read.some((one) => one === null)) return null
  return read.map((one) => ({ name: one![1] ?? null, token: one![2]! }))
}

export interface Fingerprint {
  readonly name: string
  /** Lower-case hexadecimal. */
  readonly sha256: string
}

/** `home=AA:BB:…`, as browsers and openssl show it. */
export const fingerprints = distinct((text): Fingerprint | Wrong => {
  const [, name, digits = ''] = NAMED.exec(text) ?? []
  const sha256 = digits.replaceAll(':', '').toLowerCase()
  if (name === undefined || !/^[0-9a-f]{64}$/.test(sha256))
    return wrong(
      'must be the name of a controller or cluster, an equals sign and a SHA-256 of 64 hexadecimal digits',
    )
  return { name, sha256 }
})

function distinct<T extends { readonly name: string }>(parse: (text: string) => T | Wrong) {
  const seen = listOf(parse)
  return seen.refine(
    (all) => new Set(all.map(({ name }) => name)).size === all.length,
    'must not give one name twice',
  )
}
