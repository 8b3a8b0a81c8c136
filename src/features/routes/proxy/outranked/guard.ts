/**
 * A guard over what a change newly puts before routers of others: where one of these protects something, the change needs the
 * plan's hash. What was released with the same host at the same place does not ask again, as long as it takes no more than
 * it did and loses nothing that stood in front of it: what covered the other's protection must not go away unasked.
 *
 * The proxy is looked at outside the transaction, so a change that turns out to serve something new is taken back, the proxy
 * is looked at, and the change is made once more.
 */
import { digestOf } from '../../../../kernel/digest.ts'
import { firstOf } from '../../../../kernel/async/first-of.ts'
import { Failure } from '../../../../kernel/failure.ts'
import type { Instant } from '../../../../kernel/clock.ts'
import type { Intent } from '../../../../model/intent.ts'
import { isProtected } from '../../../../model/access/applies.ts'
import type { GuardHit, Plan } from '../../../../model/plan.ts'
import type { ReleaseRow } from '../../../../ports/store.ts'
import { TakenBack } from '../../../../operations/change-intent.ts'
import type { Deps } from '../../../../operations/deps.ts'
import type { ReplacedRouter } from '../../../import/replaced.ts'
import type { Door } from '../desk.ts'
import { type NewDoor, outrankedBy } from './find.ts'
import { lockFinder } from './locks.ts'

/** Of a change: what it moves, and which routers it stands for. */
export interface Moving {
  readonly release: readonly ReleaseRow[] | null
  readonly replaces?: readonly ReplacedRouter[] | undefined
}

/** What was found of some doors. */
export interface Outranking {
  readonly guards: readonly GuardHit[]
  readonly warnings: readonly string[]
  /** What a confirmation rests on, beside the world that the targets look at. */
  readonly inputs: Plan['inputs']
}

const NOTHING: Outranking = { guards: [], warnings: [], inputs: [] }

/** What a plan says of it. */
export async function outranking(deps: Deps, moving: Moving, signal: AbortSignal): Promise<Outranking> {
  const doors = newDoors(deps, await deps.store.intent('released'), moving)
  return examine(deps, doors, moving, signal)
}

/** Thrown inside a transaction that would open doors which nobody has looked at. */
class Unexamined extends TakenBack {
  readonly doors: readonly NewDoor[]
  readonly moving: Moving

  constructor(doors: readonly NewDoor[], moving: Moving) {
    super('unexamined')
    this.doors = doors
    this.moving = moving
  }
}

/** Says of a change inside its transaction what it newly outranks. */
export type Examined = (released: Intent, moving: Moving) => Outranking

/** Somebody saves other records in between: so often is it looked at again. */
const MAX_LOOKS = 5

/** Whoever confirmed has read what the plan says: throws `conflict` where other routers would lose by now. */
export function assertShown(plan: Plan, inputs: Outranking['inputs']): void {
  const shown = new Set(plan.inputs.map(({ component, key, digest }) => digestOf([component, key, digest])))
  if (inputs.every(({ component, key, digest }) => shown.has(digestOf([component, key, digest])))) return
  throw new Failure(
    'conflict',
    'It would be asked before other routers of others than the plan shows. Plan again.',
  )
}

/** Runs what makes the change, again after each look at the proxy that turned out to be needed. */
export async function examined<T>(
  deps: Deps,
  signal: AbortSignal,
  run: (examined: Examined) => Promise<T>,
): Promise<T> {
  let seen: { readonly doors: ReadonlySet<string>; readonly outranking: Outranking } = {
    doors: new Set(),
    outranking: NOTHING,
  }
  for (let looks = 0; ; looks++)
    try {
      return await run((released, moving) => {
        const doors = newDoors(deps, released, moving)
        if (doors.some((door) => !seen.doors.has(digestOf(door)))) throw new Unexamined(doors, moving)
        return seen.outranking
      })
    } catch (error) {
      if (!(error instanceof Unexamined) || looks >= MAX_LOOKS) throw error
      const { doors, moving } = error
      seen = {
        doors: new Set(doors.map((door) => digestOf(door))),
        outranking: await examine(deps, doors, moving, signal),
      }
    }
}

/** None where the proxy cannot be asked at all. */
function newDoors({ proxy }: Pick<Deps, 'proxy'>, released: Intent, { release }: Moving): readonly NewDoor[] {
  if (proxy.watch === null || release === null) return []
  const domains = new Set(release.flatMap(({ row }) => row?.fields.domain ?? []))
  const locksOf = lockFinder(proxy)
  const before = new Map(
    released.rows.flatMap((row) =>
      domains.has(row.fields.domain)
        ? proxy.doorsOf(row).map((door) => [placeOf(row.fields.domain, door), { door, row }] as const)
        : [],
    ),
  )
  return release.flatMap(({ row }) => {
    if (row === null) return []
    const { fields } = row
    return proxy.doorsOf(row).flatMap((door): readonly NewDoor[] => {
      const was = before.get(placeOf(fields.domain, door))
      const at = { domain: fields.domain, door, signs_in: isProtected(fields) }
      if (was === undefined) return [{ ...at, before: null }]
      const kept = locksOf(fields, door)
      const loses = [...locksOf(was.row.fields, was.door)].filter((lock) => !kept.has(lock))
      if (loses.length === 0 && was.door.priority >= door.priority) return []
      return [{ ...at, before: { door: was.door, loses } }]
    })
  })
}

const placeOf = (domain: string, { kind, entrypoint, tls }: Door): string =>
  JSON.stringify([domain, kind, entrypoint, tls])

async function examine(
  deps: Deps,
  doors: readonly NewDoor[],
  { replaces = [] }: Moving,
  signal: AbortSignal,
): Promise<Outranking> {
  const watch = deps.proxy.watch
  if (watch === null || doors.length === 0) return NOTHING
  const sight = await watch.look(signal)
  if (!sight.known)
    return {
      ...NOTHING,
      warnings: [`Which routers of others this would be asked before is not known: ${sight.detail}`],
    }
  const found = await outrankedBy(doors, sight.snapshot, { desk: deps.proxy, replaced: replaces })
  const texts = (is_protected: boolean): readonly string[] =>
    found.flatMap((one) => (one.is_protected === is_protected ? [one.text] : []))
  const [locked, others] = [texts(true), texts(false)]
  return {
    warnings: firstOf(others),
    ...(locked.length === 0 ? { guards: [], inputs: [] } : refused(locked, sight.at)),
  }
}

const REMEDY =
  'Give such a router a higher priority than ours, or take what it protects into a host of its own.'

const refused = (locked: readonly string[], observed_at: Instant): Pick<Outranking, 'guards' | 'inputs'> => ({
  guards: [
    {
      rule: 'outranks_protection',
      message: `${firstOf(locked).join(' ')} ${REMEDY}`,
      confirmable: true,
    },
  ],
  // Whoever confirms has read these routers, and no others.
  inputs: [{ component: 'proxy', key: 'outranked', digest: digestOf(locked), detail: null, observed_at }],
})
