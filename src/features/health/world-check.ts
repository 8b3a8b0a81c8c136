/** How far the world is, against the database: an older one must not write outside, and somebody has to decide. */
import { presentedStanding } from '../../engine/world/standing.ts'
import type { Deps } from './deps.ts'
import { REMEDY } from '../../model/undecided.ts'
import { FILES_EVERY_MS, type HealthCheck, healthy, impaired, unknown } from '../../core/check.ts'

export const UNDECIDED_CAUSE = 'restored_from_backup'
/** What helps against that, and against all that is held back by it. */
export const DECIDE = `Decide first: ${REMEDY}.`

export const worldCheck = ({ engine }: Pick<Deps, 'engine'>): HealthCheck => ({
  name: 'world',
  kind: 'watch',
  configured: true,
  every_ms: FILES_EVERY_MS,
  advises: ({ cause }) => (cause === UNDECIDED_CAUSE ? { remedy: DECIDE } : {}),
  async look({ signal }) {
    // Before a write they are looked at anyway; here, so that nobody learns of it only then.
    await engine.world.examine(signal)
    const standing = engine.world.standing()
    const details = presentedStanding(standing)
    const failure = engine.world.failure()
    const unreadable = engine.world.unreadable()
    if (failure === null && unreadable.length > 0)
      return unknown('unreadable', unreadable.map(({ failure }) => failure.message).join(' '), {
        details,
      })
    if (failure === null) return healthy('The world is not newer than the database.', { details })
    return impaired(UNDECIDED_CAUSE, failure.message, {
      details,
      differences: standing.worlds
        .filter(({ ahead }) => ahead)
        .map(({ world, place, stamp }) => ({
          item: place,
          cause: UNDECIDED_CAUSE,
          domains: [],
          detail: `${world} is at change ${stamp.number}, the database at ${standing.database_number}`,
        })),
    })
  },
})
