/** Whether a daemon runs on the data directory, as `plumbline doctor` finds it. */
import { holderIn, type DataDirectory } from '../store/files/holder-in.ts'
import type { Finding } from '../cli/verb.ts'
import { DATA_DIR } from '../config/nearby.ts'
import { Failure } from '../kernel/failure.ts'
import type { Holder } from '../ports/lock.ts'
import { bad, good, warning } from './finding.ts'
import type { World } from './world.ts'

export const daemon: World = {
  beside: async ({ settings, sources }) => [
    lookAtHolder({
      data_dir: settings.store.data_dir,
      is_named: sources[DATA_DIR.name] !== 'default',
    }),
  ],
}

/** Where nobody there may be believed, that is found, and the other looks go on. */
function lookAtHolder(directory: DataDirectory): Finding {
  try {
    return evaluateHolder(holderIn(directory))
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'bad_configuration') throw error
    return bad('daemon', error.message, 'Run doctor as the user that runs Plumbline.')
  }
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
