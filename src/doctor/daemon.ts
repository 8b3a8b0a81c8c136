/** Whether a daemon runs on the data directory, as `plumbline doctor` finds it. */
import { readHolder } from '../store/files/lock.ts'
import type { Finding } from '../cli/verb.ts'
import type { Holder } from '../ports/lock.ts'
import { good, warning } from './finding.ts'
import type { World } from './world.ts'

export const daemon: World = {
  beside: async ({ settings }) => [evaluateHolder(readHolder(settings.store.data_dir))],
}

/** @param holder of the lock of the data directory; null while nobody holds it */
export const evaluateHolder = (holder: Holder | null): Finding =>
  holder === null
    ? warning(
        'daemon',
        'does not run',
        'Nothing keeps the world true meanwhile. Start it with "plumbline serve", or "systemctl start plumbline".',
      )
    : good('daemon', `process ${holder.pid} at ${holder.listen ?? 'no address'} since ${holder.since}`)
