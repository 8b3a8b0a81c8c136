/** Rules of both generations of the firewall in one shape: `rule` of one without zones, `policy` of one with. Pure. */
import { asFlag, asNumber, asRecord, asText, asTexts, type Json } from '../../kernel/text/lenient.ts'
import type { FirewallSide, FirewallRow } from './views.ts'

const STATES = ['new', 'established', 'related', 'invalid'] as const

/** Of `/rest/firewallrule`. */
export const ruleRow = (row: Json): FirewallRow => ({
  kind: 'rule',
  _id: asText(row['_id']),
  name: asText(row['name']),
  enabled: asFlag(row['enabled']),
  action: asText(row['action']),
  index: asNumber(row['rule_index']),
  ruleset: asText(row['ruleset']),
  ip_version: null,
  protocol: asText(row['protocol']),
  ports: asText(row['dst_port']),
  source: ruleSide(row, 'src'),
  destination: ruleSide(row, 'dst'),
  states: STATES.filter((state) => asFlag(row[`state_${state}`]) === true),
  logging: asFlag(row['logging']),
  predefined: asFlag(row['predefined']) ?? false,
})

const ruleSide = (row: Json, side: 'src' | 'dst'): FirewallSide => ({
  zone: null,
  target: asText(row[`${side}_networkconf_type`]),
  addresses: textOrTexts(row[`${side}_address`]),
  network_ids: textOrTexts(row[`${side}_networkconf_id`]),
  macs: textOrTexts(row[`${side}_mac_address`]),
  group_ids: asTexts(row[`${side}_firewallgroup_ids`]),
  port: asText(row[`${side}_port`]),
})

/** Of `/firewall-policies`, and of the official API, whose members are nested. */
export function policyRow(zones: readonly Json[]): (row: Json) => FirewallRow {
  const names = new Map(
    zones.map((zone) => [
      asText(zone['_id']) ?? asText(zone['id']),
      asText(zone['name']) ?? asText(zone['zone_key']),
    ]),
  )
  const side = (value: unknown): FirewallSide => {
    const row = asRecord(value)
    const id = asText(row['zone_id']) ?? asText(row['zoneId']) ?? asText(row['firewallZoneId'])
    return {
      zone: names.get(id) ?? id,
      target: asText(row['matching_target']),
      addresses: asTexts(row['ips']),
      network_ids: asTexts(row['network_ids']),
      macs: [...asTexts(row['client_macs']), ...textOrTexts(row['mac'])],
      group_ids: [...textOrTexts(row['ip_group_id']), ...textOrTexts(row['port_group_id'])],
      port: asText(row['port']),
    }
  }
  return (row) => {
    const destination = side(row['destination'])
    return {
      kind: 'policy',
      _id: asText(row['_id']) ?? asText(row['id']),
      name: asText(row['name']),
      enabled: asFlag(row['enabled']),
      action: asText(row['action']) ?? asText(asRecord(row['action'])['type']),
      index: asNumber(row['index']),
      ruleset: null,
      ip_version: asText(row['ip_version']),
      protocol: asText(row['protocol']),
      ports: destination.port,
      source: side(row['source']),
      destination,
      states: statesOf(row),
      logging: asFlag(row['logging']),
      predefined: isPredefined(row),
    }
  }
}

const statesOf = (row: Json): readonly string[] => {
  if (asText(row['connection_state_type']) === 'RESPOND_ONLY') return ['established', 'related']
  return asTexts(row['connection_states']).map((state) => state.toLowerCase())
}

function isPredefined(row: Json): boolean | null {
  const origin = asText(asRecord(row['metadata'])['origin'])
  return asFlag(row['predefined']) ?? (origin === null ? null : origin !== 'USER_DEFINED')
}

const textOrTexts = (value: unknown): readonly string[] => {
  if (Array.isArray(value)) return asTexts(value)
  const text = asText(value)
  return text === null ? [] : [text]
}
