/** One look at the rules: the file, what it says, and whether the provider runs it. A text is parsed once. */
import type { Instant } from '../../../kernel/clock.ts'
import { sha256 } from '../../../kernel/digest.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { AccessRules } from '../../../model/access/rule.ts'
import type { ReadAside } from '../../../ports/documents.ts'
import type { FileLook } from '../../../ports/files.ts'
import type { FileChange, RestartWay } from '../../../ports/sso-provider.ts'
import { type SsoLoad, ssoRecords } from '../records.ts'
import type { SsoObserved } from './diff.ts'
import type { LoadParts } from './load.ts'
import { readRules } from './read-rules.ts'

/** Some 20,000 rules. */
export const MAX_RULES_BYTES = 2 * 1024 * 1024

export type RulesContent = Pick<SsoObserved, 'rules' | 'fault'>

/** What is there, what was there before, and what the provider last ran with. */
const MAX_KEPT = 3

export class RulesView {
  readonly #parts: LoadParts & { readonly read: ReadAside }
  readonly #kept = new Map<string, RulesContent>()
  /** What it came up with by this process's own looks and restarts, also where nobody saw it stop. */
  #came_up: string | null = null
  #writing = 0
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
    if (loaded === true && text !== null) this.#came_up = text
    return { look, ...(await this.#content(look, signal)), loaded }
  }

  /**
   * Where there is no telling: whether it runs what it came up with last. So it does where we restart it, and until a restart
   * by a path unit is over; after that, and where nobody restarts it, somebody may have.
   */
  get keeps_running(): boolean {
    const { provider, restarts } = this.#parts
    if (provider.restarts === 'watched') return this.#writing > 0 || restarts.is_under_way
    return provider.restarts !== 'none'
  }

  /** The rules that it came up with last, as far as that is known; null where it is not, and where those are none. */
  async lastRan(signal: AbortSignal): Promise<AccessRules | null> {
    const text = this.#came_up ?? (await this.#parts.store.of(ssoRecords).ssoLoad())?.text
    return text === undefined ? null : (await this.read(text, signal)).rules
  }

  /** Until the work is over it runs what it ran, also before the restart that the work ends with. */
  async whileWritten<T>(work: () => Promise<T>): Promise<T> {
    this.#writing++
    try {
      return await work()
    } finally {
      this.#writing--
    }
  }

  /** It was restarted over this text and is well. */
  cameUp(text: string): void {
    this.#came_up = text
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
      if (this.#kept.size <= MAX_KEPT) break
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
  const read = await reading(text, { max_bytes: MAX_RULES_BYTES, reader: 'go' }, signal)
  if (!read.ok) return { rules: null, fault: `line ${read.line ?? '?'} ${read.msg}` }
  const found = readRules(read.data)
  return found.ok ? { rules: found.rules, fault: null } : { rules: null, fault: found.faults.join('; ') }
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8')

// Written is not loaded: Authelia reads its rules at its start and tells nobody which. Pure.
//
// The provider's start time decides where it can be had. Where it cannot, our own record does: we restarted it with this very
// change of the file, and it came up. A file that was touched since is another change, even with the same bytes, because
// whoever did that may have restarted it with something else in between. Only a change of mode or owner is none: every restart
// ends sign-ins, and what the provider runs is what it was.

export interface LoadFacts {
  readonly restarts: RestartWay
  readonly place: string
  /** What the file says; null where that cannot be told. */
  readonly text: string | null
  /** Null where there is no file. */
  readonly change: FileChange | null
  /** Undefined: the provider could not be asked; null: it has no way to tell. */
  readonly started_at: Instant | null | undefined
  readonly load: SsoLoad | null
}

/** True: the provider runs what the file says. Null: there is no telling. */
export function isLoaded({ restarts, place, text, change, started_at, load }: LoadFacts): boolean | null {
  if (change === null) return null
  const known = load?.place === place ? load : null
  // The very start that we saw: it runs what it came up with then, whatever clocks said meanwhile.
  if (typeof started_at === 'number' && known?.started_at === started_at) return known.text === text
  if (typeof started_at === 'number')
    return started_at > change.at || (known !== null && known.text === text && isOfStart(known, started_at))
  if (known !== null && isSameContent(known, { text, stamp: change.stamp })) return true
  return started_at === null && restarts === 'command' ? false : null
}

/** We saw it come up with this text, and it was not started again since. */
const isOfStart = ({ stamp, at }: SsoLoad, started_at: Instant): boolean =>
  Number(stamp.split(' ')[1]) / 1_000_000 < started_at && started_at <= at

/** The very change, or only another mode or owner since: that moves no modification time. */
function isSameContent(
  known: SsoLoad,
  now: { readonly text: string | null; readonly stamp: string },
): boolean {
  const [inode, changed, modified] = known.stamp.split(' ')
  const [inode_now, changed_now, modified_now] = now.stamp.split(' ')
  if (inode !== inode_now) return false
  return (
    changed === changed_now ||
    (modified !== undefined && modified === modified_now && known.text === now.text)
  )
}
