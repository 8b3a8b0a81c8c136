/** AdGuard Home's rewrites, read by its API (its `openapi.yaml`: `/rewrite/list`, `/rewrite/settings`). */
import { isIP } from 'node:net'
import { z } from 'zod'
import type { Secret } from '../../../../kernel/secret.ts'
import { canonicalAddress } from '../../../../model/network/address.ts'
import type { Override } from '../../../../model/resolver/view.ts'
import type { HttpClient } from '../../../../ports/http-client.ts'
import type { ResolverConfig } from '../port.ts'
import { type Api, callApi, reading, ReadingFailed } from '../api-answer.ts'
import { plainName } from '../plain-name.ts'

/** Older versions say nothing about `enabled`: every rewrite is. */
const Rewrites = z.array(
  z.object({ domain: z.string(), answer: z.string(), enabled: z.boolean().optional() }),
)
const Settings = z.object({ enabled: z.boolean() })

const CREDENTIAL = 'PLUMBLINE_ADGUARD_USER and PLUMBLINE_ADGUARD_PASSWORD'

export interface AdguardOptions {
  readonly http: HttpClient
  /** Null where the API asks for nothing. */
  readonly user: string | null
  readonly password: Secret | null
}

export function adguardConfig(base: string, { http, user, password }: AdguardOptions): ResolverConfig {
  const api: Api = { http, base, source: `adguard:${base}` }
  const headers: Record<string, string> =
    user === null || password === null
      ? {}
      : { authorization: `Basic ${Buffer.from(`${user}:${password.reveal()}`).toString('base64')}` }
  const get = <T>(path: string, answer: z.ZodType<T>, signal: AbortSignal) =>
    callApi(api, { method: 'GET', path, headers, answer, credential: CREDENTIAL, signal })
  return {
    source: api.source,
    kind: 'api',
    read: (signal) =>
      reading(async () => {
        const rewrites = await get('/control/rewrite/list', Rewrites, signal)
        const settings = await get('/control/rewrite/settings', Settings, signal).catch(enabledWhereUnknown)
        const entries = settings.enabled ? rewrites.filter(({ enabled }) => enabled !== false) : []
        const overrides = entries.flatMap((entry) => overrideOf(entry, api.source) ?? [])
        const notes = settings.enabled ? [] : ['Rewrites are switched off.']
        return { ok: true, view: { product: 'adguard', overrides, zones: [] }, gaps: [], notes }
      }),
  }
}

/** Older versions have no such switch. */
function enabledWhereUnknown(error: unknown): { enabled: boolean } {
  if (error instanceof ReadingFailed && error.status === 404) return { enabled: true }
  throw error
}

function overrideOf({ domain, answer }: { domain: string; answer: string }, source: string): Override | null {
  const is_wild = domain.startsWith('*.')
  const name = plainName(is_wild ? domain.slice(2) : domain)
  if (name === null || name === '') return null
  const at = { name, scope: is_wild ? ('below' as const) : ('exact' as const), source }
  if (answer === 'A' || answer === 'AAAA') return { ...at, type: answer, value: null }
  const address = canonicalAddress(answer)
  if (address !== null) return { ...at, type: isIP(address) === 4 ? 'A' : 'AAAA', value: address }
  const target = answer.startsWith('*.') ? `*.${plainName(answer.slice(2)) ?? ''}` : plainName(answer)
  return target === null ? null : { ...at, type: 'CNAME', value: target }
}
