/**
 * What every component should be, in both editions.
 *
 * The working side is derived from what was saved. The released side is what the newest release froze, exactly: a newer
 * renderer or other settings must not change what is restored after a hand edit. Both are kept until their source moves.
 */
import { othersTurn } from '../../kernel/async/others-turn.ts'
import { isSameIn } from '../../model/domain/field-changes.ts'
import { OUTSIDE_FIELDS } from '../../model/domain/record.ts'
import { asStored, type Intent, type IntentRow } from '../../model/intent.ts'
import type { ReleaseHead, ReleaseRow } from '../../ports/records/trails.ts'
import type { Artifact, StoreReader } from '../../ports/store.ts'
import { concerns } from '../components.ts'
import type { AnyBlueprint, AnyTarget } from '../target.ts'
import { carrying, carryingRows } from './carry-over.ts'
import { Derivations, digestOf, frozen } from './derivations.ts'

export interface Released {
  readonly desired: unknown
  /** Digest of what was frozen. */
  readonly digest: string
}

export class Editions {
  readonly #store: StoreReader
  readonly #at_rest = new RowsAtRest()
  readonly #derivations = new Derivations()
  /** By artifact. */
  readonly #frozen = new Map<string, Released>()

  constructor(store: StoreReader) {
    this.#store = store
  }

  async working(blueprint: AnyBlueprint): Promise<unknown> {
    const working = await this.#store.intent('working')
    const released = await this.#store.intent('released')
    return this.#derivations.working(blueprint, this.#at_rest.readInto(working, released))
  }

