/** Pure: Cloudflare's single records as sets. It has no sets of its own: three addresses of a name are three records. */
import type { ListedRrset } from '../../../../model/network/dns.ts'
import { fromPresented } from '../presented.ts'
import { commentOf } from '../set-comment.ts'
import { absolute, inOrder } from '../whole-listing.ts'
import type { WireRecord } from './wire.ts'

const AUTOMATIC = 1
/** The types that its proxy can stand in front of. */
export const PROXIABLE = ['A', 'AAAA', 'CNAME']

/** Throws RecordFault for a name or value that makes no sense. */
export function setsOf(records: readonly WireRecord[]): ListedRrset[] {
  const groups = new Map<string, WireRecord[]>()
  for (const record of records) {
    const key = `${absolute(record.name)} ${record.type}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [record])
    else group.push(record)
  }
  return [...groups.values()].map(setOf)
}

function setOf(group: readonly WireRecord[]): ListedRrset {
  const records = inOrder(group.map((record) => ({ ...record, value: valueOf(record) })))
  const { name, type } = records[0]!
  const proxied = records.some((record) => record.proxied === true)
  // Resolvers see the shortest one: RFC 2181 §5.2 knows one TTL for a set.
  const ttl = Math.min(...records.map((record) => record.ttl))
  return {
    name: absolute(name),
    type,
    ttl: proxied || ttl === AUTOMATIC ? null : ttl,
    values: records.map((record) => record.value),
    ids: records.map((record) => record.id),
    comment: commentOf(records.map(({ comment }) => comment)),
    proxied,
  }
}

function valueOf({ type, content, priority, data }: WireRecord): string {
  // A text that was entered without quotes is shown without them, too.
  if (type === 'TXT' && !content.startsWith('"')) return content
  if (type === 'SRV' && data)
    return fromPresented(type, partsOf(data, ['priority', 'weight', 'port', 'target']))
  if (['MX', 'URI'].includes(type) && typeof priority === 'number')
    return fromPresented(type, `${priority} ${content}`)
  return fromPresented(type, content)
}

const partsOf = (data: NonNullable<WireRecord['data']>, names: readonly string[]): string =>
  names.map((name) => String(data[name] ?? '')).join(' ')
