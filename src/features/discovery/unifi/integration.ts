/** Zones and policies of the official Network Integration API (v1): lists in pages, sites by an id of their own. */
import { asNumber, asRecord, asRecords, asText, type Json } from '../../../kernel/text/lenient.ts'
import type { ZoneLists } from './read-inbound.ts'
import { type UnifiSession, Unusable } from './session.ts'

const BASE = '/integration/v1'
/** The API gives no more at once. */
const PAGE = 200
const MOST_PAGES = 50

/** Null where this API does not know the site, or has no zones. Throws a Failure, or the signal's reason. */
export async function integrationLists(
  session: UnifiSession,
  site: Json,
  signal: AbortSignal,
): Promise<ZoneLists | null> {
  try {
    const sites = await allPages(session, '/sites', signal)
    const id = asText(sites.find((one) => one['internalReference'] === site['name'])?.['id'])
    if (id === null) return null
    const path = `/sites/${encodeURIComponent(id)}/firewall`
    const zones = await allPages(session, `${path}/zones`, signal)
    return { zones, policies: await allPages(session, `${path}/policies`, signal) }
  } catch (error) {
    if (error instanceof Unusable) return null
    throw error
  }
}

/** Throws `Unusable` for a list that does not end or does not hold what it says. */
async function allPages(session: UnifiSession, path: string, signal: AbortSignal): Promise<readonly Json[]> {
  const all: Json[] = []
  for (let page = 0; page < MOST_PAGES; page++) {
    const body = asRecord(
      await session.body({
        method: 'GET',
        path: `${BASE}${path}?offset=${all.length}&limit=${PAGE}`,
        signal,
      }),
    )
    const rows = asRecords(body['data'])
    const total = asNumber(body['totalCount'])
    if (rows === null || total === null) throw new Unusable('unreadable', `${path} is no list`)
    all.push(...rows)
    if (all.length >= total) return all
    if (rows.length === 0) break
  }
  throw new Unusable('unreadable', `${path} tells fewer entries than it promises`)
}