  /** Null before the first release that knew this component. */
  async released(blueprint: AnyBlueprint): Promise<Released | null> {
    const { artifact, codec } = blueprint
    if (blueprint.constant === true) return constantOf(blueprint)
    const digest = await this.#newestDigest(artifact)
    if (digest === undefined) return null
    const kept = this.#frozen.get(artifact)
    if (kept?.digest === digest) return kept
    const rows = await this.#store.intent('released')
    const frozen = await this.#store.artifact(artifact)
    if (frozen === null) return null
    // A release came in between: these bytes are not of those rows.
    if (digest !== (await this.#newestDigest(artifact))) return this.released(blueprint)
    const released = { desired: codec.thaw(frozen.chunks, rows), digest: frozen.digest }
    this.#frozen.set(artifact, released)
    return released
  }

  /** What a release of these rows would move, and the desired states it stands for. */
  async prospect(
    reader: StoreReader,
    blueprints: readonly AnyBlueprint[],
    rows: readonly ReleaseRow[],
  ): Promise<Prospect> {
    const released = await reader.intent('released')
    // A commit waits for this, and who calls meanwhile does not.
    const turn = () => othersTurn(released.rows.length + rows.length)
    await turn()
    const moved = movedRows(rows, released)
    const intent = this.deployed(released, moved)
    const desired = new Map<string, unknown>()
    for (const blueprint of blueprints) {
      await turn()
      desired.set(blueprint.artifact, await this.#derivations.prospect(blueprint, intent))
    }
    await turn()
    return { rows: moved, intent, desired }
  }

  /** What a release of it keeps, by artifact. */
  async freeze({ desired, intent }: Prospect, blueprints: readonly AnyBlueprint[]): Promise<Artifacts> {
    const artifacts: Record<string, Artifact> = {}
    for (const { artifact, codec } of blueprints) {
      artifacts[artifact] = frozen(codec, desired.get(artifact))
      await othersTurn(intent.rows.length)
    }
    return artifacts
  }

  /** The released edition after a release of `rows`: one object for the same rows. */
  deployed(released: Intent, rows: readonly ReleaseRow[]): Intent {
    return rows.length === 0 ? released : this.#derivations.alike(withRows(released, rows))
  }

  /** What would be wanted of an edition that may come to be. */
  foreseen(blueprint: AnyBlueprint, intent: Intent): Promise<unknown> {
    return this.#derivations.prospect(blueprint, intent)
  }

  /** Keeps a prospect that became the newest release, so that the next pass need not thaw it. */
  adopt({ desired }: Prospect, artifacts: Artifacts): void {
    for (const [artifact, wanted] of desired)
      this.#frozen.set(artifact, { desired: wanted, digest: artifacts[artifact]!.digest })
  }

  /** True when a live row of the working edition is not released as it stands, or a released one is live no more. */
  async rowsMoved(): Promise<boolean> {
    return (await this.pendingRows()).length > 0
  }

  /** Rows whose saved state is not the deployed one, as far as it matters to anyone outside: new, edited or gone. */
  async pendingRows(): Promise<readonly ReleaseRow[]> {
    return pendingBetween(await this.#store.intent('working'), await this.#store.intent('released'))
  }

  /** Why it is not known what was saved for a target: a record that concerns it is damaged. Null where none is. */
  async damageIn(target: Pick<AnyTarget, 'concerns'>): Promise<string | null> {
    const damaged = await this.#store.damagedRecords()
    if (damaged.length === 0) return null
    const ids = new Set(damaged.map(({ domain_id }) => domain_id))
    const working = await this.#store.intent('working')
    const rows = working.rows.filter(({ domain_id }) => ids.has(domain_id))
    if (!concerns(target, rows)) return null
    const names = damaged.map(({ domain, domain_id }) => `${domain} (${domain_id})`).join(', ')
    return `What was saved for ${names} is damaged, so it is not known what should be there.`
  }

  async #newestDigest(artifact: string): Promise<string | undefined> {
    return (await this.#store.latestRelease())?.digests[artifact]
  }
}

function constantOf(blueprint: AnyBlueprint): Released {
  const desired = blueprint.desire({ rows: [] })
  return { desired, digest: digestOf(blueprint.codec, desired) }
}

/** What the newest release wants of a target: the digest that a step must have been computed for. */
export const newestDigest = (
  head: ReleaseHead | null,
  { artifact, constant }: Pick<AnyBlueprint, 'artifact' | 'constant'>,
  computed_for: string,
): string | null => (constant === true ? computed_for : (head?.digests[artifact] ?? null))

export interface Prospect {
  /** Those of the rows that really move. */
  readonly rows: readonly ReleaseRow[]
  /** The released edition as it would be. */
  readonly intent: Intent
  /** By artifact. */
  readonly desired: ReadonlyMap<string, unknown>
}

type Artifacts = Readonly<Record<string, Artifact>>

/** Names what of a release is a key's own. */
export const portionOf = (target: AnyTarget, { desired, digest }: Released): string =>
  target.portion?.(desired) ?? digest

/** The released edition after a release of `rows`. */
export function withRows(released: Intent, rows: readonly ReleaseRow[]): Intent {
  const moved = new Set(rows.map(({ domain_id }) => domain_id))
  const kept = released.rows.filter((row) => !moved.has(row.domain_id))
  // Of an edition of thousands few move.
  const before = new Map(
    released.rows.filter(({ domain_id }) => moved.has(domain_id)).map((row) => [row.domain_id, row]),
  )
  const added = rows.flatMap(({ row }) => (row === null ? [] : [carrying(row, before.get(row.domain_id))]))
  return { rows: added.length === 0 ? kept : [...kept, ...added].sort(asStored) }
}

/** Without the rows that stand in the released edition already, as far as it matters to anyone outside. */
export function movedRows(rows: readonly ReleaseRow[], released: Intent): readonly ReleaseRow[] {
  const before = new Map(released.rows.map((row) => [row.domain_id, row]))
  return rows.filter(({ domain_id, row }) => {
    const old = before.get(domain_id)
    return row === null ? old !== undefined : differs(row, old)
  })
}

/** The rows that a deploy of everything would move. */
export function pendingBetween(working: Intent, released: Intent): readonly ReleaseRow[] {
  const before = new Map(released.rows.map((row) => [row.domain_id, row]))
  const moved: ReleaseRow[] = []
  for (const row of working.rows) {
    const old = before.get(row.domain_id)
    before.delete(row.domain_id)
    if (differs(row, old)) moved.push({ domain_id: row.domain_id, row })
  }
  for (const [domain_id, old] of before) if (old.live) moved.push({ domain_id, row: null })
  return moved
}

/** Rows that are live on neither side concern nobody outside, unless what was kept of one is now to go. */
function differs(row: IntentRow, old: IntentRow | undefined): boolean {
  if (!row.live && (old === undefined || !old.live)) return old !== undefined && old.retired !== row.retired
  return old === undefined || old.live !== row.live || (old.revision !== row.revision && isOutside(row, old))
}

/** Whether the edit is of anything that somebody outside can see. */
const isOutside = (row: IntentRow, old: IntentRow): boolean =>
  !isSameIn(row.fields, old.fields, OUTSIDE_FIELDS)

// Rows of the released edition with which the working one is read, because nothing of them waits to be deployed:
//
//   deleted and retired   the working edition has no row of it, the released one until everything of it is gone
//   live on neither side  what was saved of it, such as another name, goes out when it is activated, and not before
//
// Comparing the editions must not show these as edits that wait. What a deploy would carry over stands with the others.

class RowsAtRest {
  #working: Intent | null = null
  #released: Intent | null = null
  #answer: Intent = { rows: [] }

  /** The same object as long as neither edition has moved. */
  readInto(working: Intent, released: Intent): Intent {
    if (working === this.#working && released === this.#released) return this.#answer
    const at_rest = [...rowsAtRest(working, released), ...carryingRows(working, released)]
    this.#working = working
    this.#released = released
    this.#answer = at_rest.length === 0 ? working : replaced(working, at_rest)
    return this.#answer
  }
}

function rowsAtRest(working: Intent, released: Intent): readonly IntentRow[] {
  const retired = released.rows.filter(({ live }) => !live)
  if (retired.length === 0) return retired
  const saved = new Map(working.rows.map((row) => [row.domain_id, row]))
  return retired.filter((row) => {
    const now = saved.get(row.domain_id)
    return now === undefined ? row.retired : !now.live && now.retired === row.retired
  })
}

function replaced(working: Intent, at_rest: readonly IntentRow[]): Intent {
  const ids = new Set(at_rest.map(({ domain_id }) => domain_id))
  const others = working.rows.filter(({ domain_id }) => !ids.has(domain_id))
  return { rows: [...others, ...at_rest].sort(asStored) }
}
