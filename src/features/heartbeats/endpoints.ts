/** Heartbeats: watchers elsewhere that call in. Their owner's side, and their own. */
import { z } from 'zod'
import { faultsBeside } from '../../http/beside.ts'
import { endpoint, type Endpoint, type Proving } from '../../http/contract.ts'
import { formed } from '../../http/body/scalars.ts'
import { callerOf, Changing } from '../../http/access/caller-of.ts'
import { created, ok } from '../../http/ok.ts'
import { Planned } from '../../http/common-views.ts'
import { authenticate } from './authenticate.ts'
import { addHeartbeat, removeHeartbeat, revokeHeartbeatTokens, rotateHeartbeatToken } from './change.ts'
import { listHeartbeats } from './find.ts'
import type { Heartbeats } from './heartbeats.ts'
import { HEARTBEAT_NAME, heartbeatFaults } from './state.ts'
import { heartbeatView } from './view.ts'
import {
  HeartbeatAdd,
  HeartbeatCall,
  HeartbeatIssued,
  HeartbeatRemoved,
  HeartbeatSaved,
  HeartbeatView,
} from './views.ts'

const tags = [
  {
    name: 'Heartbeats',
    description: 'Watchers elsewhere that call in, and are missed when they fall silent',
  },
]
const ALL = '/api/heartbeats'
const Named = z.object({ name: formed(HEARTBEAT_NAME) })
const one = { level: 'keyed', tags, params: Named } as const

const ISSUED = 'The token is shown this once. Idempotency-Key is not honoured.'

const CALLED = `Sent by the external check after each run that could judge, and by whatever else is missed when it falls
silent, such as Alertmanager with a rule that always fires. What the body says is ignored, but it is JSON of at most 64 KiB, or
left out: 415 for anything else, 422 for what does not parse, and neither counts as a call.`

export const heartbeatEndpoints = (heartbeats: Heartbeats): readonly Endpoint[] => [
  endpoint({
    method: 'GET',
    path: ALL,
    id: 'listHeartbeats',
    summary: 'List heartbeats, by name',
    description: 'With their state as it is now, which follows from when they were heard of.',
    level: 'keyed',
    tags,
    replies: { 200: z.array(HeartbeatView) },
    handler: async () => ok(await listHeartbeats(heartbeats)),
  }),
  endpoint({
    method: 'POST',
    path: ALL,
    id: 'addHeartbeat',
    summary: 'Add a heartbeat and the token with which it calls',
    description: ISSUED,
    level: 'keyed',
    tags,
    query: Changing,
    body: HeartbeatAdd,
    faults: faultsBeside({ schema: HeartbeatAdd, stand_in: { name: 'external' }, evaluate: heartbeatFaults }),
    secret_reply: true,
    replies: { 201: HeartbeatIssued, 200: Planned },
    problems: ['name_taken'],
    handler: async (call) => {
      const answer = await addHeartbeat(heartbeats, call.body, callerOf(call))
      return 'dry_run' in answer
        ? ok(answer)
        : created(answer, { Location: `${ALL}/${answer.heartbeat.name}` })
    },
  }),
  endpoint({
    method: 'POST',
    path: `${ALL}/{name}`,
    id: 'heartbeat',
    summary: 'A watcher says that it is alive',
    description: CALLED,
    level: 'token',
    prove: async (call: Proving<z.output<typeof Named>>) =>
      void (await authenticate(heartbeats, call.params.name, call)),
    tags,
    params: Named,
    body: HeartbeatCall,
    replies: { 200: HeartbeatView },
    problems: ['not_found', 'token_not_for_name', 'rate_limited'],
    handler: async (call) => {
      const row = await authenticate(heartbeats, call.params.name, call)
      return ok(heartbeatView(await heartbeats.contacts.heard(row)))
    },
  }),
  endpoint({
    ...one,
    method: 'DELETE',
    path: `${ALL}/{name}`,
    id: 'removeHeartbeat',
    summary: 'Remove a heartbeat; its tokens end at once',
    description: 'Nobody misses it any more.',
    query: Changing,
    replies: { 200: HeartbeatRemoved.or(Planned) },
    problems: ['not_found'],
    handler: async (call) => ok(await removeHeartbeat(heartbeats, call.params.name, callerOf(call))),
  }),
  endpoint({
    ...one,
    method: 'POST',
    path: `${ALL}/{name}/token`,
    id: 'rotateHeartbeatToken',
    summary: 'Issue the successor of the token; the old one goes on for 24 hours',
    description: ISSUED,
    query: Changing,
    secret_reply: true,
    replies: { 200: HeartbeatIssued.or(Planned) },
    problems: ['not_found'],
    handler: async (call) => ok(await rotateHeartbeatToken(heartbeats, call.params.name, callerOf(call))),
  }),
  endpoint({
    ...one,
    method: 'DELETE',
    path: `${ALL}/{name}/token`,
    id: 'revokeHeartbeatTokens',
    summary: 'End all tokens of a heartbeat at once',
    description: 'It is missed until it has a new one: POST the same path.',
    query: Changing,
    replies: { 200: HeartbeatSaved.or(Planned) },
    problems: ['not_found'],
    handler: async (call) => ok(await revokeHeartbeatTokens(heartbeats, call.params.name, callerOf(call))),
  }),
]
