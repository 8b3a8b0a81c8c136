/** Differences that may stay. */
import { z } from 'zod'
import { MAX_REASON } from '../../../core/modes/read.ts'
import { someText } from '../../../model/text/form.ts'
import { callerOf, Changing } from '../../../http/access/caller-of.ts'
import { formed, instant } from '../../../http/body/scalars.ts'
import { Planned } from '../../../http/common-views.ts'
import { endpoint, type Endpoint } from '../../../http/contract.ts'
import { ok } from '../../../http/ok.ts'
import { endIgnored, type IgnoreDeps, ignoreDifference, shown } from './ignore.ts'

const tags = ['Conditions']
const IgnoredDifference = z
  .object({
    item: z.string().describe('As GET /api/drift names it'),
    component: z.string(),
    key: z.string(),
    reason: z.string(),
    actor: z.string(),
    since: instant(),
    until: instant(),
  })
  .meta({ id: 'IgnoredDifference' })

const Settled = { success: z.literal(true), message: z.string(), warnings: z.array(z.string()) }

const Item = z.object({ item: z.string().min(1).max(600).describe('As GET /api/drift names it') })

export const ignoredEndpoints = (deps: IgnoreDeps): readonly Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/api/drift/ignored',
    id: 'ignoredDifferences',
    summary: 'Differences that somebody has said may stay',
    description: 'Each with who said so, why, and until when. Those that have ended are not among them.',
    level: 'keyed',
    tags,
    replies: { 200: z.array(IgnoredDifference) },
    handler: async () => {
      const now = deps.clock.now()
      return ok(deps.ignored.all.filter(({ until }) => until > now).map(shown))
    },
  }),
  endpoint({
    method: 'PUT',
    path: '/api/drift/ignored/{item}',
    id: 'ignoreDifference',
    summary: 'Let a difference stay until an end, for a reason',
    description:
      'It is still told, a pass of its own does not repair it, and it does not count against ok. It holds for what stands there ' +
      'now: it ends at once where something else does, where nothing differs any more, or where what stands there lets in more ' +
      'than what was released; that is never ignored (409). In a file that is written as a whole all that differs stays with ' +
      'it. A deploy of it, and a repair that somebody asks for, are done all the same.',
    level: 'keyed',
    tags,
    slash_param: 'item',
    params: Item,
    query: Changing,
    body: z
      .strictObject({
        reason: formed(someText(MAX_REASON)).describe('Why it may stay'),
        until: z.iso
          .datetime({ offset: true, error: 'must be a time such as 2026-01-31T12:00:00Z' })
          .describe('At most 90 days ahead'),
      })
      .meta({
        id: 'IgnoreRequest',
        examples: [{ reason: 'The other team moves its backend', until: '2026-01-31T12:00:00Z' }],
      }),
    replies: {
      200: z
        .object({ ...Settled, ignored: z.array(IgnoredDifference) })
        .meta({ id: 'DifferenceIgnored' })
        .or(Planned),
    },
    problems: ['not_found', 'conflict'],
    handler: async (call) => {
      const { reason, until } = call.body
      const request = { item: call.params.item, reason, until: Date.parse(until) }
      return ok(await ignoreDifference(deps, request, callerOf(call)))
    },
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/drift/ignored/{item}',
    id: 'endIgnoredDifference',
    summary: 'Let a difference stay no more',
    description:
      'It is repaired from then on. In a file that is written as a whole, all that stays with it ends, too.',
    level: 'keyed',
    tags,
    slash_param: 'item',
    params: Item,
    query: Changing,
    replies: { 200: z.object(Settled).meta({ id: 'DifferenceIgnoredNoMore' }).or(Planned) },
    problems: ['not_found'],
    handler: async (call) => ok(await endIgnored(deps, call.params.item, callerOf(call))),
  }),
]
