/** Wrong words: told with the usage, and the exit code is that of wrong usage. */
import type { Form } from './verb.ts'

export class Misuse extends Error {
  /** Those that may be meant; all when left out, and none where the words are as they should be and one is missing. */
  readonly forms: readonly Form[] | null

  constructor(message: string, forms: readonly Form[] | null = null) {
    super(message)
    this.forms = forms
  }
}
