/** What the conditions of a key were last worked out from: the same again says nothing new. */

export interface Reading {
  readonly glance: string
  readonly outcome: string
  readonly besieged: boolean
  readonly release: number
  readonly message: string
  readonly working: unknown
}

export const isSameReading = (a: Reading, b: Reading | null): boolean =>
  b !== null &&
  a.glance === b.glance &&
  a.outcome === b.outcome &&
  a.besieged === b.besieged &&
  a.release === b.release &&
  a.message === b.message &&
  a.working === b.working
