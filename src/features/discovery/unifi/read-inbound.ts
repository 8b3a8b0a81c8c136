/**
 * From port forwards, zones with their policies, and the rules of older firewalls to what a site lets in. Pure, and lenient.
 * Gateways that went over to zones leave the older list empty, so both are read for what they hold.
 */
import { asFlag, asRecord, asText, type Json } from '../../../kernel/text/lenient.ts'
import { canonicalAddress } from '../../../model/network/address.ts'
import { parsePortRanges, type PortRange } from '../model/port-ranges.ts'
import { FORWARD_PROTOCOLS, type InboundRule, type PortForward } from '../model/inbound-port.ts'

/** Null for one that cannot be read. */
export function readForward(row: Json): PortForward | null {
  const ports = parsePortRanges(asText(row['dst_port']) ?? '')
  const to_address = canonicalAddress(asText(row['fwd']) ?? '')
  // Without a port of its own, a forward keeps the one that was asked for.
  const to_ports = asText(row['fwd_port']) === null ? ports : parsePortRanges(asText(row['fwd_port'])!)
  const protocol = FORWARD_PROTOCOLS.find((one) => one === (asText(row['proto']) ?? 'tcp_udp'))
  if (ports === null || to_ports === null || to_address === null || protocol === undefined) return null
  return {
    name: asText(row['name']) ?? '',
    enabled: asFlag(row['enabled']) !== false,
    uplink: asText(row['pfwd_interface']) ?? 'wan',
    protocol,
    from: sourceOf(row),
    ports,
    to_address,
    to_ports,
  }
}

function sourceOf(row: Json): string | null {
  const source = asText(row['src'])
  if (source !== null && source !== 'any' && source !== '0.0.0.0/0') return source
  const is_limited =
    asFlag(row['src_limiting_enabled']) === true || asText(row['src_firewall_group_id']) !== null
  return is_limited ? 'a list of the controller' : null
}

export interface ZoneLists {
  readonly zones: readonly Json[]
  readonly policies: readonly Json[]
}

/** Both shapes: of `/v2/api/site/{s}/firewall-policies`, and of the Integration API, whose members are nested. */
export function readPolicies({ zones, policies }: ZoneLists): readonly InboundRule[] {
  const named = new Map(zones.map((zone) => [asText(zone['_id']) ?? asText(zone['id']) ?? '', nameOf(zone)]))
  return policies.flatMap((policy) => {
    const [source, destination] = [asRecord(policy['source']), asRecord(policy['destination'])]
    const [from, to] = [named.get(zoneIdOf(source)), named.get(zoneIdOf(destination))]
    const action = (
      asText(policy['action']) ??
      asText(asRecord(policy['action'])['type']) ??
      ''
    ).toUpperCase()
    const is_made_here =
      asFlag(policy['predefined']) === true ||
      originOf(policy) === 'SYSTEM_DEFINED' ||
      originOf(policy) === 'DERIVED'
    const is_for_answers = asText(policy['connection_state_type']) === 'RESPOND_ONLY'
    if (from !== 'external' || is_made_here || is_for_answers || asFlag(policy['enabled']) === false)
      return []
    if (!['ALLOW', 'BLOCK', 'REJECT'].includes(action)) return []
    const rule = { name: asText(policy['name']) ?? '', lets_in: action === 'ALLOW', to: to ?? 'unknown' }
    const protocol = (asText(policy['protocol']) ?? 'all').toLowerCase()
    const ports = policyPorts(destination)
    const is_narrow =
      ports !== 'any' ||
      isNarrow(source) ||
      isNarrow(destination) ||
      asText(asRecord(policy['schedule'])['mode']) === 'EVERY_DAY'
    return [{ ...rule, protocol, ports: ports === 'any' ? null : ports, is_narrow }]
  })
}

const originOf = (policy: Json): string | null => asText(asRecord(policy['metadata'])['origin'])

const zoneIdOf = (side: Json): string =>
  asText(side['zone_id']) ?? asText(side['zoneId']) ?? asText(side['firewallZoneId']) ?? ''

/** The zones that every gateway has are known by their key, elsewhere by their name. */
const nameOf = (zone: Json): string => (asText(zone['zone_key']) ?? asText(zone['name']) ?? '').toLowerCase()

const isNarrow = (side: Json): boolean => {
  const target = asText(side['matching_target'])
  return (target !== null && target !== 'ANY') || 'trafficFilter' in side
}

/** Null where a list that lies elsewhere is named. */
function policyPorts(destination: Json): readonly PortRange[] | null | 'any' {
  const type = asText(destination['port_matching_type'])
  const text = asText(destination['port'])
  if (text !== null && (type === null || type === 'SPECIFIC')) return parsePortRanges(text)
  if (type !== null && type !== 'ANY') return null
  return 'trafficFilter' in destination ? null : 'any'
}

/** Of `/rest/firewallrule`. Rulesets of the uplink: `WAN_IN` to the networks, `WAN_LOCAL` to the gateway, and for IPv6. */
export function readRule(row: Json): readonly InboundRule[] {
  const [, side] = /^WAN(?:v6)?_(IN|LOCAL)$/i.exec(asText(row['ruleset']) ?? '') ?? []
  const action = asText(row['action'])
  if (side === undefined || action === null || asFlag(row['enabled']) === false || isForAnswers(row))
    return []
  const text = asText(row['dst_port'])
  const ports = text === null ? null : parsePortRanges(text)
  const groups = [row['src_firewallgroup_ids'], row['dst_firewallgroup_ids']].flat().filter(Boolean)
  const limits = [row['src_address'], row['dst_address'], row['src_port'], row['src_mac_address'], text]
  return [
    {
      name: asText(row['name']) ?? '',
      lets_in: action === 'accept',
      to: side.toUpperCase() === 'LOCAL' ? 'gateway' : 'networks',
      protocol: asText(row['protocol']) ?? 'all',
      ports,
      is_narrow: groups.length > 0 || limits.some((limit) => asText(limit) !== null),
    },
  ]
}

/** It speaks of connections that stand already. */
const isForAnswers = (row: Json): boolean =>
  asFlag(row['state_new']) !== true &&
  ['state_established', 'state_related', 'state_invalid'].some((state) => asFlag(row[state]) === true)
