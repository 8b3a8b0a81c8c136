/**
 * A guard over what a change newly puts before routers of others: where one of these protects something, the change needs the
 * plan's hash. What was released with the same host at the same place does not ask again, as long as it takes no more than
 * it did and loses nothing that stood in front of it: what covered the other's protection must not go away unasked.
 */
import type { Examined, Examiner, Moving } from '../../../../core/commit/hooks.ts'
import { firstOf } from '../../../../kernel/async/first-of.ts'
import type { Instant } from '../../../../kernel/clock.ts'
import { digestOf } from '../../../../kernel/digest.ts'
import { isProtected } from '../../../../model/access/applies.ts'
import type { DomainFields } from '../../../../model/domain/record.ts'
import type { Intent, IntentRow } from '../../../../model/intent.ts'
import type { Door } from '../../render/doors.ts'
import type { RoutingService } from '../service.ts'
import { type NewDoor, outrankedBy } from './find.ts'
import { protects } from './protection.ts'

const NOTHING: Examined = { guards: [], warnings: [], inputs: [] }

export const outrankedExaminer = (proxy: RoutingService): Examiner<NewDoor> => ({
  concerns: (released, moving) => newDoors(proxy, released, moving),
  look: (doors, moving, signal) => examine(proxy, doors, { moving, signal }),
  moved_on: 'It would be asked before other routers of others than the plan shows.',
})

/** None where the proxy cannot be asked at all. */
function newDoors(proxy: RoutingService, released: Intent, { release }: Moving): readonly NewDoor[] {
  if (proxy.watch === null || release === null) return []
  const rows = release.flatMap(({ row }) => row ?? [])
  const locksOf = lockFinder(proxy)
  const before = doorsBefore(proxy, released, new Set(rows.map(({ fields }) => fields.domain)))
  return rows.flatMap((row) =>
    proxy.doorsOf(row).flatMap((door): readonly NewDoor[] => {
      const { fields } = row
      const was = before.get(placeOf(fields.domain, door))
      const at = { domain: fields.domain, door, signs_in: isProtected(fields) }
      if (was === undefined) return [{ ...at, before: null }]
      const kept = locksOf(fields, door)
      const loses = [...locksOf(was.row.fields, was.door)].filter((lock) => !kept.has(lock))
      if (loses.length === 0 && was.door.priority >= door.priority) return []
      return [{ ...at, before: { door: was.door, loses } }]
    }),
  )
}

/** By their place. */
const doorsBefore = (
  proxy: RoutingService,
  released: Intent,
  domains: ReadonlySet<string>,
): ReadonlyMap<string, { readonly door: Door; readonly row: IntentRow }> =>
  new Map(
    released.rows.flatMap((row) =>
      domains.has(row.fields.domain)
        ? proxy.doorsOf(row).map((door) => [placeOf(row.fields.domain, door), { door, row }] as const)
        : [],
    ),
  )

const placeOf = (domain: string, { kind, entrypoint, tls }: Door): string =>
  JSON.stringify([domain, kind, entrypoint, tls])

async function examine(
  proxy: RoutingService,
  doors: readonly NewDoor[],
  { moving: { replaces = [] }, signal }: { readonly moving: Moving; readonly signal: AbortSignal },
): Promise<Examined> {
  const { watch } = proxy
  if (watch === null || doors.length === 0) return NOTHING
  const observation = await watch.insist(signal)
  if (!observation.known)
    return {
      ...NOTHING,
      warnings: [`Which routers of others this would be asked before is not known: ${observation.detail}`],
    }
  const found = await outrankedBy(doors, observation.snapshot, { service: proxy, replaced: replaces })
  const texts = (is_protected: boolean): readonly string[] =>
    found.flatMap((one) => (one.is_protected === is_protected ? [one.text] : []))
  const [locked, others] = [texts(true), texts(false)]
  return {
    warnings: firstOf(others),
    ...(locked.length === 0 ? { guards: [], inputs: [] } : refused(locked, observation.at)),
  }
}

const REMEDY =
  'Give such a router a higher priority than ours, or take what it protects into a host of its own.'

const refused = (locked: readonly string[], observed_at: Instant): Pick<Examined, 'guards' | 'inputs'> => ({
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

// What of ours stands in front of a record at a door, in words. Pure.

/** Two that are alike in words keep out the same people. */
function lockFinder({
  catalogue,
}: Pick<RoutingService, 'catalogue'>): (fields: DomainFields, door: Door) => ReadonlySet<string> {
  const types = new Map(catalogue.map(({ name, type }) => [name, type]))
  const isLock = (name: string): boolean => protects({ type: types.get(name) ?? null })
  return (fields, door) =>
    new Set([
      ...(isProtected(fields) ? ['its sign-in'] : []),
      ...(fields.service_type === 'internal' ? ['its list of private networks'] : []),
      ...(door.redirects ? ['its redirect to https'] : []),
      ...fields.middleware_config.extra_middlewares.filter(isLock).map((name) => `its middleware ${name}`),
    ])
}
