/** Which writes remove or close something: those that a full disk must not hold up. */
import type { StoreWriter } from '../ports/store.ts'

type Work<T> = (tx: StoreWriter) => Promise<T>

/** Runs the work and notes whether it closes anything. It may run twice: the first time is rolled back. */
export const noting =
  <T>(work: Work<T>, closing: { now: boolean }): Work<T> =>
  (tx) => {
    const close = () => (closing.now = true)
    return work({
      ...tx,
      deleteDomain: (...given) => (close(), tx.deleteDomain(...given)),
      dropSshClient: (...given) => (close(), tx.dropSshClient(...given)),
      dropPerson: (...given) => (close(), tx.dropPerson(...given)),
      savePerson(person) {
        if (person.revoked_at !== null) close()
        return tx.savePerson(person)
      },
      deleteEdge: (...given) => (close(), tx.deleteEdge(...given)),
      endEdgeToken: (...given) => (close(), tx.endEdgeToken(...given)),
      endDdnsToken: (...given) => (close(), tx.endDdnsToken(...given)),
      reviseDomain(id, change, at) {
        if (change.status === 'disabled' || change.status === 'inactive') close()
        return tx.reviseDomain(id, change, at)
      },
    })
  }
