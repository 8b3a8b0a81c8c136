/**
 * What a feature shows of itself before anything is built: its door, one entry of the list in `features.ts`, which the
 * command line reads at every start, too. What it does not need there is a function that loads it.
 */
import type { NamedVerb } from '../cli/verb.ts'
import type { AnySections } from '../config/setting.ts'
import type { Core } from '../core/core.ts'
import type { Feature } from './feature.ts'

export interface Manifest {
  /** As its folder is called. */
  readonly name: string
  /** Its settings, by their owner. */
  settings?(): Promise<AnySections>
  /**
   * Which section another one comes behind in what `plumbline config` shows. Left out, sections come in the order of the manifest,
   * and those of each feature in the order of the list.
   */
  readonly settings_after?: Readonly<Record<string, string>>
  /** Its part of the command line, each verb with the sentence that it has itself. */
  readonly verbs?: readonly NamedVerb[]
  /**
   * Builds it from the core and its own settings. Left out where it is given something of other features: then
   * `build-features.ts` does. Throws `bad_configuration` for settings that cannot be followed.
   */
  build?(core: Core, settings: Readonly<Record<string, unknown>>): Promise<Feature>
}
