/**
 * The one way in which a verb is written: what it is for, and each of its forms with its words, its options, examples and the
 * work that ends in an exit code. Parsing, help, completion and the manual page are made of nothing else.
 */
import type { ExternalReport } from '../model/network/external-check.ts'
import type { ImportContext } from '../ports/import-context.ts'
import type { Documents } from '../ports/documents.ts'
import type { Api } from './api.ts'
import type { Terminal } from './text/terminal.ts'

export interface Verb {
  readonly name: string
  /** One sentence. */
  readonly help: string
  /** Further paragraphs for its help: what a person has to know, each in plain sentences. */
  readonly notes?: readonly string[]
  /** What is meant by a word that it does not know, as a command line without `plumbline`: too far off for the nearest spelling. */
  readonly otherwise?: Readonly<Record<string, string>>
  /** A program reads its answer: said alone it shows its help on a terminal alone, and is wrong usage elsewhere. */
  readonly is_for_pipes?: true
  /** In the order of its help. Of two that fit, the one with more words of its own is meant. */
  readonly forms: readonly Form[]
}

export interface Form {
  /**
   * What stands behind the verb. Small letters are said as they are; capitals stand for a value: `add NAME`, `[ZONE]` may be
   * left out, `FILE…` stands for one or more, `[GROUP…]` for any number.
   */
  readonly words: string
  /** One sentence. */
  readonly help: string
  readonly options?: Options
  /** Which word stands for a field of the API that is called otherwise: `{ domain: 'NAME' }`. */
  readonly fields?: Readonly<Record<string, string>>
  /** What is said of an option that there is not, where the person may mean something else; null where not. */
  readonly meant?: (option: string) => string | null
  /** Command lines without `plumbline`, each with what it does. */
  readonly examples?: readonly Example[]
  /** What is said of a word too many, where the person may mean something else. */
  readonly surplus?: string
  /** Whether it asks how something is: where nobody answers, that is not known. */
  readonly is_look?: (options: Given) => boolean
  /** Listings, which a terminal shows page by page. */
  readonly is_long?: boolean
  run(context: VerbContext): Promise<number>
}

export type Example = readonly [command: string, does: string]

export type Options = Readonly<Record<string, Option>>

export interface Option {
  /** What the value stands for, in capitals; a flag has none. */
  readonly value?: string
  /** What it does, as the end of a sentence. */
  readonly help: string
  /** The field of the API that it fills, where that is called otherwise: `expires_at` for `--for`. */
  readonly field?: string
  /** One letter. */
  readonly short?: string
  /** May be given several times. */
  readonly many?: boolean
  /** The values that are taken; any when left out. */
  readonly one_of?: readonly string[]
  /** A flag that `--no-NAME` turns round. */
  readonly negatable?: boolean
}

/** A command line, read. */
export interface CommandLine {
  readonly form: Form
  /** Those among its words, in the order of the form. */
  readonly values: readonly string[]
  readonly options: Given
}

export interface VerbContext {
  /** Values alone, in the order of the form. */
  readonly words: readonly string[]
  readonly options: Given
  /** The command line as it was typed, from the verb on. */
  readonly said: readonly string[]
  readonly terminal: Terminal
  readonly surroundings: Surroundings
}

/** By name: true for a flag, the text of a value, the texts of one that may be given several times. */
export type Given = Readonly<Record<string, string | boolean | readonly string[] | undefined>>

/** The groups of the help, in its order. */
export const TITLES = [
  'Domains',
  'Deploying',
  'How it is',
  'What is kept true, and who may',
  'Running it',
] as const

/** A verb that is loaded when it is asked for: a command starts without all the others. */
export interface NamedVerb extends Pick<Verb, 'name' | 'help'> {
  /** Of its group in the help. */
  readonly title: (typeof TITLES)[number]
  /** The verb of its group that it comes directly behind. Left out, verbs come in the order of the list of features. */
  readonly after?: string
  load(): Promise<Verb>
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
  settings(): Promise<readonly SettingLine[]>
  /** @param waits told whom this waits for, where another process has the data directory for a moment */
  examine(waits: (line: string) => void): Promise<readonly Finding[]>
  readFile(path: string): Promise<string>
  writeFile(path: string, text: string): Promise<void>
  /** Shows the text in the person's editor, and answers what it left. Throws a Failure that says what is in the way. */
  edit(text: string, name: string): Promise<Edited>
  /** Opens an address in the person's browser. False where nothing here can. */
  browse(address: string): Promise<boolean>
  /** Makes the files of the web console, where they are not made yet. Throws what is in the way. */
  bundleConsole(): Promise<BundledConsole>
  documents(): Promise<Documents>
  /** All verbs, for what is made of them. */
  verbs(): Promise<readonly VerbGroup[]>
  /** Why the proxy that is written for would refuse such a file whole, as the end of a sentence; null where it is not known to. */
  refusedByProxy(path: string, text: string): Promise<string | null>
  /** What stands in a file of Traefik's, YAML or TOML, every value as text. Throws `validation_failed` for what is neither. */
  treeOf(path: string, text: string): Promise<unknown>
  /** The units for the settings in effect, checked by systemd where it is there, and put into the folder where one is given. */
  installUnit(options: UnitOptions): Promise<InstalledUnits>
  /** One look at the hub from outside. Throws `bad_configuration`. */
  externalCheck(): Promise<ExternalReport>
  /** The units that look at it every five minutes, for the settings in effect, checked by systemd where it is there. */
  externalUnits(user: string): Promise<ExternalUnits>
  /** What an import of Traefik files is measured against; asks the proxy where its API is set. */
  importContext(): Promise<ImportContext>
}

export interface BundledConsole {
  readonly files: number
  readonly bytes: number
  /** They were there already. */
  readonly was_kept: boolean
  /** They are there for the next start, too. */
  readonly is_kept: boolean
}

export interface VerbGroup {
  readonly title: string
  readonly verbs: readonly Verb[]
}

export interface Edited {
  readonly text: string
  /** Where the text stays until `done` is called, so that nothing is lost. */
  readonly path: string
  done(): Promise<void>
}

export interface ApiOptions {
  readonly url: string | undefined
  readonly found: boolean
  readonly running?: boolean
  /** Told whom this waits for, where another process has the data directory for a moment. */
  readonly waits?: (line: string) => void
}

export interface UnitOptions {
  readonly user: string
  /** The SSO provider's unit, for `PLUMBLINE_SSO_RESTART=systemd-path`. */
  readonly sso_unit: string
  /** Null: nothing is written. */
  readonly folder: string | null
}

export interface ExternalUnits {
  readonly units: readonly { readonly name: string; readonly text: string }[]
  /** False where there is no systemd to ask. */
  readonly is_checked: boolean
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
  /** Null for none. */
  readonly default: string | null
  readonly help: string
}

export interface Finding {
  readonly check: string
  readonly state: 'good' | 'warning' | 'bad'
  readonly detail: string
  /** What would help; null when nothing is wrong. */
  readonly remedy: string | null
}
