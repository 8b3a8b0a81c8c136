/** Rules of what is kept beside the records: credentials, DNS, certificates, people, keys and edges. */
import { covers, ORDER_STEPS } from '../../model/network/certificate.ts'
import { checkEdgeFields, type EdgeFields } from '../../model/edge.ts'
import { canonicalAddress } from '../../model/network/address.ts'
import { isInZone, type OwnedRrset } from '../../model/network/dns.ts'
import { parseDomainName } from '../../model/domain/hostname.ts'
import { isSafeName, parseKey } from '../../model/ssh/public-key.ts'
import { type Content, isDigest, isTexts, jsonIn } from './content.ts'
import { FROM_OUTSIDE, type Rule } from './rule.ts'

export const LEDGER_RULES: readonly Rule[] = [
  {
    name: 'tokens_hashed',
    promise: 'Of every credential only a digest or a hash is kept.',
    remedy: 'Revoke the credential and issue a new one: what stands there may be the secret itself.',
    broken: tokenFaults,
  },
  {
    name: 'dns_ledger_sound',
    promise:
      'The ledger of DNS names each of our record sets once, in its zone and with values that can be sent.',
    remedy: FROM_OUTSIDE,
    broken: dnsFaults,
  },
  {
    name: 'certificates_sound',
    promise: 'Every certificate on record has names, a time in which it is valid and a fingerprint.',
    remedy: `${FROM_OUTSIDE} plumbline certificates reconcile obtains a certificate anew.`,
    broken: certificateFaults,
  },
  {
    name: 'people_unique',
    promise:
      'No two people differ by the case of their user name alone, and each has groups and a hash that can be written.',
    remedy: FROM_OUTSIDE,
    broken: peopleFaults,
  },
  {
    name: 'ssh_clients_sound',
    promise: 'Every SSH client is the key that its fingerprint says.',
    remedy: 'Remove the client with plumbline ssh-clients remove, and add its key again.',
    broken: sshFaults,
  },
  {
    name: 'edges_sound',
    promise: 'Every edge has a name and addresses in their one spelling.',
    remedy: 'Correct the edge with PUT /api/ccm/edge/edges/{id}.',
    *broken(content) {
      for (const edge of content.all<EdgeFields & { id: number }>('SELECT * FROM edges ORDER BY id')) {
        const { name, hostname, address, region } = edge
        const checked = checkEdgeFields({ name, hostname, address, region })
        if (!checked.ok) yield `edge ${edge.id}: ${checked.errors[0]?.msg}`
        else if (checked.value.hostname !== hostname || checked.value.address !== address)
          yield `edge ${edge.id} is not in its one spelling`
      }
    },
  },
]

/** What stands in the place of a digest may be a secret, so nothing of it is shown. */
function* tokenFaults(content: Content): Iterable<string> {
  for (const table of ['ddns_tokens', 'edge_tokens', 'heartbeat_tokens', 'console_sessions'])
    for (const { id, digest } of content.all<{ id: string; digest: string }>(
      `SELECT id, digest FROM ${table}`,
    ))
      if (!isDigest(digest)) yield `${table}: ${id} is kept as something else than a digest`
  const sessions = content.all<{ id: string; secret_digest: string }>(
    'SELECT id, secret_digest FROM console_sessions WHERE secret_digest IS NOT NULL',
  )
  for (const { id, secret_digest } of sessions)
    if (!isDigest(secret_digest))
      yield `console_sessions: the secret of ${id} is kept as something else than a digest`
  const people = content.all<{ username: string; password_hash: string }>(
    'SELECT username, password_hash FROM people WHERE password_hash IS NOT NULL',
  )
  for (const { username, password_hash } of people)
    if (!/^\$argon2id\$v=\d+\$[ -~]+$/.test(password_hash))
      yield `people: the password of ${username} is kept as something else than a hash`
}

