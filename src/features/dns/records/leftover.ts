/** Why a record set of ours may be taken away, and one that still stands although it may. */
import type { ManagedType } from '../../../model/network/dns.ts'

export const REMOVABLE_BECAUSE = [
  /** Its record was disabled or deleted. */
  'retired',
  /** Its record is internal now, or managed elsewhere. */
  'unpublished',
  /** Its record has another name now. */
  'renamed',
  /** Its record names an address of its own, of the other family. */
  'other_family',
  /** A person said so, by its name and type. */
  'asked',
] as const
export type RemovableBecause = (typeof REMOVABLE_BECAUSE)[number]

export interface Leftover {
  readonly zone: string
  readonly name: string
  readonly type: ManagedType
  readonly values: readonly string[]
  /** Null where no record is named any more. */
  readonly domain_id: number | null
  readonly because: RemovableBecause
}
