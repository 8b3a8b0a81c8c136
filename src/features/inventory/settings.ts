/** Settings of the inventory: its own address, how VMIDs are made up, which address goes with them, and what is not to be offered. */
import { companionListen } from '../../config/kinds/companion.ts'
import { listOf, textual, type Wrong, wrong } from '../../config/kinds/refine.ts'
import { optional, setting } from '../../config/setting.ts'
import { canonicalAddress } from '../../model/network/address.ts'
import { addressNumber, parseCidr } from '../../model/network/cidr.ts'
import { DEFAULT_TEMPLATE, parseAddressScheme } from './numbers/address-scheme.ts'
import { MAX_VMID, parseScheme } from './numbers/scheme.ts'
import type { Range } from './ranges.ts'

interface Numbered {
  readonly number: number
  readonly name: string
}

function parseNumbered(text: string): Numbered | Wrong {
  const [, digits, name] = /^(\d{1,7})=([A-Za-z0-9][A-Za-z0-9._-]{0,62})$/.exec(text) ?? []
  return digits === undefined
    ? wrong('must be a number, an equals sign and a name, such as 1=pve1')
    : { number: Number(digits), name: name! }
}

const numbered = listOf(parseNumbered).refine(
  (all) =>
    new Set(all.map(({ number }) => number)).size === all.length &&
    new Set(all.map(({ name }) => name.toLowerCase())).size === all.length,
  'must not give a number or a name twice',
)

const showNumbered = (all: readonly Numbered[]): string =>
  all.map(({ number, name }) => `${number}=${name}`).join(',')

function parseNumberRange(text: string): Range | Wrong {
  const [, first, last = first] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(text) ?? []
  if (first === undefined || Number(first) > Number(last) || Number(last) > MAX_VMID)
    return wrong('must be a number, or two with a hyphen such as 9000-9099')
  return { first: Number(first), last: Number(last) }
}

export interface AddressRange {
  /** As it was written. */
  readonly text: string
  readonly family: 4 | 6
  readonly first: bigint
  readonly last: bigint
}

function parseAddressRange(text: string): AddressRange | Wrong {
  const network = parseCidr(text)
  if (network !== null) return { text, family: network.family, first: network.first, last: network.last }
  const [from = '', to = from, ...rest] = text.split('-').map((part) => canonicalAddress(part.trim()) ?? '')
  const form = wrong('must be an address, a network such as 10.1.0.0/28, or two addresses with a hyphen')
  if (from === '' || to === '' || rest.length > 0 || from.includes(':') !== to.includes(':')) return form
  const [first, last] = [addressNumber(from), addressNumber(to)]
  return first > last ? form : { text, family: from.includes(':') ? 6 : 4, first, last }
}

const showRanges = (all: readonly AddressRange[]): string => all.map(({ text }) => text).join(',')

export const inventory = {
  listen: companionListen({ companion: 'inventory', called: 'the inventory', port: 8091 }),
  scheme: setting({
    name: 'PLUMBLINE_VMID_SCHEME',
    example: 'nppsss',
    schema: textual(
      (text) =>
        parseScheme(text) ??
        wrong('must be 3 to 9 of the letters n, p and s, each of them in one block, such as npss'),
    ),
    default: 'npss',
    show: ({ letters }) => letters,
    help: 'How a VMID is made up, a letter for each digit: n node, p purpose, s sequence. With npss 1203 is node 1, purpose 2, sequence 3.',
  }),
  nodes: setting({
    name: 'PLUMBLINE_VMID_NODES',
    example: '1=pve1,2=pve2',
    schema: numbered,
    default: '',
    show: showNumbered,
    help: 'Which number stands for which node. Unset: the nodes that Proxmox VE tells count from 1 in the order of their names, so a new one may renumber others.',
  }),
  purposes: setting({
    name: 'PLUMBLINE_VMID_PURPOSES',
    example: '0=infra,4=web',
    schema: numbered,
    default: '0=infra,1=network,2=storage,3=database,4=web,5=media,6=monitoring,7=home,8=dev,9=template',
    show: showNumbered,
    help: 'Which number stands for which purpose.',
  }),
  address: optional({
    name: 'PLUMBLINE_VMID_IP',
    example: '10.{node}.{purpose}.{sequence+100}/24',
    schema: textual(
      (text) =>
        parseAddressScheme(text) ??
        wrong(
          'must be an address with the length of its network, with {node}, {purpose}, {sequence} or {vmid} in place of numbers, such as 10.{node}.{purpose}.{sequence+100}/24',
        ),
    ),
    show: (scheme) => scheme?.template ?? '',
    help: `Which address goes with a VMID. Unset: ${DEFAULT_TEMPLATE}, and a guest elsewhere is no conflict.`,
  }),
  vmid_reserved: setting({
    name: 'PLUMBLINE_VMID_RESERVED',
    example: '9000-9099',
    schema: listOf(parseNumberRange),
    default: '',
    show: (all) =>
      all.map(({ first, last }) => (first === last ? String(first) : `${first}-${last}`)).join(','),
    help: 'VMIDs that are never offered, comma-separated: a number, or a range such as 9000-9099.',
  }),
  ip_reserved: setting({
    name: 'PLUMBLINE_IP_RESERVED',
    example: '192.168.1.250-192.168.1.254',
    schema: listOf(parseAddressRange),
    default: '',
    show: showRanges,
    help: 'Addresses that are never offered, comma-separated: an address, a network, or a range with a hyphen.',
  }),
  ip_shared: setting({
    name: 'PLUMBLINE_IP_SHARED',
    example: '192.168.1.5',
    schema: listOf(parseAddressRange),
    default: '',
    show: showRanges,
    help: 'Addresses that several hold by intent, as virtual ones of a cluster do: no conflict.',
  }),
}

declare module '../../config/sections.ts' {
  interface Sections {
    readonly inventory: typeof inventory
  }
}
