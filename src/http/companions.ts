/**
 * From companions to endpoints: each with its own `/health`, `/openapi.json`, `/docs` and `/`, and all of them again below
 * `/companions/NAME` of the main listener. Addresses in their pages are relative, so that both are right.
 */
import { z } from 'zod'
import type { Companion } from './companion.ts'
import { endpoint, type Endpoint } from './contract.ts'
import { ok } from './ok.ts'
import { descriptionEndpoints } from './openapi/description-endpoints.ts'

interface Host {
  readonly version: string
  /** Seconds since the process began to serve. */
  readonly uptime: () => number
}

/** A companion with everything that it answers, at its own base address. */
export interface ServedCompanion extends Omit<Companion, 'endpoints' | 'shares'> {
  readonly endpoints: readonly Endpoint[]
}

export const prefixOf = ({ name }: Pick<Companion, 'name'>): `/${string}` => `/companions/${name}`

/**
 * @param main what the main service answers: shared operations are found there by their id
 * Throws for a shared operation that there is none of: a programming error.
 */
export function servedCompanion(
  companion: Companion,
  main: readonly Endpoint[],
  host: Host,
): ServedCompanion {
  const { title, description, endpoints: own, shares = [] } = companion
  const tags = [{ name: 'System', description: 'Whether the service answers, and this description' }]
  const shared = shares.map((id) => {
    const found = main.find((one) => one.id === id)
    if (found === undefined) throw new Error(`${companion.name} shares "${id}", which is no operation.`)
    return found
  })
  const has = (path: string) => own.some((one) => one.path === path)
  const endpoints: readonly Endpoint[] = [
    ...own,
    ...shared,
    ...(has('/health') ? [] : [healthEndpoint(companion, host, tags)]),
    ...(has('/') ? [] : [baseEndpoint]),
    ...descriptionEndpoints({
      endpoints: () => endpoints,
      about: { title, description, server: './' },
      tags,
    }),
  ]
  return { ...companion, endpoints }
}

const Health = z
  .object({
    status: z.literal('ok'),
    version: z.string(),
    uptime_seconds: z.number().min(0),
    configured: z.boolean().describe('Whether anything is set up that the service could tell of'),
  })
  .meta({ id: 'Health', description: 'The service answers' })

const healthEndpoint = (
  companion: Companion,
  { version, uptime }: Host,
  tags: NonNullable<Endpoint['tags']>,
): Endpoint =>
  endpoint({
    method: 'GET',
    path: '/health',
    id: 'health',
    summary: 'Whether the service answers',
    level: 'public',
    tags,
    bare: true,
    replies: { 200: Health },
    handler: () => {
      const uptime_seconds = Math.round(uptime() * 1000) / 1000
      return ok({ status: 'ok' as const, version, uptime_seconds, configured: companion.configured() })
    },
  })

const redirect = (path: `/${string}`, id: string, location: string): Endpoint =>
  endpoint({
    method: 'GET',
    path,
    id,
    summary: 'Leads on',
    level: 'open',
    tags: ['System'],
    hidden: true,
    document: true,
    replies: {},
    handler: () => new Response(null, { status: 308, headers: { Location: location } }),
  })

/** People who type the base address want to see what there is. */
const baseEndpoint = redirect('/', 'base', 'docs')

/** The same endpoints below the main listener. They are described by the companion, not by the main service. */
export function mountedEndpoints(companions: readonly ServedCompanion[]): readonly Endpoint[] {
  return companions.flatMap((companion) => {
    const prefix = prefixOf(companion)
    const below = companion.endpoints.map((one) => ({
      ...one,
      path: `${prefix}${one.path}` as const,
      id: `${companion.name}:${one.id}`,
    }))
    return [redirect(prefix, `${companion.name}:withoutSlash`, `${companion.name}/`), ...below]
  })
}
