/** One look at the rules: the file, what it says, and whether the provider runs it. A text is parsed once. */
import { Failure } from '../../kernel/failure.ts'
import { readRules } from '../../model/access/read-rules.ts'
import type { AccessRules } from '../../model/access/rule.ts'
import type { Documents } from '../../ports/documents.ts'
import type { FileLook } from '../../ports/files.ts'
import type { SsoObserved } from './diff.ts'
import type { LoadParts } from './load.ts'
import { isLoaded } from './loaded.ts'

/** Some 20,000 rules. */
export const MOST_RULES_BYTES = 2 * 1024 * 1024

type Content = Pick<SsoObserved, 'rules' | 'fault'>

export class RulesView {
  readonly #parts: LoadParts & { readonly documents: Documents }
  #kept: (Content & { readonly digest: string }) | null = null

  constructor(parts: LoadParts & { readonly documents: Documents }) {
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
    const load = await store.ssoLoad()
    const loaded = isLoaded({ restarts: provider.restarts, place: file.path, change, started_at, load })
    return { look, ...this.#content(look), loaded }
  }

  #content(look: FileLook): Content {
    if (look.kind === 'absent') return { rules: null, fault: null }
    if (look.kind === 'oversize') return { rules: null, fault: `a file of ${look.size} bytes` }
    if (look.kind === 'intruder')
      return { rules: null, fault: `a ${look.what} stands in the place of the file` }
    if (this.#kept?.digest !== look.digest) {
      const text = Buffer.from(look.bytes).toString('utf8')
      this.#kept = { digest: look.digest, ...contentOf(text, this.#parts.documents) }
    }
    const { rules, fault } = this.#kept
    return { rules, fault }
  }
}

function contentOf(text: string, documents: Documents): Content {
  const read = documents.read(text, { most_bytes: MOST_RULES_BYTES })
  if (!read.ok) return { rules: null, fault: `line ${read.line ?? '?'} ${read.msg}` }
  const found = readRules(read.data)
  const rules: AccessRules | null = found.ok ? found.rules : null
  return { rules, fault: found.ok ? null : found.faults.join('; ') }
}
