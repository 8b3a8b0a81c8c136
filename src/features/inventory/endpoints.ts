/** The inventory: what runs where, which number and address is free, what collides, what is nobody's. It only looks. */
import { z } from 'zod'
import type { Clock } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import { endpoint, type Endpoint } from '../../http/contract.ts'
import { withLongJson } from '../../http/long-json.ts'
import { ok } from '../../http/ok.ts'
import {
  conflictsIn,
  conflictsOfAsset,
  type KnownElsewhere,
  listedAssets,
  networksIn,
  orphansIn,
} from './answers.ts'
import { type Estate, gapsIn, sourcesMissing } from './estate/estate.ts'
import { type Asset, UNNUMBERED } from './estate/assets.ts'
import type { Inventory } from './inventory.ts'
import { numberEndpoints, vmidNumber } from './number-endpoints.ts'
import { addressEndpoints } from './address-endpoints.ts'
import * as views from './views.ts'
import { ASSET_STATES } from './estate/views.ts'

export type SystemView = z.output<typeof views.SystemStatus>

export interface InventoryParts {
  readonly inventory: Inventory
  readonly clock: Clock
  readonly elsewhere: KnownElsewhere
  readonly system: () => Promise<SystemView>
  readonly isTaken: (vmid: number, signal: AbortSignal) => Promise<boolean | null>
  /** Reads the names of assets at the SSH gateway, by cluster and number. */
  readonly sshTargets: () => Promise<(cluster: string, vmid: number) => string | null>
}

const inventoryTag = {
  name: 'Inventory',
  description: 'What runs where, what collides, and what nobody stands behind any more',
}
const look = { method: 'GET', level: 'open', tags: [inventoryTag] } as const

const word = (what: string) => z.string().min(1).max(256).optional().describe(what)

export const inventoryEndpoints = (parts: InventoryParts): readonly Endpoint[] => [
  ...assetEndpoints(parts),
  ...numberEndpoints(parts),
  ...addressEndpoints(parts),
  endpoint({
    ...look,
    path: '/api/conflicts',
    id: 'conflicts',
    summary: 'Addresses, numbers and cards that two have',
    replies: { 200: views.Conflicts },
    handler: async () => withLongJson(ok(conflictsIn(parts.inventory, await parts.inventory.estate()))),
  }),
  endpoint({
    ...look,
    path: '/api/orphans',
    id: 'orphans',
    summary: 'Entries that nobody stands behind any more',
    replies: { 200: views.OrphansAnswer },
    handler: async ({ signal }) =>
      ok(
        await orphansIn(await parts.inventory.estate(), parts.elsewhere, { now: parts.clock.now(), signal }),
      ),
  }),
  endpoint({
    ...look,
    path: '/api/infrastructure/status',
    id: 'infrastructureStatus',
    summary: 'All of the infrastructure in figures',
    replies: { 200: views.InfrastructureStatus },
    handler: async ({ signal }) => ok(await infrastructureStatus(parts, signal)),
  }),
  endpoint({
    ...look,
    path: '/api/system/status',
    id: 'systemStatus',
    summary: 'How this service itself is',
    description: 'Answered from the last looks. The health page of the main service says more.',
    replies: { 200: views.SystemStatus },
    handler: async () => ok(await parts.system()),
  }),
]

/** The same list for as long as nothing of it changed. */
const targeted = new WeakMap<readonly Asset[], (Asset & { readonly ssh_target: string | null })[]>()

