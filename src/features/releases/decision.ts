/** What a decision between an older database and a newer world comes to, before it is carried out. */
import type { WorldStanding } from '../../engine/world/standing.ts'
import { digestOf } from '../../kernel/digest.ts'
import { Failure } from '../../kernel/failure.ts'
import type { StoreReader } from '../../ports/store.ts'
import type { FileUser } from '../../ports/users-file.ts'
import type { HolderFiles } from '../../ports/world-holder.ts'
import type { Deps } from './deps.ts'
import { parkedText } from './bystanders.ts'
import { evaluateHeld, type EvaluatedWorld, type EvaluationContext } from './restore/evaluate-held.ts'
import { disabledIds, lostEdits } from './restore/restore.ts'
import { type Resumption, resumptionOf } from './restore/resumption.ts'
import { keyText, type Undone, undoneOf } from './restore/undone.ts'
import { sshClientRecords } from '../ssh-clients/records.ts'
import { peopleRecords } from '../people/records.ts'
import type { RefusedPart } from './restore/views.ts'

export type Side = 'database' | 'world'

/** Names, by what becomes of them: in the world, where the database is taken, and … */
export interface ResumeChanges extends Omit<Undone, 'revoke' | 'revoke_unknown'> {
  // … in the database, where the world is taken.
  readonly restored: readonly string[]
  readonly created: readonly string[]
  readonly deactivated: readonly string[]
  readonly disabled: readonly string[]
  readonly deleted: readonly string[]
  /** `draft.example.com as name-taken-7.invalid`: what they held is needed, and nobody could free it meanwhile. */
  readonly parked: readonly string[]
  readonly keys_saved: readonly string[]
  readonly keys_dropped: readonly string[]
  // Whichever is taken.
  readonly people_revoked: readonly string[]
  /** Saved in the newer database and never deployed: they are lost with it. */
  readonly unknown_drafts: number
}

/** What is looked at outside the transaction. */
export interface Ground {
  readonly take: Side
  readonly standing: WorldStanding
  /** Null where they could not be read; then `unread_because` says why. */
  readonly files: HolderFiles | null
  readonly unread_because: string | null
  /** Of the users file; empty where it is not known. */
  readonly users: ReadonlyMap<string, FileUser>
}

export interface Decision extends Ground {
  readonly evaluated: EvaluatedWorld | null
  /** Null where the database is taken. */
  readonly resumption: Resumption | null
  /** Null where the world is taken, and where no file says anything. */
  readonly undone: Undone | null
  readonly changes: ResumeChanges
  readonly refused: readonly RefusedPart[]
  readonly warnings: readonly string[]
  /** Of all that is decided about, as it stands within the transaction. */
  readonly hash: string
}

/** Throws `conflict` where nothing can be taken from the file that the world would be taken from. */
export async function decisionOn(
  tx: StoreReader,
  { offer }: Pick<Deps, 'offer'>,
  ground: Ground,
): Promise<Decision> {
  const { take, standing } = ground
  const released = await tx.intent('released')
  const working = await tx.intent('working')
  const { evaluated, unread_because } = evaluatedIn(ground, { offer, released, working })
  const facts = evaluated && {
    ...evaluated,
    released,
    working,
    disabled: await disabledIds(tx),
    clients: await tx.of(sshClientRecords).sshClients(),
    people: await tx.of(peopleRecords).people(),
  }
  const resumption = facts !== null && take === 'world' ? resumptionOf(facts) : null
  const undone = facts !== null && take === 'database' ? undoneOf(facts) : null
  const refused = resumption === null ? [] : (evaluated?.refused ?? [])
  const warnings = [
    ...unsignedWarnings(ground),
    ...refused.map(refusedText),
    ...(take === 'world'
      ? worldWarnings(ground, resumption)
      : databaseWarnings({ ...ground, unread_because }, { undone, evaluated })),
    ...(resumption === null ? [] : lostEdits(resumption, released)),
  ]
  const worlds = standing.worlds.flatMap(({ place, stamp, ahead }) => (ahead ? [{ place, ...stamp }] : []))
  const base = (await tx.latestRelease())?.number ?? 0
  const hash = digestOf({ take, ground: worlds, base, resumption, undone, refused })
  return {
    ...ground,
    evaluated,
    resumption,
    undone,
    changes: changesOf(resumption, undone),
    refused,
    warnings,
    hash,
  }
}

/** An odd file keeps the world from being taken, and not the database. */
function evaluatedIn(
  { take, files, unread_because }: Ground,
  context: EvaluationContext,
): { readonly evaluated: EvaluatedWorld | null; readonly unread_because: string | null } {
  const signed = files?.signed ?? null
  if (signed === null) return { evaluated: null, unread_because }
  try {
    return { evaluated: evaluateHeld(signed, context), unread_because }
  } catch (error) {
    if (take === 'world' || !(error instanceof Failure)) throw error
    return { evaluated: null, unread_because: error.message }
  }
}

