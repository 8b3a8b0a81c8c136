/**
 * HTTPS and SVCB records (RFC 9460) of somebody else at a live name of ours: browsers follow them before they ask for an
 * address, so one that leads elsewhere is another machine for most people. We write none. Told, never touched. Pure.
 */
import type { ListedRrset } from '../../../../model/network/dns.ts'
import type { DnsDesired, WantedRow } from '../desire.ts'
import { wantedSets } from '../deciding/wanted.ts'
import type { ZoneState } from '../zones/zone-state.ts'

export interface Sideways {
  readonly item: string
  readonly domain_id: number
  readonly detail: string
}

export function sidewaysIn(desired: DnsDesired, state: ZoneState): readonly Sideways[] {
  const found = state.rrsets.filter(({ type }) => type === 'HTTPS' || type === 'SVCB')
  if (found.length === 0) return []
  const live = new Map<string, { readonly row: WantedRow; readonly values: readonly string[] }>()
  for (const { name, row } of wantedSets(desired, state).sets.values()) {
    const ours = state.rrsets.filter(({ type, name: at }) => at === name && (type === 'A' || type === 'AAAA'))
    live.set(name, { row, values: ours.flatMap(({ values }) => values) })
  }
  return found.flatMap((listed) => {
    const at = live.get(listed.name)
    if (at === undefined || !listed.values.some((value) => leadsElsewhere(listed, value, at.values)))
      return []
    const { type, name } = listed
    const detail =
      `${type} ${name} (${listed.values.join(', ')}) was not made by Plumbline and leads elsewhere: browsers follow it ` +
      'before they ask for an address. It is left alone; remove it at the provider, or let it name no target and no other address.'
    return [{ item: `${type} ${name}`, domain_id: at.row.domain_id, detail }]
  })
}

/** `1 . alpn=h2` says how, not where: priority, target, and hints that stand for addresses. */
function leadsElsewhere({ name }: ListedRrset, value: string, ours: readonly string[]): boolean {
  const [, target = '.', ...params] = value.trim().split(/\s+/)
  if (target !== '.' && target.toLowerCase().replace(/\.$/, '') !== name) return true
  return params.some((param) => {
    const [, hints] = /^ipv[46]hint="?([^"]*)"?$/i.exec(param) ?? []
    return hints !== undefined && hints.split(',').some((hint) => !ours.includes(hint.toLowerCase()))
  })
}
