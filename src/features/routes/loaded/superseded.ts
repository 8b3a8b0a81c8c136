/**
 * Releases that another one followed before anything was known of them at the proxy: nobody will find out any more, and each
 * says so. A deploy that is still waiting for such a release has the last word.
 */
import type { ReleaseHead } from '../../../ports/records/trails.ts'
import type { Store } from '../../../ports/store.ts'
import { keptDecision, PROXY_RESULT } from '../proxy/decision-record.ts'

/** At most so many are looked at for one newer release. */
const MAX_RELEASES = 50

export class Superseded {
  readonly #store: Store
  /** Of this one and all before it nothing is open. */
  #settled = 0

  constructor(store: Store) {
    this.#store = store
  }

  /**
   * @param inherited the newest release of an earlier process, which may not have had a proxy to ask: of those before it only
   * such are noted that came after a decided one. Null: none.
   */
  async noteBefore(head: ReleaseHead | null, inherited: number | null): Promise<void> {
    if (head === null || head.number - 1 <= this.#settled) return
    const { found, open } = await this.#openBefore(head.number)
    const lost = open.filter((number) => found || number >= (inherited ?? 0))
    if (lost.length > 0)
      await this.#store.write(async (tx) => {
        for (const number of lost) await tx.recordResults(number, { [PROXY_RESULT]: 'superseded' })
      })
    this.#settled = head.number - 1
  }

  /** Down to the first that is decided. */
  async #openBefore(newest: number): Promise<{ readonly found: boolean; readonly open: readonly number[] }> {
    const open: number[] = []
    for (let number = newest - 1; number > Math.max(this.#settled, newest - MAX_RELEASES); number--) {
      const release = await this.#store.release(number)
      if (release?.digests['routes'] === undefined) continue
      if ((await keptDecision(this.#store, release)) !== null) return { found: true, open }
      open.push(number)
    }
    return { found: false, open }
  }
}
