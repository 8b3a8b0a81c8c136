/** Who holds a data directory, for whoever wants to ask them: as `readHolder`, in a directory in which somebody may be believed. */
import type { Holder } from '../../ports/lock.ts'
import { readHolder } from './lock.ts'
import { assertNoStrangers } from './owner.ts'

export interface DataDirectory {
  readonly data_dir: string
  /** Somebody set it. */
  readonly is_named: boolean
}

/** Throws `bad_configuration` where it could be anybody. */
export function holderIn({ data_dir, is_named }: DataDirectory): Holder | null {
  if (!is_named) assertNoStrangers(data_dir)
  return readHolder(data_dir)
}
