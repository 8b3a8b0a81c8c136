/** What the database promises, without times: records, released rows, the number of the newest release and its bytes. */
import { canonicalJson } from '../../src/kernel/digest.ts'
import type { DomainRecord } from '../../src/model/domain/record.ts'
import type { IntentRow } from '../../src/model/intent.ts'
import type { StoreReader } from '../../src/ports/store.ts'

type Timeless = Omit<DomainRecord, 'created_at' | 'updated_at' | 'activated_at'>

export interface State {
  readonly records: readonly Timeless[]
  readonly released: readonly IntentRow[]
  readonly release: number
  /** Digest of what the newest release froze for the routes file. */
  readonly routes: string | null
}

const MAX_RECORDS = 1000

export async function stateOf(store: StoreReader): Promise<State> {
  const { records } = await store.domains({ sort: 'id', limit: MAX_RECORDS })
  return {
    records: records.map(timeless),
    released: (await store.intent('released')).rows,
    release: (await store.latestRelease())?.number ?? 0,
    routes: (await store.artifact('routes'))?.digest ?? null,
  }
}

export const sameState = (a: State, b: State): boolean => canonicalJson(a) === canonicalJson(b)

/** Without the counters, which a caller that tries again may move once more. */
export const sameButCounters = (a: State, b: State): boolean => sameState(uncounted(a), uncounted(b))

/** Released rows that are not live stand for nothing outside; a retried call may have left one or not. */
function uncounted({ records, released, routes }: State): State {
  return {
    records: records.map((record) => ({ ...record, revision: 0 })),
    released: released.filter((row) => row.live).map((row) => ({ ...row, revision: 0 })),
    release: 0,
    routes,
  }
}

function timeless({ created_at: _c, updated_at: _u, activated_at: _a, ...rest }: DomainRecord): Timeless {
  return rest
}
