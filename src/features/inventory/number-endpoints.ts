/** VMIDs: the next free one, what a number says, whether it is in use. */
import { z } from 'zod'
import { Failure } from '../../kernel/failure.ts'
import { endpoint, type Endpoint } from '../../http/contract.ts'
import { wholeNumber } from '../../http/body/scalars.ts'
import { ok } from '../../http/ok.ts'
import { decoded, validated } from './numbers/evaluate.ts'
import { MAX_VMID, MIN_VMID } from './numbers/scheme.ts'
import { offering, wishOf } from './offering.ts'
import type { Inventory, PlaceWish } from './inventory.ts'
import * as views from './views.ts'

interface NumberParts {
  readonly inventory: Inventory
  /** Asks the clusters themselves, which see what their lists leave out: null where none can say. */
  readonly isTaken: (vmid: number, signal: AbortSignal) => Promise<boolean | null>
}

const look = {
  method: 'GET',
  level: 'open',
  tags: [{ name: 'VMIDs', description: 'Numbers of guests, by the scheme of PLUMBLINE_VMID_SCHEME' }],
} as const

const place = (what: string) => z.string().min(1).max(64).describe(`Name or number of the ${what}`)

const TOO_LARGE = 'must be at most 9007199254740991, up to which whole numbers are exact'

/** Any whole number: what is wrong with one is the answer, not an error. */
const anyNumber = z
  .string()
  .regex(/^(?:0|-?[1-9]\d*)$/, 'must be a whole number')
  .regex(/^.{0,16}$/, TOO_LARGE)
  .transform(Number)
  .refine(Number.isSafeInteger, TOO_LARGE)

/** One that Proxmox VE takes. */
export const vmidNumber = wholeNumber({ min: MIN_VMID, max: MAX_VMID })

export const numberEndpoints = ({ inventory, isTaken }: NumberParts): readonly Endpoint[] => [
  endpoint({
    ...look,
    path: '/api/vmid/next',
    id: 'nextVmid',
    summary: 'The next free VMID of a node and a purpose',
    description:
      'Reserves nothing; with `hold` nobody else is offered it for a while. 409 when the range is full.',
    query: z.object({ node: place('node'), purpose: place('purpose'), ...offering }),
    replies: { 200: views.NextVmid },
    problems: ['conflict', 'component_unavailable'],
    handler: async (call) => {
      const wish: PlaceWish = { ...wishOf(call, call.query), ...call.query }
      const { vmids, complete, as_of } = await inventory.next(wish, 1)
      return ok({ ...vmids[0]!, complete, as_of })
    },
  }),
  endpoint({
    ...look,
    path: '/api/vmid/suggest',
    id: 'suggestVmids',
    summary: 'Free VMIDs for new guests',
    query: z.object({
      node: place('node').optional(),
      purpose: place('purpose').optional(),
      count: wholeNumber({ min: 1, max: 100 }).optional().describe('Default 5'),
      ...offering,
    }),
    replies: { 200: views.SuggestedVmids },
    problems: ['conflict', 'component_unavailable'],
    handler: async (call) => {
      const { node = null, purpose = null, count = 5 } = call.query
      const wish = { ...wishOf(call, call.query), node, purpose }
      const { vmids, complete, as_of } = await inventory.next(wish, count)
      return ok({ suggestions: vmids, complete, as_of })
    },
  }),
  endpoint({
    ...look,
    path: '/api/vmid/decode',
    id: 'decodeVmid',
    summary: 'Node, purpose and sequence of a VMID',
    query: z.object({ vmid: vmidNumber }),
    replies: { 200: views.DecodedVmid },
    handler: async ({ query }) => {
      const estate = await inventory.estate()
      return ok(decoded(inventory.numbering(estate), query.vmid))
    },
  }),
  endpoint({
    ...look,
    path: '/api/vmid/validate',
    id: 'validateVmid',
    summary: 'What is wrong with a VMID',
    query: z.object({ vmid: anyNumber }),
    replies: { 200: views.ValidatedVmid },
    handler: async ({ query }) => {
      const estate = await inventory.estate()
      return ok(validated(inventory.numbering(estate), query.vmid))
    },
  }),
  endpoint({
    ...look,
    path: '/api/vmid/check',
    id: 'checkVmid',
    summary: 'Whether a VMID is in use',
    description:
      'Templates hold numbers as guests do. The clusters are asked themselves, too: they know what their lists leave out.',
    query: z.object({ vmid: vmidNumber }),
    replies: { 200: views.CheckedVmid },
    handler: async ({ query, signal }) => {
      const estate = await inventory.estate()
      const complete = inventory.isComplete(estate, ['proxmox'])
      const holders = estate.numbers.filter((one) => one.vmid === query.vmid)
      const taken = holders.length > 0 ? true : await isTaken(query.vmid, signal)
      const in_use = taken === true ? true : complete === true || taken === false ? false : null
      return ok({
        vmid: query.vmid,
        in_use,
        reserved: inventory.reservedVmid(query.vmid),
        holders,
        complete,
      })
    },
  }),
  endpoint({
    ...look,
    path: '/api/vmid/calculate-ip',
    id: 'calculateAddress',
    summary: 'The address that goes with a VMID',
    query: z.object({ vmid: vmidNumber }),
    replies: { 200: views.CalculatedAddress },
    problems: ['conflict'],
    handler: async ({ query }) => {
      const estate = await inventory.estate()
      const planned = inventory.plannedAddress(estate, query.vmid)
      if (planned === null)
        throw new Failure(
          'conflict',
          `${query.vmid} has no address by the scheme: ${inventory.settings.scheme.letters} with ${inventory.template}.`,
        )
      return ok({ vmid: query.vmid, ...planned, in_use: inventory.isAddressUsed(estate, planned.address) })
    },
  }),
  endpoint({
    ...look,
    path: '/api/vmid/validate-ip',
    id: 'validateAddress',
    summary: 'Whether an address goes with a VMID',
    query: z.object({ vmid: vmidNumber, ip: z.string().min(1).max(64).describe('An IP address') }),
    replies: { 200: views.EvaluatedAddress },
    handler: async ({ query }) => {
      const estate = await inventory.estate()
      return ok(inventory.evaluateAddress(estate, query.vmid, query.ip))
    },
  }),
]
