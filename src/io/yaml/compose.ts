/** From syntax tokens to the library's nodes: one document, or null where the text holds none. */
import { Composer, type CST, type Document, type Node } from 'yaml'
import { YamlFault } from './fault.ts'

const OPTIONS = {
  version: '1.2',
  schema: 'core',
  merge: false,
  stringKeys: true,
  strict: true,
  // Quadratic in the size of a mapping: 60,000 keys took 47 s. `plain.ts` looks for duplicates with a set.
  uniqueKeys: false,
} as const

/**
 * Throws YamlFault at the first error or warning. The composer would go on and collect them, at ten microseconds and a
 * stack trace each: a few megabytes of commas are then minutes of work. Its handler is therefore replaced; should a
 * later version not call it, the document's own list is looked at too.
 */
export const compose = (tokens: readonly CST.Token[]): Node | null =>
  composeDocument(tokens)?.contents ?? null

/** As `compose`, with what is needed to follow aliases. @param merge whether `<<` merges */
export function composeDocument(
  tokens: readonly CST.Token[],
  { merge }: { readonly merge: boolean } = OPTIONS,
): Document.Parsed | null {
  const composer = new Composer({ ...OPTIONS, merge })
  let first: YamlFault | null = null
  composer['onError'] = (source: ErrorSource, _code: string, message: string) => {
    first ??= new YamlFault(offsetOf(source), `is not YAML here: ${message}`)
    throw first
  }
  const [document] = composer.compose(tokens)
  if (document === undefined) return null
  const [fault] = [...document.errors, ...document.warnings]
  if (fault !== undefined) throw new YamlFault(fault.pos[0], `is not YAML here: ${fault.message}`)
  return document
}

type ErrorSource = number | readonly number[] | { readonly offset: number }

function offsetOf(source: ErrorSource): number {
  if (typeof source === 'number') return source
  return 'offset' in source ? source.offset : (source[0] ?? 0)
}
