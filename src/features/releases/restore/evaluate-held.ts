/**
 * What a file beside the world holds, held against the model as a caller's values are: it was written by another version,
 * or under other settings. Pure. What does not pass is named and not taken:
 *
 *   refused                       then
 *   the fields of a live record   it is off line where the database knows it, and not created where not
 *   the fields of another one     what the world says of it (disabled, deleted, off line) holds all the same
 *   a row of no sound id          no record is deleted for not being in the file
 *   a key, a person               as if the file did not name them: nobody is let in
 */
import { digestOf } from '../../../kernel/digest.ts'
import { Failure } from '../../../kernel/failure.ts'
import { isRecord, type Json } from '../../../kernel/text/lenient.ts'
import { type DomainFields, FIELD_NAMES, fieldsOf } from '../../../model/domain/record.ts'
import { checkNew, type Offer } from '../../../model/domain/rules.ts'
import type { Intent, IntentRow } from '../../../model/intent.ts'
import type { SshClient } from '../../../model/ssh/client.ts'
import { readClient } from '../../../model/ssh/read-client.ts'
import { textFault } from '../../../model/text/text.ts'
import type { HeldPerson, HeldWorld, SignedFile } from '../../../ports/world-holder.ts'
import type { RefusedPart } from './views.ts'

export interface EvaluatedWorld {
  readonly held: HeldWorld
  readonly refused: readonly RefusedPart[]
  /** The file names every record that it has. */
  readonly names_all: boolean
}

export interface EvaluationContext {
  readonly offer: Offer
  readonly released: Intent
  readonly working: Intent
}

/** Throws `conflict` for a file of which nothing can be taken, with the field and the reason. */
export function evaluateHeld(
  { path, stamp, content }: SignedFile,
  context: EvaluationContext,
): EvaluatedWorld {
  const lists = listsIn(content)
  if (typeof lists === 'string')
    throw new Failure(
      'conflict',
      `Nothing can be taken from ${path}: ${lists}. Put the file of the newer database back from a backup, or take the database.`,
    )
  const { release, present } = lists
  const rows = evaluateRows(lists.rows, context)
  const clients = evaluateEach(lists.ssh_clients, 'ssh_client', evaluateClient)
  const people = evaluateEach(lists.people, 'person', evaluatePerson)
  return {
    held: {
      stamp,
      release,
      present: present.filter((id) => !rows.dropped.has(id)),
      rows: rows.taken,
      ssh_clients: clients.taken,
      people: people.taken,
    },
    refused: [...rows.refused, ...clients.refused, ...people.refused],
    names_all: rows.names_all,
  }
}

interface Lists {
  readonly release: number
  readonly present: readonly number[]
  readonly rows: readonly unknown[]
  readonly ssh_clients: readonly unknown[]
  readonly people: readonly unknown[]
}

/** Or why there are none. */
function listsIn(content: unknown): Lists | string {
  if (!isRecord(content)) return 'it must hold an object'
  const { release, present, rows, ssh_clients, people } = content
  if (!isId(release) && release !== 0) return 'release must be a whole number'
  if (!Array.isArray(rows)) return 'rows must be a list'
  if (!Array.isArray(ssh_clients)) return 'ssh_clients must be a list'
  if (!Array.isArray(people)) return 'people must be a list'
  // A record that is not in this list counts as deleted.
  if (!Array.isArray(present) || !present.every(isId)) return 'present must be a list of ids'
  return { release, present, rows, ssh_clients, people }
}

const isId = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0

interface Evaluated<T> {
  readonly taken: readonly T[]
  readonly refused: readonly RefusedPart[]
}

type Fault = readonly [field: string, reason: string]

interface EvaluatedRows extends Evaluated<IntentRow> {
  readonly names_all: boolean
  /** Of refused records that the database does not know. */
  readonly dropped: ReadonlySet<number>
}

