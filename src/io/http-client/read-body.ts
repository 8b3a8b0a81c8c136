/** Reads an answer's body up to a limit, and stops the sender there. */
import type { Readable } from 'node:stream'
import { Unreadable } from './trouble.ts'

/**
 * The whole body, at most `most` bytes. Throws an `Unreadable` for a longer one and for one that was compressed though nobody
 * asked for that; the connection is then closed, so an endless body ends here.
 */
export async function readBody(
  body: Readable,
  headers: Readonly<Record<string, string>>,
  most: number,
): Promise<Uint8Array> {
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? ''
  if (coding !== '' && coding !== 'identity') return stop(body, 'answered with a compressed body')
  if (Number(headers['content-length'] ?? 0) > most) return stop(body, tooLong(most))
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.byteLength
    if (size > most) return stop(body, tooLong(most))
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}

const tooLong = (most: number): string => `answered with more than ${most} bytes`

function stop(body: Readable, what: string): never {
  body.on('error', () => undefined)
  body.destroy()
  throw new Unreadable(what)
}
