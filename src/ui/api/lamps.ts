/** How every domain is, as rows of letters; read into what the table shows. */
import type { Lamp } from '../model/lamps.ts'
import { lampOfLetter } from '../model/lamps.ts'
import type { Lamps } from './types.ts'

export interface LampRow {
  readonly lamps: readonly Lamp[]
  readonly pending: boolean
  readonly causes: Readonly<Record<string, string>>
}

export const lampRows = (table: Lamps | undefined): ReadonlyMap<number, LampRow> =>
  new Map(
    (table?.rows ?? []).map(([id, , letters, pending, causes]) => [
      id,
      { lamps: letters.split('').map(lampOfLetter), pending, causes },
    ]),
  )
