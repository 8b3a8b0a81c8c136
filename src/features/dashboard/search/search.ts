/**
 * `GET /api/search`: things by a word of theirs, from what is in memory or in a few rows. Nothing is found that an endpoint
 * of its own would not show to whoever may call this one: all of them ask for the same.
 */
import { domainToUnicode } from 'node:url'
import { readAudit } from '../../../core/audit/read.ts'
import { isoTime } from '../../../kernel/clock.ts'
import { hostPort } from '../../../model/network/address.ts'
import type { Intent } from '../../../model/intent.ts'
import { dnsRecords } from '../../dns/records.ts'
import { edgeRecords } from '../../edges/records.ts'
import { peopleRecords } from '../../people/records.ts'
import type { Deps } from '../deps.ts'
import { Best, rankOf } from './rank.ts'
import type { Hit } from '../views.ts'

export interface SearchDeps extends Deps {
  readonly settings: () => Promise<readonly { readonly name: string; readonly help: string }[]>
}

const MAX_HITS = 20
/** As many of the trail are gone through for a request id. */
const MAX_ENTRIES = 200
/** A release or a request has a name of figures, which is no part of a name. */
const RELEASE = /^#?(\d{1,9})$/
const REQUEST_ID = /^[0-9a-z][0-9a-z_-]{5,}$/

export async function search(deps: SearchDeps, q: string): Promise<readonly Hit[]> {
  const word = q.trim().toLowerCase().normalize('NFC')
  if (word === '') return []
  const found = new Best<Hit>(MAX_HITS)
  for (const look of [domains, people, records, edges, releases, settings]) await look(deps, word, found)
  // The trail is read only where nothing else answers.
  if (found.items.length === 0) await requests(deps, word, found)
  return found.items
}

/** By name, then by backend, tags and note, which say less. */
async function domains({ store }: Deps, word: string, found: Best<Hit>): Promise<void> {
  const intent = await store.intent('working')
  const unicode = /[^\x20-\x7e]/.test(word) ? unicodeNames(intent) : null
  for (const { domain_id, fields } of intent.rows) {
    const { domain, backend_host, backend_port, tags, note, service_type } = fields
    const target = backend_host === null ? '' : `${backend_host}:${backend_port}`
    const rank =
      rankOf(domain, word) ??
      (unicode === null ? null : rankOf(unicode.get(domain_id)!, word)) ??
      lower(rankOf(target, word)) ??
      lower(rankOf(tags.join(' '), word)) ??
      lower(note === null ? null : rankOf(note.toLowerCase(), word))
    found.add(rank, () => ({
      kind: 'domain',
      id: String(domain_id),
      title: domain,
      detail:
        backend_host === null || backend_port === null
          ? service_type
          : `${service_type} to ${hostPort(backend_host, backend_port)}`,
    }))
  }
}

/** Of an edition, which is the same object until it changes. */
const UNICODE = new WeakMap<Intent, ReadonlyMap<number, string>>()

function unicodeNames(intent: Intent): ReadonlyMap<number, string> {
  const names =
    UNICODE.get(intent) ??
    new Map(intent.rows.map(({ domain_id, fields }) => [domain_id, domainToUnicode(fields.domain)]))
  UNICODE.set(intent, names)
  return names
}

async function people({ store }: Deps, word: string, found: Best<Hit>): Promise<void> {
  for (const { username, display_name, email, revoked_at } of await store.of(peopleRecords).people()) {
    const detail = `${display_name}${revoked_at === null ? '' : ', access ended'}`
    const rank = highest([username, display_name, email], word)
    found.add(rank, () => ({ kind: 'person', id: username, title: username, detail }))
  }
}

/** Those that are ours. By the name alone people mean the domain, so it stands before its records. */
async function records({ store }: Deps, word: string, found: Best<Hit>): Promise<void> {
  for (const { name, type, zone, values } of await store.of(dnsRecords).ownedRrsets()) {
    const title = `${type} ${name}`
    const rank =
      lower(rankOf(name, word)) ?? rankOf(title.toLowerCase(), word) ?? lower(rankOf(values.join(' '), word))
    found.add(rank, () => ({
      kind: 'record',
      id: title,
      title,
      detail: `${values.join(', ')} in ${zone}`,
    }))
  }
}

async function edges({ store }: Deps, word: string, found: Best<Hit>): Promise<void> {
  for (const { id, name, desired_state } of await store.of(edgeRecords).edges())
    found.add(highest([name], word), () => ({
      kind: 'edge',
      id: String(id),
      title: name,
      detail: desired_state,
    }))
}

async function releases({ store }: Deps, word: string, found: Best<Hit>): Promise<void> {
  const number = Number(RELEASE.exec(word)?.[1])
  if (!(number >= 1)) return
  const release = await store.release(number)
  if (release === null) return
  const { reason, created_at, actor } = release
  const detail = `${reason}, ${actor}, ${isoTime(created_at)}`
  found.add(3, () => ({ kind: 'release', id: String(number), title: `Release ${number}`, detail }))
}

async function settings({ settings: all }: SearchDeps, word: string, found: Best<Hit>): Promise<void> {
  for (const { name, help } of await all())
    found.add(highest([name], word) ?? lower(highest([help], word)), () => ({
      kind: 'setting',
      id: name,
      title: name,
      detail: help,
    }))
}

/** Among the newest entries of the trail. */
async function requests(deps: Deps, word: string, found: Best<Hit>): Promise<void> {
  if (!REQUEST_ID.test(word)) return
  const { entries } = await readAudit(deps, { limit: MAX_ENTRIES })
  const seen = new Map(entries.map((entry) => [entry.request_id, entry]))
  for (const { request_id, action, actor, at } of seen.values())
    found.add(request_id.toLowerCase().startsWith(word) ? 2 : null, () => ({
      kind: 'request',
      id: request_id,
      title: request_id,
      detail: `${action}, ${actor}, ${at}`,
    }))
}

/** Not by its name. */
const lower = (rank: number | null): number | null => (rank === null ? null : rank - 10)

function highest(texts: readonly string[], word: string): number | null {
  const ranks = texts.flatMap((text) => rankOf(text.toLowerCase(), word) ?? [])
  return ranks.length === 0 ? null : Math.max(...ranks)
}
