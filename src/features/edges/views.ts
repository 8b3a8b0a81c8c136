/** The shapes that edge endpoints take and answer. Grammars stand in the model. */
import { z } from 'zod'
import { DESIRED_EDGE_STATES, EDGE_FORMS, EDGE_STATES } from '../../model/edge.ts'
import { formed, instant } from '../../http/body/scalars.ts'

const writable = {
  name: z.string().describe('1 to 63 lower-case letters, digits and inner hyphens; unique'),
  hostname: z.string().nullable().describe('The fully qualified name under which it is reached'),
  address: z.string().nullable().describe('Its IPv4 or IPv6 address'),
  region: z.string().nullable().describe('Free text, up to 64 characters'),
}

/** As `writable`, with the form of each text, for what callers send. */
const asked = {
  name: formed(EDGE_FORMS.name).describe('Lower-case letters, digits and inner hyphens; unique'),
  hostname: formed(EDGE_FORMS.hostname).nullable().describe(writable.hostname.description!),
  address: formed(EDGE_FORMS.address).nullable().describe(writable.address.description!),
  region: formed(EDGE_FORMS.region).nullable().describe(writable.region.description!),
}

export const EdgeCreate = z.strictObject({ ...z.object(asked).partial().shape, name: asked.name }).meta({
  id: 'EdgeCreate',
  examples: [{ name: 'edge-1', hostname: 'edge-1.example.com', address: '203.0.113.9', region: 'Frankfurt' }],
})

const version = (what: string) => z.string().nullable().describe(`${what}; null while that is not known`)

/** What time and the edge itself change: taken back as it was read, and ignored. */
const observed = {
  reason: z.string().describe('Why it is in its state'),
  last_seen: instant().nullable(),
  config_version: version('The version that the edge said it runs, since it fetched others last'),
  served_version: version('The version that it fetched last'),
  current_version: version('The version of the released routes'),
  up_to_date: z
    .boolean()
    .nullable()
    .describe(
      'Whether it runs, as far as it said or fetched, what is released; null while that is not known',
    ),
  created_at: instant(),
  updated_at: instant(),
}

const edge = {
  id: z.int(),
  ...writable,
  state: z.enum(EDGE_STATES).describe('What it is now, from when it was heard of and from desired_state'),
  desired_state: z.enum(DESIRED_EDGE_STATES).describe('What its owner wants of it'),
  revision: z.int(),
  ...observed,
}

export const EdgeView = z.object(edge).meta({ id: 'Edge' })

/** `readOnly` keeps generators from making it up. */
const READ_ONLY = { readOnly: true }

/** What is read may be written back; what only we know must be left as it is. */
export const EdgeUpdate = z
  .object({
    ...z.object(asked).partial().shape,
    state: z
      .enum(EDGE_STATES)
      .meta({ enum: [...DESIRED_EDGE_STATES] })
      .optional()
      .describe(
        'active, draining or offline, where it differs from the present state and from the one of the reason beside it',
      ),
    desired_state: z.enum(DESIRED_EDGE_STATES).optional(),
    id: edge.id.meta(READ_ONLY).optional().describe('Must be the present one'),
    revision: edge.revision.meta(READ_ONLY).optional().describe('Must be the present one'),
    ...z.object(observed).partial().shape,
  })
  .strict()
  .meta({ id: 'EdgeUpdate', examples: [{ desired_state: 'draining' }] })

const answer_fields = { success: z.literal(true), message: z.string() }

export const EdgeSaved = z.object({ ...answer_fields, edge: EdgeView }).meta({ id: 'EdgeSaved' })
export const EdgeRemoved = z.object(answer_fields).meta({ id: 'EdgeRemoved' })
export const EdgeIssued = z
  .object({
    ...answer_fields,
    edge: EdgeView,
    token: z.string().describe('Shown this once, kept nowhere'),
    endpoint: z.string().describe('Where the edge fetches its routes'),
    warnings: z.array(z.string()),
    traefik: z.string().describe('Lines for the static configuration of Traefik on the edge'),
  })
  .meta({ id: 'EdgeIssued' })

export const Heartbeat = z
  .strictObject({
    config_version: formed(EDGE_FORMS.version)
      .optional()
      .describe('What the edge runs: the ETag of its routes, without quotes'),
  })
  .optional()
  .meta({ id: 'EdgeHeartbeat', examples: [{ config_version: '9f86d081884c7d659a2feaa0c55ad015' }] })
