/** The shape of a verb of the command: what it takes, what it says, and what it answers to the shell. */
import type { ParseArgsOptionsConfig } from 'node:util'
import type { ImportContext } from '../features/import/traefik/context.ts'
import type { Documents } from '../ports/documents.ts'
import type { Api } from './api.ts'
import type { Terminal } from './terminal.ts'

export interface Verb {
  readonly name: string
  /** Positional arguments for the usage line: `[DOMAIN]`. */
  readonly takes: string
  /** One sentence. */
  readonly help: string
  readonly options: ParseArgsOptionsConfig
  run(context: VerbContext): Promise<number>
}

export interface VerbContext {
  readonly words: readonly string[]
  readonly options: Readonly<Record<string, string | boolean | undefined>>
  readonly terminal: Terminal
  readonly surroundings: Surroundings
}

/** What a verb may ask the composition root for. */
export interface Surroundings {
  /** Of this program. */
  readonly version: string
  /**
   * The API of the running daemon, or of this process when none runs, unless it is to be a `running` one. Where there is no
   * installation yet, only a verb that brings one into being (`found`) makes it.
   */
  api(options: ApiOptions): Promise<Api>
  /** Runs the daemon until it is told to stop. */
  serve(options: { quickstart: boolean }): Promise<number>
  /** The effective settings. Throws `bad_configuration` with every fault. */
  settings(): readonly SettingLine[]
  examine(): Promise<readonly Finding[]>
  readFile(path: string): Promise<string>
  writeFile(path: string, text: string): Promise<void>
  readonly documents: Documents
  /** Why the proxy that is written for would refuse such a file whole, as the end of a sentence; null where it is not known to. */
  refusedByProxy(path: string, text: string): Promise<string | null>
  /** What stands in a file of Traefik's, YAML or TOML, every value as text. Throws `validation_failed` for what is neither. */
  treeOf(path: string, text: string): Promise<unknown>
  /** The units for the settings in effect, checked by systemd where it is there, and put into the folder where one is given. */
  installUnit(options: UnitOptions): Promise<InstalledUnits>
  /** What an import of Traefik files is measured against; asks the proxy where its API is set. */
  importContext(): Promise<ImportContext>
}

export interface ApiOptions {
  readonly url: string | undefined
  readonly found: boolean
  readonly running?: boolean
}

export interface UnitOptions {
  readonly user: string
  /** The SSO provider's unit, for `PLUMBLINE_SSO_RESTART=systemd-path`. */
  readonly sso_unit: string
  /** Null: nothing is written. */
  readonly folder: string | null
}

export interface InstalledUnits {
  readonly units: readonly { readonly name: string; readonly text: string }[]
  /** Null where there is no systemd to ask. */
  readonly verdict: { readonly complaints: readonly string[]; readonly exposure: number | null } | null
  /** Names of the files that are other than before; null where none was to be written. */
  readonly written: readonly string[] | null
  readonly user: string
  readonly data_dir: string
}

export interface SettingLine {
  readonly name: string
  /** Secrets are hidden already; null for what is unset. */
  readonly value: string | null
  readonly source: string
  readonly help: string
}

export interface Finding {
  readonly check: string
  readonly state: 'good' | 'warning' | 'bad'
  readonly detail: string
  /** What would help; null when nothing is wrong. */
  readonly remedy: string | null
}
