/** Wrong words: told with the usage, and the exit code is that of wrong usage. */
import type { Form } from './verb.ts'

export class Misuse extends Error {
  /** Those that may be meant; all when left out. */
  readonly forms: readonly Form[] | null
  /** Nothing but the verb was said, and it does nothing alone. */
  readonly is_bare: boolean

  constructor(message: string, forms: readonly Form[] | null = null, is_bare = false) {
    super(message)
    this.forms = forms
    this.is_bare = is_bare
  }
}
