/**
 * Records that wait for each other: each gets a name or an entrypoint that another of them still has, so none of them can go
 * first, and all of them can go together. Pure.
 */
import { Failure } from '../../kernel/failure.ts'
import { firstNames } from '../../kernel/text/first-names.ts'
import { shellWord } from '../../kernel/text/shell-word.ts'
import type { Intent, IntentRow } from '../../model/intent.ts'
import type { ReleaseRow } from '../../ports/records/trails.ts'
import { assertReleasable, claimsOf, type Doors, StillDeployed } from './releasable.ts'

interface Sides {
  /** The records as they are to be. */
  readonly wanted: readonly IntentRow[]
  /** As they are. */
  readonly had: readonly IntentRow[]
}

/** A record with those that wait for it and for which it waits, in the order of their ids; empty where there are none. */
export function ringThrough(domain_id: number, sides: Sides): readonly IntentRow[] {
  const [waits, keeps] = waitsIn(sides)
  const after = reachedFrom(domain_id, waits)
  const before = reachedFrom(domain_id, keeps)
  return sides.wanted
    .filter((row) => after.has(row.domain_id) && before.has(row.domain_id))
    .toSorted((a, b) => a.domain_id - b.domain_id)
}

type Steps = ReadonlyMap<number, readonly number[]>

/** For whom each waits, and whom each keeps waiting. */
function waitsIn({ wanted, had }: Sides): readonly [Steps, Steps] {
  const holders = new Map(had.flatMap((row) => claimsOf(row).map((claim) => [claim, row.domain_id] as const)))
  const waits = new Map<number, number[]>()
  const keeps = new Map<number, number[]>()
  for (const row of wanted)
    for (const claim of claimsOf(row)) {
      const holder = holders.get(claim)
      if (holder === undefined || holder === row.domain_id) continue
      waits.set(row.domain_id, [...(waits.get(row.domain_id) ?? []), holder])
      keeps.set(holder, [...(keeps.get(holder) ?? []), row.domain_id])
    }
  return [waits, keeps]
}

/** In one step or more: itself only where a way leads back to it. */
function reachedFrom(domain_id: number, steps: Steps): ReadonlySet<number> {
  const reached = new Set<number>()
  const open = [domain_id]
  for (let id = open.pop(); id !== undefined; id = open.pop())
    for (const next of steps.get(id) ?? []) {
      if (reached.has(next)) continue
      reached.add(next)
      open.push(next)
    }
  return reached
}

/** `domains 16 and 17 wait for each other` */
export const waitingWords = (ring: readonly IntentRow[]): string =>
  `domains ${idsIn(ring)} wait for each other`

interface Editions {
  readonly working: Intent
  readonly released: Intent
}

/** Live ones that can only be deployed together with it; empty where it waits for nobody, or they can go first. */
export const ringOfDeploys = (domain_id: number, { working, released }: Editions): readonly IntentRow[] =>
  ringThrough(domain_id, { wanted: working.rows.filter(isLive), had: released.rows.filter(isLive) })

const isLive = ({ live }: IntentRow): boolean => live

/** Those that can only be saved as they are released together with it. */
export const ringOfDiscards = (domain_id: number, { working, released }: Editions): readonly IntentRow[] =>
  ringThrough(domain_id, { wanted: released.rows, had: working.rows })

/** As `assertReleasable`, with a way that works also where records wait for each other. */
export function assertReleasableNow(editions: Editions, rows: readonly ReleaseRow[], doors: Doors): void {
  try {
    assertReleasable(editions.released, rows, doors)
  } catch (error) {
    throw withWay(error, editions)
  }
}

/** The refusal with a way that works: where they wait for each other, none of them can be deployed first. */
function withWay(error: unknown, editions: Editions): unknown {
  if (!(error instanceof StillDeployed)) return error
  const { why, holder_id, wanting_id } = error.refused
  const ring = ringOfDeploys(wanting_id, editions)
  if (!ring.some(({ domain_id }) => domain_id === holder_id)) return error
  return new Failure(
    'conflict',
    `${why}, and ${waitingWords(ring)}. ${deployedTogether(ring)}`,
    error.details,
  )
}

/** What deploys all of them at once: also where nobody wants to deploy what else waits. */
export const deployedTogether = (ring: readonly IntentRow[]): string =>
  `Deploy them together: "plumbline plan${namesIn(ring)}" plans that (POST /api/plans with their ids), ` +
  'and "plumbline deploy --all" deploys them with everything that waits (POST /api/deploy-all).'

/** @param rows as they are saved, which is how commands name them */
export const discardedTogether = (rows: readonly IntentRow[]): string =>
  `Discard them together: "plumbline discard${namesIn(rows)}" (POST /api/domains/changes with their ids).`

const namesIn = (rows: readonly IntentRow[]): string =>
  rows.map(({ fields }) => ` ${shellWord(fields.domain)}`).join('')

function idsIn(rows: readonly IntentRow[]): string {
  const ids = rows.map(({ domain_id }) => String(domain_id))
  return ids.length > MAX_IDS ? firstNames(ids, MAX_IDS) : `${ids.slice(0, -1).join(', ')} and ${ids.at(-1)}`
}

const MAX_IDS = 20
