/** What the proxy makes of the routes of one domain that were written and loaded. */
import { isoTime } from '../../kernel/clock.ts'
import type { Deps } from './deps.ts'
import { loadedAmong } from '../routes/loaded/loaded.ts'
import { proxyDrift } from '../routes/proxy/proxy-drift.ts'
import { rejectedIn } from '../routes/loaded/rejected.ts'
import { sentAwayRivals } from '../routes/proxy/sent-away.ts'
import { isShadow, rivalsOfDomains } from '../routes/proxy/shadow/shadows.ts'
import type { ServedState } from './explained.ts'

/** Null while its API is not set, but for what its static file tells. @param domains the names that the record has in its two editions */
export async function servedState(
  deps: Deps,
  domains: readonly string[],
  signal: AbortSignal,
): Promise<ServedState | null> {
  const { watch } = deps.proxy
  if (watch === null) return servedByFile(deps, domains)
  watch.forget()
  const seen = await watch.look(signal)
  const base = { observed_at: isoTime(seen.at), beside: [], differences: [] }
  if (!seen.known) return { ...base, agrees: null, cause: null, unknown_because: seen.detail }
  const { loaded, detail } = await loadedAmong(deps, watch.routersOf(seen.snapshot).middlewares)
  const rivals = await rivalsOfDomains(deps, seen, { domains, loaded, signal })
  const rejected = (await rejectedIn(deps, seen.snapshot)).filter(({ domain }) => domains.includes(domain))
  const { drift, differences } = proxyDrift({ loaded, detail, rejected, shadowed: rivals.filter(isShadow) })
  return {
    ...base,
    agrees: drift === null ? null : !drift,
    cause: differences[0]?.cause ?? null,
    differences,
    beside: rivals.filter((rival) => !isShadow(rival)),
    unknown_because: drift === null ? detail : null,
  }
}

async function servedByFile(deps: Deps, domains: readonly string[]): Promise<ServedState | null> {
  const shadowed = (await sentAwayRivals(deps)).filter((rival) => domains.includes(rival.domains[0]!))
  if (shadowed.length === 0) return null
  const { differences } = proxyDrift({ loaded: null, detail: null, rejected: null, shadowed })
  const cause = differences[0]?.cause ?? null
  const observed_at = isoTime(deps.clock.now())
  return { agrees: false, cause, differences, beside: [], unknown_because: null, observed_at }
}
