/** The ends of modes by time: each is told once, also one that came while no process ran, and what stood below stands again. */
import type { CoreParts } from '../../../core/parts.ts'
import { endsUntil, type ModeEnd } from '../../../engine/status/mode-setting.ts'
import { DueLoop, type LeftUntilDue } from '../../../kernel/async/due-loop.ts'
import type { Instant } from '../../../kernel/clock.ts'
import { isoTime, isoTimeOrNull } from '../../../kernel/clock.ts'
import type { Log } from '../../../kernel/log.ts'
import type { ModeSetting, StoreWriter } from '../../../ports/store.ts'
import { INSTALLATION } from '../../../core/modes/read.ts'
import { standsNow } from './words.ts'

type EndParts = Pick<CoreParts, 'store' | 'engine' | 'events' | 'clock'> & { readonly log: Log }

export class ModeEnds {
  readonly #parts: EndParts
  readonly #loop: DueLoop
  #next_at: Instant = Infinity

  constructor(parts: EndParts) {
    this.#parts = parts
    this.#loop = new DueLoop({ ...parts, what: 'ends of modes', look: () => this.#look() })
  }

  start(): void {
    this.#loop.start()
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  /** There are others than before. */
  changed(): void {
    this.#loop.changed()
  }

  /** Something was looked at: if an end has come meanwhile, as on a clock that was set, it is told now. */
  noticed(): void {
    if (this.#next_at <= this.#parts.clock.now()) this.#loop.changed()
  }

  async #look(): Promise<LeftUntilDue> {
    const { store, engine, events, clock } = this.#parts
    const settings = await store.modes()
    const due = settings.filter((setting) => endsUntil(setting, clock.now()).length > 0)
    for (const { scope } of due) {
      const after = await store.write((tx) => tellEnds(tx, engine, { scope, at: clock.now() }))
      if (after !== null) engine.adoptMode(after)
    }
    if (due.length > 0) events.added()
    const left = due.length > 0 ? await store.modes() : settings
    this.#next_at = Math.min(Infinity, ...left.map(nextEnd))
    return this.#next_at === Infinity ? null : this.#next_at - clock.now()
  }
}

const nextEnd = ({ end_reported, expires_at }: ModeSetting): Instant =>
  end_reported === true || expires_at === null ? Infinity : expires_at

/** Within a transaction. Answers what is saved then; null where no end has come. */
export async function tellEnds(
  tx: StoreWriter,
  engine: Pick<CoreParts['engine'], 'modeAfter'>,
  { scope, at }: { readonly scope: string; readonly at: Instant },
): Promise<ModeSetting | null> {
  const setting = (await tx.modes()).find((one) => one.scope === scope)
  const ends = setting === undefined ? [] : endsUntil(setting, at)
  const last = ends.at(-1)
  if (last === undefined) return null
  for (const end of ends) await tellEnd(tx, engine, { end, at })
  const after: ModeSetting = last.next ?? { ...last.ended, end_reported: true }
  await tx.saveMode(after)
  return after
}

async function tellEnd(
  tx: StoreWriter,
  engine: Pick<CoreParts['engine'], 'modeAfter'>,
  { end, at }: { readonly end: ModeEnd; readonly at: Instant },
): Promise<void> {
  const { ended } = end
  const { scope } = ended
  const stands = engine.modeAfter(ended)
  const of = scope === INSTALLATION ? 'the installation' : scope
  const message = `The mode ${ended.mode} of ${of} ended at its time, ${isoTime(end.at)}. ${standsNow(scope, stands)}`
  const { mode, reason, actor, expires_at } = stands
  const until = isoTimeOrNull(expires_at)
  const facts = { scope, ended: ended.mode, mode, reason, expires_at: until, actor }
  await tx.addEvent({ at, kind: 'mode', message, facts })
}