function changesOf(taken: Resumption | null, undone: Undone | null): ResumeChanges {
  const domains = (rows: readonly { readonly fields: { readonly domain: string } }[] = []) =>
    rows.map(({ fields }) => fields.domain)
  const { revoke, revoke_unknown, ...of_world } = undone ?? NOTHING_UNDONE
  const revoked = [...(taken?.revoke ?? []), ...revoke].map(({ username }) => username)
  return {
    restored: domains(taken?.restore),
    created: [...domains(taken?.create), ...domains(taken?.create_offline)],
    deactivated: domains(taken?.deactivate),
    disabled: domains(taken?.disable),
    deleted: domains(taken?.remove),
    parked: [...(taken?.park ?? []), ...(taken?.parked_offline ?? [])].map(parkedText),
    keys_saved: (taken?.save_clients ?? []).map(keyText),
    keys_dropped: (taken?.drop_clients ?? []).map(keyText),
    ...of_world,
    people_revoked: [...revoked, ...(taken?.revoke_unknown ?? []), ...revoke_unknown],
    unknown_drafts: taken?.unknown_drafts ?? 0,
  }
}

const NOTHING_UNDONE: Undone = {
  live_again: [],
  taken_down: [],
  changed_back: [],
  keys_let_in: [],
  keys_shut_out: [],
  keys_changed: [],
  people_let_in: [],
  revoke: [],
  revoke_unknown: [],
}

const PARTS = { record: 'Record', ssh_client: 'SSH client', person: 'Person' } as const

const refusedText = ({ part, name, field, reason }: RefusedPart): string =>
  `${PARTS[part]} ${name} is refused and not taken: ${field} ${reason}.`

export const unsignedText = (path: string): string =>
  `${path} is not signed by this installation: somebody else or an earlier version wrote it, or it was changed since. ` +
  'Its number counts, and nothing is taken from it.'

const unsignedWarnings = ({ files }: Ground): readonly string[] => (files?.unsigned ?? []).map(unsignedText)

const NOT_IN_THE_WORLD =
  'No file of the world holds keys of DDNS and edges, addresses that routers reported, or modes: these are as this older ' +
  'database has them. Revoke again what was revoked since, and set modes again.'

const QUARANTINES_NOT_HELD =
  'No file of the world holds which routes are in quarantine: one that was taken out since this older database is served ' +
  'again, until it is seen to stand open once more. See what stands open: GET /api/sso/drift.'

function worldWarnings(ground: Ground, resumption: Resumption | null): readonly string[] {
  const unknown_drafts = resumption?.unknown_drafts ?? 0
  return [
    NOT_IN_THE_WORLD,
    QUARANTINES_NOT_HELD,
    ...(unknown_drafts === 0
      ? []
      : [
          `${unknown_drafts} records that were saved in the newer database and never deployed are not known any more.`,
        ]),
    ...gapOf(
      ground,
      'what changed in between is in no file, so what was disabled, deleted or revoked then comes back. Put a newer file ' +
        'back first, or look at what was done last and do it again.',
    ),
  ]
}

function databaseWarnings(
  ground: Ground,
  { undone, evaluated }: Pick<Decision, 'undone' | 'evaluated'>,
): readonly string[] {
  if (undone === null)
    return [
      QUARANTINES_NOT_HELD,
      'No signed file of the world says what the newer database held, so which hosts, keys and people it had beyond this ' +
        `one is not known: look at what would be written instead.${ground.unread_because === null ? '' : ` ${ground.unread_because}`}`,
    ]
  const { keys_let_in, people_let_in } = undone
  return [
    QUARANTINES_NOT_HELD,
    ...(evaluated?.refused ?? []).map(
      ({ part, name, field, reason }) =>
        `${PARTS[part]} ${name} of the newer world cannot be understood, so what is undone of it is not shown: ${field} ${reason}.`,
    ),
    ...keys_let_in.map((key) => `SSH client ${key} is let in again: the newer world does not list it.`),
    ...people_let_in.map(
      (name) =>
        `${name} is not revoked any more: the newer world has revoked them. The users file keeps them disabled until somebody enables them there.`,
    ),
    ...gapOf(ground, 'what is undone of what changed in between is not shown.'),
  ]
}

/** A place that is further than what any file holds: what came in between is nowhere. */
function gapOf({ standing, files }: Ground, then: string): readonly string[] {
  if (files === null || files.signed === null) return []
  const { number } = files.signed.stamp
  const further = standing.worlds.filter(({ ahead, stamp }) => ahead && stamp.number > number)
  if (further.length === 0) return []
  const shown = further.map(({ world, place, stamp }) => `${world} (${place}) is at change ${stamp.number}`)
  return [
    `The newest file that holds the world's records is at change ${number}, but ${shown.join(', ')}: ${then}`,
  ]
}
