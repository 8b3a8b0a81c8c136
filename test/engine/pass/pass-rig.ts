/** Passes over one key alone: on a real store, over a world of several items that misbehaves on command. */
import { Editions } from '../../../src/engine/editions/editions.ts'
import { Memory } from '../../../src/engine/memory.ts'
import { ObservationOrder } from '../../../src/engine/observation.ts'
import { pass, type PassAsk } from '../../../src/engine/pass/pass.ts'
import type { PassParts } from '../../../src/engine/pass/pass-parts.ts'
import { RefusedItems } from '../../../src/engine/pass/refused-items.ts'
import type { AnyTarget, ApplyContext, Observation, Repair } from '../../../src/engine/target.ts'
import type { Facts, Log } from '../../../src/kernel/log.ts'
import type { Mode } from '../../../src/model/mode.ts'
import type { Report } from '../../../src/model/report.ts'
import type { Store } from '../../../src/ports/store.ts'
import { handClock, type HandClock } from '../../fakes/hand-clock.ts'
import { differencesOf, type Items, itemTarget } from '../item-target.ts'
import { wholeWorld } from '../whole-world.ts'

type Told = [words: string, facts: Facts | undefined]

export interface PassRig {
  readonly target: AnyTarget
  readonly parts: PassParts
  readonly clock: HandClock
  /** What stands there; null where it cannot be read. A stranger writes it as we do. */
  there: Items | null
  /** Told of each look, before what is there is read. */
  onLook: (nth: number) => void | Promise<void>
  /** What becomes of the next write. Left as it is: all of it is done. */
  onApply: (keys: readonly string[], context: ApplyContext) => readonly Repair[] | Promise<readonly Repair[]>
  looks: number
  /** Keys of what was written, and what the target was handed for it. */
  readonly writes: { keys: readonly string[]; context: ApplyContext }[]
  readonly logged: Told[]
  readonly measured: unknown[][]
  /** Answers its number. */
  release(desired: Items): Promise<number>
  /** The reconciler's own, where nothing else is said. */
  pass(ask?: Partial<PassAsk>): Promise<Report>
  setMode(mode: Mode): void
}

export interface PassRigOptions {
  readonly mode?: Mode
  readonly target?: Partial<AnyTarget>
  readonly parts?: Partial<PassParts>
}

let keys = 0

/** A key that nothing was done at yet. */
export function passRig(store: Store, options: PassRigOptions = {}): PassRig {
  const hand = handClock()
  // The wall-clock side counts whole milliseconds, as that of the machine does.
  const clock: HandClock = { ...hand, now: () => Math.floor(hand.now()) }
  const key = `fake:${++keys}`
  const [logged, measured]: [Told[], unknown[][]] = [[], []]
  const say = (words: string, facts?: Facts) => void logged.push([words, facts])
  const log: Log = { debug: say, info: say, warn: say, error: say }
  const measure = (...figure: unknown[]) => void measured.push(figure)
  const parts: PassParts = {
    store,
    editions: new Editions(store),
    memory: new Memory(store, clock, options.mode ?? 'repair'),
    looks: new ObservationOrder(),
    refused_items: new RefusedItems(),
    world: wholeWorld(store),
    clock,
    log,
    metrics: { count: measure, gauge: measure, forget: measure, observe: measure },
    random: () => 0.5,
    ...options.parts,
  }
  const target = itemTarget({
    key,
    artifact: key,
    observe: async (): Promise<Observation<Items>> => {
      await rig.onLook(++rig.looks)
      const at = clock.now()
      return rig.there === null
        ? { known: false, reason: 'unreachable', detail: 'nobody answers', at, retry_after_ms: 7_000 }
        : { known: true, state: rig.there, digest: JSON.stringify(rig.there), at }
    },
    apply: async (differences, desired, context) => {
      const written = differences.map((one) => one.key)
      rig.writes.push({ keys: written, context })
      const repairs = await rig.onApply(written, context)
      for (const repair of repairs)
        if (repair.ok) rig.there = { ...rig.there, [repair.key]: (desired as Items)[repair.key]! }
      return repairs
    },
    explain: ({ released, observed }) => ({
      differences: differencesOf(released as Items, observed as Items).map(({ item }) => ({
        item,
        cause: 'edited',
        domains: [],
        detail: 'by hand',
      })),
      unified_diff: null,
      note: null,
    }),
    ...options.target,
  })
  const rig: PassRig = {
    target,
    parts,
    clock,
    there: {},
    onLook: () => undefined,
    onApply: (written) => written.map(done),
    looks: 0,
    writes: [],
    logged,
    measured,
    release: async (desired) => {
      const { number } = await store.write((tx) =>
        tx.addRelease({
          created_at: clock.now(),
          actor: 'test',
          request_id: '',
          reason: 'test',
          plan_hash: null,
          warnings: [],
          rows: [],
          artifacts: { [target.artifact]: target.codec.freeze(desired) },
        }),
      )
      return number
    },
    pass: (ask) => pass(target, parts, { asked_for: null, signal: AbortSignal.timeout(60_000), ...ask }),
    setMode: (mode) =>
      parts.memory.adoptMode({ scope: 'fake', mode, reason: 'holidays', actor: 'alice', expires_at: null }),
  }
  return rig
}

export const done = (key: string): Repair => ({ key, ok: true })

/** Brings its world to these: what was released there, and is known as such. Nothing of it is told any more. */
export async function settle(rig: PassRig, wanted: Items): Promise<PassRig> {
  await rig.release(wanted)
  await rig.pass({ asked_for: 'all' })
  for (const told of [rig.writes, rig.logged, rig.measured]) told.splice(0)
  rig.looks = 0
  return rig
}
