/**
 * The rows of one feature, as the store takes them in: the feature hands in the queries on its tables, each written once,
 * and gets them back bound to what it asks: a store, for reading what is committed, or an open transaction.
 */

/** A query: a handle on the database comes first, then what the caller gives. */
type Query = (db: never, ...given: never[]) => Promise<unknown>
type Queries = Readonly<Record<string, Query>>

type Given<Q extends Query> = Q extends (db: never, ...given: infer G) => unknown ? G : never

export interface RecordSet<Reads extends Queries = Queries, Writes extends Queries = Queries> {
  readonly reads: Reads
  /** One that is refused dooms its transaction. */
  readonly writes: Writes
  /** Which writes remove or close something: a full disk must not hold them up. */
  readonly closes?: { readonly [Name in keyof Writes]?: (...given: Given<Writes[Name]>) => boolean }
  /** Answers that are kept in memory, shared and frozen, until one of these writes is committed. They are given nothing. */
  readonly keeps?: { readonly [Name in keyof Reads]?: readonly (keyof Writes)[] }
}

/** The set itself, with its types found out. */
export const recordSet = <const Reads extends Queries, const Writes extends Queries>(
  set: RecordSet<Reads, Writes>,
): RecordSet<Reads, Writes> => set

type Bound<Q extends Queries> = {
  readonly [Name in keyof Q]: (...given: Given<Q[Name]>) => ReturnType<Q[Name]>
}

/** What a store reads of a set. */
export type ReaderOf<Set extends RecordSet> = Bound<Set['reads']>
/** What a transaction reads and writes of it. */
export type WriterOf<Set extends RecordSet> = ReaderOf<Set> & Bound<Set['writes']>
