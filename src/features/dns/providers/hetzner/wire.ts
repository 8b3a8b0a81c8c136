/** What Hetzner's Cloud API sends and takes: "Zones", "Zone RRSets", "Actions" of its API reference. */
import { z } from 'zod'
import type { FailureCode } from '../../../../kernel/failure.ts'

const pagination = z.object({
  page: z.int().min(1),
  per_page: z.int().min(1),
  next_page: z.int().nullable(),
  /** Null where the API does not count. */
  total_entries: z.int().min(0).nullable(),
})

/** A page whose entries stand under `member`; they are read as `entries`. */
export const pageOf = <T>(member: string, item: z.ZodType<T>) =>
  z.preprocess(
    (body) => (isObject(body) ? { ...body, entries: body[member] } : body),
    z.object({ entries: z.array(item), meta: z.object({ pagination }) }),
  )

const isObject = (body: unknown): body is Record<string, unknown> => typeof body === 'object' && body !== null

export const zone = z.object({
  id: z.int(),
  name: z.string().min(1),
  /** `primary`, `secondary`. */
  mode: z.string(),
  /** `ok`, `updating`, `error`. */
  status: z.string(),
})
export type WireZone = z.infer<typeof zone>

export const rrset = z.object({
  /** Relative to the zone, `@` for its apex. */
  name: z.string().min(1),
  type: z.string().min(1),
  /** Null for the default of the zone. */
  ttl: z.int().nullable(),
  records: z.array(z.object({ value: z.string(), comment: z.string().nullish() })).min(1),
  /** The id of the zone that it belongs to. */
  zone: z.int(),
})
export type WireRrset = z.infer<typeof rrset>

/** A write is only begun when it is answered; it is done when its action says so. */
export const action = z.object({
  id: z.int(),
  status: z.enum(['running', 'success', 'error']),
  error: z.object({ code: z.string(), message: z.string() }).nullish(),
})
export type WireAction = z.infer<typeof action>

export const withAction = z.object({ action })
export const withZone = z.object({ zone })
export const withRrset = z.object({ rrset })

export const refusal = z.object({ error: z.object({ code: z.string(), message: z.string() }) })
export type Refusal = z.infer<typeof refusal>

const CODES: Readonly<Record<string, FailureCode>> = {
  unauthorized: 'provider_credentials',
  forbidden: 'provider_credentials',
  token_readonly: 'provider_credentials',
  rate_limit_exceeded: 'provider_busy',
  // Another action is at work on it.
  locked: 'component_unavailable',
  conflict: 'component_unavailable',
  timeout: 'component_unavailable',
  unavailable: 'component_unavailable',
  service_error: 'component_unavailable',
  server_error: 'component_unavailable',
  maintenance: 'component_unavailable',
}

/** For refusals of calls and for actions that ended in an error alike. */
export const codeOf = ({ error }: Refusal): FailureCode | null => CODES[error.code] ?? null
/** Of an action that was begun: what it was at may be at fault. */
export const isServersFault = ({ error }: Refusal): boolean =>
  error.code === 'server_error' || error.code === 'service_error'
export const words = ({ error }: Refusal): string => `${error.message.replace(/\.$/, '')} [${error.code}]`

export const isCode = (refusal: Refusal | null, code: 'not_found' | 'uniqueness_error'): boolean =>
  refusal?.error.code === code
