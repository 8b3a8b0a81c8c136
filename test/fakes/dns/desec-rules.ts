/** What deSEC accepts in a bulk change, in its two stages: the form of every part first, then what the DNS allows. */
import { isIPv4, isIPv6, SocketAddress } from 'node:net'
import { Refused } from './refused.ts'

export interface DesecRrset {
  readonly subname: string
  readonly type: string
  readonly ttl: number
  readonly records: readonly string[]
}

export type Part = Readonly<Record<string, unknown>>

const MAXIMUM_TTL = 86_400
const MANAGED = ['SOA', 'DNSKEY', 'RRSIG', 'NSEC3PARAM', 'OPT', 'ALIAS', 'DNAME']
const SUBNAME = /^(?:|(?:\*|(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*))$/

export const bad = (json: unknown): Refused => new Refused({ status: 400, json })

export const keyOf = ({ subname = '', type }: Part | DesecRrset): string =>
  `${String(subname)}|${String(type)}`

/** Stage one; the faults of the parts, in their order, are the answer when there are any. */
export function checkForm(
  parts: readonly Part[],
  there: ReadonlyMap<string, DesecRrset>,
  minimum_ttl: number,
): void {
  const faults = parts.map((part, i) => ({
    ...fieldFaults(part, there, minimum_ttl),
    ...(parts.some((other, j) => j !== i && keyOf(other) === keyOf(part))
      ? { non_field_errors: ['Same subname and type as in another position, but must be unique.'] }
      : {}),
    ...(stoodBeside(part, parts, there)
      ? {
          non_field_errors: [
            'RRset with conflicting type present. (No other RRsets are allowed alongside CNAME.)',
          ],
        }
      : {}),
  }))
  if (faults.some((fault) => Object.keys(fault).length > 0)) throw bad(faults)
}

function fieldFaults(
  part: Part,
  there: ReadonlyMap<string, DesecRrset>,
  minimum_ttl: number,
): Record<string, string[]> {
  const { subname = '', type, ttl, records } = part
  const faults: Record<string, string[]> = {}
  const unknown = Object.keys(part).find((field) => !['subname', 'type', 'ttl', 'records'].includes(field))
  if (unknown !== undefined) faults[unknown] = ['This field is not known here.']
  if (typeof type !== 'string' || !/^[A-Z][A-Z0-9]*$/.test(type)) faults['type'] = ['Type must be uppercase.']
  else if (MANAGED.includes(type)) faults['type'] = [`You cannot tinker with the ${type} RR set.`]
  if (typeof subname !== 'string' || subname.length > 178 || !SUBNAME.test(subname))
    faults['subname'] = ["Subname can only use (lowercase) a-z, 0-9, ., -, and _, may start with a '*.'."]
  const deletes = Array.isArray(records) && records.length === 0
  const is_new = !there.has(keyOf(part)) && !deletes
  if (
    records === undefined
      ? is_new
      : !Array.isArray(records) || records.some((record) => typeof record !== 'string')
  )
    faults['records'] = ['This field is required.']
  if (ttl === undefined) {
    if (is_new) faults['ttl'] = ['This field is required.']
  } else if (typeof ttl !== 'number' || !Number.isInteger(ttl))
    faults['ttl'] = ['A valid integer is required.']
  else if (ttl < minimum_ttl)
    faults['ttl'] = [`Ensure this value is greater than or equal to ${minimum_ttl}.`]
  else if (ttl > MAXIMUM_TTL) faults['ttl'] = [`Ensure this value is less than or equal to ${MAXIMUM_TTL}.`]
  return faults
}

/** An alias beside anything else, once the whole request is done. */
function stoodBeside(part: Part, parts: readonly Part[], there: ReadonlyMap<string, DesecRrset>): boolean {
  const empties = (one: Part) => Array.isArray(one['records']) && one['records'].length === 0
  if (empties(part)) return false
  const gone = new Set(parts.filter(empties).map(keyOf))
  const keys = [
    ...[...there.keys()].filter((key) => !gone.has(key)),
    ...parts.filter((one) => !empties(one)).map(keyOf),
  ]
  const [subname, type] = keyOf(part).split('|')
  const types = keys
    .map((key) => key.split('|'))
    .filter(([name]) => name === subname)
    .map(([, other]) => other)
  return types.some((other) => (other === 'CNAME') !== (type === 'CNAME'))
}

/** Stage two: the values in canonical form. It does not say which part is at fault. */
export function canonicalRecords(type: string, records: readonly string[]): string[] {
  const refuse = (why: string) => bad({ non_field_errors: [why] })
  if (type === 'CNAME' && records.length > 1) throw refuse('CNAME cannot have multiple records.')
  return records.map((record) => {
    if (type === 'A' && !isIPv4(record)) throw refuse('Cannot parse record contents: no IPv4 address.')
    if (type === 'AAAA') {
      if (!isIPv6(record)) throw refuse('Cannot parse record contents: no IPv6 address.')
      return new SocketAddress({ address: record, family: 'ipv6' }).address
    }
    if (['CNAME', 'NS', 'MX'].includes(type) && !record.endsWith('.'))
      throw refuse('Cannot parse record contents: a name must be fully qualified.')
    if (type === 'TXT' && !/^"(?:[^"\\]|\\[^])*"(?: "(?:[^"\\]|\\[^])*")*$/.test(record))
      throw refuse('Cannot parse record contents: the text must be in quotes.')
    return record
  })
}
