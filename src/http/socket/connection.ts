/** One connection: the answers that it is owed, since when it is quiet, and whether what was written is taken. */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Milliseconds } from '../../kernel/clock.ts'

export class Connection {
  readonly socket: Socket
  /** Whose connections are counted together. */
  readonly holder: string
  /** Told when an answer is done. */
  onSettled: () => void = () => undefined
  /** In the order of their requests: only of the first may anything be on the wire. */
  readonly #owed = new Set<ServerResponse>()
  #asked = false
  #asked_at_ms: Milliseconds = 0
  #quiet_since_ms: Milliseconds
  #taken_bytes = 0
  #taken_at_ms: Milliseconds

  constructor(socket: Socket, holder: string, now_ms: Milliseconds) {
    this.socket = socket
    this.holder = holder
    this.#quiet_since_ms = now_ms
    this.#taken_at_ms = now_ms
  }

  /** How many requests are not answered yet. */
  get owed(): number {
    return this.#owed.size
  }

  /** Since when the body of what it asked is not all there; null while it owes nothing. */
  get bodyOwedSince(): Milliseconds | null {
    const [first] = this.#owed
    return first === undefined || first.req.complete ? null : this.#asked_at_ms
  }

  /** Whether the answer that is due has begun: nothing else may be written then. */
  get answering(): boolean {
    const [first] = this.#owed
    return first?.headersSent === true
  }

  owe(answer: ServerResponse, now_ms: Milliseconds): void {
    this.#asked = true
    if (this.#owed.size === 0) this.#asked_at_ms = now_ms
    this.#owed.add(answer)
  }

  /** Finished, or given up. */
  settle(answer: ServerResponse, now_ms: Milliseconds): void {
    this.#owed.delete(answer)
    this.#quiet_since_ms = now_ms
    this.onSettled()
  }

  /** Since when it is owed nothing; null while it is owed something. */
  get quietSince(): Milliseconds | null {
    return this.#owed.size === 0 ? this.#quiet_since_ms : null
  }

  /** Only a request counts, not bytes: empty lines between requests (RFC 9112 §2.2) would keep it for ever. */
  isIdle(keep_ms: Milliseconds, now_ms: Milliseconds): boolean {
    // Before its first request the limit for headers holds, which tells the client why.
    return this.#asked && this.#owed.size === 0 && now_ms - this.#quiet_since_ms >= keep_ms
  }

  /** Whether nothing of what is written has been taken for so long. To be asked again and again: it compares. */
  isStalled(most_ms: Milliseconds, now_ms: Milliseconds): boolean {
    const { bytesWritten, writableLength } = this.socket
    const taken_bytes = bytesWritten - writableLength
    if (writableLength === 0 || taken_bytes !== this.#taken_bytes) {
      this.#taken_bytes = taken_bytes
      this.#taken_at_ms = now_ms
    }
    return now_ms - this.#taken_at_ms >= most_ms
  }
}
