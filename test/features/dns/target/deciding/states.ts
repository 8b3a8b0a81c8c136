/** Plain states of a zone, for the judgement of its sets. */
import { markName, markText } from '../../../../../src/features/dns/target/marks/marker.ts'
import type { ZoneState } from '../../../../../src/features/dns/target/zones/zone-state.ts'
import type { ListedRrset, OwnedRrset } from '../../../../../src/model/network/dns.ts'
import { owned } from '../bench.ts'
import { PROFILES } from '../profiles.ts'

export const INSTALLATION = '7b5c1d9e-0a64-4b7a-8c0f-5f1f2b7d9a10'
export const OTHER = '0d0c5a52-58c6-4f5c-9a3e-2f3f5d1b7e21'
const ADDRESS = '192.0.2.1'

export const set = (name: string, more: Partial<ListedRrset> = {}): ListedRrset => ({
  name,
  type: 'A',
  ttl: 300,
  values: [ADDRESS],
  comment: null,
  proxied: null,
  ids: [],
  ...more,
})

export const six = (name: string, more: Partial<ListedRrset> = {}): ListedRrset =>
  set(name, { type: 'AAAA', values: ['2001:db8::1'], ...more })

export const textBeside = (name: string, ...values: readonly string[]): ListedRrset =>
  set(markName(name)!, { type: 'TXT', values })

export const markBeside = (name: string, domain_id: number): ListedRrset =>
  textBeside(name, markText(INSTALLATION, domain_id))

/** A row of the ledger. */
export const row = (name: string, more: Partial<OwnedRrset> = {}): OwnedRrset =>
  owned({ name, values: [ADDRESS], ttl: 300, ...more })

/** Marks stand beside names, if `traits` do not say otherwise. */
export const zone = (over: Partial<ZoneState>): ZoneState => ({
  zone: 'example.com',
  account: 'a',
  traits: PROFILES.no_comments,
  installation_id: INSTALLATION,
  read_only: null,
  missing: false,
  rrsets: [],
  owned: [],
  reported: [],
  deeper: [],
  ...over,
})

export const COMMENTS = { traits: PROFILES.powerdns_like } as const
