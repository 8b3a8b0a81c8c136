/**
 * Named places where a run can be made to go wrong: the calls that cross a port, before, inside and after.
 *
 * A name is `step/port.call#n:phase`. The number counts the calls of that kind within the step, so a tick more or less
 * in one step shifts no name of another.
 */

export const DEEDS = ['kill', 'hang', 'refuse', 'break', 'terminate'] as const
/**
 * kill: SIGKILL to the own process, before anything else runs. hang: never goes on. refuse: an expected failure.
 * break: an error that nobody expects. terminate: SIGTERM amid a burst of calls, and on it goes.
 */
export type Deed = (typeof DEEDS)[number]

export interface Fault {
  readonly point: string
  readonly deed: Deed
}

export type Phase = 'before' | 'inside' | 'after'

/** One call on its way through its phases. */
export type Crossing = (phase: Phase) => Promise<void>

export class Failpoints {
  readonly #meet: (point: string) => Promise<void>
  readonly #counts = new Map<string, number>()
  readonly reached: string[] = []
  #step = 'start'

  /** @param meet what happens at a point; it may reject, or never settle. */
  constructor(meet: (point: string) => Promise<void> = async () => undefined) {
    this.#meet = meet
  }

  get step(): string {
    return this.#step
  }

  begin(step: string): void {
    this.#step = step
    this.#counts.clear()
  }

  cross(call: string): Crossing {
    const count = (this.#counts.get(call) ?? 0) + 1
    this.#counts.set(call, count)
    const name = `${this.#step}/${call}#${count}`
    return (phase) => this.#reach(`${name}:${phase}`)
  }

  /** The middle of the latest call of that kind, for ports that have one. */
  within(call: string): Promise<void> {
    return this.#reach(`${this.#step}/${call}#${this.#counts.get(call) ?? 0}:inside`)
  }

  #reach(point: string): Promise<void> {
    this.reached.push(point)
    return this.#meet(point)
  }
}

/** `file.replace:after` of `deploy/file.replace#1:after`. */
export const kindOf = (point: string): string => point.replace(/^[^/]*\//, '').replace(/#\d+/, '')

export const stepOf = (point: string): string => point.slice(0, point.indexOf('/'))

/** Whether the point is on the way of a call that changes something. */
export const isWriting = (point: string): boolean => /\/(store\.write|file\.replace)#/.test(point)
