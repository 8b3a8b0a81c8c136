/** Whether an address goes with a VMID, and what is wrong with it. Pure. */
import { isIn } from '../estate/conflicts.ts'
import type { Estate } from '../estate/estate.ts'
import type { AddressRange } from '../settings.ts'
import { poolsOf } from './networks.ts'
import type { EvaluatedAddress } from '../views.ts'

interface AddressProblem {
  readonly code: 'no_address' | 'not_by_scheme' | 'in_use' | 'in_dhcp_pool' | 'reserved'
  readonly message: string
}

interface AddressRules {
  readonly vmid: number
  /** What the scheme gives to it; null for none. */
  readonly expected: string | null
  readonly reserved: readonly AddressRange[]
  /** All addresses in use are known. */
  readonly is_whole: boolean
}

/** @param address in its canonical form */
export function evaluateAddress(
  estate: Estate,
  address: string,
  { vmid, expected, reserved, is_whole }: AddressRules,
): EvaluatedAddress {
  const claims = estate.claims.filter((claim) => claim.address === address)
  // A domain waits for its backend; what else names no holder may be this guest, where the guest has the address.
  const is_own = claims.some((claim) => claim.vmid === vmid)
  const others = claims.filter(
    (claim) => claim.vmid !== vmid && (claim.owner !== null || (!is_own && claim.source !== 'domain')),
  )
  const problems: AddressProblem[] = []
  if (expected === null)
    problems.push({ code: 'no_address', message: `${vmid} has no address by the scheme.` })
  else if (expected !== address)
    problems.push({ code: 'not_by_scheme', message: `The scheme gives ${expected} to ${vmid}.` })
  if (others.length > 0)
    problems.push({
      code: 'in_use',
      message: `${[...new Set(others.map(({ name }) => name))].join(' and ')} has it.`,
    })
  if (isIn(poolsOf(estate), address))
    problems.push({ code: 'in_dhcp_pool', message: 'It lies in a range that is leased to anybody.' })
  if (isIn(reserved, address)) problems.push({ code: 'reserved', message: 'PLUMBLINE_IP_RESERVED keeps it.' })
  const is_open = problems.length === 0 && !is_whole
  return { valid: is_open ? null : problems.length === 0, expected, problems }
}