const assetEndpoints = ({ inventory, sshTargets }: InventoryParts): readonly Endpoint[] => {
  const withTargets = async (assets: readonly Asset[]) => {
    const nameOf = await sshTargets()
    const names = assets.map(({ cluster, vmid }) => (vmid === null ? null : nameOf(cluster, vmid)))
    const before = targeted.get(assets)
    if (before?.every(({ ssh_target }, at) => ssh_target === names[at]) === true) return before
    const rows = assets.map((asset, at) => ({ ...asset, ssh_target: names[at]! }))
    targeted.set(assets, rows)
    return rows
  }
  return [
    endpoint({
      ...look,
      path: '/api/assets',
      id: 'assets',
      summary: 'Guests and templates of the clusters',
      description:
        'While a source is not known in whole, X-Complete is false, X-Missing names it, and what is missing may be there all the same.',
      query: z.object({
        q: word('In its number, name, addresses, MACs, tags or domains'),
        node: word('Name or number of its host'),
        purpose: word('Name or number of its purpose by the scheme of VMIDs'),
        state: z.enum(ASSET_STATES).optional(),
        cluster: word('Name of its cluster or controller'),
        include: z
          .string()
          .transform((text) => text.split(','))
          .pipe(z.array(z.enum(UNNUMBERED, 'must be nodes, devices or both, with a comma')))
          .optional()
          .describe(
            'nodes, devices or both: hosts of the clusters and devices of the network; they have no VMID',
          ),
      }),
      replies: { 200: views.Assets },
      reply_headers: {
        'X-Total-Count': 'How many there are',
        'X-Complete': 'true, false where a source is not known in whole, null where none is configured',
        'X-Missing':
          'Of an answer that is not complete: sources that are not known in whole, comma-separated',
      },
      problems: ['component_unavailable'],
      handler: async ({ query }) => {
        const estate = await inventory.estate()
        assertSeen(estate)
        const { q = null, node = null, purpose = null, state = null, cluster = null, include = [] } = query
        const filter = { q, node, purpose, state, cluster, include }
        const found = listedAssets(inventory, estate, filter)
        const missing = sourcesMissing(estate)
        const headers = {
          'X-Total-Count': String(found.length),
          'X-Complete': String(estate.complete),
          ...(missing.length > 0 && { 'X-Missing': missing.join(', ') }),
        }
        return withLongJson(ok(await withTargets(found), headers))
      },
    }),
    endpoint({
      ...look,
      path: '/api/assets/{vmid}',
      id: 'asset',
      summary: 'One guest or template, with what it has a part in',
      params: z.object({ vmid: vmidNumber }),
      query: z.object({ cluster: word('Where several clusters have the number') }),
      replies: { 200: views.AssetWithConflicts },
      problems: ['not_found', 'conflict', 'component_unavailable'],
      handler: async ({ params: { vmid }, query: { cluster = null } }) => {
        const estate = await inventory.estate()
        const none = { q: null, node: null, purpose: null, state: null, include: [] }
        const found = listedAssets(inventory, estate, { ...none, cluster }).filter((one) => one.vmid === vmid)
        const [asset, another] = found
        if (another !== undefined)
          throw new Failure(
            'conflict',
            `${found.map((one) => one.cluster).join(' and ')} have ${vmid}. Say which by ?cluster=NAME.`,
          )
        if (asset === undefined)
          throw notThere(vmid, inventory.isComplete(estate, ['proxmox']), gapsIn(estate, ['proxmox']))
        const conflicts = conflictsOfAsset(conflictsIn(inventory, estate), asset)
        const [listed] = await withTargets([asset])
        return ok({ ...listed!, conflicts })
      },
    }),
  ]
}

/** An empty list would say that there are none. */
function assertSeen(estate: Estate): void {
  const clusters = estate.sources.filter(({ kind, configured }) => kind === 'proxmox' && configured)
  if (clusters.length === 0 || clusters.some(({ known }) => known === true)) return
  throw new Failure(
    'component_unavailable',
    `No cluster is known: ${gapsIn(estate, ['proxmox']).join('; ')}.`,
  )
}

/** That it is nowhere is only said where everything was seen. */
function notThere(vmid: number, complete: boolean | null, gaps: readonly string[]): Failure {
  if (complete === true) return new Failure('not_found', `No cluster has a guest ${vmid}.`)
  const why = complete === null ? 'no cluster is configured (PLUMBLINE_PROXMOX)' : gaps.join('; ')
  return new Failure('component_unavailable', `Whether there is a guest ${vmid} is not known: ${why}.`)
}

async function infrastructureStatus(
  { inventory, clock, elsewhere }: InventoryParts,
  signal: AbortSignal,
): Promise<z.output<typeof views.InfrastructureStatus>> {
  const estate = await inventory.estate()
  const colliding = conflictsIn(inventory, estate)
  const { orphans, ok: are_none } = await orphansIn(estate, elsewhere, { now: clock.now(), signal })
  const { complete, checked_at, guests, numbers, hosts, domains, used } = estate
  const { ip, vmid, mac, network } = colliding
  const conflicts = ip.length + vmid.length + mac.length + network.length
  const status =
    complete === null ? 'unknown' : complete && conflicts + orphans.length === 0 ? 'ok' : 'degraded'
  return {
    status,
    complete,
    checked_at,
    sources: estate.sources.map(
      ({ kind, name, configured, known, detail, observed_at, count, unreadable }) => {
        return { kind, name, configured, known, detail, observed_at, count, unreadable }
      },
    ),
    counts: {
      assets: numbers.length,
      running: guests.filter(({ guest }) => guest.state === 'running').length,
      templates: numbers.filter(({ template }) => template).length,
      addresses: used.four.size + used.six.length,
      clients: hosts.filter(({ kind, online }) => kind === 'client' && online).length,
      devices: hosts.filter(({ kind }) => kind === 'device').length,
      domains: domains.length,
    },
    conflicts: colliding.ok === null ? null : conflicts,
    orphans: are_none === null ? null : orphans.length,
    networks: [...networksIn(estate)],
  }
}
