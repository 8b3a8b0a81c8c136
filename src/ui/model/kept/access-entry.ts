/** One answer about who can open what, in words. Pure. */
import type { Access } from '../../api/types.ts'
import type { Lamp } from '../lamps.ts'

export type AccessEntry = Access['entries'][number]

const POLICIES = new Map<string, string>([
  ['bypass', 'open to all'],
  ['one_factor', 'one factor'],
  ['two_factor', 'two factors'],
  ['deny', 'nobody'],
])

export const policyText = (policy: string | null): string =>
  policy === null ? 'unknown' : (POLICIES.get(policy) ?? policy)

/** Only what is not known stands out; that anybody opens it is nothing that is well or wrong by itself. */
export const lampOfEntry = ({ can_open, username }: AccessEntry): Lamp =>
  can_open === null ? 'unknown' : can_open && username !== null ? 'ok' : 'off'

/** @param unproven why a "no" is not known to hold */
export function canOpenText({ can_open, served_by }: AccessEntry, unproven: string | null = null): string {
  if (served_by === null) return 'no such domain'
  if (can_open === null) return 'not known'
  return can_open ? 'yes' : unproven === null ? 'no' : 'no, not proven'
}

interface Ruled {
  readonly of: Pick<AccessEntry, 'policy'>
  /** Its network is asked before anything else is. */
  readonly inside: boolean
}

/** The policy as every page words it. */
export const policyOf = ({ of, inside }: Ruled): string =>
  inside && of.policy === 'bypass' ? 'open inside' : policyText(of.policy)