function evaluateRows(
  rows: readonly unknown[],
  { offer, released, working }: EvaluationContext,
): EvaluatedRows {
  const known = new Map([...working.rows, ...released.rows].map((row) => [row.domain_id, row.fields]))
  const deployed = new Map(released.rows.map((row) => [row.domain_id, row.fields]))
  const taken: IntentRow[] = []
  const refused: RefusedPart[] = []
  const ids = new Set<number>()
  const dropped = new Set<number>()
  let names_all = true
  for (const [index, value] of rows.entries()) {
    const raw = isRecord(value) ? value : {}
    const refuse = (faults: readonly Fault[]) =>
      refused.push(...faults.map(([field, reason]) => refusal('record', nameOf(raw, index), field, reason)))
    const { domain_id, revision, live, retired, fields } = raw
    if (!isId(domain_id) || ids.has(domain_id)) {
      names_all = false
      refuse([['domain_id', isId(domain_id) ? 'stands there twice' : 'must be a whole number from 1']])
      continue
    }
    ids.add(domain_id)
    const checked = fieldsIn(fields, deployed.get(domain_id), offer)
    const faults = [...envelopeFaults(raw), ...('faults' in checked ? checked.faults : [])]
    if (faults.length === 0 && 'fields' in checked) {
      const row = { domain_id, revision: revision as number, live: live === true, retired: retired === true }
      taken.push({ ...row, fields: checked.fields })
      continue
    }
    refuse(faults)
    const own = known.get(domain_id)
    if (own === undefined) dropped.add(domain_id)
    else taken.push({ domain_id, revision: 0, live: false, retired: retired === true, fields: own })
  }
  return { taken, refused, names_all, dropped }
}

function envelopeFaults({ revision, live, retired }: Json): readonly Fault[] {
  const faults: Fault[] = []
  if (!isId(revision) && revision !== 0) faults.push(['revision', 'must be a whole number'])
  if (typeof live !== 'boolean') faults.push(['live', 'must be true or false'])
  if (typeof retired !== 'boolean') faults.push(['retired', 'must be true or false'])
  if (live === true && retired === true) faults.push(['retired', 'must be false for a live record'])
  return faults
}

/** What is deployed here as it stands there needs no judge: it brings nothing. */
function fieldsIn(
  value: unknown,
  deployed: DomainFields | undefined,
  offer: Offer,
): { readonly fields: DomainFields } | { readonly faults: readonly Fault[] } {
  if (!isRecord(value)) return { faults: [['fields', 'must be an object']] }
  if (deployed !== undefined && digestOf(value) === digestOf(fieldsOf(deployed))) return { fields: deployed }
  const unknown = Object.keys(value).find((name) => !(FIELD_NAMES as readonly string[]).includes(name))
  if (unknown !== undefined) return { faults: [[shown(unknown) ?? 'fields', 'is not known to this version']] }
  const checked = checkNew(value, offer)
  if (checked.ok) return { fields: checked.fields }
  return { faults: checked.errors.map(({ loc, msg }) => [loc.slice(1).join('.'), msg]) }
}

type Parsed<T> = { readonly value: T } | { readonly name: string | null; readonly faults: readonly Fault[] }

function evaluateEach<T>(
  values: readonly unknown[],
  part: RefusedPart['part'],
  evaluate: (value: unknown) => Parsed<T>,
): Evaluated<T> {
  const taken: T[] = []
  const refused: RefusedPart[] = []
  for (const [index, value] of values.entries()) {
    const parsed = evaluate(value)
    if ('value' in parsed) taken.push(parsed.value)
    else
      refused.push(
        ...parsed.faults.map(([field, reason]) =>
          refusal(part, parsed.name ?? `${part} ${index + 1}`, field, reason),
        ),
      )
  }
  return { taken, refused }
}

function evaluateClient(value: unknown): Parsed<SshClient> {
  const read = readClient(value)
  if (read.ok) return { value: read.client }
  const { name } = isRecord(value) ? value : {}
  return { name: shown(name), faults: read.errors.map(({ loc, msg }) => [loc.join('.') || 'key', msg]) }
}

function evaluatePerson(value: unknown): Parsed<HeldPerson> {
  const { username, revoked } = isRecord(value) ? value : {}
  const name = shown(username)
  if (name === null) return { name, faults: [['username', 'must be a text of 1 to 253 characters']] }
  if (typeof revoked !== 'boolean') return { name, faults: [['revoked', 'must be true or false']] }
  return { value: { username: name, revoked } }
}

function nameOf({ fields }: Json, index: number): string {
  const { domain } = isRecord(fields) ? fields : {}
  return shown(domain) ?? `record ${index + 1}`
}

/** As far as it may be shown: null for what would move a terminal. */
const shown = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && textFault(value, 253) === null ? value : null

const refusal = (part: RefusedPart['part'], name: string, field: string, reason: string): RefusedPart => ({
  part,
  name,
  field,
  reason,
})
