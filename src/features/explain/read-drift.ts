/** Is everything what the database says? One result over all components, and under it what differs, whose it is, and why. */
import type { LiveStatus } from '../../engine/status/key-status.ts'
import { isoTime } from '../../kernel/clock.ts'
import type { SidesOf } from '../../model/sides/sides.ts'
import { driftOver } from '../../model/drift.ts'
import { CERTIFICATES_SERVED, wireDrift } from '../certificates/wire/wire-drift.ts'
import { pendingDomains } from '../../core/deploy.ts'
import type { Deps } from './deps.ts'
import { lookForAccounts } from '../dns/zones/unread-accounts.ts'
import { noteServed } from '../certificates/wire/check.ts'
import { folderDrift } from '../routes/loaded/folder-drift.ts'
import { proxyDrift } from '../routes/proxy/proxy-drift.ts'
import { proxyStatus } from '../routes/proxy/proxy-status.ts'
import type { WithoutActs } from '../../http/difference-views.ts'
import type { EverythingDrift } from './views.ts'

export type ComponentDrift = WithoutActs<EverythingDrift['components'][number]> & {
  readonly sidesOf?: SidesOf | undefined
}
export type DriftAnswer = Omit<EverythingDrift, 'components'> & {
  readonly components: readonly ComponentDrift[]
}

/** Compares the saved state with fresh looks, and what was written with what the proxy runs. Changes nothing. */
export async function readDrift(deps: Deps, signal: AbortSignal): Promise<DriftAnswer> {
  // First: an account that answers by now shows zones that are looked at with the others.
  const accounts = await accountComponents(deps, signal)
  const [looks, folder, proxy, served] = await Promise.all([
    deps.engine.looks(signal),
    folderComponent(deps, signal),
    proxyComponent(deps, signal),
    servedComponent(deps, signal),
  ])
  const components = [...looks.map(shown), ...accounts, folder, ...proxy, ...served]
  return {
    drift: driftOver(components.map(({ drift }) => drift)),
    components,
    pending: await pendingDomains(deps),
  }
}

const shown = ({ component, key, drift, differences, observed }: LiveStatus): ComponentDrift => ({
  component,
  key,
  drift,
  reason: observed.unknown_because,
  differences,
  unified_diff: observed.unified_diff,
  note: observed.note,
  sidesOf: observed.sidesOf,
  observed_at: isoTime(observed.observed_at),
})

async function folderComponent(deps: Deps, signal: AbortSignal): Promise<ComponentDrift> {
  const { name } = deps.routes_folder
  const { drift, differences, reason } = await folderDrift(deps, signal)
  const nothing = { unified_diff: null, note: null }
  const observed_at = isoTime(deps.clock.now())
  return { component: name, key: name, drift, reason, differences, ...nothing, observed_at }
}

/** A name without a zone is unknown while an account that may have one does not answer. */
async function accountComponents(deps: Deps, signal: AbortSignal): Promise<readonly ComponentDrift[]> {
  const { store, clock } = deps
  const rows = [...(await store.intent('released')).rows, ...(await store.intent('working')).rows]
  const accounts = await lookForAccounts(deps, { rows }, signal)
  return accounts.map(({ key, detail: reason }) => {
    const nothing = { differences: [], unified_diff: null, note: null }
    return { component: 'dns', key, drift: null, reason, ...nothing, observed_at: isoTime(clock.now()) }
  })
}

/** Written is not loaded. Where its API is not set, only what its static file tells. */
async function proxyComponent(deps: Deps, signal: AbortSignal): Promise<readonly ComponentDrift[]> {
  const { watch } = deps.proxy
  watch?.forget()
  const status = await proxyStatus(deps, signal)
  if (watch === null && status.shadowed.length === 0) return []
  await deps.health.rounds.look('proxy')
  const { drift, differences } = proxyDrift(status)
  const why = status.loaded === null ? status.detail : status.not_compared
  const reason = drift === null ? (why ?? 'What it runs is not known.') : null
  const observed_at = status.observed_at ?? isoTime(deps.clock.now())
  const nothing = { unified_diff: null, note: null }
  return [{ component: 'proxy', key: 'proxy', drift, reason, differences, ...nothing, observed_at }]
}

/** None where it is not set where the proxy serves TLS. */
async function servedComponent(deps: Deps, signal: AbortSignal): Promise<readonly ComponentDrift[]> {
  const wire = await wireDrift(deps, signal, { afresh: true })
  if (wire === null) return []
  await noteServed(deps, signal)
  const { drift, differences, reason } = wire
  const observed_at = isoTime(wire.observed_at ?? deps.clock.now())
  const name = { component: CERTIFICATES_SERVED, key: CERTIFICATES_SERVED }
  return [{ ...name, drift, reason, differences, unified_diff: null, note: null, observed_at }]
}
