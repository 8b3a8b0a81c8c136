/** The process itself, and the examination of the installation, for whoever looks after it. */
import { z } from 'zod'
import { isoTime } from '../../kernel/clock.ts'
import { endpoint, type Endpoint } from '../../http/contract.ts'
import { ok } from '../../http/ok.ts'
import type { SystemParts } from './endpoints.ts'
import { readSystem, type SystemDeps } from './read-system.ts'
import { instant } from '../../http/body/scalars.ts'

const SystemStatus = z
  .object({
    at: instant(),
    version: z.string(),
    node: z.string(),
    pid: z.int(),
    started_at: instant(),
    uptime_seconds: z.number().min(0),
    memory_bytes: z.int().min(0).describe('Resident'),
    event_loop: z.object({
      delay_ms: z.number().min(0).describe('By how much timers come late just now, the worst of a few'),
      utilization: z
        .number()
        .min(0)
        .max(1)
        .describe('Share of the time since the start in which it was busy'),
    }),
    loops: z
      .array(
        z.object({
          name: z.string().describe('Its key, or its name on the health page'),
          component: z.string(),
          kind: z.enum(['kept', 'watched']).describe('kept: compared and repaired; watched: looked at'),
          ok: z.boolean().nullable().describe('Null: not known'),
          message: z.string(),
          last_run_at: instant().nullable().describe('Null before the first'),
          next_run_at: instant().nullable().describe('At the latest; null while it runs or nobody knows'),
          failures: z.int().min(0).nullable().describe('Failed tries in a row; null where nobody counts'),
        }),
      )
      .describe('What is repeated, in the order of work'),
    backups: z.object({
      newest: z
        .object({ path: z.string(), at: instant(), bytes: z.int().min(0) })
        .nullable()
        .describe(
          'The newest copy of the database that Plumbline made itself, once a day and before its schema changes; null for none',
        ),
      restore_tested: z
        .object({ at: instant(), ok: z.boolean() })
        .nullable()
        .describe(
          'The last trial of a daily copy: whether it opens and every rule of the database holds in it; null: none was ever made',
        ),
    }),
  })
  .meta({ id: 'SystemStatus' })

const Examination = z
  .object({
    at: instant(),
    findings: z.array(
      z.object({
        check: z.string(),
        state: z.enum(['good', 'warning', 'bad']),
        detail: z.string(),
        remedy: z.string().nullable().describe('What would help; null where nothing is wrong'),
      }),
    ),
  })
  .meta({ id: 'Examination' })

export const systemStatusEndpoints = (deps: SystemDeps, parts: SystemParts): readonly Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/api/system',
    id: 'systemStatus',
    summary: 'The process itself: since when it runs, what it repeats and when, its backups',
    description: 'By what is known already. What does not exist is null.',
    level: 'keyed',
    tags: ['System'],
    replies: { 200: SystemStatus },
    handler: async () => ok(await readSystem(deps, parts)),
  }),
  endpoint({
    method: 'GET',
    path: '/api/system/doctor',
    id: 'examination',
    summary: 'Examines the installation, as "plumbline doctor" does',
    description:
      'Settings, files, accounts and drift, looked at for the answer. Where that takes more than three seconds, what is found until then is ' +
      'told, with the warning "examination"; it goes on. One that ended less than 30 seconds ago is told again. The rules of the database are not gone through for it: they are on the health page.',
    level: 'keyed',
    tags: ['System'],
    replies: { 200: Examination },
    handler: async () => {
      const { at, findings } = await parts.examined()
      return ok({ at: isoTime(at), findings })
    },
  }),
]
