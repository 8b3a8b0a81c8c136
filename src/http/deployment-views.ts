/** What deploying answers: what was done, what was refused, and what waits. */
import type { DeploymentResult } from '../core/answers.ts'
import { z } from 'zod'
import { FAILURE_CODES, type FailureCode } from '../kernel/failure.ts'
import { componentResult, pending, refusedRow, Success } from './common-views.ts'

const unfinishedPart = z
  .object({
    component: z.string(),
    key: z.string().describe('What of the component: dns:example.com'),
    code: z.enum(FAILURE_CODES),
    message: z.string(),
  })
  .describe('A part that waits for something outside and is tried again by itself')

/** Loaded by the proxy and not served. */
export const rejectedRoute = z.object({
  domain_id: z.int(),
  domain: z.string(),
  item: z.string().describe('The object as the proxy names it'),
  detail: z.string().describe('What the proxy says of it'),
})

/** Of a protected domain. */
const openRoute = z.object({
  domain_id: z.int(),
  domain: z.string(),
  detail: z.string().describe('What was seen, or why nothing was, and what helps'),
})

export const deployment = {
  success: z
    .boolean()
    .describe(
      'False where not all that this call is about stands: refused, unfinished, not served, open, or not proven closed yet',
    ),
  message: z.string(),
  release: z.int(),
  domain_ids: z.array(z.int()),
  components: z.array(componentResult),
  loaded: z
    .boolean()
    .nullable()
    .describe('Whether the proxy runs the routes file that was written; null where that is not known'),
  proxy_asked: z
    .boolean()
    .optional()
    .describe('The proxy was asked for that: where `loaded` is null all the same, it has not answered'),
  rejected: z
    .array(rejectedRoute)
    .nullable()
    .describe('Of this call: what the proxy loaded and does not serve; null where that is not known'),
  shadowed: z
    .array(rejectedRoute.extend({ domain_id: z.int().nullable(), domain: z.string().nullable() }))
    .nullable()
    .describe('Of this call: what is loaded, and somebody else is asked first; null where that is not known'),
  open_routes: z
    .array(openRoute)
    .describe(
      'Protected domains of this call that were asked without signing in when the proxy had them, and gave content',
    ),
  not_proven: z
    .array(openRoute.extend({ cause: z.enum(['not_seen', 'not_configured', 'not_provable']) }))
    .describe(
      'Protected domains of this call of which nobody knows that they are closed to whoever has not signed in: ' +
        'not_seen, not yet (success is false then); not_configured, nobody asks; not_provable, nothing could be proven',
    ),
  refused: z
    .array(refusedRow)
    .describe(
      'Records of this call that stay as they are, or that the world refused once they were released',
    ),
  unfinished: z.array(unfinishedPart),
  pending: z.array(pending).describe('Live records whose edits are still not deployed'),
  warnings: z.array(z.string()),
}

export const Deployment = z
  .object(deployment)
  .meta({ id: 'DeploymentResult' }) satisfies z.ZodType<DeploymentResult>
export const Exposed = z.object({ ...deployment, domain_id: z.int() }).meta({ id: 'ExposeResult' })

/** Of a call that takes away. */
export const Retired = Success.extend({ unfinished: z.array(unfinishedPart) }).meta({ id: 'RetiredResult' })

/** What a deploy may be refused with, whoever asks for it. */
export const DEPLOY_PROBLEMS: readonly FailureCode[] = [
  'conflict',
  'refused_by_guard',
  'storage_full',
  'storage_unwritable',
  'component_unavailable',
  'provider_refused',
  'suspended',
]
