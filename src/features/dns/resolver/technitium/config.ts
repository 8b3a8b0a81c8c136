/** Technitium DNS Server's own zones, read by its API (its `APIDOCS.md`: `/api/zones/list`, `/api/zones/records/get`). */
import { z } from 'zod'
import type { Secret } from '../../../../kernel/secret.ts'
import { canonicalAddress } from '../../../../model/network/address.ts'
import type { Override, ResolverZone, ZoneRule } from '../../../../model/resolver/view.ts'
import type { HttpClient } from '../../../../ports/http-client.ts'
import type { ResolverConfig } from '../port.ts'
import { type Api, callApi, failed, reading } from '../api-answer.ts'
import { plainName } from '../plain-name.ts'

/** Refusals come with status 200 and say so in the body. */
const refusal = z.object({
  status: z.enum(['error', 'invalid-token', '2fa-required']),
  errorMessage: z.string().optional(),
})
const answered = <T extends z.ZodType>(response: T) =>
  z.union([z.object({ status: z.literal('ok'), response }), refusal])

const Zone = z.object({
  name: z.string(),
  type: z.string(),
  internal: z.boolean().optional(),
  disabled: z.boolean().optional(),
})
const Zones = z.object({ zones: z.array(Zone) })
const Records = z.object({
  records: z.array(
    z.object({
      name: z.string(),
      type: z.string(),
      disabled: z.boolean().optional(),
      rData: z.looseObject({ ipAddress: z.string().optional(), cname: z.string().optional() }),
    }),
  ),
})
type WireRecord = z.infer<typeof Records>['records'][number]

const CREDENTIAL = 'PLUMBLINE_TECHNITIUM_TOKEN'
const MAX_ZONES = 500

/** What becomes of a name in the zone that has no record. */
const RULES: Readonly<Record<string, ZoneRule>> = {
  Primary: 'static',
  Secondary: 'static',
  Forwarder: 'typetransparent',
  SecondaryForwarder: 'typetransparent',
}
/** Types whose answers are not in the record itself. */
const COMPUTED = new Set(['APP', 'ANAME', 'DNAME'])

export interface TechnitiumOptions {
  readonly http: HttpClient
  readonly token: Secret | null
}

export function technitiumConfig(base: string, { http, token }: TechnitiumOptions): ResolverConfig {
  const api: Api = { http, base, source: `technitium:${base}` }
  const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token.reveal()}` }
  return {
    source: api.source,
    kind: 'api',
    read: (signal) => reading(() => readZones({ api, headers, signal })),
  }
}

interface Asking {
  readonly api: Api
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

async function readZones(asking: Asking): Promise<ReturnType<ZoneReader['result']>> {
  const { api } = asking
  const { zones } = await ask(asking, '/api/zones/list', Zones)
  const served = zones.filter((zone) => !zone.disabled && !zone.internal && RULES[zone.type] !== undefined)
  if (served.length > MAX_ZONES)
    throw failed(api, 'unreadable', `has more than ${MAX_ZONES} zones, which is more than is read`)
  const reader = new ZoneReader(api.source)
  for (const zone of served) {
    const at = encodeURIComponent(zone.name)
    const path = `/api/zones/records/get?domain=${at}&zone=${at}&listZone=true`
    reader.take(zone, (await ask(asking, path, Records)).records)
  }
  return reader.result()
}

async function ask<T>({ api, headers, signal }: Asking, path: string, response: z.ZodType<T>): Promise<T> {
  const answer = answered(response)
  const call = { method: 'GET' as const, path, headers, credential: CREDENTIAL, signal }
  const body = await callApi(api, { ...call, answer })
  if (body.status === 'ok') return body.response
  if (body.status !== 'error')
    throw failed(api, 'refused', `refused the token (${body.status}). See ${CREDENTIAL}`)
  throw failed(api, 'unreadable', `answered ${path.replace(/\?.*/, '')} with an error`)
}

class ZoneReader {
  readonly #source: string
  readonly #overrides: Override[] = []
  readonly #zones: ResolverZone[] = []
  readonly #gaps: string[] = []

  constructor(source: string) {
    this.#source = source
  }

  take(zone: z.infer<typeof Zone>, records: readonly WireRecord[]): void {
    const name = plainName(zone.name)
    const rule = RULES[zone.type]
    if (name === null || rule === undefined) return
    this.#zones.push({ name, scope: 'subtree', rule })
    for (const record of records) {
      if (record.disabled) continue
      this.#add(record, `${this.#source} ${zone.name}`)
      if (record.type === 'NS' && plainName(record.name) !== name)
        this.#gaps.push(`${this.#source} ${zone.name}: other servers answer below ${record.name}`)
    }
  }

  result() {
    const view = { product: 'technitium' as const, overrides: this.#overrides, zones: this.#zones }
    return { ok: true as const, view, gaps: this.#gaps, notes: [] }
  }

  #add({ name: text, type, rData }: WireRecord, source: string): void {
    const is_wild = text.startsWith('*.')
    const name = plainName(is_wild ? text.slice(2) : text)
    if (name === null) return
    if (COMPUTED.has(type)) this.#gaps.push(`${source}: ${type} ${text} answers what is not written there`)
    const value = valueOf(type, rData)
    if (value === null) return void this.#gaps.push(`${source}: ${type} ${text} has no address or name`)
    this.#overrides.push({ name, scope: is_wild ? 'below' : 'exact', type, value, source })
  }
}

/** Of other types it only matters that they are there. */
function valueOf(type: string, { ipAddress, cname }: WireRecord['rData']): string | null {
  if (type === 'A' || type === 'AAAA') return canonicalAddress(ipAddress ?? '')
  return type === 'CNAME' ? plainName(cname ?? '') : ''
}
