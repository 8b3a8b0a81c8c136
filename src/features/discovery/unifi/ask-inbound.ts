/**
 * What a site lets in, from whichever API tells it. None of these lists is needed for the rest of a look: one that is
 * refused, or that a firmware does not have, is missing here and named.
 */
import type { Milliseconds } from '../../../kernel/clock.ts'
import { asNumber, asRecord, asRecords, asText, type Json } from '../../../kernel/text/lenient.ts'
import type { Inbound } from '../model/inbound-port.ts'
import type { InboundRows, ListLook } from '../model/lab-port.ts'
import { rowsOf } from '../model/list-look.ts'
import { Failure } from '../../../kernel/failure.ts'
import { RawRows } from '../model/raw-rows.ts'
import { readForward, readPolicies, readRule, type ZoneLists } from './read-inbound.ts'
import { Unusable } from '../model/unusable.ts'
import type { Entries, UnifiSession } from './session.ts'

export interface SiteAsked {
  readonly site: Json
  readonly devices: ListLook
  readonly signal: AbortSignal
}

/** Less than a look has, so that a list that hangs leaves the others known. */
const PART_WITHIN_MS: Milliseconds = 6000

/** Types of devices that stand between the site and the internet (`ugw`, `udm`, `uxg` …). */
const GATEWAY = /^u(?:gw|dm|xg|cg|dr|dw)/

/** Throws a Failure, or the signal's reason. */
export async function askInbound(
  session: UnifiSession,
  { site, devices, signal }: SiteAsked,
): Promise<{ readonly inbound: Inbound; readonly rows: InboundRows }> {
  const is_seen = rowsOf(devices).some((device) => GATEWAY.test(asText(device['type']) ?? ''))
  const has_gateway = devices.known ? is_seen : null
  if (has_gateway !== true) {
    const detail = devices.known ? null : `whether a gateway is managed here is not known: ${devices.why}`
    const inbound = { has_gateway, forwards: null, rules: null, unreadable: 0, detail }
    return { inbound, rows: { forwards: null, policies: null, zones: new RawRows([]), rules: null } }
  }
  const ask = { session, site, signal }
  const [forwards, { policies, zones }] = await Promise.all([askForwards(ask), askPolicies(ask)])
  // A gateway that was not moved to zones may name some and keeps its rules where they were.
  const rules = policies.known && policies.rows.count === 0 ? await askRules(ask) : null
  const missing = [forwards, policies, rules].flatMap((one) => (one?.known === false ? [one.why] : []))
  const of_forwards = forwards.known ? forwards.rows.reveal() : null
  const read = of_forwards?.flatMap((row) => readForward(row) ?? []) ?? null
  const zoned = policies.known ? { zones: zones.reveal(), policies: policies.rows.reveal() } : null
  return {
    rows: { forwards, policies, zones, rules },
    inbound: {
      has_gateway,
      forwards: read,
      unreadable: (of_forwards?.length ?? 0) - (read?.length ?? 0),
      rules:
        rules === null
          ? zoned && readPolicies(zoned)
          : rules.known
            ? rules.rows.reveal().flatMap(readRule)
            : null,
      detail: missing.length === 0 ? null : missing.join('; '),
    },
  }
}

/** How a list of a site is asked for. Each throws a Failure, or the signal's reason; a refused one is an answer. */
export interface ListAsked {
  readonly session: UnifiSession
  readonly site: Json
  readonly signal: AbortSignal
}

async function tried(ask: () => Promise<Entries>): Promise<ListLook> {
  try {
    const { rows, unreadable } = await ask()
    return { known: true, rows: new RawRows(rows, unreadable) }
  } catch (error) {
    if (!(error instanceof Unusable)) throw error
    const { reason, message: why, status } = error
    return { known: false, reason, why, absent: status === 404 }
  }
}

const nameIn = (site: Json): string => encodeURIComponent(asText(site['name']) ?? 'default')

/** A list that is refused, unreadable or late is an answer. Throws only the signal's reason. */
export async function askPart(
  { session, site, signal }: ListAsked,
  { list, json }: { readonly list: string; readonly json?: unknown },
): Promise<ListLook> {
  const call = json === undefined ? ({ method: 'GET' } as const) : ({ method: 'POST', json } as const)
  const path = `/api/s/${nameIn(site)}/${list}`
  try {
    return await tried(() => session.entries({ ...call, path, signal, deadline_ms: PART_WITHIN_MS }))
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (!(error instanceof Failure)) throw error
    const why = `${path}: ${error.message.replace(/\.$/, '')}`
    return { known: false, reason: 'unreachable', why, absent: false }
  }
}

/** @param list below the site, such as `rest/wlanconf` */
export const askList = ({ session, site, signal }: ListAsked, list: string): Promise<ListLook> =>
  tried(() => session.entries({ method: 'GET', path: `/api/s/${nameIn(site)}/${list}`, signal }))

export const askForwards = (ask: ListAsked): Promise<ListLook> => askList(ask, 'rest/portforward')

export const askRules = (ask: ListAsked): Promise<ListLook> => askList(ask, 'rest/firewallrule')

export async function askPolicies({
  session,
  site,
  signal,
}: ListAsked): Promise<{ readonly policies: ListLook; readonly zones: RawRows }> {
  let zones: readonly Json[] = []
  const policies = await tried(async () => {
    const zoned = await askZones(session, site, signal)
    zones = zoned.zones
    return { rows: zoned.policies, unreadable: 0 }
  })
  return { policies, zones: new RawRows(zones) }
}

const NO_ZONES: ZoneLists = { zones: [], policies: [] }

/** No zones where the firmware knows none. The official API is asked where the other one does not answer a key. */
async function askZones(session: UnifiSession, site: Json, signal: AbortSignal): Promise<ZoneLists> {
  const base = `/v2/api/site/${nameIn(site)}`
  try {
    const zones = await session.list({ method: 'GET', path: `${base}/firewall/zone`, signal })
    if (zones.length === 0) return NO_ZONES
    return {
      zones,
      policies: await session.list({ method: 'GET', path: `${base}/firewall-policies`, signal }),
    }
  } catch (error) {
    if (!(error instanceof Unusable)) throw error
    const official = session.has_key ? await integrationLists(session, site, signal) : null
    if (official !== null) return official
    if (error.status === 404) return NO_ZONES
    throw error
  }
}

// Zones and policies of the official Network Integration API (v1): lists in pages, sites by an id of their own.

const BASE = '/integration/v1'
/** The API gives no more at once. */
const PAGE = 200
const MAX_PAGES = 50

/** Null where this API does not know the site, or has no zones. Throws a Failure, or the signal's reason. */
async function integrationLists(
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
  for (let page = 0; page < MAX_PAGES; page++) {
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
