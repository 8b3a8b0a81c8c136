/** The sets in an export of PowerDNS: a line for each record that is served, with tabs between its fields. */
import { type ListedRrset, rrsetKey } from '../../../../model/network/dns.ts'
import { fromPresented } from '../presented.ts'
import { RecordFault } from '../record-fault.ts'
import { absolute } from '../whole-listing.ts'

/**
 * The sets of these types; what else stands there need not be understood. Throws RecordFault for a line that cannot be
 * read, and where the start of authority is missing: then more may be.
 */
export function exportedSets(zone: string, text: string, types: readonly string[]): ListedRrset[] {
  const sets = new Map<string, ListedRrset & { readonly values: string[] }>()
  let begins = false
  for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
    const { name, type, ttl, content } = fieldsOf(line)
    begins ||= type === 'SOA' && name === zone
    if (!types.includes(type)) continue
    const value = fromPresented(type, content)
    const known = sets.get(rrsetKey({ name, type }))
    if (known !== undefined) known.values.push(value)
    else sets.set(rrsetKey({ name, type }), { name, type, ttl, values: [value], ...UNTOLD })
  }
  if (!begins) throw new RecordFault('is missing: the start of authority of the zone itself')
  return [...sets.values()].map((set) => ({ ...set, values: [...new Set(set.values)].sort() }))
}

const UNTOLD = { ids: [], comment: null, proxied: null }

function fieldsOf(line: string) {
  const [name = '', ttl, , type, ...content] = line.split('\t')
  if (type === undefined || content.length === 0)
    throw new RecordFault('is not told by name, type and content')
  return { name: absolute(name), type, ttl: Number(ttl), content: content.join('\t') }
}
