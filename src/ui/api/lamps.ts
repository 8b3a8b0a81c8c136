/** How every domain is, as rows of letters; read into what the table shows. */
import type { Lamp } from '../model/lamps.ts'
import { lampOfLetter } from '../model/lamps.ts'

export interface LampTable {
  readonly at: string
  readonly order: readonly string[]
  readonly rows: readonly (readonly [number, number, string, boolean, Readonly<Record<string, string>>, string | null])[]
}

export interface LampRow {
  readonly lamps: readonly Lamp[]
  readonly pending: boolean
  readonly causes: Readonly<Record<string, string>>
}

export interface LampWords {
  readonly domain_id: number
  readonly domain: string
  readonly lamps: readonly {
    readonly lamp: string
    readonly letter: string
    readonly cause: string | null
    readonly message: string
    readonly seen_at: string | null
    readonly parts: readonly { readonly source: string; readonly message: string; readonly letter?: string }[]
  }[]
}

export const lampRows = (table: LampTable | undefined): ReadonlyMap<number, LampRow> =>
  new Map(
    (table?.rows ?? []).map(([id, , letters, pending, causes]) => [
      id,
      { lamps: [...letters].map(lampOfLetter), pending, causes },
    ]),
  )
