/** What the folder of a provider says of itself, once. All that names providers is made of these declarations. */
import { z } from 'zod'
import { parseZone } from '../../../config/kinds/network.ts'
import { textual, type Wrong } from '../../../config/kinds/refine.ts'
import type { Setting } from '../../../config/setting.ts'
import type { AccountName, DnsAccount, ProviderTools } from '../accounts/dns-account.ts'
import type { DnsProvider } from './port.ts'

/** The values of settings, by the keys under which they are declared. */
export type ValuesOf<Section> = {
  readonly [Key in keyof Section]: Section[Key] extends Setting<infer T> ? T : never
}

/** Hands a value on; where there is none, the setting is told to be missing. */
export type Need = <T>(value: T | null, from: { readonly name: string }) => T | null

/** What a provider needs of the environment beside its own settings. */
export interface AccountNeed {
  readonly need: Need
  /** The only zones that may be touched; empty for all. */
  readonly only: readonly string[]
}

interface Listed<Name extends string> extends AccountName {
  readonly provider: Name
}

/** `Access`: where the account is and what opens it. Known to the provider's folder alone. */
export interface Declaration<Name extends string, Section, Entry extends z.ZodType<Listed<Name>>, Access> {
  readonly name: Name
  /** Its environment variables. The keys are shared with all other settings of DNS, so they begin with its name. */
  readonly settings: Section
  /** How an entry of the accounts file reads: `ENTRY`, `provider`, and what is its own. */
  readonly entry: Entry
  /** See `DnsAccount`. */
  readonly is_hosted: boolean
  /** From the environment. Null where something is missing, all of which was told. */
  fromSettings(values: ValuesOf<Section>, need: Need): Access | null
  /** The zones of the account from the environment; left out, those that may be touched. Null as above. */
  zones?(values: ValuesOf<Section>, asked: AccountNeed): readonly string[] | null
  /** From an entry of the file. */
  fromEntry(entry: z.output<Entry>): Access
  /** Where accounts have a folder that must be there: the setting that names it, and the folder by either way. */
  readonly folder?: {
    readonly setting: { readonly name: string }
    in(values: ValuesOf<Section>): string
    of(access: Access): string
  }
  /** Left out where there are name servers of its own. */
  isServed?(access: Access, data_dir: string): boolean
  /** Loads what speaks with the provider no sooner than here: commands that only read settings do without. */
  open(account: AccountName & Access, tools: ProviderTools): Promise<DnsProvider>
}

/** What stands in every entry of the accounts file. */
export const ENTRY = {
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_-]{0,31}$/, 'must be a word of lower-case letters, digits, - and _, up to 32'),
  zones: each(parseZone).default([]),
}

export function each(parse: (text: string) => string | Wrong) {
  return z.array(textual(parse))
}

/** An entry of the accounts file before it is known which of its zones may be touched. */
export interface ListedAccount extends AccountName {
  within(zones: readonly string[]): DnsAccount
}

/** Ties the parts together, so that outside the folder nobody needs to know what an account consists of. */
export function declare<
  const Name extends string,
  Section,
  Entry extends z.ZodType<Listed<Name>>,
  Access extends object,
>(declared: Declaration<Name, Section, Entry, Access>) {
  const { name, settings, is_hosted, folder } = declared
  const accountOf = (base: AccountName, access: Access): DnsAccount => ({
    ...base,
    provider: name,
    is_hosted,
    folder: folder?.of(access) ?? null,
    isServed: (data_dir) => declared.isServed?.(access, data_dir) ?? true,
    open: (tools) => declared.open({ ...access, ...base }, tools),
  })
  return {
    name,
    settings,
    /** The folder that a setting names, with the name of the setting. */
    folderIn: (values: ValuesOf<Section>): { readonly name: string; readonly folder: string } | null =>
      folder === undefined ? null : { name: folder.setting.name, folder: folder.in(values) },
    entry: declared.entry.transform((entry): ListedAccount => ({
      name: entry.name,
      zones: entry.zones,
      within: (zones) => accountOf({ name: entry.name, zones }, declared.fromEntry(entry)),
    })),
    /** The account from the environment bears the provider's name. */
    fromSettings(values: ValuesOf<Section>, asked: AccountNeed): DnsAccount | null {
      const access = declared.fromSettings(values, asked.need)
      const zones = declared.zones === undefined ? asked.only : declared.zones(values, asked)
      return access === null || zones === null ? null : accountOf({ name, zones }, access)
    },
  }
}
