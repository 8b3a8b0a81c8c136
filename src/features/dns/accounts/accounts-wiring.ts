/** From settings to accounts of DNS: each with its provider, opened. */
import { readFileSync } from 'node:fs'
import { assertFolders, type NamedFolder } from '../../../config/folders.ts'
import type { Settings } from '../../../config/sections.ts'
import { createHttpClient } from '../../../io/http-client/create-client.ts'
import { knownDead } from '../../../io/http-client/known-dead.ts'
import { yamlDocuments } from '../../../io/yaml/documents.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { Failure, fieldError } from '../../../kernel/failure.ts'
import type { Log } from '../../../kernel/log.ts'
import type { DnsProvider } from '../providers/port.ts'
import type { AccountState } from '../zones/zone-discovery.ts'
import type { DnsAccount } from './dns-account.ts'
import { dnsAccounts } from './dns-accounts.ts'

export interface OpenedAccounts {
  readonly accounts: readonly DnsAccount[]
  /** In the order of the accounts. */
  readonly providers: readonly DnsProvider[]
  /** The account that would make a zone, where one does. */
  readonly maker: DnsAccount | undefined
  end(): Promise<void>
}

interface Opening {
  readonly settings: Settings
  readonly clock: Clock
  readonly log: Log
  /** Wraps every provider on its way in. */
  readonly wrap?: (provider: DnsProvider) => DnsProvider
}

/** @param back somebody who was dead answers again. Throws `bad_configuration`. */
export async function openedAccounts(
  { settings, clock, log, wrap = (provider) => provider }: Opening,
  back: () => void,
): Promise<OpenedAccounts> {
  const accounts = dnsAccounts(settings, readAccounts(settings.dns.accounts_file))
  assertFolders(namedBy(accounts), settings.store.data_dir)
  const http = knownDead(createHttpClient({ clock }), { clock, back })
  const ends: (() => void)[] = []
  const tools = { http, clock, log, back, atEnd: (end: () => void) => void ends.push(end) }
  const bare = await Promise.all(accounts.map((account) => account.open(tools)))
  return {
    accounts,
    providers: bare.map((provider, i) => wrap(showingOnly(accounts[i]!.zones, provider))),
    maker: accounts.find((_, i) => bare[i]!.traits.makes_zones),
    async end() {
      for (const end of ends) end()
      await http.close()
    },
  }
}

/** Accounts of which it is not known whether they have a zone; whether they have any, where none is named. */
export function silentAmong(
  { accounts, maker }: Pick<OpenedAccounts, 'accounts' | 'maker'>,
  states: () => readonly AccountState[],
): (zone?: string) => readonly string[] {
  const zonesOf = new Map(accounts.map(({ name, zones }) => [name, zones]))
  const isSilent = ({ account, ok }: AccountState) => ok === false || (ok === null && account !== maker?.name)
  const mayHave = (account: string, zone: string | undefined): boolean => {
    const only = zonesOf.get(account) ?? []
    return zone === undefined || only.length === 0 || only.includes(zone)
  }
  return (zone) =>
    states()
      .filter(isSilent)
      .map(({ account }) => account)
      .filter((account) => mayHave(account, zone))
}

/** The folders of accounts. What the settings themselves name was looked at before: what is missing now is of the file. */
const namedBy = (accounts: readonly DnsAccount[]): readonly NamedFolder[] =>
  accounts.flatMap(({ folder }) => (folder === null ? [] : [{ name: 'PLUMBLINE_DNS_ACCOUNTS_FILE', folder }]))

/** A provider that shows only the zones that it may touch. */
function showingOnly(zones: readonly string[], provider: DnsProvider): DnsProvider {
  if (zones.length === 0) return provider
  const { account, kind } = provider
  return {
    account,
    kind,
    get traits() {
      return provider.traits
    },
    zones: async (signal) => (await provider.zones(signal)).filter(({ name }) => zones.includes(name)),
    stamp: (zone, signal) => provider.stamp(zone, signal),
    list: (zone, signal) => provider.list(zone, signal),
    change: (zone, changes, signal) => provider.change(zone, changes, signal),
    ...('at' in provider && { at: (zone, wanted, signal) => provider.at!(zone, wanted, signal) }),
    ...('listAgain' in provider && {
      listAgain: (zone, types, signal) => provider.listAgain!(zone, types, signal),
    }),
    ...('placeFault' in provider && { placeFault: (zone) => provider.placeFault!(zone) }),
    ...('watch' in provider && { watch: (zone, hint) => provider.watch!(zone, hint) }),
    ...('makeZone' in provider && { makeZone: (zone, signal) => provider.makeZone!(zone, signal) }),
  }
}

/** The accounts file, parsed; null without one. Throws `bad_configuration`. */
export function readAccounts(path: string | null): unknown {
  if (path === null) return null
  const bad = (msg: string) =>
    new Failure('bad_configuration', `PLUMBLINE_DNS_ACCOUNTS_FILE: ${path}: ${msg}.`, {
      errors: [fieldError(['PLUMBLINE_DNS_ACCOUNTS_FILE'], `${path}: ${msg}`, 'config')],
    })
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    throw bad(`cannot be read (${(cause as Error).message})`)
  }
  const read = yamlDocuments.read(text)
  if (!read.ok) throw bad(`line ${read.line ?? '?'} ${read.msg}`)
  return read.data
}
