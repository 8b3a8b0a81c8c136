/** Putting an answer on a socket, and noticing that nobody waits for it any more. */
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import type { ReadableStream as NodeStream } from 'node:stream/web'
import type { Sealed } from '../plain.ts'
import type { OverSocket } from '../middleware/way.ts'

/** Small enough to tell a client that takes nothing from one that is slow. */
const PIECE_BYTES = 16 * 1024

/** Malformed, for another host, too many: a client that goes on like this has to connect again. */
const LAST_WORDS: ReadonlySet<number> = new Set([400, 421, 429])

/** Resolves when the answer is handed to the socket; rejects when a streamed body fails or its reader leaves. */
export async function send(
  { status, headers, body }: Sealed,
  { incoming, outgoing, isLast }: OverSocket,
  has_body: boolean,
): Promise<void> {
  // What is left of a body would be read as the next request; what follows a refused request is not worth reading.
  if (isLast() || (has_body && !incoming.complete) || LAST_WORDS.has(status))
    outgoing.setHeader('connection', 'close')
  outgoing.writeHead(status, headers)
  if (body instanceof ReadableStream) return pipeline(Readable.fromWeb(body as NodeStream), outgoing)
  if (body === null || body.length <= PIECE_BYTES) return void outgoing.end(body ?? undefined)
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  for (let at = 0; at < bytes.length && !outgoing.destroyed; at += PIECE_BYTES)
    if (!outgoing.write(bytes.subarray(at, at + PIECE_BYTES))) await taken(outgoing)
  outgoing.end()
}

/**
 * Resolves when more may be written, or when nobody is there to take it. In another turn, since the kernel takes megabytes
 * at once: a long answer does not keep the others waiting.
 */
async function taken(outgoing: ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  outgoing.once('drain', resolve).once('close', resolve)
  await promise
  outgoing.off('drain', resolve).off('close', resolve)
  await setImmediate()
}

/** A signal, made when asked for, that aborts when the connection closes before the answer is out. */
export function closeSignal(outgoing: ServerResponse): () => AbortSignal {
  let controller: AbortController | null = null
  return () => {
    if (controller !== null) return controller.signal
    const made = (controller = new AbortController())
    if (outgoing.destroyed) made.abort()
    else outgoing.once('close', () => outgoing.writableFinished || made.abort())
    return made.signal
  }
}
