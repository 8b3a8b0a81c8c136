/** Releases: the history of what was deployed, each with its exact bytes, comparable and restorable. */
import { z } from 'zod'
import type { Deps } from './deps.ts'
import { diffRelease } from './diff.ts'
import { listReleases, readRelease, readReleasedRoutes } from './read.ts'
import { resume } from './restore/resume.ts'
import { restoreRelease } from './restore/restore.ts'
import { endpoint, type Endpoint } from '../../http/contract.ts'
import { wholeNumber } from '../../http/body/scalars.ts'
import { callerOf, Changing } from '../../http/access/caller-of.ts'
import { ok } from '../../http/ok.ts'
import { editionDiff, named, ResumePlanned, Resumed } from './restore/views.ts'
import { DEPLOY_PROBLEMS, Deployment } from '../../http/deployment-views.ts'
import { Planned, plannedRow } from '../../http/common-views.ts'
import { given, LINK, olderLink, TrailQuery, USUAL_PAGE } from '../../http/trail-page.ts'

const tags = [
  { name: 'Releases', description: 'What was deployed when, with its exact bytes; comparing and restoring' },
]

const ReleaseNumber = z.object({ number: wholeNumber({ min: 1 }) })

const head = {
  number: z.int(),
  created_at: z.string().describe('RFC 3339, UTC'),
  actor: z.string(),
  request_id: z.string(),
  reason: z.string(),
  plan_hash: z.string().nullable().describe('The plan that was applied or confirmed'),
  warnings: z.array(z.string()),
  digests: z.record(z.string(), z.string()).describe('SHA-256 of what was frozen, by target'),
  results: z.record(z.string(), z.string()).describe('Outcome by target; empty until it was applied'),
  rows_moved: z.int(),
}

const Release = z.object(head).meta({ id: 'Release' })

const ReleaseDetail = z
  .object({
    ...head,
    rows: z.array(plannedRow).describe('What moved, against the release before'),
  })
  .meta({ id: 'ReleaseDetail' })

const ReleaseDiff = z
  .object({
    from: z.int().nullable().describe('Null: there was no release before'),
    to: z.int(),
    ...editionDiff,
    unified_diff: z.string().nullable().describe('Of the routes file'),
    note: z.string().nullable().describe('Why the text is missing or shortened'),
  })
  .meta({ id: 'ReleaseDiff' })

const lists = {
  restored: z
    .array(z.object({ ...named, changed: z.array(z.string()) }))
    .describe('With what changed in each'),
  deactivated: z.array(z.object(named)).describe('Live now and not live then'),
  created: z
    .array(z.object({ ...named, replaces: z.int().describe('Id of the deleted record') }))
    .describe('Deleted since'),
  skipped: z.array(z.object({ ...named, reason: z.string() })),
}

const RestoreRequest = z
  .strictObject({
    domains: z
      .array(z.int().min(1))
      .min(1)
      .max(1000)
      .optional()
      .describe('Ids of the records that are put back; all others stay as they are. Left out: all'),
  })
  .meta({ id: 'RestoreRequest', examples: [{ domains: [7] }] })
  .optional()

const Restored = Deployment.extend(lists).meta({ id: 'RestoreResult' })
const RestorePlanned = Planned.extend(lists).meta({ id: 'RestorePlan' })

const Resumption = z
  .strictObject({ take: z.enum(['database', 'world']) })
  .meta({ id: 'Resumption', examples: [{ take: 'database' }] })

export const releaseEndpoints = (deps: Deps): readonly Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/api/releases',
    id: 'listReleases',
    summary: 'List releases, newest first',
    description: 'Every deploy that changed something is one. The newest come first, in pages.',
    level: 'keyed',
    tags,
    query: TrailQuery,
    replies: { 200: z.array(Release) },
    reply_headers: LINK,
    handler: async ({ query }) => {
      const page = await listReleases(deps, { limit: USUAL_PAGE, ...given(query) })
      return ok(page.releases, olderLink('/api/releases', query, page.next))
    },
  }),
  endpoint({
    method: 'GET',
    path: '/api/releases/{number}',
    id: 'getRelease',
    summary: 'One release and the rows that it moved',
    description: 'Who made it and why, what became of it, and each record that moved.',
    level: 'keyed',
    tags,
    params: ReleaseNumber,
    replies: { 200: ReleaseDetail },
    problems: ['not_found'],
    handler: async ({ params }) => ok(await readRelease(deps, params.number)),
  }),
  endpoint({
    method: 'GET',
    path: '/api/releases/{number}/routes',
    id: 'getReleasedRoutes',
    summary: 'The routes file exactly as a release froze it',
    description: 'Byte for byte what was written then, whatever a rendering would make of it now.',
    level: 'keyed',
    tags,
    params: ReleaseNumber,
    replies: { 200: { content_type: 'text/yaml', description: 'The exact bytes' } },
    reply_headers: { ETag: 'SHA-256 of the bytes' },
    problems: ['not_found'],
    handler: async ({ params }) => {
      const { chunks, digest } = await readReleasedRoutes(deps, params.number)
      return ok(new Uint8Array(Buffer.concat(chunks)), { ETag: `"${digest}"` })
    },
  }),
  endpoint({
    method: 'GET',
    path: '/api/releases/{number}/diff',
    id: 'diffRelease',
    summary: 'What lies between two releases',
    description:
      'From `against` to this one; either may be the newer. Without `against`: from the one before.',
    level: 'keyed',
    tags,
    params: ReleaseNumber,
    query: z.object({ against: wholeNumber({ min: 1 }).optional() }),
    replies: { 200: ReleaseDiff },
    problems: ['not_found'],
    handler: async ({ params, query }) => ok(await diffRelease(deps, params.number, query.against ?? null)),
  }),
  endpoint({
    method: 'POST',
    path: '/api/releases/{number}/restore',
    id: 'restoreRelease',
    summary: 'Put the records back as they stood in a release, and deploy them',
    description:
      'Makes a new release. A disabled record stays disabled; what was not live then becomes inactive; what was ' +
      'deleted since is created anew. Nothing is deleted. With `domains` only these; edits of others stay saved.',
    level: 'keyed',
    tags,
    params: ReleaseNumber,
    query: Changing,
    body: RestoreRequest,
    respond_async: 'asked',
    replies: { 200: Restored.or(RestorePlanned) },
    problems: ['not_found', ...DEPLOY_PROBLEMS],
    handler: async (call) =>
      ok(
        await restoreRelease(
          deps,
          { number: call.params.number, only: call.body?.domains ? new Set(call.body.domains) : null },
          callerOf(call),
        ),
      ),
  }),
  endpoint({
    method: 'POST',
    path: '/api/releases/resume',
    id: 'resumeReleases',
    summary: 'Decide between an older database and a newer world',
    description:
      'While the world is newer than the database, nothing is written outside (409 `restored_from_backup`). Without ' +
      '`confirm`: what would be done, and the hash. `database`: it is right, and what the world has beyond it is undone. ' +
      '`world`: what the files beside the world hold comes into the database; nothing that is off there comes back.',
    level: 'keyed',
    tags,
    query: Changing,
    body: Resumption,
    respond_async: 'asked',
    replies: { 200: Resumed.or(ResumePlanned) },
    problems: DEPLOY_PROBLEMS,
    handler: async (call) => ok(await resume(deps, call.body.take, callerOf(call))),
  }),
]
