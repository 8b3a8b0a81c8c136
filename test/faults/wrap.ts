/** The ports that lead out of the house, with failpoints on them. */
import type { ManagedFile } from '../../src/ports/files.ts'
import type { Store } from '../../src/ports/store.ts'
import type { Failpoints } from './failpoints.ts'

/** `inside` is within the transaction, after its work and before its commit. */
export const pointedStore = (store: Store, points: Failpoints): Store => ({
  ...store,
  async write(work) {
    const at = points.cross('store.write')
    await at('before')
    const result = await store.write(async (tx) => {
      const done = await work(tx)
      await at('inside')
      return done
    })
    await at('after')
    return result
  },
})

export const pointedFile = (file: ManagedFile, points: Failpoints): ManagedFile => ({
  ...file,
  async look(signal) {
    const at = points.cross('file.look')
    await at('before')
    const look = await file.look(signal)
    await at('after')
    return look
  },
  async replace(chunks, options, signal) {
    const at = points.cross('file.replace')
    await at('before')
    await file.replace(chunks, options, signal)
    await at('after')
  },
})
