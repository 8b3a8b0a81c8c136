/**
 * Who stands in the way of what the world brings into an older database. Pure. A name belongs to one record, also to one that
 * was never deployed, and an entrypoint without TLS likewise.
 *
 *   holds what another record wants, and the world …    then
 *   has it live                                         its released fields, too: nobody else holds those
 *   has it off line, or does not know it                it is parked: another name (`.invalid`, RFC 6761 §6.4), or TLS
 *
 * What is off line in the world and unknown here is parked as well where its name is another's by now.
 */
import type { DomainFields } from '../../model/domain/record.ts'
import type { IntentRow } from '../../model/intent.ts'
import { claimsOf } from '../../engine/editions/releasable.ts'
import type { RestoredRow } from './restore/restoration.ts'

export interface ParkedRow {
  readonly present: IntentRow
  /** What it has from then on. */
  readonly fields: DomainFields
}

export interface BystanderFacts {
  /** Records that stay, as they are saved. */
  readonly staying: readonly IntentRow[]
  /** Of those, whose fields the world brings already. */
  readonly restored: ReadonlySet<number>
  /** What is live in the world; `domain_id` as the world knows it. */
  readonly live: readonly IntentRow[]
  readonly create_offline: readonly IntentRow[]
  readonly disabled: ReadonlySet<number>
}

export interface Bystanders {
  readonly restore: readonly RestoredRow[]
  readonly park: readonly ParkedRow[]
  readonly create_offline: readonly IntentRow[]
  /** Of what is created: by the name that it cannot have. */
  readonly parked_offline: readonly ParkedRow[]
}

export function bystandersOf(facts: BystanderFacts): Bystanders {
  const { staying, restored, live, disabled } = facts
  const wanted = new Map(live.flatMap((row) => claimsOf(row).map((thing) => [thing, row.domain_id] as const)))
  const in_world = new Map(live.map((row) => [row.domain_id, row]))
  const names = new Set([...staying, ...live].map(({ fields }) => fields.domain))
  const taken = new Set(wanted.keys())
  const restore: RestoredRow[] = []
  const park: ParkedRow[] = []
  for (const present of staying.filter(({ domain_id }) => !restored.has(domain_id))) {
    const held = disabled.has(present.domain_id) ? claimsOf(present).slice(0, 1) : claimsOf(present)
    const lost = held.filter((thing) => (wanted.get(thing) ?? present.domain_id) !== present.domain_id)
    const then = in_world.get(present.domain_id)
    if (lost.length === 0) for (const thing of held) taken.add(thing)
    else if (then === undefined) park.push({ present, fields: parkedFields(present, lost, names) })
    else restore.push({ present, fields: then.fields })
  }
  const create_offline: IntentRow[] = []
  const parked_offline: ParkedRow[] = []
  for (const row of facts.create_offline) {
    const held = claimsOf(row)
    const lost = held.filter((thing) => taken.has(thing))
    const fields = lost.length === 0 ? row.fields : parkedFields(row, lost, names)
    for (const thing of claimsOf({ fields: { ...row.fields, ...fields } })) taken.add(thing)
    create_offline.push(lost.length === 0 ? row : { ...row, fields: { ...row.fields, ...fields } })
    if (lost.length > 0) parked_offline.push({ present: row, fields })
  }
  return { restore, park, create_offline, parked_offline }
}

/** Its name when that is wanted; with TLS, a TCP route leaves the entrypoint to others. */
function parkedFields(
  { domain_id, fields }: IntentRow,
  lost: readonly string[],
  names: Set<string>,
): DomainFields {
  const keeps_name = !lost.includes(`name ${fields.domain}`)
  const keeps_entrypoint = lost.length === (keeps_name ? 0 : 1)
  return {
    ...fields,
    ...(keeps_name ? {} : { domain: freeName(domain_id, names) }),
    ...(keeps_entrypoint ? {} : { ssl_enabled: true }),
  }
}

function freeName(domain_id: number, names: Set<string>): string {
  let name = `name-taken-${domain_id}.invalid`
  for (let i = 2; names.has(name); i++) name = `name-taken-${domain_id}-${i}.invalid`
  names.add(name)
  return name
}

/** `app.example.com as name-taken-7.invalid` */
export const parkedText = ({ present, fields }: ParkedRow): string =>
  present.fields.domain === fields.domain
    ? `${fields.domain} with TLS, off entrypoint ${fields.tcp_entrypoint}`
    : `${present.fields.domain} as ${fields.domain}${
        present.fields.ssl_enabled === fields.ssl_enabled
          ? ''
          : ` with TLS, off entrypoint ${fields.tcp_entrypoint}`
      }`
