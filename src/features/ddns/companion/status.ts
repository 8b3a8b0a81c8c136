/** `GET /status`: what each name was told, what is published of it, and what the sources said last. */
import { isoTimeOrNull } from '../../../kernel/clock.ts'
import type { ManagedType } from '../../../model/network/dns.ts'
import type { Ddns } from '../ddns.ts'
import { readHosts } from '../hosts/read-hosts.ts'
import type { AddressSources } from './sources.ts'
import type { HostView, Published, StatusHost, DdnsStatus } from '../views.ts'

export interface PublishedSet {
  readonly name: string
  readonly type: ManagedType
  readonly values: readonly string[]
  readonly state: Published['state']
}

export interface StatusParts {
  readonly ddns: Ddns
  readonly sources: AddressSources
  readonly published: () => Promise<{
    readonly sets: readonly PublishedSet[]
    /** Null before the first check of DNS. */
    readonly checked_at: number | null
    /** Why no name server was asked, where that is so. */
    readonly unchecked: string | null
  }>
}

export async function readStatus({ ddns, sources, published }: StatusParts): Promise<DdnsStatus> {
  const { hosts, rotation } = await readHosts(ddns, 1)
  const { sets, checked_at, unchecked } = await published()
  const states = sources.states
  const shown = hosts.map((one): StatusHost => {
    const { host, domain_id, ipv4, ipv6, reported_at, changed_at, flapping, waiting, refused } = one
    const failing = states.find((state) => state.host === host && state.error !== null)
    return {
      host,
      domain_id,
      ipv4,
      ipv6,
      reported_at,
      changed_at,
      source: sourceOf(one, states),
      published: publishedOf(host, sets),
      last_error: failing?.error ?? refused?.detail ?? null,
      refused,
      flapping,
      waiting,
    }
  })
  const counting = new Set(hosts.flatMap(({ host, counts }) => (counts === null ? [] : [host])))
  const status = statusOf(shown, states, counting)
  return {
    status,
    unknown_because: status === 'unknown' ? (unchecked ?? CHECK_COULD_NOT_SAY) : null,
    hub_host: ddns.hub_host,
    checked_at: isoTimeOrNull(checked_at),
    hosts: shown,
    rotation,
    sources: states.map(({ at, ...rest }) => ({ ...rest, at: isoTimeOrNull(at) })),
  }
}

const CHECK_COULD_NOT_SAY =
  'No check of DNS since the last change could tell: "plumbline dns integrity" says why.'

/** A source only where what counts is what it told: the same name may be reported for by others. */
function sourceOf({ host, counts }: HostView, states: AddressSources['states']): string | null {
  const source = states.find(
    (one) => one.host === host && one.addresses.some((address) => counts?.addresses.includes(address)),
  )
  return source?.name ?? counts?.source ?? null
}

function publishedOf(host: string, sets: readonly PublishedSet[]): Published {
  const of = (type: ManagedType) => sets.filter((set) => set.name === host && set.type === type)
  const [four, six] = [of('A'), of('AAAA')]
  const states = [...four, ...six].map(({ state }) => state)
  const worst = (['different', 'unknown', 'pending'] as const).find((state) => states.includes(state))
  return {
    A: four.flatMap(({ values }) => values),
    AAAA: six.flatMap(({ values }) => values),
    state: states.length === 0 ? 'unknown' : (worst ?? 'in_place'),
  }
}

/** @param counting names of which something is to be published: of the others there is nothing to know */
function statusOf(
  hosts: readonly StatusHost[],
  states: AddressSources['states'],
  counting: ReadonlySet<string>,
): DdnsStatus['status'] {
  const is_wrong =
    states.some(({ error }) => error !== null) ||
    hosts.some(
      // Of a wrong key nobody knows whose it is.
      ({ published, refused }) =>
        published.state === 'different' || (refused !== null && refused.code !== 'wrong_key'),
    )
  if (is_wrong) return 'degraded'
  return hosts.some(({ host, published }) => counting.has(host) && published.state === 'unknown')
    ? 'unknown'
    : 'ok'
}
