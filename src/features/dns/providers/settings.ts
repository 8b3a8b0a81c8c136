/** What the providers of the list say of themselves together: their names, their settings, and accounts made of either. */
import { z } from 'zod'
import type { DnsAccount } from '../accounts/dns-account.ts'
import type { AccountNeed, ValuesOf } from './declare.ts'
import { PROVIDERS } from './index.ts'

export type { Need } from './declare.ts'

type Provider = (typeof PROVIDERS)[number]
export type ProviderName = Provider['name']

/** Of a union of types the one that is all of them. */
type All<Union> = (Union extends unknown ? (one: Union) => void : never) extends (one: infer Every) => void
  ? Every
  : never
type ProviderSettings = All<Provider['settings']>
export type ProviderValues = ValuesOf<ProviderSettings>

export const PROVIDER_NAMES: readonly ProviderName[] = PROVIDERS.map(({ name }) => name)

export const PROVIDER_SETTINGS = Object.assign(
  {},
  ...PROVIDERS.map(({ settings }) => settings),
) as ProviderSettings

const providerNamed = (name: ProviderName): Provider => PROVIDERS.find((one) => one.name === name)!

/** The account that the environment names. Null where something is missing, all of which was told. */
export const accountFrom = (
  name: ProviderName,
  values: ProviderValues,
  asked: AccountNeed,
): DnsAccount | null => providerNamed(name).fromSettings(values, asked)

/** The folders that the settings of these providers name, each with the name of the setting. */
export const foldersOf = (names: readonly (ProviderName | 'none')[], values: ProviderValues) =>
  names.flatMap((name) => (name === 'none' ? [] : (providerNamed(name).folderIn(values) ?? [])))

const [FIRST, ...OTHERS] = PROVIDERS

/** One entry of the accounts file. */
export const ACCOUNT_ENTRY = z.discriminatedUnion('provider', [
  FIRST.entry,
  ...OTHERS.map(({ entry }) => entry),
])
