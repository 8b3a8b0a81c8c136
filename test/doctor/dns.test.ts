/** What doctor makes of the zones of all accounts, as a table. */
import { expect, it } from 'vitest'
import { evaluateZones } from '../../src/doctor/dns.ts'
import { told } from './told.ts'
import type { AccountView, ZonesAnswer, ZoneView } from '../../src/features/dns/views.ts'

const account = (name: string, over: Partial<AccountView> = {}): AccountView => ({
  account: name,
  provider: 'zonefile',
  ok: true,
  detail: null,
  listed_at: null,
  served: true,
  ...over,
})
const zone = (name: string, of_account: string): ZoneView => ({
  zone: name,
  account: of_account,
  provider: 'zonefile',
  writable: true,
  detail: null,
  names: 0,
  owned: 0,
  fresh: true,
})
const REMEDY = 'Correct its settings, or wait until it answers.'

it.each<[string, Partial<ZonesAnswer>, readonly string[]]>([
  ['no account', {}, []],
  [
    'each its own zones',
    {
      accounts: [account('a'), account('b'), account('c')],
      zones: [zone('1.de', 'a'), zone('2.de', 'b'), zone('3.de', 'b')],
    },
    ['good DNS account a: 1 zone', 'good DNS account b: 2 zones', 'good DNS account c: 0 zones'],
  ],
  [
    'an account that nobody has asked',
    { accounts: [account('a', { ok: null })] },
    ['warning DNS account a: has not been asked yet → Look again in a minute, or read the log.'],
  ],
  [
    'an account that is refused, also with zones of earlier',
    { accounts: [account('a', { ok: false, detail: 'no such key' })], zones: [zone('1.de', 'a')] },
    [`bad DNS account a: no such key → ${REMEDY}`],
  ],
  [
    'an account that says nothing',
    { accounts: [account('a', { ok: false })] },
    [`bad DNS account a: does not answer → ${REMEDY}`],
  ],
  [
    'names without a zone',
    { homeless: ['a.de', 'b.de'] },
    ['warning DNS zones: no account has a zone for a.de, b.de → Add the zone, or its account.'],
  ],
  [
    'names without a zone while an account is down, which may have it',
    { accounts: [account('a', { ok: false, detail: 'no answer' })], homeless: ['a.de'] },
    [
      `bad DNS account a: no answer → ${REMEDY}`,
      'warning DNS zones: whether any account has a zone for a.de is not known while a does not answer → Look again when it answers.',
    ],
  ],
  [
    'zone files that no server is known to load',
    { accounts: [account('a', { served: false })], zones: [zone('1.de', 'a')] },
    [
      'warning DNS account a: 1 zone in files that no name server is known to load, so nobody is asked whether they have arrived → Name the server that loads them in PLUMBLINE_DNS_AUTHORITATIVE (host:port).',
    ],
  ],
  [
    'more of them than anybody reads',
    { homeless: ['a', 'b', 'c', 'd', 'e', 'f'] },
    ['warning DNS zones: no account has a zone for a, b, c, d, e … → Add the zone, or its account.'],
  ],
])('%s', (_, answer, lines) => {
  expect(evaluateZones({ accounts: [], zones: [], homeless: [], ...answer }).map(told)).toEqual(lines)
})
