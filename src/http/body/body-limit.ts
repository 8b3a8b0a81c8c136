/** The size limit of request bodies, counted on the stream: what a header promises is not believed. */
import { Failure } from '../../kernel/failure.ts'

/** Unless the endpoint says otherwise. */
export const LARGEST_BODY = 64 * 1024

/** A body that has not been read. */
export interface IncomingBody {
  /**
   * All bytes, or null as soon as there are more than `most`. Throws `malformed_request` when the body breaks off.
   * After a null, and after `discard`, the rest has been taken off the wire as far as that is quickly done: a client
   * that is still sending does not read the answer.
   */
  read(most: number): Promise<Uint8Array | null>
  discard(): Promise<void>
}

export const tooLarge = (limit_bytes: number): Failure =>
  new Failure('too_large', `The body is larger than ${limit_bytes} bytes.`, { facts: { limit_bytes } })

export const brokenOff = (cause?: unknown): Failure =>
  new Failure('malformed_request', 'The body ended before it was complete.', { cause })

/** The body of an in-process request. */
export function streamBody(stream: ReadableStream<Uint8Array> | null): IncomingBody {
  return {
    read: async (most) => {
      const chunks: Uint8Array[] = []
      let size = 0
      for await (const chunk of stream ?? []) {
        size += chunk.byteLength
        if (size > most) return null
        chunks.push(chunk)
      }
      return Buffer.concat(chunks)
    },
    discard: async () => stream?.cancel(),
  }
}
