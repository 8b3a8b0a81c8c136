/** What gateways reported: the present addresses, how they came about, what is held back, and when keys are rotated. */
import { type Instant, isoTime, isoTimeOrNull } from '../../../kernel/clock.ts'
import type { ReportedByHost } from '../../../model/domain/address-sources.ts'
import { CARRIED_OVER, MANAGED_TYPES, type ManagedType } from '../../../model/network/dns.ts'
import type { HostAddresses } from '../addresses/evaluate-report.ts'
import type { RefusedReport } from '../addresses/refused-reports.ts'
import type { Ddns } from '../ddns.ts'
import { FLAP_WINDOW_MS, type Track } from '../addresses/flap-guard.ts'
import { addressesThatCount, notInForce, strangerAt } from './in-force.ts'
import { rowsByName, rowsOf } from './known-hosts.ts'
import { isDue } from '../tokens/rotate-by-schedule.ts'
import { nextRotation } from '../../../kernel/quarterly.ts'
import { hasEnded } from '../../../kernel/issued-secret.ts'
import { ddnsRecords } from '../records.ts'
import type { HostView, FlappingView, RotationView, HostsAnswer } from '../views.ts'

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
    last_at: isoTimeOrNull(last),
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

const refusedView = (last: RefusedReport | null): HostView['refused'] =>
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
