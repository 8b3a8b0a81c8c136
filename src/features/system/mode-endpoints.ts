/** How far the reconciler may go on its own: read and set, for the installation and for each component. */
import type { CoreParts } from '../../core/parts.ts'
import { z } from 'zod'
import { INSTALLATION, MAX_REASON, type ModesAnswer, readModes } from '../../core/modes/read.ts'
import { endMode } from './modes/end.ts'
import type { ModeEnds } from './modes/ends.ts'
import { setMode } from './modes/set.ts'
import { endpoint, type Endpoint } from '../../http/contract.ts'
import { plainText } from '../../model/text/form.ts'
import { COMPONENTS } from '../../model/component.ts'
import { assertComponent } from '../deploy/plans/scope.ts'
import { being, when } from '../../http/body/json-conditions.ts'
import { formed } from '../../http/body/scalars.ts'
import { callerOf, Changing } from '../../http/access/caller-of.ts'
import { ok } from '../../http/ok.ts'
import { Planned } from '../../http/common-views.ts'

const tags = [{ name: 'Modes', description: 'How far the reconciler may go on its own' }]
const MODES = ['repair', 'observe', 'suspend'] as const

const instantOrNull = () => z.string().nullable().describe('RFC 3339, UTC; null for never')

const layer = { mode: z.enum(MODES), reason: z.string(), actor: z.string(), expires_at: instantOrNull() }

const view = {
  scope: z.string().describe('A component, or * for the installation'),
  ...layer,
  standing: z
    .object(layer)
    .nullable()
    .describe('What it was set over and stands again at its end; null for nothing'),
  below: z
    .array(z.object(layer))
    .describe(
      'All that it was set over and that has not ended, newest first: the first stands again when this is ended early',
    ),
}

const modes = {
  components: z
    .array(z.object({ component: z.string(), ...view }))
    .describe('What is in force: the most careful of all that concern the component'),
  settings: z
    .array(z.object({ ...view, expired: z.boolean() }))
    .describe('What was set here; PLUMBLINE_MODE stands beside it'),
  not_set_up: z
    .array(z.string())
    .describe(
      'Components that were written once, and that no setting of the daemon names: nobody looks at them',
    ),
}

const Modes = z.object(modes).meta({ id: 'Modes' }) satisfies z.ZodType<ModesAnswer>
const ModeSet = z
  .object({ success: z.literal(true), message: z.string(), warnings: z.array(z.string()), ...modes })
  .meta({ id: 'ModeSet' })

const ModeRequest = z
  .strictObject({
    mode: z.enum(MODES),
    reason: formed(plainText(MAX_REASON)).optional().describe('Up to 500 characters; required to suspend'),
    expires_at: z.iso
      .datetime({ offset: true, error: 'must be a time such as 2026-01-31T12:00:00Z' })
      .nullable()
      .optional()
      .describe('Required to suspend, at most 90 days ahead'),
  })
  .meta({
    id: 'ModeRequest',
    examples: [{ mode: 'observe', reason: 'The proxy is being moved' }],
    allOf: [
      when(being('mode', 'suspend'), {
        required: ['reason', 'expires_at'],
        properties: { reason: { pattern: '[A-Za-z0-9]' }, expires_at: { type: 'string' } },
      }),
    ],
  })

export function modeEndpoints(deps: CoreParts, ends: Pick<ModeEnds, 'changed'>): readonly Endpoint[] {
  const Scope = z.object({ scope: z.enum([INSTALLATION, ...COMPONENTS]) })
  return [
    endpoint({
      method: 'GET',
      path: '/api/modes',
      id: 'modes',
      summary: 'How far the reconciler may go on its own',
      description:
        'For the installation and each component: what is in force, who set it, why, and until when.',
      level: 'keyed',
      tags,
      replies: { 200: Modes },
      handler: async () => ok(await readModes(deps)),
    }),
    endpoint({
      method: 'PUT',
      path: '/api/modes/{scope}',
      id: 'setMode',
      summary: 'Set the mode of the installation (*) or of one component',
      description:
        'repair: drift is undone. observe: drift is only reported, what callers ask for is done. ' +
        'suspend: nothing is touched until it expires. The most careful of all that concern a component is in force. ' +
        'One with an end goes over what is set there, of which the next that has not ended stands again then (`standing`); ' +
        'the same mode with another end takes its place, and one without an end ends all. At most 5 stand below one another (409).',
      level: 'keyed',
      tags,
      params: Scope,
      query: Changing,
      body: ModeRequest,
      replies: { 200: ModeSet.or(Planned) },
      problems: ['not_found', 'conflict'],
      handler: async (call) => {
        const { mode, reason = '', expires_at = null } = call.body
        if (call.params.scope !== INSTALLATION) assertComponent(deps, call.params.scope)
        const until = expires_at === null ? null : Date.parse(expires_at)
        const request = { scope: call.params.scope, mode, reason, expires_at: until }
        const answer = await setMode(deps, request, callerOf(call))
        ends.changed()
        return ok(answer)
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/modes/{scope}',
      id: 'endMode',
      summary: 'End what is set for a time, of the installation (*) or of one component',
      description:
        'The next that it was set over and that has not ended stands again, or what holds for everything. ' +
        '404 where nothing that is in force has an end, so a repeat ends nothing more.',
      level: 'keyed',
      tags,
      params: Scope,
      query: Changing,
      replies: { 200: ModeSet.or(Planned) },
      problems: ['not_found'],
      handler: async (call) => {
        const answer = await endMode(deps, call.params.scope, callerOf(call))
        ends.changed()
        return ok(answer)
      },
    }),
  ]
}
