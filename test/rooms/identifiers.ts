/** Identifiers of a source file, without comments, texts and patterns: what the code itself calls things. */

export interface Identifier {
  readonly name: string
  /** Where it begins in the text. */
  readonly at: number
}

const TOKEN =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*"|[$A-Z_a-z][$\w]*|\d[\w.]*|[^\s\w]/gy
const PATTERN = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y
/** After these a slash begins a pattern; after anything else that is a value it divides. */
const BEFORE_PATTERN = new Set(['return', 'typeof', 'case', 'in', 'of', 'await', 'void', 'yield', 'delete'])

/** Identifiers and keywords in order. A template's text is skipped, what stands between `${` and `}` is read. */
export function identifiersOf(text: string): Identifier[] {
  const found: Identifier[] = []
  let previous = ''
  let at = 0
  // For each open template: how many braces are open in its expression.
  const templates: number[] = []
  const skipTemplate = (): void => {
    while (at < text.length) {
      if (text[at] === '\\') at += 2
      else if (text[at] === '`') {
        at += 1
        previous = '`'
        return
      } else if (text.startsWith('${', at)) {
        at += 2
        templates.push(0)
        previous = '{'
        return
      } else at += 1
    }
  }
  const isValue = (): boolean =>
    previous === ')' ||
    previous === ']' ||
    previous === '}' ||
    previous === '`' ||
    previous === "'" ||
    (/^[$\w]/.test(previous) && !BEFORE_PATTERN.has(previous))
  while (at < text.length) {
    if (/\s/.test(text[at]!)) {
      at += 1
      continue
    }
    if (text[at] === '/' && text[at + 1] !== '/' && text[at + 1] !== '*' && !isValue()) {
      PATTERN.lastIndex = at
      const pattern = PATTERN.exec(text)
      if (pattern !== null) {
        at += pattern[0].length
        previous = '`'
        continue
      }
    }
    TOKEN.lastIndex = at
    const token = TOKEN.exec(text)?.[0]
    if (token === undefined) {
      at += 1
      continue
    }
    at += token.length
    if (token.startsWith('//') || token.startsWith('/*')) continue
    if (token === '`') {
      skipTemplate()
      continue
    }
    const open = templates.at(-1)
    if (open !== undefined && token === '{') templates[templates.length - 1] = open + 1
    if (open !== undefined && token === '}') {
      if (open === 0) {
        templates.pop()
        skipTemplate()
        continue
      }
      templates[templates.length - 1] = open - 1
    }
    if (/^[$A-Z_a-z]/.test(token)) found.push({ name: token, at: at - token.length })
    previous = /^['"]/.test(token) ? "'" : token
  }
  return found
}

/** `worldHolder` and `max_bytes` in their words, in small letters. */
export const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_$]+/)
    .filter((word) => word !== '')
