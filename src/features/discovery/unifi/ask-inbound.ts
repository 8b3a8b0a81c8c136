/**
 * What a site lets in, from whichever API tells it. None of these lists is needed for the rest of a look: one that is
 * refused, or that a firmware does not have, is missing here and named.
 */
import { asNumber, asRecord, asRecords, asText, type Json } from '../../../kernel/text/lenient.ts'
import type { Inbound, InboundRule, PortForward } from '../model/inbound-port.ts'
import { readForward, readPolicies, readRule, type ZoneLists } from './read-inbound.ts'
import { type UnifiSession, Unusable } from './session.ts'

export interface SiteAsked {
  readonly site: Json
  readonly devices: readonly Json[]
  readonly signal: AbortSignal
}

/** Types of devices that stand between the site and the internet (`ugw`, `udm`, `uxg` …). */
const GATEWAY = /^u(?:gw|dm|xg|cg|dr|dw)/

/** Throws a Failure, or the signal's reason. */
export async function askInbound(
  session: UnifiSession,
  { site, devices, signal }: SiteAsked,
): Promise<Inbound> {
  const has_gateway = devices.some((device) => GATEWAY.test(asText(device['type']) ?? ''))
  if (!has_gateway) return { has_gateway, forwards: null, rules: null, unreadable: 0, detail: null }
  const [forwards, rules] = await Promise.all([
    tried(() => askForwards(session, site, signal)),
    tried(() => askRules(session, site, signal)),
  ])
  const missing = [forwards, rules].flatMap((one) => (one.known ? [] : [one.why]))
  return {
    has_gateway,
    forwards: forwards.known ? forwards.value.forwards : null,
    unreadable: forwards.known ? forwards.value.unreadable : 0,
    rules: rules.known ? rules.value : null,
    detail: missing.length === 0 ? null : missing.join('; '),
  }
}

type Tried<T> = { readonly known: true; readonly value: T } | { readonly known: false; readonly why: string }

async function tried<T>(ask: () => Promise<T>): Promise<Tried<T>> {
  try {
    return { known: true, value: await ask() }
  } catch (error) {
    if (!(error instanceof Unusable)) throw error
    return { known: false, why: error.message }
  }
}

const nameIn = (site: Json): string => encodeURIComponent(asText(site['name']) ?? 'default')

interface Forwards {
  readonly forwards: readonly PortForward[]
  readonly unreadable: number
}

async function askForwards(session: UnifiSession, site: Json, signal: AbortSignal): Promise<Forwards> {
  const path = `/api/s/${nameIn(site)}/rest/portforward`
  const rows = await session.data({ method: 'GET', path, signal })
  const forwards = rows.flatMap((row) => readForward(row) ?? [])
  return { forwards, unreadable: rows.length - forwards.length }
}

async function askRules(
  session: UnifiSession,
  site: Json,
  signal: AbortSignal,
): Promise<readonly InboundRule[]> {
  const zoned = await askZones(session, site, signal)
  // A gateway that was not moved to zones may name some and keeps its rules where they were.
  if (zoned.policies.length > 0) return readPolicies(zoned)
  const path = `/api/s/${nameIn(site)}/rest/firewallrule`
  return (await session.data({ method: 'GET', path, signal })).flatMap(readRule)
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
