/** Gateways, switches and access points with their ports; clients that were seen within 30 days. */
import { bytesText } from '../../model/looked-at/vpn.ts'
import {
  clientLamp,
  deviceLamp,
  portText,
  seenAt,
  wordsOf,
  yesNo,
  type Device,
  type NetworkClient,
} from '../../model/looked-at/lan-lists.ts'
import { visible } from '../../model/visible.ts'
import { Age, Time } from '../../parts/age.tsx'
import type { NetworkList } from './kept-list.tsx'

export const DEVICES: NetworkList<Device> = {
  path: '/companions/network/api/devices',
  what: 'The devices',
  none: 'The controllers know no device.',
  one: 'device',
  lampOf: deviceLamp,
  otherName: ({ mac }) => mac,
  hint: 'name, address, model, is:upgradable type:usw',
  fields: {
    words: ({ name, mac, ip, model, type, version }) => wordsOf(name, mac, ip, model, type, version),
    keys: { type: ({ type }) => [type], model: ({ model }) => [model], site: ({ site }) => [site] },
    is: { upgradable: ({ upgradable }) => upgradable === true, online: ({ state }) => state === 1 },
  },
  columns: [
    {
      key: 'name',
      title: 'Name',
      by: ({ name }) => name,
      cell: ({ name, mac }) => visible(name ?? mac ?? '–'),
    },
    { key: 'ip', title: 'Address', mono: true, by: ({ ip }) => ip, cell: ({ ip }) => visible(ip ?? '–') },
    { key: 'model', title: 'Model', by: ({ model }) => model, cell: ({ model }) => visible(model ?? '–') },
    {
      key: 'version',
      title: 'Version',
      by: ({ version }) => version,
      cell: ({ version }) => visible(version ?? '–'),
    },
    { key: 'clients', title: 'Clients', by: ({ num_sta }) => num_sta, cell: ({ num_sta }) => num_sta ?? '–' },
    {
      key: 'seen',
      title: 'Seen',
      end: true,
      by: ({ last_seen }) => -(last_seen ?? 0),
      cell: ({ last_seen }) => <Age at={seenAt(last_seen)} />,
    },
  ],
  factsOf: ({ mac, ip, model, type, version, upgradable, upgrade_to_firmware, uplink, num_sta }) => [
    ['Address', ip],
    ['MAC', mac],
    ['Model', wordsOf(model, type)],
    ['Version', version],
    ['Newer version', upgradable === true ? (upgrade_to_firmware ?? 'yes') : null],
    ['Uplink', uplink === null ? null : wordsOf(uplink.uplink_device_name, uplink.name, uplink.type)],
    ['Clients', num_sta === null ? null : String(num_sta)],
  ],
  more: ({ port_table }) => <Ports of={port_table} />,
}

const Ports = ({ of }: { readonly of: Device['port_table'] }) =>
  of === null || of.length === 0 ? null : (
    <table>
      <caption class="sr">Ports</caption>
      <thead>
        <tr>
          <th>Port</th>
          <th>Name</th>
          <th>State</th>
        </tr>
      </thead>
      <tbody>
        {of.map((port, at) => (
          <tr key={port.port_idx ?? `at ${at}`}>
            <td>{port.port_idx ?? '–'}</td>
            <td>{visible(port.name ?? '–')}</td>
            <td>{portText(port)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )

export const CLIENTS: NetworkList<NetworkClient> = {
  path: '/companions/network/api/clients?all=true',
  what: 'The clients',
  none: 'Nobody was seen within 30 days.',
  one: 'client',
  lampOf: clientLamp,
  otherName: ({ hostname, mac }) => hostname ?? mac,
  hint: 'name, address, MAC, is:online is:blocked network:LAN',
  fields: {
    words: ({ name, hostname, ip, last_ip, mac, oui, essid }) =>
      wordsOf(name, hostname, ip, last_ip, mac, oui, essid),
    keys: { network: ({ network }) => [network], site: ({ site }) => [site], wifi: ({ essid }) => [essid] },
    is: {
      online: ({ online }) => online === true,
      blocked: ({ blocked }) => blocked === true,
      guest: ({ is_guest }) => is_guest === true,
      wired: ({ is_wired }) => is_wired === true,
    },
  },
  columns: [
    {
      key: 'name',
      title: 'Name',
      by: ({ name, hostname, mac }) => name ?? hostname ?? mac,
      cell: ({ name, hostname, mac }) => visible(name ?? hostname ?? mac ?? '–'),
    },
    {
      key: 'ip',
      title: 'Address',
      mono: true,
      by: ({ ip, last_ip }) => ip ?? last_ip,
      cell: ({ ip, last_ip }) => visible(ip ?? last_ip ?? '–'),
    },
    { key: 'mac', title: 'MAC', mono: true, by: ({ mac }) => mac, cell: ({ mac }) => visible(mac ?? '–') },
    {
      key: 'first',
      title: 'First seen',
      by: ({ first_seen }) => -(first_seen ?? 0),
      cell: ({ first_seen }) => <Age at={seenAt(first_seen)} />,
    },
    {
      key: 'seen',
      title: 'Last seen',
      end: true,
      by: ({ last_seen }) => -(last_seen ?? 0),
      cell: ({ last_seen }) => <Age at={seenAt(last_seen)} />,
    },
  ],
  factsOf: (client) => [
    ['Address', client.ip ?? client.last_ip],
    ['Fixed address', client.use_fixedip === true ? client.fixed_ip : null],
    ['Hostname', client.hostname],
    ['MAC', client.mac],
    ['Vendor', client.oui],
    ['Network', client.vlan === null ? client.network : `${client.network ?? ''} VLAN ${client.vlan}`],
    ['Wi-Fi', client.essid],
    ['By cable', yesNo(client.is_wired)],
    ['Switch port', client.sw_port === null ? null : wordsOf(client.sw_mac, 'port', client.sw_port)],
    ['Blocked', yesNo(client.blocked)],
    ['Received', client.rx_bytes === null ? null : bytesText(client.rx_bytes)],
    ['Sent', client.tx_bytes === null ? null : bytesText(client.tx_bytes)],
    ['First seen', <Seen key="f" seconds={client.first_seen} />],
    ['Last seen', <Seen key="l" seconds={client.last_seen} />],
  ],
}

function Seen({ seconds }: { readonly seconds: number | null }) {
  const at = seenAt(seconds)
  return at === null ? <>not known</> : <Time at={at} ago />
}
