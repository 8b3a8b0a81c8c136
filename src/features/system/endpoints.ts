/** What every installation answers whatever it manages: liveness, metrics and the description of itself. */
import { z } from 'zod'
import type { Finding } from '../../cli/verb.ts'
import type { Instant } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import { endpoint, type Endpoint } from '../../http/contract.ts'
import { descriptionEndpoints } from '../../http/openapi/description-endpoints.ts'
import { ok } from '../../http/ok.ts'
import type { Offered } from '../../http/openapi/offered.ts'
import type { DatabaseCopy } from '../../ports/backups.ts'
import type { DatabaseCopying } from './copies.ts'

const Setting = z
  .object({
    name: z.string(),
    value: z
      .string()
      .nullable()
      .describe('As it would be typed; [hidden] for a secret that is set, null for what is unset'),
    source: z.enum(['default', 'environment', 'file', 'credential']),
    default: z.string().nullable(),
    help: z.string(),
    needs_restart: z.boolean().describe('A change of it counts from the next start on'),
    fault: z
      .string()
      .nullable()
      .describe('Why what is set is unwise; what is wrong keeps the daemon from starting'),
  })
  .meta({ id: 'Setting' })

/** What an examination found, and when it ended. */
export interface Examined {
  readonly at: Instant
  readonly findings: readonly Finding[]
}

export interface SystemParts {
  readonly version: string
  /** Seconds since the process began to serve. */
  readonly uptime: () => number
  /** Throws when the process cannot do its work, with a message for the operator. */
  readonly check: () => Promise<void>
  readonly metrics: () => Promise<{ readonly content_type: string; readonly text: string }>
  /** In effect, in the order of their documentation; secrets are hidden. */
  readonly settings: () => Promise<readonly z.output<typeof Setting>[]>
  /** The newest copy of the database that is whole; null for none. */
  readonly newestBackup: () => DatabaseCopy | null
  readonly copying: Pick<DatabaseCopying, 'lastTrial' | 'findings' | 'start' | 'stop'>
  /** What is found around the daemon, as `plumbline doctor` finds it. */
  readonly examined: () => Promise<Examined>
  /** Every endpoint of the façade, these included; asked for when the first reader comes. */
  readonly endpoints: () => readonly Endpoint[]
  /** Names that records may use here. */
  readonly offered?: Offered
}

const tags = [
  { name: 'System', description: 'Whether the process serves, its metrics, and this description' },
]

const Health = z
  .object({
    status: z.literal('ok'),
    version: z.string(),
    uptime_seconds: z.number().min(0),
  })
  .meta({ id: 'Health', description: 'The process serves' })

export const systemEndpoints = (parts: SystemParts): readonly Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/health',
    id: 'health',
    summary: 'Whether the process serves',
    description:
      'Answered before everything else, without a key: for liveness probes. 503 while the database cannot be used.',
    level: 'public',
    tags,
    bare: true,
    replies: { 200: Health },
    problems: ['store_unavailable'],
    handler: async () => {
      await healthy(parts.check)
      const uptime_seconds = Math.round(parts.uptime() * 1000) / 1000
      return { status: 200, body: { status: 'ok' as const, version: parts.version, uptime_seconds } }
    },
  }),
  endpoint({
    method: 'GET',
    path: '/metrics',
    id: 'metrics',
    summary: 'Metrics in Prometheus text form',
    level: 'open',
    tags,
    replies: { 200: { content_type: 'text/plain', description: 'Prometheus text exposition' } },
    handler: async () => {
      const { content_type, text } = await parts.metrics()
      return { status: 200, body: text, headers: { 'Content-Type': content_type } }
    },
  }),
  endpoint({
    method: 'GET',
    path: '/api/settings',
    id: 'settings',
    summary: 'The settings in effect, and where each comes from',
    description: 'Those that this process was started with. Secrets are hidden.',
    level: 'keyed',
    tags,
    replies: { 200: z.array(Setting) },
    handler: async () => ok(await parts.settings()),
  }),
  ...descriptionEndpoints({ endpoints: parts.endpoints, offered: parts.offered, tags }),
]

/** A failed check is unavailability, whatever its author threw, so that probes take the process out of rotation. */
async function healthy(check: () => Promise<void>): Promise<void> {
  try {
    await check()
  } catch (cause) {
    const message =
      cause instanceof Failure ? cause.message : 'The process cannot do its work. The log has the reason.'
    throw new Failure('store_unavailable', message, { cause })
  }
}
