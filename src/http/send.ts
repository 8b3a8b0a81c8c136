/** Putting an answer on a socket, and noticing that nobody waits for it any more. */
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeStream } from 'node:stream/web'
import type { Sealed } from './plain.ts'

/** Resolves when the answer is handed to the socket; rejects when a streamed body fails or its reader leaves. */
export async function send({ status, headers, body }: Sealed, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(status, headers)
  if (body instanceof ReadableStream) await pipeline(Readable.fromWeb(body as NodeStream), outgoing)
  else outgoing.end(body ?? undefined)
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
