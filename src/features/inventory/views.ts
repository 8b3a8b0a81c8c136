/** The shapes that the inventory answers. */
import { z } from 'zod'
import { SOURCE_KINDS } from '../discovery/model/lab-port.ts'
import { ASSET_KINDS, ASSET_STATES } from './estate/assets.ts'
import { CLAIM_SOURCES } from './estate/claims.ts'
import { NETWORK_REASONS, SEVERITIES } from './estate/conflicts.ts'
import { ORPHAN_KINDS } from './estate/orphans.ts'
import { PROBLEM_CODES } from './numbers/evaluate.ts'

const text = () => z.string().nullable()
const instant = () => z.string().describe('RFC 3339, UTC')
const complete = z
  .boolean()
  .nullable()
  .describe(
    'False: a source is not known in whole, so what is not listed may be there all the same. Null: none is configured',
  )
const checked_at = instant().nullable().describe('Time of the oldest look; null where nothing is configured')

const asset = {
  vmid: z.int().nullable().describe('Null for hosts and devices, which have none'),
  name: z.string(),
  kind: z.enum(ASSET_KINDS),
  cluster: z.string().describe('Name of the cluster or controller'),
  node: text(),
  purpose: text().describe('By the scheme of VMIDs; null outside of it'),
  sequence: z.int().nullable(),
  in_scheme: z.boolean().nullable().describe('Null while the nodes are not known'),
  state: z.enum(ASSET_STATES),
  template: z.boolean(),
  addresses: z.array(z.string()).describe('As far as they are known; of a stopped one, those that it had'),
  macs: z.array(z.string()),
  tags: z.array(z.string()),
  domains: z.array(z.string()).describe('Names that lead to it'),
  ssh_target: text().describe('Its name at the SSH gateway; null where it is none there'),
  detail: text().describe('What is not known of its addresses, and what would help'),
}

const guestPlace = z.object({
  cluster: z.string(),
  id: z.string().describe('Unique within its cluster, such as qemu/101'),
  vmid: z.int(),
  name: z.string(),
  node: z.string(),
})

const severity = z.enum(SEVERITIES)

const claim = z.object({
  source: z.enum(CLAIM_SOURCES),
  at: z.string().describe('Name of the cluster, controller or host'),
  name: z.string(),
  vmid: z.int().nullable(),
  mac: text(),
  online: z.boolean(),
})

const ipConflict = z.object({ address: z.string(), severity, holders: z.array(claim) })
const vmidConflict = z.object({ vmid: z.int(), severity, holders: z.array(guestPlace) })
const macConflict = z.object({ mac: z.string(), severity, holders: z.array(guestPlace) })
const networkConflict = z.object({
  reason: z.enum(NETWORK_REASONS),
  severity,
  address: z.string(),
  expected: text().describe('The address that the lease or the scheme says'),
  holder: guestPlace,
  why: z.string(),
})

const conflicts = {
  ip: z.array(ipConflict).describe('One address, several holders'),
  vmid: z.array(vmidConflict).describe('One number in several clusters'),
  mac: z.array(macConflict).describe('One card on several guests'),
  network: z.array(networkConflict).describe('An address where the network or the scheme says otherwise'),
}

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

const orphan = z.object({
  kind: z.enum(ORPHAN_KINDS),
  id: z.string(),
  name: z.string(),
  since: instant().nullable().describe('Null where nobody knows since when'),
  why: z.string(),
  helps: z.string(),
})

export const Orphans = z
  .object({
    ok,
    complete,
    checked_at,
    orphans: z.array(orphan),
    unknown_kinds: z
      .array(z.object({ kind: z.enum(ORPHAN_KINDS), why: z.string() }))
      .describe('Kinds of which it is not known whether there are any'),
  })
  .meta({ id: 'Orphans' })

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

const network = z.object({
  cidr: z.string(),
  name: z.string(),
  gateway: z.string(),
  size: z.number().describe('Addresses that hosts may have'),
  used: z.int(),
  dhcp: z.object({ first: z.string(), last: z.string() }).nullable(),
})

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
    networks: z.array(network),
  })
  .meta({ id: 'InfrastructureStatus' })

export const NextVmid = z
  .object({
    vmid: z.int(),
    node: text(),
    purpose: text(),
    sequence: z.int(),
    address: text().describe('By the address scheme; null where it gives none'),
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

const problems = z.array(z.object({ code: z.enum(PROBLEM_CODES), message: z.string() }))

export const ValidatedVmid = z
  .object({ vmid: z.number(), valid: z.boolean().nullable(), problems })
  .meta({ id: 'ValidatedVmid' })

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
    holders: z.array(guestPlace.extend({ template: z.boolean(), online: z.boolean() })),
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

export const ValidatedAddress = z
  .object({
    valid: z.boolean().nullable(),
    expected: text().describe('By the address scheme'),
    problems: z.array(z.object({ code: z.string(), message: z.string() })),
  })
  .meta({ id: 'ValidatedAddress' })

export const NextAddress = z
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

export const UsedAddresses = z
  .object({
    complete,
    checked_at,
    addresses: z.array(z.object({ address: z.string(), online: z.boolean(), by: z.array(claim) })),
    networks: z.array(network),
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
