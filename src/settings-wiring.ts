/** The settings of this program: those of the daemon itself, and those that the features of the list bring. */
import { loadDeclared, type LoadedConfig, type LoadOptions } from './config/load.ts'
import type { Environment } from './config/lookup.ts'
import { allSections, type Brought, declaredIn } from './config/sections.ts'
import type { Manifest } from './feature/manifest.ts'
import { FEATURES } from './features.ts'

/** What the features bring, in the order of their list. */
export const BROUGHT: readonly Brought[] = await Promise.all(
  FEATURES.map(async (manifest: Manifest) => ({
    ...manifest,
    settings: (await manifest.settings?.()) ?? {},
  })),
)

/** In the order of `plumbline config`. */
export const SECTIONS = allSections(BROUGHT)

/** All settings in the order of `plumbline config`. */
export const ALL = declaredIn(SECTIONS)

/** Throws `bad_configuration` for what is wrong. Takes the secrets out of `env`. */
export const loadConfig = (env: Environment, options: LoadOptions = {}): LoadedConfig =>
  loadDeclared(ALL, env, options)
