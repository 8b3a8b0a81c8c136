/**
 * One Docker host, over its socket or over TCP (Docker Engine API). Two reads: `/_ping`, which tells the version, and the
 * list of containers. The socket is as good as root, so a proxy in front of it that lets only these and `/events` through
 * is enough.
 */
import type { Clock } from '../../../kernel/clock.ts'
import {
  asNumber,
  asRecord,
  asRecords,
  asText,
  asTexts,
  type Json,
  parsedJson,
} from '../../../kernel/text/lenient.ts'
import { canonicalAddress } from '../../../model/network/address.ts'
import type { HttpClient, HttpReply } from '../../../ports/http-client.ts'
import { CONTAINER_STATES, type ContainerState, HEALTH, type Health } from '../model/container.ts'
import type {
  Container,
  ContainerHost,
  ContainerNetwork,
  ContainerPort,
  Containers,
  HostPlace,
  LabLook,
} from '../model/lab-port.ts'
import { type EventLine, firstEvent } from './events.ts'
import { failureOf, Unusable } from '../model/unusable.ts'

export interface DockerHostOptions {
  readonly name: string
  readonly place: HostPlace
  /** Where its API is: an HTTP address without a slash at its end. */
  readonly base: string
  /** Connects to where `base` is, whatever that takes. */
  readonly http: HttpClient
  readonly events: EventLine
  readonly clock: Clock
}

/** The newest API whose answers this reader knows; older hosts are asked in their own. */
const NEWEST: Version = [1, 52]
const OLDEST: Version = [1, 24]
/** Five thousand containers are some ten megabytes. */
const MAX_BYTES = 64 * 1024 * 1024
const DEADLINE_MS = 8000

export function dockerHost(options: DockerHostOptions): ContainerHost {
  const { name, place, clock } = options
  return {
    name,
    place,
    async look(signal): Promise<LabLook<Containers>> {
      try {
        const state = await list(options, signal)
        return { known: true, state, at: clock.now() }
      } catch (error) {
        if (signal.aborted) throw signal.reason
        const { reason, detail } = failureOf(name, error, 'See PLUMBLINE_DOCKER_HOSTS.')
        return { known: false, reason, detail, at: clock.now() }
      }
    },
    async changed(signal) {
      const version = await apiVersion(options, signal).catch(() => null)
      return version !== null && firstEvent(options.events, { base: options.base, version, signal })
    },
  }
}

async function list(options: DockerHostOptions, signal: AbortSignal): Promise<Containers> {
  const version = await apiVersion(options, signal)
  const reply = await ask(options, `/v${version}/containers/json?all=1`, signal)
  if (reply.status !== 200) throw refused(reply)
  const containers = readContainers(parsedJson(reply.text))
  if (containers === null)
    throw new Unusable('unreadable', 'the list of containers is not what Docker promises')
  return containers
}

const ask = ({ http, base }: DockerHostOptions, path: string, signal: AbortSignal): Promise<HttpReply> =>
  http.request({ method: 'GET', url: base + path, signal, deadline_ms: DEADLINE_MS, max_bytes: MAX_BYTES })

/** The smaller of what the host speaks and what we know, as `1.44`. */
async function apiVersion(options: DockerHostOptions, signal: AbortSignal): Promise<string> {
  const reply = await ask(options, '/_ping', signal)
  if (reply.status !== 200) throw refused(reply)
  const theirs = versionOf(reply.headers['api-version'] ?? '')
  if (theirs === null) throw new Unusable('unreadable', 'what answers is not a Docker API')
  if (isOlder(theirs, OLDEST))
    throw new Unusable('refused', `its API ${theirs.join('.')} is older than ${OLDEST.join('.')}`)
  return (isOlder(theirs, NEWEST) ? theirs : NEWEST).join('.')
}

type Version = readonly [major: number, minor: number]

function versionOf(text: string): Version | null {
  const [, major, minor] = /^(\d{1,3})\.(\d{1,3})$/.exec(text.trim()) ?? []
  return major === undefined ? null : [Number(major), Number(minor)]
}

