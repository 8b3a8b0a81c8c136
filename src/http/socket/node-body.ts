/** The body of a request that comes in over a socket, read from the stream itself and counted while it arrives. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { brokenOff, type IncomingBody } from '../body/body-limit.ts'

/**
 * A sender who is cut off while sending gets a reset connection and never sees the answer. So the rest of an unwanted
 * body is taken off the wire for a little while, and only then the connection is given up.
 */
const LINGER_MS = 500
const LINGER_BYTES = 1024 * 1024

/** `waiting`: the client sent `Expect: 100-continue` and holds the body back until it is asked for. */
export function nodeBody(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  waiting: boolean,
): IncomingBody {
  return {
    read: async (most) => {
      if (Number(incoming.headers['content-length'] ?? 0) > most) {
        if (!waiting) await linger(incoming)
        return null
      }
      if (waiting) outgoing.writeContinue()
      const bytes = await collect(incoming, most)
      if (bytes === null) await linger(incoming)
      return bytes
    },
    discard: async () => {
      if (!waiting) await linger(incoming)
    },
  }
}

/** All bytes; null as soon as there are more than `most`, with the stream paused where it is. */
function collect(incoming: IncomingMessage, most: number): Promise<Uint8Array | null> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = []
    let size = 0
    const stop = (settle: () => void) => {
      incoming.off('data', take).off('end', finish).off('close', breakOff).off('error', breakOff)
      settle()
    }
    const take = (chunk: Uint8Array) => {
      size += chunk.byteLength
      if (size <= most) return void chunks.push(chunk)
      incoming.pause()
      stop(() => resolve(null))
    }
    const finish = () => stop(() => resolve(Buffer.concat(chunks)))
    const breakOff = (cause?: unknown) => stop(() => reject(brokenOff(cause)))
    if (incoming.destroyed && !incoming.readableEnded) return breakOff()
    incoming.on('data', take).on('end', finish).on('close', breakOff).on('error', breakOff)
  })
}

/** Throws away what still comes, until the end, the byte limit or the time limit. */
function linger(incoming: IncomingMessage): Promise<void> {
  if (incoming.readableEnded || incoming.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    let left = LINGER_BYTES
    const stop = () => {
      clearTimeout(timer)
      incoming.off('data', drop).off('end', stop).off('close', stop).off('error', stop)
      incoming.pause()
      resolve()
    }
    const drop = (chunk: Uint8Array) => {
      left -= chunk.byteLength
      if (left < 0) stop()
    }
    const timer = setTimeout(stop, LINGER_MS)
    incoming.on('data', drop).on('end', stop).on('close', stop).on('error', stop)
    incoming.resume()
  })
}
