/** What the gateways let through and lead on: port forwards, the firewall, its groups; Wi-Fi and networks. */
import type { FirewallGroups, Networks, PortForwards, Wlans } from '../../api/companions/network.ts'
import { sideText, wordsOf, yesNo, type FirewallRule } from '../../model/looked-at/lan-lists.ts'
import type { Whole } from '../../model/looked-at/whole.ts'
import { visible } from '../../model/visible.ts'
import { listed } from '../../model/words.ts'
import type { Column } from '../../parts/listing/column.ts'
import type { NetworkList } from './kept-list.tsx'

interface Named {
  readonly name: string | null
  readonly enabled: boolean | null
}

const NAME: Column<Pick<Named, 'name'>> = {
  key: 'name',
  title: 'Name',
  by: ({ name }) => name,
  cell: ({ name }) => visible(name ?? 'Nameless'),
}

/** Whether the gateway heeds it: "not known" is not "no". */
const ON: Column<Named> = {
  key: 'on',
  title: 'On',
  end: true,
  by: ({ enabled }) => yesNo(enabled),
  cell: ({ enabled }) => yesNo(enabled),
}

const IS_ON = { on: ({ enabled }: Named) => enabled === true, off: ({ enabled }: Named) => enabled === false }

type Forward = Whole<PortForwards['data'][number]>

const targetOf = ({ fwd, fwd_port }: Forward): string => [fwd ?? '–', fwd_port].filter(Boolean).join(':')

export const FORWARDS: NetworkList<Forward> = {
  path: '/companions/network/api/port-forwards',
  what: 'The port forwards',
  none: 'No gateway forwards a port.',
  one: 'port forward',
  hint: 'name, port, target, is:on is:off',
  fields: {
    words: ({ name, dst_port, fwd, fwd_port, proto, src }) =>
      wordsOf(name, dst_port, fwd, fwd_port, proto, src),
    keys: { port: ({ dst_port }) => [dst_port], site: ({ site }) => [site] },
    is: IS_ON,
  },
  columns: [
    NAME,
    {
      key: 'port',
      title: 'Port',
      mono: true,
      by: ({ dst_port }) => dst_port,
      cell: ({ dst_port, proto }) => visible(wordsOf(dst_port, proto)),
    },
    { key: 'to', title: 'Leads to', mono: true, by: targetOf, cell: (row) => visible(targetOf(row)) },
    { key: 'from', title: 'From', by: ({ src }) => src, cell: ({ src }) => visible(src ?? 'any') },
    ON,
  ],
  factsOf: (row) => [
    ['Port', wordsOf(row.dst_port, row.proto)],
    ['Leads to', targetOf(row)],
    ['From', row.src ?? 'any'],
    ['Interface', row.pfwd_interface],
    ['Address outside', row.destination_ip],
    ['Logged', yesNo(row.log)],
    ['On', yesNo(row.enabled)],
  ],
}

export const RULES: NetworkList<FirewallRule> = {
  path: '/companions/network/api/firewall-rules',
  what: 'The firewall rules',
  none: 'The gateways have no firewall rule.',
  one: 'rule',
  hint: 'name, address, is:on action:drop kind:policy',
  fields: {
    words: ({ name, ruleset, protocol, source, destination }) =>
      wordsOf(name, ruleset, protocol, sideText(source), sideText(destination)),
    keys: {
      action: ({ action }) => [action],
      kind: ({ kind }) => [kind],
      ruleset: ({ ruleset }) => [ruleset],
      site: ({ site }) => [site],
    },
    is: { ...IS_ON, predefined: ({ predefined }) => predefined === true },
  },
  columns: [
    NAME,
    {
      key: 'action',
      title: 'Does',
      by: ({ action }) => action,
      cell: ({ action }) => visible(action ?? '–'),
    },
    { key: 'from', title: 'From', cell: ({ source }) => <span class="s">{visible(sideText(source))}</span> },
    {
      key: 'to',
      title: 'To',
      cell: ({ destination }) => <span class="s">{visible(sideText(destination))}</span>,
    },
    { key: 'index', title: 'Order', by: ({ index }) => index, cell: ({ index }) => index ?? '–' },
    ON,
  ],
  factsOf: (row) => [
    ['Kind', row.kind],
    ['Does', row.action],
    ['From', sideText(row.source)],
    ['To', sideText(row.destination)],
    ['Set of rules', row.ruleset],
    ['Protocol', wordsOf(row.protocol, row.ip_version)],
    ['States', row.states.join(', ')],
    ['Logged', yesNo(row.logging)],
    ['Came with the gateway', yesNo(row.predefined)],
    ['On', yesNo(row.enabled)],
  ],
}

type Group = Whole<FirewallGroups['data'][number]>

