/** The shapes that heartbeat endpoints take and answer. */
import { z } from 'zod'
import { formed, instant } from '../../http/body/scalars.ts'
import { HEARTBEAT_NAME, HEARTBEAT_STATES } from './state.ts'

export const HeartbeatAdd = z
  .strictObject({
    name: formed(HEARTBEAT_NAME).describe('Lower-case letters, digits and inner hyphens; unique'),
  })
  .meta({ id: 'HeartbeatAdd', examples: [{ name: 'external' }] })

/** It is ignored. */
export const HeartbeatCall = z
  .unknown()
  .optional()
  .meta({ id: 'HeartbeatCall', description: 'Anything; it is ignored', examples: [{}] })

export const HeartbeatView = z
  .object({
    name: z.string(),
    state: z
      .enum(HEARTBEAT_STATES)
      .describe('pending: added, and not heard of yet; silent: not heard of for too long'),
    reason: z.string().describe('Why it is in its state'),
    last_seen: instant().nullable(),
    silent_since: instant().nullable().describe('Null while it is not silent'),
    created_at: instant(),
  })
  .meta({ id: 'Heartbeat' })

const answer_fields = { success: z.literal(true), message: z.string() }

export const HeartbeatSaved = z
  .object({ ...answer_fields, heartbeat: HeartbeatView })
  .meta({ id: 'HeartbeatSaved' })
export const HeartbeatRemoved = z.object(answer_fields).meta({ id: 'HeartbeatRemoved' })
export const HeartbeatIssued = z
  .object({
    ...answer_fields,
    heartbeat: HeartbeatView,
    token: z.string().describe('Shown this once, kept nowhere'),
    endpoint: z.string().describe('Where it calls'),
    settings: z.string().describe('What is set for the external check'),
    curl: z.string().describe('A call by hand'),
  })
  .meta({ id: 'HeartbeatIssued' })
