/** Makes the files of the console without a daemon, for `plumbline console build`. */
import type { BundledConsole } from '../../cli/verb.ts'
import { Failure } from '../../kernel/failure.ts'
import { silentLog } from '../../kernel/log.ts'
import { bundleIn } from './bundler/bundles.ts'
import { OWN_PLACES } from './bundler/sources.ts'

/** Throws `component_unavailable`. */
export async function bundleConsole(): Promise<BundledConsole> {
  try {
    const { bundle, was_kept, is_kept } = await bundleIn(OWN_PLACES, silentLog)
    const bytes = bundle.assets.reduce((sum, asset) => sum + asset.bytes.length, 0)
    return { files: bundle.assets.length, bytes, was_kept, is_kept }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Failure('component_unavailable', `The console could not be bundled: ${why}`, { cause: error })
  }
}
