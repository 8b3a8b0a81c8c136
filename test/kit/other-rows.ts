/** A store or a transaction in which some queries of one feature's rows are other ones. */
import type { RecordSet, WriterOf } from '../../src/ports/record-set.ts'
import type { StoreReader } from '../../src/ports/store.ts'

/** Its `of`, to be put in the place of its own. @param others of a store, only those that read are asked */
export const otherRows = <Of extends StoreReader['of'], Set extends RecordSet>(
  { of }: { readonly of: Of },
  set: Set,
  others: (own: WriterOf<Set>) => Partial<WriterOf<Set>>,
): Of =>
  ((asked: RecordSet) => {
    const own = of(asked)
    return asked === set ? { ...own, ...others(own) } : own
  }) as Of
