/** What Hetzner's Cloud DNS accepts as a set of records, and how it refuses the rest. */
import { isIPv4, isIPv6 } from 'node:net'
import { Refused } from './refused.ts'

export interface HetznerRrset {
  readonly name: string
  readonly type: string
  readonly ttl: number | null
  readonly labels: Readonly<Record<string, string>>
  readonly protection: { readonly change: boolean }
  readonly records: readonly { readonly value: string; readonly comment: string }[]
}

type Body = Readonly<Record<string, unknown>>

export const refusal = (status: number, code: string, message: string): Refused =>
  new Refused({ status, json: { error: { code, message, details: {} } } })

const invalid = (message: string): Refused => refusal(422, 'invalid_input', message)

/** Refuses members that the call does not know, and those that it needs and does not have. */
export function onlyMembers(
  body: unknown,
  needed: readonly string[],
  possible: readonly string[] = [],
): Body {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw refusal(400, 'json_error', 'invalid JSON')
  const missing = needed.find((member) => !(member in body))
  if (missing !== undefined) throw invalid(`${missing} is required`)
  const unknown = Object.keys(body).find((member) => ![...needed, ...possible].includes(member))
  if (unknown !== undefined) throw invalid(`${unknown} is unknown`)
  return body as Body
}

const LABEL = /^(?:\*|[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)$/

/** Relative to the zone, lower case, `@` for the apex. */
export function checkedName(name: unknown, zone: string): string {
  if (typeof name !== 'string' || name.endsWith('.')) throw invalid('name must be relative to the zone')
  if (name === '@') return name
  const labels = name.split('.')
  if (
    `${name}.${zone}`.length > 253 ||
    !labels.every((label, i) => LABEL.test(label) && (label !== '*' || i === 0))
  )
    throw invalid('name is invalid')
  return name
}

export function checkedTtl(ttl: unknown): number | null {
  if (ttl === null || ttl === undefined) return null
  if (typeof ttl !== 'number' || !Number.isInteger(ttl) || ttl < 60 || ttl > 2_147_483_647)
    throw invalid('ttl must be between 60 and 2147483647')
  return ttl
}

export function checkedRecords(type: string, name: string, records: unknown): HetznerRrset['records'] {
  if (!Array.isArray(records) || records.length === 0) throw invalid('records must not be empty')
  const checked = records.map((record) => {
    const { value, comment } = onlyMembers(record, ['value'], ['comment'])
    if (typeof value !== 'string') throw invalid('value must be a string')
    checkValue(type, value)
    if (
      comment !== undefined &&
      (typeof comment !== 'string' || comment.length > 255 || /[\r\n]/.test(comment))
    )
      throw invalid('comment is invalid')
    return { value, comment: comment ?? '' }
  })
  if (new Set(checked.map(({ value }) => value)).size !== checked.length)
    throw invalid('values must be unique')
  if (type === 'CNAME' && (checked.length > 1 || name === '@'))
    throw invalid('a CNAME stands alone and not at the apex')
  return checked
}

function checkValue(type: string, value: string): void {
  if (type === 'A' && !isIPv4(value)) throw invalid('value is no IPv4 address')
  if (type === 'AAAA' && !isIPv6(value)) throw invalid('value is no IPv6 address')
  if (type === 'CNAME' && !/^[a-z0-9._-]+\.$/.test(value))
    throw invalid('value must be a name that ends with a dot')
  if (type === 'TXT' && !/^"(?:[^"\\]|\\[^]){0,1020}"(?: "(?:[^"\\]|\\[^])*")*$/.test(value))
    throw invalid('value must be in quotes')
}

/** Who may stand beside whom. @param others the sets of the same name. */
export function checkNeighbours(type: string, others: readonly HetznerRrset[]): void {
  if (others.some((other) => other.type === type))
    throw refusal(409, 'uniqueness_error', 'RRSet already exists')
  const alone = type === 'CNAME' ? others.length > 0 : others.some((other) => other.type === 'CNAME')
  if (alone) throw refusal(422, 'invalid_input', 'a CNAME cannot stand beside other records')
}
