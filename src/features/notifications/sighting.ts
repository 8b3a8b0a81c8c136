/** What is wrong at one moment, and what cannot be told. */
import type { Instant, Milliseconds } from '../../kernel/clock.ts'
import type { Trouble } from '../../model/trouble.ts'

export interface SightedTrouble extends Trouble {
  /** Since when it has lasted long enough to be told. */
  readonly ripe_at: Instant
}

export interface Sighting {
  readonly troubles: readonly SightedTrouble[]
  /** Beginnings of ids of which nothing is known now: what is not seen there is not over. */
  readonly unsure: readonly string[]
}

export const joined = (sightings: readonly Sighting[]): Sighting => ({
  troubles: sightings.flatMap(({ troubles }) => troubles),
  unsure: sightings.flatMap(({ unsure }) => unsure),
})

export const isUnsure = ({ unsure }: Sighting, id: string): boolean =>
  unsure.some((beginning) => id.startsWith(beginning))

/** What begins while a look is under way begins after it. */
const LONGEST_LOOK_MS: Milliseconds = 60_000

/** A clock that was set back lets nothing wait. */
export const isRipe = ({ ripe_at, since }: SightedTrouble, now: Instant): boolean =>
  ripe_at <= now || since > now + LONGEST_LOOK_MS

/** As it is remembered. */
export const plain = (sighted: SightedTrouble): Trouble => {
  const { id, kind, severity, component, key, domains, since, message, remedy } = sighted
  return { id, kind, severity, component, key, domains, since, message, remedy }
}
