/** The shape of a verb of the command: what it takes, what it says, and what it answers to the shell. */
import type { ParseArgsOptionsConfig } from 'node:util'
import type { ImportContext } from '../operations/estate/traefik/context.ts'
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
  /**
   * The API of the running daemon, or of this process when none runs. Where there is no installation yet, only a verb
   * that brings one into being (`found`) makes it.
   */
  api(options: { url: string | undefined; found: boolean }): Promise<Api>
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
  /** What an import of Traefik files is measured against. */
  importContext(): ImportContext
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
