/** Addresses: the next free one, and all that are used. */
import { z } from 'zod'
import { fieldError, invalid } from '../../kernel/failure.ts'
import { addressNumber } from '../../model/network/cidr.ts'
import { endpoint, type Endpoint } from '../../http/contract.ts'
import { withLongJson } from '../../http/long-json.ts'
import { ok } from '../../http/ok.ts'
import { networksIn } from './answers.ts'
import { shownClaim } from './estate/claims.ts'
import type { Estate } from './estate/estate.ts'
import { askedNetwork } from './addresses/networks.ts'
import type { Inventory } from './inventory.ts'
import { offering, wishOf } from './offering.ts'
import * as views from './views.ts'
import type { UsedAddress } from './views.ts'

const look = {
  method: 'GET',
  level: 'open',
  tags: [{ name: 'Addresses', description: 'Who has which address, and which is free' }],
} as const

export const addressEndpoints = ({ inventory }: { readonly inventory: Inventory }): readonly Endpoint[] => [
  endpoint({
    ...look,
    path: '/api/ip/next',
    id: 'nextAddress',
    summary: 'The next free address of a network',
    description:
      'Of a network in CIDR form, or of a node and a purpose by the address scheme. Reserves nothing; with `hold` nobody else ' +
      'is offered it for a while. The gateway, ranges of leases and what is reserved are passed over.',
    query: z.object({
      network: z.string().max(64).optional().describe('Such as 192.168.1.0/24'),
      node: z.string().min(1).max(64).optional().describe('With purpose, in place of network'),
      purpose: z.string().min(1).max(64).optional(),
      ...offering,
    }),
    replies: { 200: views.OfferedAddress },
    problems: ['conflict', 'component_unavailable'],
    handler: async (call) => {
      const { network, node, purpose } = call.query
      const wish = wishOf(call, call.query)
      if (network !== undefined && node === undefined && purpose === undefined)
        return ok(await inventory.nextAddress(askedNetwork(network), wish))
      if (network === undefined && node !== undefined && purpose !== undefined)
        return ok(await inventory.nextAddress(await inventory.networkOf({ ...wish, node, purpose }), wish))
      throw invalid([
        fieldError(['query', 'network'], 'is needed, or node and purpose in its place; not both', 'missing'),
      ])
    },
  }),
  endpoint({
    ...look,
    path: '/api/ip/used',
    id: 'usedAddresses',
    summary: 'All addresses that somebody has',
    replies: { 200: views.UsedAddresses },
    handler: async () => {
      const estate = await inventory.estate()
      const { complete, checked_at } = estate
      const body = { complete, checked_at, addresses: usedIn(estate), networks: networksIn(estate) }
      return withLongJson(ok(body))
    },
  }),
]

const kept = new WeakMap<Estate, UsedAddress[]>()

/** In the order of the addresses, IPv4 first. Made once a reading. */
function usedIn(estate: Estate): UsedAddress[] {
  const before = kept.get(estate)
  if (before !== undefined) return before
  const all = [...Map.groupBy(estate.claims, ({ address }) => address)]
    .map(([address, claims]) => ({ address, claims, six: address.includes(':'), at: addressNumber(address) }))
    .sort((a, b) => Number(a.six) - Number(b.six) || (a.at < b.at ? -1 : 1))
    .map(({ address, claims }) => ({
      address,
      online: claims.some(({ online }) => online),
      by: claims.map(shownClaim),
    }))
  kept.set(estate, all)
  return all
}
