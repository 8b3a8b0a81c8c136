/**
 * What keeps the domains of a deploy from being served as they were deployed, although the proxy has loaded them: no deploy
 * mends it, and whoever deploys hears of it. Handshakes are not waited for: what they saw last is told.
 */
import type { ShadowedRoute } from '../../../core/answers.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { Intent } from '../../../model/intent.ts'
import type { Deps } from '../deps.ts'
import { loadedAmong } from '../../routes/loaded/loaded.ts'
import { besideNow } from '../../routes/proxy/plan-warnings.ts'
import { sentAwayRivals } from '../../routes/proxy/sent-away.ts'
import { isShadow, rivalsOfDomains, shadowsIn } from '../../routes/proxy/shadow/shadows.ts'
import type { Rival } from '../../routes/rival-schema.ts'
import { NEVER_ABORTED } from '../../../kernel/async/never-aborted.ts'

export interface InTheWay {
  /** Of this call; null where it is not known. */
  readonly shadowed: readonly ShadowedRoute[] | null
  readonly warnings: readonly string[]
}

export interface Concerned {
  readonly loaded: boolean | null
  readonly domain_ids: readonly number[]
  /** The call is about every record. */
  readonly whole: boolean
}

/** A look at more takes longer than a deploy should: that of the health page is due within half a minute. */
const MAX_ROUTERS = 2_000

/** Throws no Failure: the deploy itself is done, and what ends with the daemon is not waited for. */
export const inTheWay = (deps: Deps, concerned: Concerned): Promise<InTheWay> =>
  found(deps, concerned).catch((error: unknown) => {
    if (error instanceof Failure) return { shadowed: null, warnings: [] }
    throw error
  })

async function found(deps: Deps, { loaded, domain_ids, whole }: Concerned): Promise<InTheWay> {
  const released = await deps.store.intent('released')
  const ids = new Set(domain_ids)
  const rows = released.rows.filter(({ live, domain_id }) => live && (whole || ids.has(domain_id)))
  const [proxy, certificates, beside] = await Promise.all([
    loaded === true ? shadowedAmong(deps, rows, whole) : sentAwayAmong(deps, rows),
    certificatesOf(deps, rows),
    besideNow(deps),
  ])
  const by_folder = shadowedOf(beside.shadowed, rows)
  const shadowed = by_folder.length === 0 ? proxy : [...(proxy ?? []), ...by_folder]
  return {
    shadowed,
    warnings: [...(shadowed ?? []).map(({ detail }) => detail), ...certificates, ...beside.warnings],
  }
}

type Rows = Intent['rows']

async function shadowedAmong(
  deps: Deps,
  rows: Rows,
  whole: boolean,
): Promise<readonly ShadowedRoute[] | null> {
  const { watch } = deps.proxy
  if (watch === null) return null
  if (watch.last?.known === true && watch.last.snapshot.routers.length > MAX_ROUTERS) return null
  const seen = await watch.look(watch.closing)
  // Whoever asks next is shown what is there then.
  watch.forget()
  if (!seen.known) return null
  const { loaded } = await loadedAmong(deps, watch.routersOf(seen.snapshot).middlewares)
  const asked = { loaded, signal: NEVER_ABORTED }
  const { rivals, is_cut } = whole
    ? await shadowsIn(deps, seen, asked)
    : await rivalsOfDomains(deps, seen, { ...asked, domains: rows.map(({ fields }) => fields.domain) })
  const shadowed = shadowedOf(rivals.filter(isShadow), rows)
  return is_cut && shadowed.length === 0 ? null : shadowed
}

type Shadow = Pick<Rival, 'item' | 'domains' | 'detail'>

function shadowedOf(shadows: readonly Shadow[], rows: Rows): readonly ShadowedRoute[] {
  const ids = new Map(rows.map(({ domain_id, fields }) => [fields.domain, domain_id]))
  return shadows.flatMap(({ item, domains, detail }): readonly ShadowedRoute[] => {
    if (domains.length === 0) return [{ domain_id: null, domain: null, item, detail }]
    return domains.flatMap((domain) => {
      const domain_id = ids.get(domain)
      return domain_id === undefined ? [] : [{ domain_id, domain, item, detail }]
    })
  })
}

/** Null where nothing is known of the proxy: its static file alone tells of few things that are in the way. */
async function sentAwayAmong(deps: Deps, rows: Rows): Promise<readonly ShadowedRoute[] | null> {
  const found = shadowedOf(await sentAwayRivals(deps), rows)
  return found.length === 0 ? null : found
}

async function certificatesOf(deps: Deps, rows: Rows): Promise<readonly string[]> {
  const not_served = await deps.notServed()
  const names = new Set(rows.map(({ fields }) => fields.domain))
  return not_served
    .filter(({ domains }) => domains.some((domain) => names.has(domain)))
    .map(({ item, detail }) => (detail.includes(item) ? detail : `${item}: ${detail}`))
}
