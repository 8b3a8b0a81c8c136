/** What gateways report, as words and lamps: which state a host is in, and why. */
import type { DdnsHosts, ListedSiteToken, SiteTokenIssued } from '../../api/types.ts'
import type { Lamp } from '../lamps.ts'
import { plain } from '../words.ts'

export type DdnsHost = DdnsHosts['hosts'][number]

type State = Pick<
  DdnsHost,
  'in_force' | 'because' | 'flapping' | 'waiting' | 'refused' | 'reported_at' | 'tokens'
>

const NOT_IN_FORCE = new Map<string, string>([
  ['ddns_disabled', 'Dynamic DNS is off for this domain, so what is reported is not published.'],
  ['static_ip', 'The domain has an address of its own, which counts instead.'],
  ['internal', 'The domain is internal, so nothing of it is published.'],
  ['manual', 'The domain is kept by hand, so nothing of it is published.'],
  ['inactive', 'The domain is not active, so nothing of it is published.'],
  ['not_deployed', 'Dynamic DNS is saved and not deployed. A deploy puts it in force.'],
  ['foreign_owner', 'Somebody else’s record stands at this name; take it over to publish what is reported.'],
  ['no_record', 'No domain has this name, so what is reported is kept and not published.'],
])

/** How it is, and the sentence that says why. */
interface LampState {
  readonly lamp: Lamp
  readonly why: string
}

/** The worst first; what is not in force is not used, whatever was reported. */
export function hostState(host: State): LampState {
  const { in_force, because, flapping, waiting, refused, reported_at, tokens } = host
  if (!in_force)
    return { lamp: 'off', why: NOT_IN_FORCE.get(because ?? '') ?? plain(because ?? 'not in force') }
  if (refused !== null) return { lamp: 'bad', why: `The last report was refused: ${refused.detail}` }
  if (flapping.length > 0)
    return {
      lamp: 'drift',
      why: `Two gateways report in turn: ${flapText(flapping)}. End the key that should not report.`,
    }
  if (waiting.length > 0)
    return { lamp: 'moving', why: 'A report came too soon after the one before; it waits.' }
  if (reported_at === null)
    return tokens === 0
      ? { lamp: 'unknown', why: 'No key is valid, so no gateway can report. Issue one.' }
      : { lamp: 'unknown', why: 'No gateway has reported yet. Type the lines of its key into the router.' }
  return { lamp: 'ok', why: 'What its gateway reported last is published.' }
}

/** "203.0.113.9 stays, not 203.0.113.8". */
export const flapText = (flapping: DdnsHost['flapping']): string =>
  flapping.map(({ held: kept, asked }) => `${kept} stays, not ${asked}`).join('; ')

const SOURCES = new Map<string, string>([
  ['static_ip', 'its own address'],
  ['reported', 'its gateway'],
  ['hub', 'the gateway of the hub'],
  ['public_ip', 'the public address'],
  ['carried_over', 'carried over until a report'],
])

export const sourceWords = (source: string): string => SOURCES.get(source) ?? plain(source)

const TOKENS: Readonly<Record<ListedSiteToken['state'], LampState>> = {
  valid: { lamp: 'ok', why: 'Valid.' },
  rotation_due: {
    lamp: 'drift',
    why: 'Older than the quarter. It stays valid; rotate it, type the new lines into the router.',
  },
  ending: { lamp: 'moving', why: 'It has a successor and ends by itself.' },
  ended: { lamp: 'off', why: 'Ended. Reports with it are refused.' },
}

export const tokenState = ({ state, has_record }: ListedSiteToken): LampState =>
  has_record || state === 'ended'
    ? TOKENS[state]
    : { lamp: 'unknown', why: 'No domain that is not disabled has its name, so it opens nothing.' }

export const ROUTERS = ['unifi', 'inadyn', 'ddclient', 'curl', 'url'] as const
export type Router = (typeof ROUTERS)[number]

export const ROUTER_NAMES: Readonly<Record<Router, string>> = {
  unifi: 'UniFi',
  inadyn: 'inadyn',
  ddclient: 'ddclient',
  curl: 'curl',
  url: 'Address',
}

/** What is typed into that router, as lines. */
export function routerText(lines: SiteTokenIssued['lines'], router: Router): string {
  if (router !== 'unifi') return lines[router]
  const { service, hostname, username, password, server } = lines.unifi
  return [
    `Service: ${service}`,
    `Hostname: ${hostname}`,
    `Username: ${username}`,
    `Password: ${password}`,
    `Server: ${server}`,
  ].join('\n')
}

type IssuedKey = Pick<ListedSiteToken, 'id' | 'host' | 'created_at'>
type Heard = Pick<DdnsHost, 'host' | 'refused'>

/** What has come of a key since it was issued: a report that counts, one that was refused, or none yet. */
export function firstReport(
  { id, host, created_at }: IssuedKey,
  tokens: readonly Pick<ListedSiteToken, 'id' | 'last_used_at'>[] | undefined,
  hosts: readonly Heard[] | undefined,
): LampState {
  const refused = hosts?.find((one) => one.host === host)?.refused ?? null
  // A refusal is told only while nothing was taken after it.
  if (refused !== null && Date.parse(refused.at) >= Date.parse(created_at))
    return { lamp: 'bad', why: `A report for ${host} was refused: ${refused.detail}` }
  return tokens?.some((one) => one.id === id && one.last_used_at !== null) === true
    ? { lamp: 'ok', why: 'A gateway has reported with this key.' }
    : { lamp: 'moving', why: 'No report with this key yet; it is waited for.' }
}

/** "203.0.113.9", or that what was reported last was refused; what was never reported is said so. */
export const reportedText = ({ ipv4, ipv6, refused }: Pick<DdnsHost, 'ipv4' | 'ipv6' | 'refused'>): string =>
  [
    [ipv4, ipv6].filter((one) => one !== null).join(', ') || (refused === null ? 'nothing yet' : ''),
    refused === null ? '' : `refused: ${refused.detail}`,
  ]
    .filter((part) => part !== '')
    .join('; last ')