const isOlder = (a: Version, b: Version): boolean => a[0] < b[0] || (a[0] === b[0] && a[1] < b[1])

function refused({ status, text }: HttpReply): Unusable {
  const said = asText(asRecord(parsedJson(text))['message'])?.slice(0, 200)
  const words = said === undefined ? `it answered with status ${status}` : `it says: ${said} (${status})`
  return new Unusable(status === 401 || status === 403 ? 'refused' : 'unreadable', words)
}

// From the answer of `GET /containers/json` (Docker Engine API) to containers. Pure, and lenient about what is missing.

/** Null for what is no list of containers. */
function readContainers(body: unknown): Containers | null {
  if (!Array.isArray(body)) return null
  const containers = body.flatMap((entry: unknown) => readContainer(asRecord(entry)) ?? [])
  containers.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id < b.id ? -1 : 1))
  return { containers, unreadable: body.length - containers.length }
}

function readContainer(entry: Json): Container | null {
  const id = asText(entry['Id'])
  if (id === null) return null
  const [name = id.slice(0, 12)] = asTexts(entry['Names'])
  return {
    id,
    name: name.replace(/^\//, ''),
    image: asText(entry['Image']),
    state: stateOf(asText(entry['State'])),
    health: healthOf(entry),
    labels: labelsOf(asRecord(entry['Labels'])),
    networks: networksOf(asRecord(asRecord(entry['NetworkSettings'])['Networks'])),
    ports: portsOf(entry['Ports']),
    is_on_host_network: asText(asRecord(entry['HostConfig'])['NetworkMode']) === 'host',
  }
}

const stateOf = (text: string | null): ContainerState =>
  CONTAINER_STATES.find((state) => state === text?.toLowerCase()) ?? 'unknown'

/** A field of its own from API 1.52 on; before that it stands in the status text alone. */
function healthOf(entry: Json): Health | null {
  const own = asText(asRecord(entry['Health'])['Status'])
  const [, said] = /\((?:health: )?([a-z]+)\)\s*$/.exec(asText(entry['Status']) ?? '') ?? []
  return HEALTH.find((word) => word === own) ?? HEALTH.find((word) => word === said) ?? null
}

const labelsOf = (labels: Json): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(labels).flatMap(([key, value]) => [[key, asText(value) ?? '']]))

const addressesIn = (values: readonly unknown[]): string[] =>
  values.flatMap((value) => canonicalAddress(asText(value) ?? '') ?? [])

const networksOf = (networks: Json): ContainerNetwork[] =>
  Object.entries(networks).map(([name, settings]) => {
    const network = asRecord(settings)
    const given = asRecord(network['IPAMConfig'])
    const addresses = addressesIn([network['IPAddress'], network['GlobalIPv6Address']])
    const fixed = addressesIn([given['IPv4Address'], given['IPv6Address']])
    const aliases = [...new Set([...asTexts(network['Aliases']), ...asTexts(network['DNSNames'])])]
    return { name, addresses, fixed, aliases }
  })

/** A port that is published for both families stands there twice: once is enough where it is for all addresses. */
function portsOf(value: unknown): ContainerPort[] {
  const ports = (asRecords(value) ?? []).flatMap((entry) => readPort(entry) ?? [])
  return [...new Map(ports.map((port) => [JSON.stringify(port), port])).values()]
}

const EVERYWHERE: readonly (string | null)[] = [null, '0.0.0.0', '::']

function readPort(entry: Json): ContainerPort | null {
  const private_port = asPort(entry['PrivatePort'])
  if (private_port === null) return null
  const address = canonicalAddress(asText(entry['IP']) ?? '')
  return {
    protocol: asText(entry['Type']) ?? 'tcp',
    private_port,
    public_port: asPort(entry['PublicPort']),
    address: EVERYWHERE.includes(address) ? null : address,
  }
}

function asPort(value: unknown): number | null {
  const port = asNumber(value)
  return port !== null && Number.isInteger(port) && port >= 1 && port <= 65_535 ? port : null
}