interface DnsRow extends Pick<OwnedRrset, 'account' | 'zone' | 'name' | 'type' | 'state'> {
  readonly values: string
  readonly ids: string
}

/** The key of the table leaves a name no second row but in another case, or in a zone that was cut out of the other. */
function* dnsFaults(content: Content): Iterable<string> {
  const rows = content.all<DnsRow>('SELECT * FROM dns_records ORDER BY account, zone, name, type')
  for (const row of rows) {
    const item = `${row.type} ${row.name} at ${row.account}`
    const values = jsonIn(row.values)
    if (!isInZone(row.name, row.zone)) yield `${item} is not in the zone ${row.zone}`
    else if (!isOneSpelling(row.name)) yield `${item} is not in its one spelling`
    if (!isTexts(values) || !isTexts(jsonIn(row.ids))) yield `${item} has unreadable values`
    else if (isSent(row) && !values.every((value) => isAddressOf(row.type, value)))
      yield `${item} has values that are no addresses of its type`
  }
}

/** What was only adopted still has the values of whoever made it. */
const isSent = ({ state }: DnsRow): boolean =>
  state === 'owned' || state === 'sending' || state === 'applying'

const isAddressOf = (type: DnsRow['type'], value: string): boolean =>
  canonicalAddress(value) === value && value.includes(':') === (type === 'AAAA')

function isOneSpelling(name: string): boolean {
  const parsed = parseDomainName(name)
  return parsed.ok && parsed.value === name
}

interface CertificateRow {
  readonly name: string
  readonly names: string
  readonly fingerprint: string
  readonly not_before: number
  readonly not_after: number
}

function* certificateFaults(content: Content): Iterable<string> {
  for (const row of content.all<CertificateRow>('SELECT * FROM certificates ORDER BY name')) {
    const names = jsonIn(row.names)
    if (!isTexts(names) || !covers(names, row.name) || !names.every(isOneSpelling))
      yield `${row.name} is on record for other names`
    if (row.not_before >= row.not_after) yield `${row.name} ends before it begins`
    if (!isDigest(row.fingerprint)) yield `${row.name} has no fingerprint`
  }
  const orders = content.all<{ name: string; names: string; step: string; challenges: string }>(
    'SELECT name, names, step, challenges FROM certificate_orders ORDER BY name',
  )
  for (const { name, names, step, challenges } of orders) {
    if (!ORDER_STEPS.some((known) => known === step)) yield `the order for ${name} is at no known step`
    if (!isTexts(jsonIn(names)) || !Array.isArray(jsonIn(challenges)))
      yield `the order for ${name} is unreadable`
  }
}

interface PersonRow {
  readonly username: string
  readonly origin: string
  readonly groups: string | null
}

function* peopleFaults(content: Content): Iterable<string> {
  const people = content.all<PersonRow>('SELECT username, origin, groups FROM people ORDER BY username')
  for (const [name, same] of Map.groupBy(people, ({ username }) => username.toLowerCase()))
    if (same.length > 1) yield `${same.length} people are called ${name}`
  for (const { username, origin, groups } of people)
    if (origin === 'invited' ? !isTexts(jsonIn(groups)) : groups !== null)
      yield `the groups of ${username} are unreadable`
}

interface ClientRow {
  readonly fingerprint: string
  readonly type: string
  readonly key: string
  readonly bits: number
  readonly name: string
  readonly options: string
}

function* sshFaults(content: Content): Iterable<string> {
  for (const row of content.all<ClientRow>('SELECT * FROM ssh_clients ORDER BY fingerprint')) {
    const { fingerprint, type, key, bits, name, options } = row
    const parsed = parseKey(type, key)
    if (!parsed.ok || parsed.value.fingerprint !== fingerprint || parsed.value.bits !== bits)
      yield `${fingerprint} is another key`
    const given = jsonIn(options)
    if (!isSafeName(name) || given === null || typeof given !== 'object')
      yield `${fingerprint} has a name or options that cannot be written`
  }
}
