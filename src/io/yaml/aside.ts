/**
 * Reading YAML without keeping others waiting: a megabyte takes a second, so what is larger than a few pages is read in a
 * thread that is there while it is needed.
 */
import { setImmediate } from 'node:timers/promises'
import type { Milliseconds } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import { Thread } from '../../kernel/async/thread.ts'
import { Turns } from '../../kernel/async/turns.ts'
import type { DocumentData, DocumentRead, ReadAside, ReadOptions } from '../../ports/documents.ts'
import type { FileRead, ReadProxyFileAside } from '../../ports/proxy-files.ts'
import { readGoYaml } from './go-tree.ts'
import { readYaml } from './read.ts'

export interface ReadingOrder {
  readonly text: string
  /** Null: as the proxy reads it. */
  readonly options: ReadOptions | null
}

/** Read here: to ask takes as long. */
const SMALL_CHARACTERS = 8 * 1024
const IDLE_MS: Milliseconds = 10_000
/** The largest takes seconds, and on a busy machine it gets only what others leave. */
const MAX_MS: Milliseconds = 60_000
const RETRY_MS: Milliseconds = 15_000

const thread = new Thread<ReadingOrder, DocumentRead | FileRead>(
  new URL('reading-thread.ts', import.meta.url),
  IDLE_MS,
)
const turns = new Turns()

export const readYamlAside: ReadAside = async (text, options, signal) => {
  await othersTurn(signal)
  if (text.length <= SMALL_CHARACTERS) return readYaml(text, options)
  const read = (await readThere({ text, options }, signal)) as DocumentRead
  return read.ok ? { ok: true, data: bare(read.data) } : read
}

export const readGoYamlAside: ReadProxyFileAside = async (text, signal) => {
  await othersTurn(signal)
  if (text.length <= SMALL_CHARACTERS) return readGoYaml(text)
  return (await readThere({ text, options: null }, signal)) as FileRead
}

/** Hundreds of small ones in a row take seconds, too. */
async function othersTurn(signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  await setImmediate()
  signal.throwIfAborted()
}

/** One after the other: there is one thread. */
const readThere = (order: ReadingOrder, signal: AbortSignal): Promise<DocumentRead | FileRead> =>
  turns.run('thread', signal, () => answered(order, signal))

async function answered(order: ReadingOrder, signal: AbortSignal): Promise<DocumentRead | FileRead> {
  const deadline = AbortSignal.timeout(MAX_MS)
  try {
    return await thread.ask(order, AbortSignal.any([signal, deadline]))
  } catch (cause) {
    signal.throwIfAborted()
    const why = deadline.aborted ? `it took longer than ${MAX_MS / 1000} s` : (cause as Error).message
    throw new Failure('component_unavailable', `A document could not be read: ${why}.`, {
      cause,
      retry_after_ms: RETRY_MS,
    })
  }
}

/** What comes out of a thread has the prototype of objects, with which `constructor` would be a key of every mapping. */
function bare(data: DocumentData): DocumentData {
  if (typeof data !== 'object' || data === null) return data
  const members: readonly DocumentData[] = Array.isArray(data) ? data : Object.values(data)
  members.forEach(bare)
  return Array.isArray(data) ? data : (Object.setPrototypeOf(data, null) as DocumentData)
}
