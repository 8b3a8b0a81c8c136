/** Compares the open database's files with what stands at their paths, whether anybody writes or not. */
import type { Clock, Milliseconds } from '../../kernel/clock.ts'
import type { OpenFiles } from '../../ports/storage-check.ts'

const EVERY_MS: Milliseconds = 3000

export class FilesWatch {
  readonly #files: OpenFiles
  readonly #clock: Clock
  readonly #end = new AbortController()
  #running: Promise<void> = Promise.resolve()

  constructor(files: OpenFiles, clock: Clock) {
    this.#files = files
    this.#clock = clock
  }

  start(): void {
    this.#running = this.#run()
  }

  async stop(): Promise<void> {
    this.#end.abort(new Error('The daemon is shutting down.'))
    await this.#running
  }

  async #run(): Promise<void> {
    const { signal } = this.#end
    while (!signal.aborted) {
      this.#files.hindrance()
      await this.#clock.sleep(EVERY_MS, signal).catch(() => undefined)
    }
  }
}
