/** The rows of features, bound to one store or one transaction. What each is, only its feature knows. */
import type { Kysely } from 'kysely'
import type { ReaderOf, RecordSet, WriterOf } from '../ports/record-set.ts'
import type { StoreMemory } from './memory/state.ts'
import type { Tables } from './tables.ts'

type Bound = Readonly<Record<string, (...given: never[]) => Promise<unknown>>>
type Queries = RecordSet['reads']
type Call = (db: unknown, ...given: unknown[]) => Promise<unknown>

/** A transaction that rows are written in. */
export interface Writing {
  readonly db: Kysely<Tables>
  readonly memory: StoreMemory
  /** What happens to it when a write fails. */
  readonly doom: (error: unknown) => never
  /** Notes that it removes or closes something. */
  readonly close: () => void
}

/** @param committed the memory as of the last commit */
export function readersOn(use: () => Kysely<Tables>, committed: () => Promise<StoreMemory>) {
  return oncePerSet((set) => ({
    ...reading(set.reads, use),
    ...mapped(pickKeys(set.reads, set.keeps), (query, name) => async () => {
      const kept = (await committed()).kept(set, name)
      return kept.read(() => query(use()) as Promise<object>)
    }),
  })) as <Set extends RecordSet>(set: Set) => ReaderOf<Set>
}

export function writersOn({ db, memory, doom, close }: Writing) {
  return oncePerSet((set) => ({
    ...reading(set.reads, () => db),
    ...mapped(set.writes, (query, name) => {
      const closes = set.closes?.[name] as ((...given: unknown[]) => boolean) | undefined
      const outdated = Object.entries(set.keeps ?? {}).filter(([, writes]) => writes?.includes(name))
      return (...given) => {
        if (closes?.(...given) === true) close()
        for (const [read] of outdated) memory.kept(set, read).stage()
        return query(db, ...given).catch(doom)
      }
    }),
  })) as <Set extends RecordSet>(set: Set) => WriterOf<Set>
}

const reading = (reads: Queries, use: () => Kysely<Tables>): Bound =>
  mapped(
    reads,
    (query) =>
      async (...given) =>
        query(use(), ...given),
  )

const mapped = (
  queries: Queries,
  bind: (query: Call, name: string) => (...given: unknown[]) => Promise<unknown>,
): Bound =>
  Object.fromEntries(Object.entries(queries).map(([name, query]) => [name, bind(query as Call, name)]))

const pickKeys = (queries: Queries, keys: object = {}): Queries =>
  Object.fromEntries(Object.entries(queries).filter(([name]) => name in keys))

/** Binding costs a closure for each query, and a set is asked for often. */
function oncePerSet(bind: (set: RecordSet) => Bound): (set: RecordSet) => Bound {
  const bound = new Map<RecordSet, Bound>()
  return (set) => {
    const known = bound.get(set)
    if (known !== undefined) return known
    const made = bind(set)
    bound.set(set, made)
    return made
  }
}
