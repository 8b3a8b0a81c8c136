/**
 * One domain from the database to the running proxy: what was saved, what that generates, what the proxy runs, and whether
 * these agree. Reads the database and the last look at the proxy; only a check of the backend goes to the backend.
 */
import type {
  EffectiveConfig,
  RouteDifference,
  GeneratedEntry,
  GeneratedRoute,
  SYNC_STATUSES,
} from '../views.ts'
import { pendingBetween } from '../../../engine/editions/editions.ts'
import { isoTime } from '../../../kernel/clock.ts'
import { type DomainRecord, isLive } from '../../../model/domain/record.ts'
import { type IntentRow, rowOf } from '../../../model/intent.ts'
import { checkBackend } from '../../domains/backend/check.ts'
import type { Deps } from '../deps.ts'
import type { Reader } from '../../../core/shares.ts'
import { findDomain } from '../../../core/find-domain.ts'
import { externalIps } from '../../dns/records/external-ip.ts'
import { presentDomain } from '../../domains/present.ts'
import { routeDifferences, runtimeRoutes } from './compare-routes.ts'
import { routesIn } from './generated.ts'
import { loadedAmong } from '../loaded/loaded.ts'
import { rejectedIn } from '../loaded/rejected.ts'
import { isShadow, rivalsOfDomains } from './shadow/shadows.ts'
import type { ProxyObservation } from '../loaded/watch.ts'
import type { Rival } from '../rival-schema.ts'
/**
 * in_sync: the proxy runs what was saved. pending_deploy: it runs what was deployed, and what was saved since waits.
 * not_loaded: it runs something else than was deployed. rejected: it has it and says that it is in error. shadowed: it has
 * loaded it, and somebody else's router is asked first, or somebody else's file has the name.
 * rendered_otherwise: it runs the deployed file, which other settings would write differently now. not_routed: nothing is
 * wanted, and nothing is there. unknown: the proxy cannot be seen.
 */
export type SyncStatus = (typeof SYNC_STATUSES)[number]

type RuntimeState = NonNullable<EffectiveConfig['runtime']>

export interface EffectiveRequest {
  readonly domain_id: number
  readonly check_backend: boolean
}

/** Throws `not_found`; with a check also `rate_limited`. */
export async function effectiveConfig(
  deps: Deps,
  { domain_id, check_backend }: EffectiveRequest,
  { signal, reader }: { readonly signal: AbortSignal; readonly reader: Reader },
): Promise<EffectiveConfig> {
  const record = await findDomain(deps.store, domain_id)
  const [seen, checked] = await Promise.all([
    deps.proxy.watch?.look(signal) ?? null,
    check_backend ? checkBackend(deps.backend, record, { signal, reader }) : null,
  ])
  const released =
    (await deps.store.intent('released')).rows.find((row) => row.domain_id === domain_id) ?? null
  const facts = { record, released, generated: entryOf(deps, rowOf(record)) }
  const runs = seen?.known === true ? await runtimeOf(deps, facts, seen) : null
  const runtime = runs?.runtime ?? null
  const rivals = seen?.known === true ? await rivalsOf(deps, facts, { seen, runtime, signal }) : []
  return {
    domain_id,
    domain: record.domain,
    intent: presentDomain(record, deps, (await externalIps(deps))(record)),
    released_revision: released?.live === true ? released.revision : null,
    generated: facts.generated,
    runtime,
    ...(await evaluate(deps, facts, {
      seen,
      runtime,
      not_there: runs?.not_there ?? null,
      rejected: await rejectedOf(deps, domain_id, seen),
      shadow: rivals.find(isShadow) ?? null,
    })),
    rivals,
    ...checked,
  }
}

interface Facts {
  readonly record: DomainRecord
  readonly released: IntentRow | null
  readonly generated: GeneratedEntry | null
}

/** Its names in both editions. */
const domainsOf = ({ record, released }: Pick<Facts, 'record' | 'released'>): readonly string[] => [
  ...new Set([record.domain, released?.fields.domain ?? record.domain]),
]

const entryOf = ({ proxy }: Deps, row: IntentRow | null): GeneratedEntry | null =>
  row === null || !row.live || row.fields.service_type === 'manual' ? null : proxy.entryOf(row)

async function runtimeOf(
  deps: Deps,
  { record, released }: Facts,
  { snapshot, at }: Extract<ProxyObservation, { known: true }>,
): Promise<{ readonly runtime: RuntimeState; readonly not_there: string | null }> {
  const names = domainsOf({ record, released })
  const index = deps.proxy.watch!.routersOf(snapshot)
  const { loaded, not_there } = await loadedAmong(deps, index.middlewares)
  const routes = runtimeRoutes(
    index,
    names.flatMap((name) => deps.proxy.routerNames(name)),
  )
  return { runtime: { routes, file_loaded: loaded, observed_at: isoTime(at) }, not_there }
}

