/** What the engine must remember between passes and over restarts: what it applied, how often it failed, how far it may go. */
import { type Clock, type Instant, isFromAhead } from '../kernel/clock.ts'
import type { Mode } from '../model/mode.ts'
import { COMPONENTS } from '../model/component.ts'
import type { Applied, Attempt, ModeSetting, Store } from '../ports/store.ts'
import { inForce, isOver, settingAt, settingsMode } from './status/mode-setting.ts'
import type { AnyTarget } from './target.ts'

/** Stands for the fingerprint where nothing was to stand: whatever is there is not ours by that. */
export const VACANT = 'nothing of ours'

export class Memory {
  readonly #store: Store
  readonly #clock: Clock
  readonly #installation: Mode
  readonly #applied = new Map<string, Applied>()
  readonly #attempts = new Map<string, Attempt>()
  #modes: readonly ModeSetting[] = []

  /** @param installation the mode from the settings; a stored one can only be more careful. */
  constructor(store: Store, clock: Clock, installation: Mode) {
    this.#store = store
    this.#clock = clock
    this.#installation = installation
  }

  async load(): Promise<void> {
    for (const applied of await this.#store.applied()) this.#applied.set(applied.key, applied)
    for (const attempt of await this.#store.attempts()) this.#attempts.set(attempt.key, attempt)
    this.#modes = await this.#store.modes()
  }

  /** What we last put where the target stands now; null for what stands elsewhere. */
  applied({ key, place }: Pick<AnyTarget, 'key' | 'place'>): Applied | null {
    const applied = this.#applied.get(key)
    return applied !== undefined && (applied.place === '' || applied.place === place) ? applied : null
  }

  /** The same where something of ours was put there; null where all that was applied is that nothing is to stand there. */
  written(target: Pick<AnyTarget, 'key' | 'place'>): Applied | null {
    const applied = this.applied(target)
    return applied?.observed === VACANT ? null : applied
  }

  /** At any place. */
  wasEverWritten(key: string): boolean {
    const applied = this.#applied.get(key)
    return applied !== undefined && applied.observed !== VACANT
  }

  /** Components of which something was written once, at any place, and that are none of these. */
  writtenBut(here: readonly string[]): readonly string[] {
    const written = [...this.#applied.keys()].filter((key) => this.wasEverWritten(key))
    const components = new Set(written.map((key) => key.split(':')[0]))
    return COMPONENTS.filter((component) => components.has(component) && !here.includes(component))
  }

  attempt(key: string): Attempt | null {
    return this.#attempts.get(key) ?? null
  }

  /** When a key that failed is worked on again; null where nothing failed, and where that lies ahead of the clock. */
  waitsUntil(key: string): Instant | null {
    const attempt = this.attempt(key)
    return attempt === null || isFromAhead(attempt.failed_at, this.#clock.now())
      ? null
      : attempt.next_attempt_at
  }

  /** The most careful of the installation's mode and the component's; one that has ended counts no more. */
  modeOf(component: string): ModeSetting {
    return this.#inForce(component, this.#clock.now(), this.#modes)
  }

  /** The same as it would be with this setting in the place of what is set for its scope. */
  modeWith(setting: ModeSetting, component: string): ModeSetting {
    return this.#inForce(component, this.#clock.now(), [...this.#others(setting), setting])
  }

  /** What holds for its scope once a setting has ended: what stood below it, and what is set for everything. */
  modeAfter(setting: ModeSetting): ModeSetting {
    const { scope, expires_at } = setting
    return this.#inForce(scope, expires_at ?? this.#clock.now(), [...this.#others(setting), setting])
  }

  readonly #others = ({ scope }: ModeSetting): readonly ModeSetting[] =>
    this.#modes.filter((one) => one.scope !== scope)

  #inForce(component: string, now: Instant, modes: readonly ModeSetting[]): ModeSetting {
    return modes
      .filter(({ scope }) => scope === '*' || scope === component)
      .map((setting) => settingAt(setting, now))
      .filter((setting) => !isOver(setting, now))
      .reduce(inForce, settingsMode(this.#installation))
  }

  /** For a setting that is saved and durable: one that was rolled back must never be in force. */
  adoptMode(setting: ModeSetting): void {
    this.#modes = [...this.#others(setting), setting]
  }

  /** For what is saved and durable: a record that was rolled back would be gone after a restart, and our file foreign. */
  adoptApplied(applied: Applied): void {
    this.#applied.set(applied.key, applied)
  }

  /** Keeps the failure even when the store cannot: a full disk must not turn into a busy loop. */
  async keepAttempt(attempt: Attempt): Promise<void> {
    this.#attempts.set(attempt.key, attempt)
    await this.#store.write((tx) => tx.saveAttempt(attempt))
  }

  async clearAttempt(key: string): Promise<void> {
    if (!this.#attempts.delete(key)) return
    await this.#store.write((tx) => tx.clearAttempt(key))
  }
}
