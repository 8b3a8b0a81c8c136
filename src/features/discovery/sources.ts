/** From settings to what operations know of the network: Docker hosts, Proxmox VE clusters and UniFi controllers. */
import { isIP } from 'node:net'
import { join } from 'node:path'
import { eventLine } from './docker/events.ts'
import { dockerHost } from './docker/host.ts'
import { type ConnectOptions, connectorOf, type TlsFiles } from '../../io/http-client/connect-options.ts'
import { createHttpClient } from '../../io/http-client/create-client.ts'
import { knownDead } from '../../io/http-client/known-dead.ts'
import { proxmoxCluster } from './proxmox/cluster.ts'
import { unifiController } from './unifi/controller.ts'
import type { UnifiCredential } from './unifi/session.ts'
import { type ControllerSetting, type DockerHostSetting, tokensIn } from './settings/kinds.ts'
import type { Settings } from '../../config/sections.ts'
import type { Clock } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import { Secret } from '../../kernel/secret.ts'
import { type DiscoveryService, discoveryService } from './service.ts'
import type { ProxyPlace } from './model/lab-port.ts'
import type { GuestMemory } from './model/guest-memory-port.ts'
import type { ContainerHost, NetworkController } from './model/lab-port.ts'

/** What has connections of its own and closes them. */
interface Closing {
  close(): Promise<void>
}

export type DiscoverySettings = Pick<
  Settings,
  'docker' | 'proxmox' | 'unifi' | 'resolver' | 'routes' | 'certificates'
>

interface SourcesParts {
  readonly clock: Clock
  /** What guests of a cluster told before. */
  readonly memoryOf: (cluster: string) => GuestMemory
}

/** Throws `bad_configuration` where a controller or a cluster has no credential. */
export function discoverySources(
  settings: DiscoverySettings,
  { clock, memoryOf }: SourcesParts,
): DiscoveryService {
  const { docker, proxmox, unifi } = settings
  const lines: Closing[] = []
  const clientOf = (options: ConnectOptions) => knownDead(createHttpClient({ clock, ...options }), { clock })
  checkCertificates(docker)
  const hosts = docker.hosts.map((setting): ContainerHost => {
    const { name, socket_path, address } = setting
    const connection = { ...(socket_path !== null && { socket_path }), ...tlsOf(setting, docker) }
    const http = clientOf(connection)
    const events = eventLine(connectorOf(connection))
    lines.push(http, events)
    const place = { address, is_local: socket_path !== null }
    return dockerHost({ name, place, base: baseOf(setting, docker), http, events, clock })
  })
  const clusters = proxmox.clusters.map((setting) => {
    const { name, url: base } = setting
    const pin = proxmox.fingerprints.find((one) => one.name === name)?.sha256
    const http = clientOf(pin === undefined ? {} : { pinned_sha256: pin })
    const memory = memoryOf(name)
    const cluster = proxmoxCluster({ name, base, token: tokenOf(setting, proxmox), http, clock, memory })
    lines.push(cluster, http)
    return cluster
  })
  const controllers = unifi.controllers.map((setting): NetworkController => {
    const { name, url: base } = setting
    const pin = unifi.fingerprints.find((one) => one.name === name)?.sha256
    const http = clientOf(pin === undefined ? {} : { pinned_sha256: pin })
    lines.push(http)
    return unifiController({ name, base, credential: credentialOf(setting, unifi), http, clock })
  })
  const service = discoveryService({
    clock,
    hosts,
    clusters,
    controllers,
    proxy_places: proxyPlaces(settings),
  })
  return {
    ...service,
    async stop() {
      await service.stop()
      for (const line of lines) await line.close()
    },
  }
}

type Docker = DiscoverySettings['docker']

const folderOf = ({ name }: DockerHostSetting, { certificates }: Docker): string | null =>
  certificates.find((one) => one.name === name)?.folder ?? null

/** A host for which certificates were given is never asked without them. */
function tlsOf(host: DockerHostSetting, docker: Docker): { readonly tls_files?: TlsFiles } {
  const folder = folderOf(host, docker)
  if (folder === null) return {}
  const at = (name: string) => join(folder, name)
  return { tls_files: { ca: at('ca.pem'), cert: at('cert.pem'), key: at('key.pem') } }
}

function baseOf(host: DockerHostSetting, docker: Docker): string {
  if (host.url === null) return 'http://docker'
  return folderOf(host, docker) === null ? host.url : host.url.replace(/^http:/, 'https:')
}

/** Certificates for a host that is not there, or that has no connection to secure, are a slip of the pen. */
function checkCertificates({ hosts, certificates }: Docker): void {
  for (const { name } of certificates) {
    const host = hosts.find((one) => one.name === name)
    if (host?.url !== undefined && host.url !== null) continue
    const why = host === undefined ? 'is not in PLUMBLINE_DOCKER_HOSTS' : 'is reached over a socket'
    throw new Failure('bad_configuration', `PLUMBLINE_DOCKER_CERTIFICATES: the host ${name} ${why}.`)
  }
}

/** A name, or a loopback, says nothing of where a gateway reaches it. */
function proxyPlaces({ resolver, routes, certificates }: DiscoverySettings): readonly ProxyPlace[] {
  const ports = new Set(routes.entrypoints.map(({ port }) => port))
  const set = resolver.proxy_addresses.map((address) => {
    return { address, ports, source: 'PLUMBLINE_RESOLVER_ADDRESS' }
  })
  const tls = certificates.tls_address
  if (tls === null || isIP(tls.host) === 0 || isLoopback(tls.host)) return set
  return [
    ...set,
    { address: tls.host, ports: new Set([...ports, tls.port]), source: 'PLUMBLINE_TLS_ADDRESS' },
  ]
}

const isLoopback = (address: string): boolean => address.startsWith('127.') || address === '::1'

/** A token of its own goes before the one for all. */
function tokenOf({ name }: ControllerSetting, { token }: DiscoverySettings['proxmox']): Secret {
  const all = token === null ? [] : (tokensIn(token.reveal()) ?? [])
  const found = all.find((one) => one.name === name) ?? all.find((one) => one.name === null)
  if (found !== undefined) return new Secret(found.token)
  throw new Failure(
    'bad_configuration',
    `proxmox: the cluster ${name} has no token. Set PLUMBLINE_PROXMOX_TOKEN to user@realm!id=secret.`,
  )
}

/** A key of its own goes before the one for all, and any key before a login. */
function credentialOf({ name }: ControllerSetting, unifi: Settings['unifi']): UnifiCredential {
  const key = unifi.api_key === null ? null : keyFor(name, unifi.api_key)
  if (key !== null) return { kind: 'key', key }
  const { user, password } = unifi
  if (user !== null && password !== null) return { kind: 'login', user, password }
  throw new Failure(
    'bad_configuration',
    `unifi: the controller ${name} has no credential. Set PLUMBLINE_UNIFI_API_KEY, or PLUMBLINE_UNIFI_USER and ` +
      'PLUMBLINE_UNIFI_PASSWORD.',
  )
}

/** `KEY` is for all; of `home=KEY,office=KEY` each has its own. A key may itself end in equals signs. */
function keyFor(name: string, secret: Secret): Secret | null {
  const entries = secret.reveal().split(',')
  const own = entries.find((entry) => entry.trim().startsWith(`${name}=`))
  if (own !== undefined) return new Secret(own.trim().slice(name.length + 1))
  const [only] = entries
  return entries.length === 1 && !/^[a-z0-9-]+=[^=]/i.test(only!) ? secret : null
}