/** What the proxy says of the first object of the domain that it does not serve, else null. */
async function rejectedOf(
  deps: Deps,
  domain_id: number,
  seen: ProxyObservation | null,
): Promise<string | null> {
  if (seen?.known !== true) return null
  return (await rejectedIn(deps, seen.snapshot)).find((one) => one.domain_id === domain_id)?.detail ?? null
}

async function rivalsOf(
  deps: Deps,
  { record, released }: Facts,
  { seen, runtime, signal }: ObservedProxy & { readonly signal: AbortSignal },
): Promise<readonly Rival[]> {
  const domains = domainsOf({ record, released })
  return (await rivalsOfDomains(deps, seen, { domains, loaded: runtime?.file_loaded ?? null, signal })).rivals
}

interface ObservedProxy {
  readonly seen: Extract<ProxyObservation, { known: true }>
  readonly runtime: RuntimeState | null
}

type SyncResult = Pick<EffectiveConfig, 'sync_status' | 'sync_reason' | 'differences'>

interface SyncFacts {
  readonly seen: ProxyObservation | null
  readonly runtime: RuntimeState | null
  /** Why the newest routes file does not stand on disk, where that is so. */
  readonly not_there: string | null
  /** What the proxy says of it where it finds fault with it. */
  readonly rejected: string | null
  /** The first of those that keep requests from it. */
  readonly shadow: Rival | null
}

async function evaluate(
  deps: Deps,
  { record, released, generated }: Facts,
  { seen, runtime, not_there, rejected, shadow }: SyncFacts,
): Promise<SyncResult> {
  const syncResult = (
    sync_status: SyncStatus,
    sync_reason: string | null,
    differences: readonly RouteDifference[] = [],
  ): SyncResult => ({ sync_status, sync_reason, differences })
  if (runtime === null)
    return syncResult('unknown', seen?.known === false ? seen.detail : 'PLUMBLINE_TRAEFIK_API is not set.')
  const rejection = rejectionIn(runtime) ?? rejected
  if (rejection !== null) return syncResult('rejected', rejection)
  const waits = pendingBetween({ rows: [rowOf(record)] }, { rows: released === null ? [] : [released] })
  const deployed = waits.length === 0 ? generated : entryOf(deps, released)
  const differences = routeDifferences(deployed?.routes ?? [], runtime.routes)
  const is_loaded = runtime.file_loaded === true
  if (shadow !== null && (differences.length === 0 || is_loaded))
    return syncResult('shadowed', shadow.detail, differences)
  if (differences.length > 0) {
    if (!is_loaded) return syncResult('not_loaded', not_there ?? NOT_LOADED, differences)
    const domains = domainsOf({ record, released })
    return (await renderingMoved(deps, domains, deployed?.routes ?? []))
      ? syncResult('rendered_otherwise', OTHERWISE, differences)
      : syncResult('not_loaded', NOT_AS_RELEASED, differences)
  }
  if (waits.length > 0) return syncResult('pending_deploy', 'Newer changes are saved and wait for a deploy.')
  return generated === null ? syncResult('not_routed', absence(record)) : syncResult('in_sync', null)
}

const NOT_LOADED = 'The proxy runs something else than was deployed: written is not loaded.'
const NOT_AS_RELEASED =
  'The proxy names the deployed file and runs something else than was released: the file on disk is not what was released. ' +
  'GET /api/domains/{id}/explain says how it differs.'
const OTHERWISE =
  'The proxy runs the deployed file; it would be rendered differently now. A deploy applies that.'

const absence = (record: DomainRecord): string =>
  isLive(record)
    ? 'It is managed elsewhere and never rendered.'
    : `It is ${record.status}, so it has no route.`

/** The first object of the domain that the proxy itself finds fault with. */
function rejectionIn({ routes }: RuntimeState): string | null {
  for (const { router, service } of routes)
    for (const one of [router, ...(service === null ? [] : [service])])
      if (one.status !== 'enabled' || one.errors.length > 0)
        return `${one.name} is ${one.status}: ${one.errors.join('; ') || 'the proxy does not say why'}`
  return null
}

/**
 * Whether the settings of now would render a deployed record otherwise than the newest release did. Only then does a deploy
 * change it. @param rendered what the settings of now make of it as it was deployed
 */
async function renderingMoved(
  deps: Deps,
  domains: readonly string[],
  rendered: readonly GeneratedRoute[],
): Promise<boolean> {
  const released = await deps.proxy.released.newest()
  return released === null || textOf(routesIn(released.objects(), domains)) !== textOf(rendered)
}

/** In one order, whoever made them. */
const textOf = (routes: readonly GeneratedRoute[]): string =>
  JSON.stringify(routes.map((route) => JSON.stringify(route)).sort())
