/** A page of records: ours first, then what else stands in the zones, under one cursor. Pure. */
import { type PageAsked, type PageOf, pageOf } from '../../../http/pages.ts'
import type { OtherRecord } from '../views.ts'

/** Where no limit is asked for: what is ours is whole in an answer, a zone of somebody else may be very long. */
export const OTHERS_PER_ANSWER = 2000

interface Named {
  readonly name: string
  readonly type: string
  readonly zone: string
  readonly account: string
}

interface RecordsPage<T> {
  readonly records: readonly T[]
  readonly others: readonly OtherRecord[] | null
  /** How many come after this page; null where they were not asked for. */
  readonly others_left: number | null
  readonly page: PageOf<unknown>
}

/** Throws `validation_failed` for a cursor that this list did not make. @param others null where they were not asked for */
export function recordsPage<T extends Named>(
  records: readonly T[],
  others: readonly OtherRecord[] | null,
  asked: PageAsked,
): RecordsPage<T> {
  if (others !== null) return pageWithOthers(records, others, asked)
  const page = pageOf(records, keyOf, asked)
  return { records: page.items, others, others_left: null, page }
}

function pageWithOthers<T extends Named>(
  records: readonly T[],
  others: readonly OtherRecord[],
  asked: PageAsked,
): RecordsPage<T> {
  const { limit = records.length + OTHERS_PER_ANSWER } = asked.query
  const rows = rowsOf(records, others)
  const page = pageOf(rows, ({ key }) => key, { ...asked, query: { ...asked.query, limit } })
  const last = page.items.at(-1)
  const left =
    page.next === null || last === undefined ? [] : others.filter((one) => `1 ${keyOf(one)}` > last.key)
  return {
    records: page.items.flatMap(({ ours }) => ours ?? []),
    others: page.items.flatMap(({ other }) => other ?? []),
    others_left: left.length,
    page,
  }
}

interface Row<T> {
  readonly key: string
  readonly ours?: T
  readonly other?: OtherRecord
}

const rowsOf = <T extends Named>(
  records: readonly T[],
  others: readonly OtherRecord[],
): readonly Row<T>[] => [
  ...records.map((ours) => ({ key: `0 ${keyOf(ours)}`, ours })),
  ...others.map((other) => ({ key: `1 ${keyOf(other)}`, other })),
]

const keyOf = ({ name, type, zone, account }: Named): string => `${name} ${type} ${zone} ${account}`
