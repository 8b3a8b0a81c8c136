/** Points on the way of an order, from outside of it: before and after each call that leaves a trace somewhere. */
import type { DaemonOptions } from '../../src/foundation.ts'
import type { Store } from '../../src/ports/store.ts'
import { certificateRecords } from '../../src/features/certificates/records.ts'
import { otherRows } from '../kit/other-rows.ts'

/** Called at each point with its name; what it throws, or its never coming back, is met there. */
export type AtPoint = (point: string) => Promise<void>

const AT_THE_AUTHORITY = Object.fromEntries(
  ['account', 'newOrder', 'answer', 'finalize', 'certificate'].map((name) => [name, name]),
)

export const pointedHouse = (at: AtPoint): NonNullable<DaemonOptions['wrap']> => ({
  store: (store) => pointedStore(store, at),
  acme: (acme) => pointed(acme, AT_THE_AUTHORITY, at),
  dns: (provider) => pointed(provider, { change: 'records' }, at),
})

/** Rows of orders and certificates: within the transaction, and when it is durable. */
const pointedStore = (store: Store, at: AtPoint): Store => ({
  ...store,
  async write(work) {
    const rows: string[] = []
    const result = await store.write(async (tx) => {
      const of = otherRows(tx, certificateRecords, (own) => ({
        saveOrder: (order) => (rows.push(`row ${order.step}`), own.saveOrder(order)),
        dropOrder: (id) => (rows.push('row dropped'), own.dropOrder(id)),
      }))
      const done = await work({ ...tx, of })
      for (const row of rows) await at(`${row}, not yet durable`)
      return done
    })
    for (const row of rows) await at(`${row}, durable`)
    return result
  },
})

/** The same object, with points around some of its calls. */
function pointed<T extends object>(object: T, calls: Readonly<Record<string, string>>, at: AtPoint): T {
  return new Proxy(object, {
    get(_proxied, key) {
      const member: unknown = Reflect.get(object, key, object)
      if (typeof member !== 'function') return member
      const call = member.bind(object) as (...given: readonly unknown[]) => unknown
      const name = calls[String(key)]
      if (name === undefined) return call
      return async (...given: readonly unknown[]) => {
        await at(`${name}, not yet sent`)
        const answer = await call(...given)
        await at(`${name}, answered`)
        return answer
      }
    },
  })
}
