/** What the engine must remember between passes and over restarts: what it applied, how often it failed, how far it may go. */
import { asSentence } from '../kernel/text/sentence.ts'
import type { Clock, Instant } from '../kernel/clock.ts'
import { type Mode, moreCareful } from '../model/mode.ts'
import { COMPONENTS } from '../model/component.ts'
import type { Applied, Attempt, ModeSetting, Store } from '../ports/store.ts'
import type { AnyTarget } from './target.ts'

/** Stands for the fingerprint where nothing was to stand: whatever is there is not ours by that. */
export const VACANT = 'nothing of ours'

/** Who says what PLUMBLINE_MODE says. */
const OF_SETTINGS = 'settings'

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

  /** The most careful of the installation's mode and the component's; a suspension that has expired counts no more. */
  modeOf(component: string): ModeSetting {
    return this.#inForce(component, this.#clock.now(), this.#modes)
  }

  /** What holds for its scope once a setting has ended: what stood before it, and what is set for everything. */
  modeAfter(setting: ModeSetting): ModeSetting {
    const others = this.#modes.filter((one) => one.scope !== setting.scope)
    const { scope, expires_at } = setting
    return this.#inForce(scope, expires_at ?? this.#clock.now(), [...others, setting])
  }

  #inForce(component: string, now: Instant, modes: readonly ModeSetting[]): ModeSetting {
    const inForce = modes
      .filter(({ scope }) => scope === '*' || scope === component)
      .map((setting) => settingAt(setting, now))
      .filter((setting) => !isOver(setting, now))
    const base: ModeSetting = {
      scope: '*',
      mode: this.#installation,
      reason: 'PLUMBLINE_MODE',
      actor: OF_SETTINGS,
      expires_at: null,
    }
    return inForce.reduce((a, b) => (moreCareful(a.mode, b.mode) === a.mode ? a : b), base)
  }

  /** For a setting that is saved and durable: one that was rolled back must never be in force. */
  adoptMode(setting: ModeSetting): void {
    this.#modes = [...this.#modes.filter((old) => old.scope !== setting.scope), setting]
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

export const isOver = ({ expires_at }: ModeSetting, now: Instant): boolean =>
  expires_at !== null && expires_at <= now

/** What holds of a setting now: one that has ended has given way to what stood before it. */
export function settingAt(setting: ModeSetting, now: Instant): ModeSetting {
  const { scope, standing } = setting
  return standing !== undefined && isOver(setting, now) ? { scope, ...standing, expires_at: null } : setting
}

/** No call ends it. */
export const isOfSettings = ({ actor }: ModeSetting): boolean => actor === OF_SETTINGS

/** The most careful of all settings goes before; each is lifted where it was made. */
export function liftedBy(setting: ModeSetting): string {
  if (isOfSettings(setting))
    return 'PLUMBLINE_MODE says so. Set it to repair and start the daemon again to lift that.'
  const { scope, reason, standing } = setting
  const words = standing !== undefined && standing.mode !== 'repair' ? 'resume' : 'set repair'
  return `${asSentence(reason)} "plumbline mode ${words}${scope === '*' ? '' : ` ${scope}`}" lifts that.`.trimStart()
}
