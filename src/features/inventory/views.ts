/** The shapes that the inventory answers. */
import { z } from 'zod'
import { SOURCE_KINDS } from '../discovery/model/lab-port.ts'
import type { Answered } from '../../http/contract.ts'
import { asset, GuestPlace, ShownClaim, conflicts, Orphan, ORPHAN_KINDS } from './estate/views.ts'
import { instant } from '../../http/body/scalars.ts'

export const PROBLEM_CODES = [
  'out_of_range',
  'too_many_digits',
  'unknown_node',
  'nodes_not_known',
  'unknown_purpose',
  'no_sequence',
  'no_address',
] as const

const text = () => z.string().nullable()
const complete = z
  .boolean()
  .nullable()
  .describe(
    'False: a source is not known in whole, so what is not listed may be there all the same. Null: none is configured',
  )
const checked_at = instant().nullable().describe('Time of the oldest look; null where nothing is configured')

export const Assets = z
  .array(z.object(asset))
  .meta({ id: 'Assets', description: 'In the order of their VMIDs' })
export const AssetWithConflicts = z
  .object({ ...asset, conflicts: z.array(z.string()).describe('What it has a part in, a sentence each') })
  .meta({ id: 'Asset' })

const ok = z
  .boolean()
  .nullable()
  .describe('Null: none was found, and a source is not known in whole or none is configured')

export const Conflicts = z.object({ ok, complete, checked_at, ...conflicts }).meta({ id: 'Conflicts' })

export const OrphansAnswer = z
  .object({
    ok,
    complete,
    checked_at,
    orphans: z.array(Orphan),
    unknown_kinds: z
      .array(z.object({ kind: z.enum(ORPHAN_KINDS), why: z.string() }))
      .describe('Kinds of which it is not known whether there are any'),
  })
  .meta({ id: 'Orphans' })
export type OrphansAnswer = Answered<typeof OrphansAnswer>

const source = z.object({
  kind: z.enum(SOURCE_KINDS),
  name: text(),
  configured: z.boolean(),
  known: z.boolean().nullable(),
  detail: text(),
  observed_at: instant().nullable(),
  count: z.int().nullable(),
  unreadable: z.int(),
})

export const NetworkUse = z.object({
  cidr: z.string(),
  name: z.string(),
  gateway: z.string(),
  size: z.number().describe('Addresses that hosts may have'),
  used: z.int(),
  dhcp: z.object({ first: z.string(), last: z.string() }).nullable(),
})
export type NetworkUse = Answered<typeof NetworkUse>

export const InfrastructureStatus = z
  .object({
    status: z.enum(['ok', 'degraded', 'unknown']),
    complete,
    checked_at,
    sources: z.array(source),
    counts: z.object({
      assets: z.int(),
      running: z.int(),
      templates: z.int(),
      addresses: z.int(),
      clients: z.int(),
      devices: z.int(),
      domains: z.int(),
    }),
    conflicts: z.int().nullable().describe('Null: none was found, and not all is known'),
    orphans: z.int().nullable().describe('Null: none was found, and not all is known'),
    networks: z.array(NetworkUse),
  })
  .meta({ id: 'InfrastructureStatus' })

export const NextVmid = z
  .object({
    vmid: z.int(),
    node: text(),
    purpose: text(),
    sequence: z.int(),
    address: text().describe('By the address scheme; null where it gives none that is known to be free'),
    range: z.object({
      first: z.int(),
      last: z.int(),
      used: z.int().describe('Templates and reserved ones, too'),
      free: z.int(),
    }),
    complete,
    as_of: checked_at,
  })
  .meta({ id: 'NextVmid' })

export const SuggestedVmids = z
  .object({
    suggestions: z.array(z.object(NextVmid.shape).omit({ complete: true, as_of: true })),
    complete,
    as_of: checked_at,
  })
  .meta({ id: 'SuggestedVmids' })

export const DecodedVmid = z
  .object({
    vmid: z.int(),
    in_scheme: z.boolean().nullable().describe('Null while the nodes are not known'),
    node: text(),
    node_number: z.int().nullable(),
    purpose: text(),
    purpose_number: z.int().nullable(),
    sequence: z.int().nullable(),
    address: text(),
  })
  .meta({ id: 'DecodedVmid', description: 'Outside of the scheme, all but vmid and in_scheme are null' })
export type DecodedVmid = Answered<typeof DecodedVmid>

const problems = z.array(z.object({ code: z.enum(PROBLEM_CODES), message: z.string() }))

export const ValidatedVmid = z
  .object({ vmid: z.number(), valid: z.boolean().nullable(), problems })
  .meta({ id: 'ValidatedVmid' })
export type ValidatedVmid = Answered<typeof ValidatedVmid>

export const CheckedVmid = z
  .object({
    vmid: z.int(),
    in_use: z
      .boolean()
      .nullable()
      .describe(
        'False: the lists are whole, or each cluster itself was asked and calls it free. Null: nobody is seen to have it, and that is not known',
      ),
    reserved: z.boolean(),
    holders: z.array(GuestPlace.extend({ template: z.boolean(), online: z.boolean() })),
    complete,
  })
  .meta({ id: 'CheckedVmid' })

export const CalculatedAddress = z
  .object({
    vmid: z.int(),
    address: z.string(),
    network: z.string(),
    gateway: text().describe('Null where nobody says and none can be guessed'),
    in_use: z
      .boolean()
      .nullable()
      .describe('Null: nobody is seen to have it, and not all that there is can be seen'),
  })
  .meta({ id: 'CalculatedAddress' })

export const EvaluatedAddress = z
  .object({
    valid: z.boolean().nullable(),
    expected: text().describe('By the address scheme'),
    problems: z.array(z.object({ code: z.string(), message: z.string() })),
  })
  .meta({ id: 'ValidatedAddress' })
export type EvaluatedAddress = Answered<typeof EvaluatedAddress>

export const OfferedAddress = z
  .object({
    address: z.string(),
    network: z.string(),
    gateway: text().describe('Null where nobody says and none can be guessed'),
    free: z.int().nullable().describe('Null for IPv6'),
    complete,
    silent_guests: z
      .array(z.string())
      .describe(
        'Guests that have a card of which nobody tells the address, whether they run or not: one of them may have it',
      ),
  })
  .meta({ id: 'NextAddress' })
export type OfferedAddress = Answered<typeof OfferedAddress>

export const UsedAddress = z.object({ address: z.string(), online: z.boolean(), by: z.array(ShownClaim) })
export type UsedAddress = Answered<typeof UsedAddress>

export const UsedAddresses = z
  .object({
    complete,
    checked_at,
    addresses: z.array(UsedAddress),
    networks: z.array(NetworkUse),
  })
  .meta({ id: 'UsedAddresses' })

export const SystemStatus = z
  .object({
    version: z.string(),
    uptime_seconds: z.number().min(0),
    mode: z.enum(['repair', 'observe', 'suspend']).describe('How far the reconciler goes on its own'),
    ok: z
      .boolean()
      .describe('True exactly when every component is ok, as the health page of the main service says'),
    drift: z.boolean().nullable(),
    summary: z.string(),
    components: z.array(
      z.object({
        component: z.string(),
        ok: z.boolean().nullable(),
        drift: z.boolean().nullable(),
        message: z.string(),
      }),
    ),
    observed_at: instant(),
  })
  .meta({ id: 'SystemStatus' })
