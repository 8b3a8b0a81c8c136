/** A fake whose world has several items, each a record's of its own. */
import type { AnyTarget, Difference, Observation } from '../../src/engine/target.ts'
import type { Refusal } from '../../src/model/report.ts'
import { fakeTarget, fakeWorld } from './fake-target.ts'

/** What stands there, by item. */
export type Items = Readonly<Record<string, string>>

export const ITEM_IDS: Readonly<Record<string, number>> = { a: 1, b: 2, c: 3 }
export const LOOKED_AT = 1_000
export const SLOW = { code: 'rate_limited', message: 'slow down', retry_after_ms: 90_000 } as const

export const differencesOf = (wanted: Items, there: Items): Difference<null>[] =>
  Object.keys(wanted).flatMap((key) =>
    wanted[key] === there[key]
      ? []
      : [
          {
            key,
            verb: there[key] === undefined ? 'create' : 'update',
            item: `item ${key}`,
            before: there[key] ?? null,
            after: wanted[key]!,
            domain_ids: [ITEM_IDS[key] ?? 0],
            payload: null,
          },
        ],
  )

export const seenAs = (state: Items): Extract<Observation<unknown>, { known: true }> => ({
  known: true,
  state,
  digest: JSON.stringify(state),
  at: LOOKED_AT,
})

export const refusalOf = (key: string, over: Partial<Refusal> = {}): Refusal => ({
  item: `item ${key}`,
  domain_ids: [ITEM_IDS[key]!],
  failure: SLOW,
  ...over,
})

export const itemTarget = (over: Partial<AnyTarget>): AnyTarget =>
  fakeTarget(fakeWorld(), {
    whole: false,
    diff: (desired, state) => differencesOf(desired as Items, state as Items),
    codec: {
      freeze: (desired) => ({
        digest: JSON.stringify(desired),
        chunks: [Buffer.from(JSON.stringify(desired))],
      }),
      thaw: (chunks) => JSON.parse(Buffer.concat(chunks).toString()) as Items,
    },
    ...over,
  })
