/** Rules of the database that can be seen through the store alone. */
import type { Clock } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import type { CheckInvariants, Invariant } from '../../ports/invariants.ts'
import type { StoreReader } from '../../ports/store.ts'

export function basicRules(store: StoreReader, clock: Clock): CheckInvariants {
  const rule = async (
    name: string,
    promise: string,
    breach: () => Promise<string | null>,
  ): Promise<Invariant> => {
    const told = { name, promise, checked_at: clock.now() }
    try {
      const detail = await breach()
      return { ...told, holds: detail === null, detail }
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      return { ...told, holds: null, detail: error.message }
    }
  }
  return () =>
    Promise.all([
      rule('names_unique', 'No two records have the same name.', async () => {
        // Ordered by name.
        const names = (await store.intent('working')).rows.map(({ fields }) => fields.domain)
        const twice = names.find((name, i) => name === names[i - 1])
        return twice === undefined ? null : `${twice} is the name of two records.`
      }),
      rule('release_present', 'There is a newest release.', async () =>
        (await store.latestRelease()) === null ? 'There is none.' : null,
      ),
    ])
}
