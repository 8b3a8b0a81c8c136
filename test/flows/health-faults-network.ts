/** Faults of what is asked over the network: down, slow, lying, half-open, and pages for people in place of answers. */
import { type Expected, type Fault, impaired, unknown } from './health-faults.ts'
import type { WayName } from './health-peers.ts'
import type { Mood } from './fault-way.ts'

type Blames = Fault['blames']

/** Whom it concerns when one of them cannot be asked. */
const CONCERNED: Readonly<Record<WayName, (given: Expected) => Blames>> = {
  powerdns: (given) => ({ 'dns_account:powerdns': given, 'dns:example.com': unknown('unreadable') }),
  proxy: (given) => ({
    proxy: given,
    sso_attachments: given.reason === 'timed_out' ? given : unknown('unreadable'),
  }),
  provider: (given) => ({ sso_provider: given }),
  mail: (given) => ({ mail: given }),
  gateway: () => ({ 'ssh-gateway': unknown('unreadable') }),
  docker: (given) => ({ 'docker:hub': given }),
  unifi: (given) => ({ 'unifi:home': given }),
  proxmox: (given) => ({ 'proxmox:lab': given }),
}

const WORDS: Readonly<Record<Mood, string>> = {
  open: 'is well',
  refused: 'is down',
  reset: 'cuts every connection',
  hanging: 'takes connections and never answers',
  half: 'answers half and ends',
  dripping: 'answers byte by byte',
  html: 'answers with a page for people',
  denied: 'turns us away',
}

const TITLES: Readonly<Record<WayName, string>> = {
  powerdns: 'the DNS account',
  proxy: 'the API of the proxy',
  provider: 'the SSO provider',
  mail: 'the mail provider',
  gateway: 'the SSH gateway',
  docker: 'a Docker host',
  unifi: 'the network controller',
  proxmox: 'the cluster',
}

const fault = (way: WayName, mood: Mood, given: Expected = unknown()): Fault => ({
  title: `${TITLES[way]} ${WORDS[mood]}`,
  blames: CONCERNED[way](given),
  break: ({ ways }) => ways[way].be(mood),
  mend: ({ ways }) => ways[way].be('open'),
})

const late = unknown('timed_out')

export const NETWORK_FAULTS: readonly Fault[] = [
  fault('powerdns', 'refused'),
  fault('powerdns', 'hanging', late),
  fault('powerdns', 'denied'),
  fault('powerdns', 'html'),
  fault('powerdns', 'half'),
  fault('proxy', 'refused'),
  fault('proxy', 'hanging', late),
  fault('proxy', 'html'),
  fault('proxy', 'denied'),
  fault('proxy', 'dripping', late),
  // Somebody said that it is there, and nobody is.
  fault('provider', 'refused', impaired('unreachable')),
  fault('provider', 'hanging', late),
  fault('provider', 'reset'),
  fault('provider', 'html'),
  fault('mail', 'refused'),
  fault('mail', 'hanging', late),
  fault('mail', 'html'),
  fault('gateway', 'refused'),
  fault('gateway', 'hanging'),
  fault('gateway', 'reset'),
  fault('gateway', 'html'),
  fault('docker', 'refused'),
  fault('docker', 'hanging', late),
  fault('docker', 'html', unknown('unreadable')),
  fault('unifi', 'refused'),
  fault('unifi', 'denied'),
  fault('unifi', 'half'),
  fault('proxmox', 'refused'),
  fault('proxmox', 'denied'),
  fault('proxmox', 'dripping', late),
]
