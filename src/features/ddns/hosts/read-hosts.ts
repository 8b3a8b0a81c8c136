/** What gateways reported: the present addresses, how they came about, what is held back, and when keys are rotated. */
import { type Instant, isoTime } from '../../../kernel/clock.ts'
import type { FailureCode } from '../../../kernel/failure.ts'
import type { AddressesInForce, ReportedByHost } from '../../../model/domain/address-sources.ts'
import { CARRIED_OVER, MANAGED_TYPES, type ManagedType } from '../../../model/network/dns.ts'
import type { HostAddresses } from '../addresses/evaluate-report.ts'
import type { RefusedReport } from '../addresses/refused-reports.ts'
import type { Ddns } from '../ddns.ts'
import { FLAP_WINDOW_MS, type Track } from '../addresses/flap-guard.ts'
import { addressesThatCount, notInForce, type NotInForce, strangerAt } from './in-force.ts'
import { rowsByName, rowsOf } from './known-hosts.ts'
import { isDue } from '../tokens/rotate-by-schedule.ts'
import { nextRotation } from '../../../kernel/quarterly.ts'
import { hasEnded } from '../../../kernel/issued-secret.ts'
import { ddnsRecords } from '../records.ts'

export interface CountingAddresses {
  readonly source: AddressesInForce['source'] | typeof CARRIED_OVER
  readonly addresses: readonly string[]
}

export interface HostView {
  readonly host: string
  /** Null for the hub's name where no record has it, and for a name whose record is gone. */
  readonly domain_id: number | null
  readonly is_hub: boolean
  /** Null where there is no record. */
  readonly ddns_enabled: boolean | null
  /** Whether what is reported for it counts; `because` says why it does not. */
  readonly in_force: boolean
  readonly because: NotInForce | null
  /** What is published for it now; null for nothing. */
  readonly counts: CountingAddresses | null
  readonly ipv4: string | null
  readonly ipv6: string | null
  /** Times are RFC 3339; null before the first report. */
  readonly changed_at: string | null
  readonly reported_at: string | null
  readonly flapping: readonly FlappingView[]
  /** What was reported too soon, and when it is taken. */
  readonly waiting: readonly WaitingView[]
  /** The last report, where it was refused and none was taken since; forgotten with a restart. */
  readonly refused: RefusedView | null
  /** Site tokens that are valid now. */
  readonly tokens: number
  /** Newest first. */
  readonly history: readonly ChangeView[]
}

export interface FlappingView {
  readonly type: ManagedType
  /** What stays published. */
  readonly held: string
  /** What was asked for last. */
  readonly asked: string
  /** When that is taken, if nothing else is asked for until then. */
  readonly until: string
}

export interface WaitingView {
  readonly type: ManagedType
  readonly address: string
  readonly due_at: string
}

export interface RefusedView {
  readonly at: string
  readonly code: FailureCode
  readonly detail: string
}

export interface ChangeView {
  readonly type: ManagedType
  readonly address: string
  readonly at: string
  readonly actor: string
}

export interface RotationView {
  readonly next_at: string
  /** Null before the first. */
  readonly last_at: string | null
  /** Hosts whose token is older than the quarter and has no successor. */
  readonly rotation_due: readonly string[]
}

export interface HostsAnswer {
  readonly rotation: RotationView
  readonly hosts: readonly HostView[]
}

/** Every name that was reported, has a token, or asks for dynamic DNS. @param history most changes of each */
export async function readHosts(ddns: Ddns, history: number): Promise<HostsAnswer> {
  const names = await namesOf(ddns)
  const reported = new Map(
    (await ddns.store.of(ddnsRecords).reportedAddresses()).map((report) => [report.host, report]),
  )
  const hosts = await Promise.all(names.map((host) => hostView(ddns, host, { most: history, reported })))
  return { rotation: await readRotation(ddns), hosts }
}

/** The schedule as the health report tells it: nothing is wrong while `rotation_due` is empty. */
async function readRotation({ store, tokens, clock }: Ddns): Promise<RotationView> {
  const now = clock.now()
  const last = await store.of(ddnsRecords).lastRotation()
  const due = tokens.list().filter((token) => isDue(token, now))
  return {
    next_at: isoTime(nextRotation(now)),
    last_at: last === null ? null : isoTime(last),
    rotation_due: [...new Set(due.map(({ host }) => host))],
  }
}

async function namesOf({ store, tokens, addresses, hub_host }: Ddns): Promise<string[]> {
  const enabled = [...(await rowsByName(store)).values()]
    .filter(({ fields }) => fields.ddns_enabled)
    .map(({ fields }) => fields.domain)
  const named = tokens.list().map(({ host }) => host)
  const hub = hub_host === null ? [] : [hub_host]
  return [...new Set([...hub, ...enabled, ...named, ...addresses.hosts()])].toSorted()
}

async function hostView(
  ddns: Ddns,
  host: string,
  { most, reported }: { readonly most: number; readonly reported: ReportedByHost },
): Promise<HostView> {
  const { store, tokens, addresses, hub_host, clock } = ddns
  const now = clock.now()
  const rows = await rowsOf(store, host)
  const row = rows.working
  const known = addresses.find(host)
  const because = notInForce(rows, host === hub_host) ?? strangerAt(ddns, host, typesOf(known))
  const history = await store.of(ddnsRecords).addressHistory(host, most)
  const is_carried = known?.is_carried === true
  const counts = addressesThatCount(host, rows, { settings: ddns, reported })
  return {
    host,
    domain_id: row?.domain_id ?? null,
    is_hub: host === hub_host,
    ddns_enabled: row?.fields.ddns_enabled ?? null,
    in_force: because === null,
    because,
    counts: counts?.source === 'reported' && is_carried ? { ...counts, source: CARRIED_OVER } : counts,
    ...addressView(known),
    flapping:
      known === null ? [] : MANAGED_TYPES.flatMap((type) => flappingView(type, known.tracks[type], now)),
    waiting: (known?.pending ?? []).map(({ type, address, due_at }) => ({
      type,
      address,
      due_at: isoTime(due_at),
    })),
    refused: refusedView(ddns.refused.of(host)),
    tokens: tokens.list().filter((token) => token.host === host && !hasEnded(token, now)).length,
    history: history.map(({ type, address, at, actor }) => ({ type, address, at: isoTime(at), actor })),
  }
}

const refusedView = (last: RefusedReport | null): RefusedView | null =>
  last === null ? null : { ...last, at: isoTime(last.at) }

const typesOf = (known: HostAddresses | null): readonly ManagedType[] =>
  MANAGED_TYPES.filter((type) => (known?.tracks[type].address ?? null) !== null)

const addressView = (known: HostAddresses | null) => ({
  ipv4: known?.reported.ipv4 ?? null,
  ipv6: known?.reported.ipv6 ?? null,
  changed_at: known === null ? null : isoTime(known.reported.changed_at),
  reported_at: known === null || known.is_carried ? null : isoTime(known.reported.reported_at),
})

/** That it is over is settled within a second; here it is over when it would be. */
function flappingView(type: ManagedType, { address, hold }: Track, now: Instant): FlappingView[] {
  if (hold === null || address === null || now - hold.since >= FLAP_WINDOW_MS) return []
  return [{ type, held: address, asked: hold.asked, until: isoTime(hold.since + FLAP_WINDOW_MS) }]
}
