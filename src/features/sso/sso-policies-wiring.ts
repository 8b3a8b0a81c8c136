/** From settings to what is told at the start: policies that differ from those that were deployed, or are for no record. */
import type { Log } from '../../kernel/log.ts'
import { effectOf } from '../../model/access/compare.ts'
import { openPathsPattern } from '../../model/access/open-paths.ts'
import type { Intent } from '../../model/intent.ts'
import type { Store } from '../../ports/store.ts'
import { releasedRoutes } from '../routes/target/released.ts'
import { openPathsOf } from '../routes/opens/open-routers.ts'
import { openedPathsOf } from '../routes/opens/opened.ts'
import type { RoutesSettings } from '../routes/render/settings.ts'
import { ssoCodec } from './target/codec.ts'
import { ssoDesired, type SsoSettings } from './target/desire.ts'
import { SSO_KEY } from './target/diff.ts'
import { unnamedPolicies } from './target/unnamed-policies.ts'

export interface PoliciesParts {
  readonly settings: SsoSettings
  readonly routes: RoutesSettings
  readonly store: Pick<Store, 'intent' | 'latestRelease' | 'artifact' | 'artifactAt'>
  readonly log: Log
}

const MAX_NAMED = 5

/**
 * Policies are part of what is released, so a change of their file waits for a deploy; only paths that are to be open no more
 * close at once. Never throws.
 */
export function tellChangedPolicies(parts: PoliciesParts): void {
  const { log } = parts
  tell(parts).catch((error: unknown) =>
    log.warn('whether policies differ from the deployed ones is not known', { error }),
  )
  tellUnnamed(parts).catch((error: unknown) =>
    log.warn('whether each policy is for a record is not known', { error }),
  )
}

/** A name counts as long as it is served, though its record is saved under another one by now. */
async function tellUnnamed({ settings: { policies }, store, log }: PoliciesParts): Promise<void> {
  if (policies.size === 0) return
  const editions = await Promise.all([store.intent('released'), store.intent('working')])
  const records = editions.flatMap(({ rows }) => rows.map(({ live, fields }) => ({ ...fields, live })))
  const unnamed = unnamedPolicies(policies, records)
  if (unnamed.length === 0) return
  const more = unnamed.length - MAX_NAMED
  log.warn('policies of single sign-on are for no record', {
    detail: unnamed.slice(0, MAX_NAMED).join(' ') + (more > 0 ? ` And ${more} more.` : ''),
  })
}

async function tell(parts: PoliciesParts): Promise<void> {
  const released = await parts.store.intent('released')
  const domains = [
    ...new Set([...(await changedRules(parts, released)), ...(await changedPaths(parts, released))]),
  ]
  if (domains.length === 0) return
  const count = domains.length === 1 ? '1 domain differs' : `${domains.length} domains differ`
  parts.log.warn('the policies of single sign-on have changed since the last deploy', {
    detail: `${count}, deploy: POST /api/deploy-all, or plumbline deploy.`,
    domains: domains.toSorted().slice(0, MAX_NAMED),
  })
}

/** Of the same records, so that nothing but settings can make a difference. */
async function changedRules(
  { settings, store }: PoliciesParts,
  released: Intent,
): Promise<readonly string[]> {
  const frozen = await store.artifact(SSO_KEY)
  if (frozen === null) return []
  const before = new Map(
    ssoCodec.thaw(frozen.chunks).sites.map(({ domain_id, rules }) => [domain_id, effectOf(rules)]),
  )
  return ssoDesired(released, settings)
    .sites.filter(
      ({ domain_id, rules }) => before.has(domain_id) && before.get(domain_id) !== effectOf(rules),
    )
    .map(({ domain }) => domain)
}

async function changedPaths({ routes, store }: PoliciesParts, released: Intent): Promise<readonly string[]> {
  const frozen = await releasedRoutes(store, routes).newest()
  if (frozen === null) return []
  const openPaths = openPathsOf(routes)
  const opened = openedPathsOf(frozen)
  return released.rows.flatMap(({ live, fields }) => {
    const found = live ? openPaths(fields) : null
    const pattern = found === null || found.hindered_by !== null ? undefined : openPathsPattern(found.paths)
    return opened.get(fields.domain) === pattern ? [] : [fields.domain]
  })
}
