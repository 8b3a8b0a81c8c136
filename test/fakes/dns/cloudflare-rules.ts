/** What Cloudflare accepts as a record, field by field, and with which codes it refuses the rest. */
import { isIPv4, isIPv6 } from 'node:net'
import { Refused } from './refused.ts'

export interface CloudflareRecord {
  readonly id: string
  readonly type: string
  readonly name: string
  readonly content: string
  readonly ttl: number
  readonly proxied: boolean
  readonly proxiable: boolean
  readonly comment: string | null
  readonly priority?: number
  readonly data?: Readonly<Record<string, unknown>>
  readonly tags: readonly string[]
  readonly settings: object
  readonly meta: object
  readonly created_on: string
  readonly modified_on: string
}

const FIELDS = [
  'type',
  'name',
  'content',
  'ttl',
  'proxied',
  'comment',
  'priority',
  'data',
  'tags',
  'settings',
]
const PROXIABLE = ['A', 'AAAA', 'CNAME']
const LABEL = /^(?:\*|[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)$/

export const refusal = (
  status: number,
  code: number,
  message: string,
  chain: readonly [number, string][] = [],
): Refused =>
  new Refused({
    status,
    json: {
      success: false,
      result: null,
      messages: [],
      errors: [
        {
          code,
          message,
          ...(chain.length === 0
            ? {}
            : { error_chain: chain.map(([number, text]) => ({ code: number, message: text })) }),
        },
      ],
    },
  })

export const invalid = (code: number, message: string): Refused =>
  refusal(400, 1004, 'DNS Validation Error', [[code, message]])

/** The record as it will be stored. @param before what stands there, whose fields a PATCH keeps. */
export function checkedRecord(
  body: Readonly<Record<string, unknown>>,
  zone: string,
  before: CloudflareRecord | null,
): Omit<CloudflareRecord, 'id' | 'created_on' | 'modified_on'> {
  const unknown = Object.keys(body).find((field) => !FIELDS.includes(field))
  if (unknown !== undefined) throw invalid(9207, `Unknown field ${unknown}.`)
  const field = <T>(name: keyof CloudflareRecord, missing?: T): T =>
    (body[name] ?? before?.[name] ?? missing) as T
  const type = field<string>('type')
  if (before !== null && type !== before.type) throw invalid(9026, 'The type of a record cannot be changed.')
  const record = {
    type,
    name: checkedName(field<string>('name'), zone),
    content: field<string>('content'),
    ttl: field<number>('ttl', 1),
    proxied: field<boolean>('proxied', false),
    proxiable: PROXIABLE.includes(type),
    comment: (body['comment'] === undefined ? before?.comment : (body['comment'] as string | null)) || null,
    ...('priority' in body ? { priority: body['priority'] as number } : {}),
    ...('data' in body ? { data: body['data'] as Record<string, unknown> } : {}),
    tags: [],
    settings: {},
    meta: {},
  }
  checkValue(record)
  checkSettings(record)
  return record.proxied ? { ...record, ttl: 1 } : record
}

function checkedName(name: unknown, zone: string): string {
  if (typeof name !== 'string' || name === '' || name.endsWith('.'))
    throw invalid(9000, 'DNS name is invalid.')
  const whole = name === '@' ? zone : name === zone || name.endsWith(`.${zone}`) ? name : `${name}.${zone}`
  if (
    whole.length > 253 ||
    !whole.split('.').every((label, i) => LABEL.test(label) && (label !== '*' || i === 0))
  )
    throw invalid(9000, 'DNS name is invalid.')
  return whole
}

function checkValue({ type, name, content }: Pick<CloudflareRecord, 'type' | 'name' | 'content'>): void {
  if (typeof content !== 'string' || content === '') throw invalid(9002, 'Content is required.')
  if (type === 'A' && !isIPv4(content))
    throw invalid(9005, 'Content for A record must be a valid IPv4 address.')
  if (type === 'AAAA' && !isIPv6(content))
    throw invalid(9006, 'Content for AAAA record must be a valid IPv6 address.')
  if (type === 'CNAME') {
    if (content.endsWith('.') || !/^[a-z0-9._-]+$/.test(content))
      throw invalid(9007, 'Content for CNAME record is invalid.')
    if (content === name) throw invalid(9039, 'A CNAME record cannot reference itself.')
  }
  if (type === 'TXT' && !/^"(?:[^"\\]|\\[^])*"(?: "(?:[^"\\]|\\[^])*")*$/.test(content))
    throw invalid(9101, 'Content for TXT record must be in quotes.')
  if (content.length > 8192) throw invalid(9102, 'Content is too long.')
}

function checkSettings({
  ttl,
  proxied,
  proxiable,
  comment,
}: Pick<CloudflareRecord, 'ttl' | 'proxied' | 'proxiable' | 'comment'>): void {
  if (!Number.isInteger(ttl) || (ttl !== 1 && (ttl < 60 || ttl > 86_400)))
    throw invalid(9021, 'TTL must be between 60 and 86400 seconds, or 1 for Automatic.')
  if (typeof proxied !== 'boolean') throw invalid(9004, 'proxied must be a boolean.')
  if (proxied && !proxiable) throw invalid(9041, 'This DNS record cannot be proxied.')
  if (comment !== null && (typeof comment !== 'string' || comment.length > 100 || /[\r\n]/.test(comment)))
    throw invalid(9208, 'Comment must be at most 100 characters in one line.')
}

/** Who may stand beside whom. @param others the records of the same name. */
export function checkNeighbours(
  record: Pick<CloudflareRecord, 'type' | 'content'>,
  others: readonly CloudflareRecord[],
): void {
  const addresses = ['A', 'AAAA', 'CNAME']
  if (others.some((other) => other.type === record.type && other.content === record.content))
    throw refusal(400, 81058, 'An identical record already exists.')
  if (record.type === 'CNAME' && others.some((other) => addresses.includes(other.type)))
    throw refusal(400, 81053, 'An A, AAAA, or CNAME record with that host already exists.')
  if (addresses.includes(record.type) && others.some((other) => other.type === 'CNAME'))
    throw refusal(400, 81054, 'A CNAME record with that host already exists.')
}