export const GROUPS: NetworkList<Group> = {
  path: '/companions/network/api/firewall-groups',
  what: 'The firewall groups',
  none: 'The gateways have no firewall group.',
  one: 'group',
  hint: 'name, member, type:port-group',
  fields: {
    words: ({ name, group_members }) => wordsOf(name, ...(group_members ?? [])),
    keys: { type: ({ group_type }) => [group_type], site: ({ site }) => [site] },
  },
  columns: [
    NAME,
    {
      key: 'members',
      title: 'Members',
      mono: true,
      cell: ({ group_members }) => (group_members === null ? 'not known' : visible(listed(group_members))),
    },
    {
      key: 'type',
      title: 'Type',
      end: true,
      by: ({ group_type }) => group_type,
      cell: ({ group_type }) => visible(group_type ?? '–'),
    },
  ],
  factsOf: ({ group_type, group_members }) => [
    ['Type', group_type],
    ['Members', group_members === null ? 'not known' : group_members.join(', ')],
  ],
}

type Wlan = Whole<Wlans['data'][number]>

export const WLANS: NetworkList<Wlan> = {
  path: '/companions/network/api/wlans',
  what: 'The Wi-Fi networks',
  none: 'The controllers have no Wi-Fi.',
  one: 'Wi-Fi',
  hint: 'name, is:on is:guest',
  fields: {
    words: ({ name, security, wpa_mode }) => wordsOf(name, security, wpa_mode),
    keys: { site: ({ site }) => [site] },
    is: {
      ...IS_ON,
      guest: ({ is_guest }) => is_guest === true,
      hidden: ({ hide_ssid }) => hide_ssid === true,
    },
  },
  columns: [
    NAME,
    {
      key: 'security',
      title: 'Security',
      by: ({ security }) => security,
      cell: ({ security, wpa_mode }) => visible(wordsOf(security, wpa_mode) || 'not known'),
    },
    {
      key: 'bands',
      title: 'Bands',
      cell: ({ wlan_bands }) => visible(wlan_bands === null ? '–' : wlan_bands.join(', ')),
    },
    ON,
  ],
  factsOf: (row) => [
    ['Security', wordsOf(row.security, row.wpa_mode) || 'not known'],
    ['WPA3', yesNo(row.wpa3_support)],
    ['Bands', row.wlan_bands === null ? 'not known' : row.wlan_bands.join(', ')],
    ['For guests', yesNo(row.is_guest)],
    ['Hidden', yesNo(row.hide_ssid)],
    ['On', yesNo(row.enabled)],
  ],
}

type OneNetwork = Whole<Networks['data'][number]>

export const NETWORKS: NetworkList<OneNetwork> = {
  path: '/companions/network/api/networks',
  what: 'The networks',
  none: 'The controllers have no network.',
  one: 'network',
  hint: 'name, subnet, vlan:20 purpose:corporate',
  fields: {
    words: ({ name, ip_subnet, domain_name }) => wordsOf(name, ip_subnet, domain_name),
    keys: {
      vlan: ({ vlan }) => [vlan === null ? null : String(vlan)],
      purpose: ({ purpose }) => [purpose],
      site: ({ site }) => [site],
    },
    is: { ...IS_ON, dhcp: ({ dhcpd_enabled }) => dhcpd_enabled === true },
  },
  columns: [
    NAME,
    {
      key: 'subnet',
      title: 'Subnet',
      mono: true,
      by: ({ ip_subnet }) => ip_subnet,
      cell: ({ ip_subnet }) => visible(ip_subnet ?? '–'),
    },
    { key: 'vlan', title: 'VLAN', by: ({ vlan }) => vlan, cell: ({ vlan }) => vlan ?? '–' },
    {
      key: 'purpose',
      title: 'For',
      by: ({ purpose }) => purpose,
      cell: ({ purpose }) => visible(purpose ?? '–'),
    },
    ON,
  ],
  factsOf: (row) => [
    ['Subnet', row.ip_subnet],
    ['VLAN', row.vlan === null ? null : String(row.vlan)],
    ['For', row.purpose],
    ['Name of its domain', row.domain_name],
    ['Leases', leasesOf(row)],
    ['Gateway told', row.dhcpd_gateway_enabled === true ? row.dhcpd_gateway : null],
    [
      'Resolvers told',
      row.dhcpd_dns_enabled === true
        ? wordsOf(row.dhcpd_dns_1, row.dhcpd_dns_2, row.dhcpd_dns_3, row.dhcpd_dns_4)
        : null,
    ],
    ['On', yesNo(row.enabled)],
  ],
}

const leasesOf = ({ dhcpd_enabled, dhcpd_start, dhcpd_stop }: OneNetwork): string =>
  dhcpd_enabled === true ? `${dhcpd_start ?? '?'} to ${dhcpd_stop ?? '?'}` : yesNo(dhcpd_enabled)
