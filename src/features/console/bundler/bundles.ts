/** The bundle of the page: in memory, else on disk, else made. */
import { SingleFlight } from '../../../kernel/async/single-flight.ts'
import type { Clock, Milliseconds } from '../../../kernel/clock.ts'
import type { Log } from '../../../kernel/log.ts'
import type { Bundle, Bundles } from '../bundle-port.ts'
import { buildBundle } from './build.ts'
import { keep, readKept } from './kept.ts'
import { type BundlePlaces, OWN_PLACES, sourcesDigest } from './sources.ts'

/** Whoever reloads a page that could not be made does not start a bundler each time. */
const TRIED_EVERY_MS: Milliseconds = 10_000

interface BundlesParts {
  readonly clock: Pick<Clock, 'elapsed'>
  readonly log: Log
  readonly places?: BundlePlaces
}

export function bundlesOf({ clock, log, places = OWN_PLACES }: BundlesParts): Bundles {
  let made: Bundle | null = null
  let failed: { readonly error: unknown; readonly at: Milliseconds } | null = null
  const flight = new SingleFlight(async () => {
    try {
      made = (await bundleIn(places, log)).bundle
      return made
    } catch (error) {
      log.error('the console could not be bundled', { error })
      failed = { error, at: clock.elapsed() }
      throw error
    }
  })
  return {
    async get() {
      if (made !== null) return made
      if (failed !== null && clock.elapsed() - failed.at < TRIED_EVERY_MS) throw failed.error
      return flight.join()
    },
    async stop() {
      await flight.running?.catch(() => undefined)
    },
  }
}

/** From disk where it was made before. */
export async function bundleIn(
  places: BundlePlaces,
  log: Pick<Log, 'debug'>,
): Promise<{ bundle: Bundle; was_kept: boolean; is_kept: boolean }> {
  const digest = await sourcesDigest(places)
  const kept = await readKept(places.cache, digest)
  if (kept !== null) return { bundle: kept, was_kept: true, is_kept: true }
  const bundle = await buildBundle(places)
  const is_kept = await keep(places.cache, digest, bundle).then(
    () => true,
    (error: unknown) => {
      log.debug('the bundle of the console stays in memory', { error })
      return false
    },
  )
  return { bundle, was_kept: false, is_kept }
}
