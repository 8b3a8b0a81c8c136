/** A service's health check: a record has its path, and the rest is the installation's. */
import { FIELD_PARSERS } from '../../../model/domain/fields.ts'
import { accept, type Parsed, refuse } from '../../../model/text/result.ts'
import { named } from './place.ts'
import { shape, textOf } from './tree.ts'

export interface Health {
  readonly path: string | null
  readonly notes: readonly string[]
}

const TIMING = ['interval', 'unhealthyInterval', 'timeout'] as const
/** Fields that change nothing with the value that Traefik takes anyway. */
const USUAL: Readonly<Record<string, readonly string[]>> = {
  scheme: ['http'],
  mode: ['http'],
  method: ['GET'],
  followRedirects: ['true'],
}
const KEYS = [
  'path',
  'port',
  'hostname',
  'status',
  'headers',
  'scheme',
  'mode',
  'method',
  'followRedirects',
  ...TIMING,
] as const

/** Refusals are the end of a sentence about the service. */
export function healthOf(value: unknown): Parsed<Health> {
  if (value === undefined) return accept({ path: null, notes: [] })
  const check = shape(value, KEYS)
  if (!check.ok) return refuse('service', `has a health check that ${check.reason}`)
  const { path, ...others } = check.fields
  for (const [key, given] of Object.entries(others)) {
    if ((TIMING as readonly string[]).includes(key)) continue
    if (!(USUAL[key] ?? []).includes(textOf(given) ?? ''))
      return refuse('service', `has a health check with ${named(key)}, which a record cannot say`)
  }
  const parsed = FIELD_PARSERS.health_check_path(textOf(path) ?? null)
  if (!parsed.ok || parsed.value === null)
    return refuse('service', `has a health check whose path ${parsed.ok ? 'is missing' : parsed.msg}`)
  const timed = TIMING.some((key) => others[key] !== undefined)
  return accept({
    path: parsed.value,
    notes: timed ? ['health checks keep their path, not their interval and timeout'] : [],
  })
}
