/** One look at the rules: the file, what it says, and whether the provider runs it. A text is parsed once. */
import type { Instant } from '../../../kernel/clock.ts'
import { sha256 } from '../../../kernel/digest.ts'
import { Failure } from '../../../kernel/failure.ts'
import { readRules } from './read-rules.ts'
import type { ReadAside } from '../../../ports/documents.ts'
import type { FileLook } from '../../../ports/files.ts'
import type { SsoObserved } from './diff.ts'
import type { LoadParts } from './load.ts'
import { isLoaded } from './loaded.ts'
import { ssoRecords } from '../records.ts'

/** Some 20,000 rules. */
export const MOST_RULES_BYTES = 2 * 1024 * 1024

export type RulesContent = Pick<SsoObserved, 'rules' | 'fault'>

/** What is there, what was there before, and what the provider last ran with. */
const MOST_KEPT = 3

export class RulesView {
  readonly #parts: LoadParts & { readonly read: ReadAside }
  readonly #kept = new Map<string, RulesContent>()
  /** By the last look that could tell. */
  #ran: { readonly text: string | null; readonly started_at: Instant } | null = null

  constructor(parts: LoadParts & { readonly read: ReadAside }) {
    this.#parts = parts
  }

  /** Throws a Failure where the file cannot be read. A provider that cannot be asked makes `loaded` null. */
  async look(signal: AbortSignal): Promise<SsoObserved> {
    const { file, changed, provider, store } = this.#parts
    const look = await file.look(signal)
    const change = changed()
    const started_at = await provider.startedAt(signal).catch((error: unknown) => {
      if (signal.aborted || !(error instanceof Failure)) throw error
      return undefined
    })
    const load = await store.of(ssoRecords).ssoLoad()
    const text = look.kind === 'file' ? textOf(look.bytes) : null
    const facts = { restarts: provider.restarts, place: file.path, text, change, started_at, load }
    const loaded = this.#ranBefore(text, started_at) || isLoaded(facts)
    if (loaded === true && typeof started_at === 'number') this.#ran = { text, started_at }
    return { look, ...(await this.#content(look, signal)), loaded }
  }

  /** Somebody else restarted it, and it has not been restarted since we found it to run this. */
  #ranBefore(text: string | null, started_at: Instant | null | undefined): boolean {
    const ran = this.#ran
    return ran !== null && text !== null && ran.text === text && ran.started_at === started_at
  }

  /** Parsing a thousand rules takes a third of a second, so a text is read once. */
  async read(text: string, signal: AbortSignal, digest = sha256([text])): Promise<RulesContent> {
    const content = this.#kept.get(digest) ?? (await contentOf(text, this.#parts.read, signal))
    this.#kept.delete(digest)
    this.#kept.set(digest, content)
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MOST_KEPT) break
      this.#kept.delete(oldest)
    }
    return content
  }

  async #content(look: FileLook, signal: AbortSignal): Promise<RulesContent> {
    if (look.kind === 'absent') return { rules: null, fault: null }
    if (look.kind === 'oversize') return { rules: null, fault: `a file of ${look.size} bytes` }
    if (look.kind === 'intruder')
      return { rules: null, fault: `a ${look.what} stands in the place of the file` }
    return this.read(textOf(look.bytes), signal, look.digest)
  }
}

async function contentOf(text: string, reading: ReadAside, signal: AbortSignal): Promise<RulesContent> {
  const read = await reading(text, { most_bytes: MOST_RULES_BYTES, reader: 'go' }, signal)
  if (!read.ok) return { rules: null, fault: `line ${read.line ?? '?'} ${read.msg}` }
  const found = readRules(read.data)
  return found.ok ? { rules: found.rules, fault: null } : { rules: null, fault: found.faults.join('; ') }
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8')
