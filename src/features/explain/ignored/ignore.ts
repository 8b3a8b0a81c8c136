/** Lets a difference stay for a while, and ends that. */
import { type PlannedAnswer, planned } from '../../../core/answers.ts'
import { OF_NO_RECORD } from '../../../core/audit/facts.ts'
import type { Caller } from '../../../core/caller.ts'
import { type Change, ONLY_SAVES } from '../../../core/commit/change.ts'
import { commit } from '../../../core/commit/commit.ts'
import { MAX_REASON } from '../../../core/modes/read.ts'
import type { CoreParts } from '../../../core/parts.ts'
import { type IgnoredDifference, seenOf } from '../../../engine/pass/ignored.ts'
import type { Ignorable } from '../../../engine/status/observer.ts'
import { type Instant, isoTime, type Milliseconds } from '../../../kernel/clock.ts'
import { Failure, fieldError, invalid } from '../../../kernel/failure.ts'
import { AWAITS_DEPLOY } from '../../../model/drift.ts'
import { textFault } from '../../../model/text/text.ts'
import type { StoreWriter } from '../../../ports/store.ts'
import { ignoredRecords } from '../records.ts'
import type { IgnoredRegistry } from './registry.ts'

/** What is forgotten must end within a season. */
const MAX_MS: Milliseconds = 90 * 24 * 3_600_000

export interface IgnoreDeps extends CoreParts {
  readonly ignored: IgnoredRegistry
}

export interface IgnoreRequest {
  readonly item: string
  readonly reason: string
  readonly until: Instant
}

/** Throws `validation_failed`, `not_found` where nothing differs under that name, and `conflict` for what may not stay. */
export async function ignoreDifference(deps: IgnoreDeps, request: IgnoreRequest, caller: Caller) {
  const created_at = deps.clock.now()
  assertAllowed(request, created_at)
  const found = await foundFor(deps, request.item, caller.signal)
  const rows = rowsOf(found, request, { actor: caller.actor.name, created_at })
  const message = stayWords(found, request)
  const committed = await commit(deps, caller, async (tx, at) => {
    for (const row of rows) await tx.of(ignoredRecords).saveIgnored(row)
    const { items, target } = found
    const { reason, until } = request
    const detail = { items, component: target.name, key: target.key, reason, until: isoTime(until) }
    return noted(tx, { action: 'ignore', message, detail }, { at, actor: caller.actor.name })
  })
  if (committed.planned) return planned(committed.plan)
  deps.ignored.adopt(rows)
  deps.events.added()
  return { success: true as const, message, warnings: committed.warnings, ignored: rows.map(shown) }
}

function assertAllowed({ reason, until }: IgnoreRequest, now: Instant): void {
  const fault = reason.trim() === '' ? 'is required: say why it may stay' : textFault(reason, MAX_REASON)
  if (fault !== null) throw invalid([fieldError(['body', 'reason'], fault, 'text')])
  if (until <= now) throw invalid([fieldError(['body', 'until'], 'must be in the future', 'expiry')])
  if (until - now > MAX_MS)
    throw invalid([
      fieldError(['body', 'until'], 'must be within 90 days; ignore it again then if need be', 'expiry'),
    ])
}

interface IgnorablePart extends Ignorable {
  readonly part: NonNullable<Ignorable['part']>
}

async function foundFor({ engine }: IgnoreDeps, item: string, signal: AbortSignal): Promise<IgnorablePart> {
  const found = await engine.ignorable(item, signal)
  if (found === null)
    throw new Failure('not_found', `Nothing that is kept true differs under the name ${item}.`)
  const { part } = found
  const why_not = whyNot(found)
  if (why_not !== null || part === null) throw new Failure('conflict', why_not ?? NOT_REPAIRED)
  return { ...found, part }
}

const rowsOf = (
  { target, items, part }: IgnorablePart,
  { reason, until }: IgnoreRequest,
  { actor, created_at }: Pick<IgnoredDifference, 'actor' | 'created_at'>,
): readonly IgnoredDifference[] =>
  items.map((item) => ({
    item,
    key: target.key,
    part: part.key,
    component: target.name,
    seen: seenOf(part),
    reason,
    actor,
    created_at,
    until,
  }))

function stayWords({ items, target }: IgnorablePart, { until }: IgnoreRequest): string {
  const words = target.whole ? ` ${wholeWords(target.name)}` : ''
  return `${items.join(', ')} may stay as it is until ${isoTime(until)}.${words}`
}

interface Noted {
  readonly action: 'ignore' | 'ignore_end'
  readonly message: string
  readonly detail: Readonly<Record<string, unknown>>
}

/** The event, and the entry of the trail. */
async function noted(
  tx: StoreWriter,
  { action, message, detail }: Noted,
  { at, actor }: { readonly at: Instant; readonly actor: string },
): Promise<Change<null>> {
  const facts = { ...detail, until: detail['until'] ?? null, actor }
  await tx.addEvent({ at, kind: 'ignored', message, facts })
  // Without its end: that is said as so long from now, and is another one with every call.
  const does = { action, items: detail['items'], reason: detail['reason'] ?? null }
  return { result: null, audit: [{ ...OF_NO_RECORD, action, detail }], ...ONLY_SAVES, does, warnings: [] }
}

/** Of a component that is one file: whoever names one item hears that it is not alone. */
const wholeWords = (component: string): string =>
  `${component} is written as a whole: ALL hand edits of it stay, also those that another name bears.`

/** A door that stands open is never ignored, nor is what nobody would repair. */
function whyNot({ target, opens, cause, part }: Ignorable): string | null {
  if (AWAITS_DEPLOY.has(cause)) return 'It only waits for a deploy: deploy it, or give up what is saved.'
  if (target.may_be_ignored !== true)
    return `What differs in ${target.name} decides who gets in, or whether anybody does: it is not ignored.`
  if (opens)
    return 'What stands there lets in somebody whom the released state keeps out: a protected route that is open is never ignored.'
  return part === null ? NOT_REPAIRED : null
}

const NOT_REPAIRED = 'Nothing would be repaired there: what stands in the way is for a person to move.'

export const shown = ({ item, component, key, reason, actor, created_at, until }: IgnoredDifference) => ({
  item,
  component,
  key,
  reason,
  actor,
  since: isoTime(created_at),
  until: isoTime(until),
})

type EndAnswer =
  | { readonly success: true; readonly message: string; readonly warnings: readonly string[] }
  | PlannedAnswer

/** Throws `not_found`. In a file that is written as a whole, all that stays with it ends, too. */
export async function endIgnored(deps: IgnoreDeps, item: string, caller: Caller): Promise<EndAnswer> {
  const one = deps.ignored.all.find((row) => row.item === item)
  if (one === undefined) throw new Failure('not_found', `No difference ${item} is ignored.`)
  const rows = deps.ignored.of(one.key).filter(({ part }) => part === one.part)
  const items = rows.map((row) => row.item)
  const message = `${items.join(', ')} is ignored no more.`
  const committed = await commit(deps, caller, async (tx, at) => {
    for (const row of rows) await tx.of(ignoredRecords).dropIgnored(row.key, row.item)
    const detail = { items, component: one.component, key: one.key }
    return noted(tx, { action: 'ignore_end', message, detail }, { at, actor: caller.actor.name })
  })
  if (committed.planned) return planned(committed.plan)
  deps.ignored.drop(rows)
  deps.events.added()
  return { success: true, message, warnings: committed.warnings }
}
