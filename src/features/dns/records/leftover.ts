/** Why a record set of ours may be taken away, and one that still stands although it may, or although nothing asks for it. */
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

export const LEFT_BECAUSE = [
  ...REMOVABLE_BECAUSE,
  /**
   * Its record has addresses, and none of them is of its family. A setting that was lost by mistake looks the same, so it goes
   * only when a person says so.
   */
  'no_address',
] as const
export type LeftBecause = (typeof LEFT_BECAUSE)[number]

export interface Leftover {
  readonly zone: string
  readonly name: string
  readonly type: ManagedType
  readonly values: readonly string[]
  /** Null where no record is named any more. */
  readonly domain_id: number | null
  readonly because: LeftBecause
}
