/** Work of which one runs at a time, shared by all who ask for it. */
export class SingleFlight<Result, Asked = void> {
  readonly #work: (asked: Asked) => Promise<Result>
  #running: Promise<Result> | null = null
  #next: Promise<Result> | null = null

  constructor(work: (asked: Asked) => Promise<Result>) {
    this.#work = work
  }

  /** Null while nothing runs. */
  get running(): Promise<Result> | null {
    return this.#running
  }

  /** The work that runs, else new work. */
  join(asked: Asked): Promise<Result> {
    return this.#running ?? this.#begin(asked)
  }

  /** Work that begins after this call: all who call while one runs share the one after it. */
  afresh(asked: Asked): Promise<Result> {
    if (this.#running === null) return this.#begin(asked)
    const following = () => {
      this.#next = null
      return this.join(asked)
    }
    this.#next ??= this.#running.then(following, following)
    return this.#next
  }

  #begin(asked: Asked): Promise<Result> {
    const running = this.#work(asked).finally(() => {
      if (this.#running === running) this.#running = null
    })
    this.#running = running
    return running
  }
}
