/** From the answer of `GET /containers/json` (Docker Engine API) to containers. Pure, and lenient about what is missing. */
import { asNumber, asRecord, asRecords, asText, asTexts, type Json } from '../../../kernel/text/lenient.ts'
import { canonicalAddress } from '../../../model/network/address.ts'
import { CONTAINER_STATES, type ContainerState, HEALTH, type Health } from '../model/container.ts'
import type { Container, ContainerNetwork, ContainerPort, Containers } from '../model/lab-port.ts'

/** Null for what is no list of containers. */
export function readContainers(body: unknown): Containers | null {
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

const networksOf = (networks: Json): ContainerNetwork[] =>
  Object.entries(networks).map(([name, settings]) => {
    const network = asRecord(settings)
    const addresses = [network['IPAddress'], network['GlobalIPv6Address']].flatMap(
      (value) => canonicalAddress(asText(value) ?? '') ?? [],
    )
    const aliases = [...new Set([...asTexts(network['Aliases']), ...asTexts(network['DNSNames'])])]
    return { name, addresses, aliases }
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
