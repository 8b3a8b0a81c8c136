/** Go's regular expressions (RE2) by those of JavaScript: what RE2 lacks is refused, in Go's words. */

const INLINE = /^\(\?([ims]+)\)/
const UNSUPPORTED: readonly (readonly [RegExp, (found: string) => string])[] = [
  [/\(\?(?:=|!|<=|<!|>)/, (found) => `invalid or unsupported Perl syntax: \`${found}\``],
  [/(?<!\\)(?:\\\\)*\\[1-9]/, (found) => `invalid escape sequence: \`${found.slice(-2)}\``],
  [/(?:[*+?]|\{\d+(?:,\d*)?\})\+/, (found) => `invalid nested repetition operator: \`${found}\``],
]

/** @throws with Go's words where RE2 has no such expression. */
export function goRegexp(source: string): RegExp {
  for (const [pattern, words] of UNSUPPORTED) {
    const found = pattern.exec(withoutClasses(source))
    if (found !== null) throw new Error(`error parsing regexp: ${words(found[0])}`)
  }
  const [all = '', flags = ''] = INLINE.exec(source) ?? []
  const body = source
    .slice(all.length)
    .replaceAll('(?P<', '(?<')
    .replaceAll(/(?<!\\)((?:\\\\)*)\\A/g, '$1^')
    .replaceAll(/(?<!\\)((?:\\\\)*)\\z/g, '$1$')
  try {
    return new RegExp(body, flags)
  } catch (error) {
    throw new Error(`error parsing regexp: ${wordsFor(source, error as Error)}`, { cause: error })
  }
}

/** Nothing in brackets is an operator. */
const withoutClasses = (source: string): string => source.replaceAll(/\[(?:[^\]\\]|\\.)*\]/g, 'x')

function wordsFor(source: string, { message }: Error): string {
  if (message.includes('Unterminated group')) return `missing closing ): \`${source}\``
  if (message.includes('Unmatched')) return `unexpected ): \`${source}\``
  if (message.includes('character class')) return `missing closing ]: \`${source}\``
  if (message.includes('Nothing to repeat')) return `missing argument to repetition operator: \`${source}\``
  return message
}
/** `Regexp.ReplaceAllString`: a name is as long as it can be, so that `$1x` is the group of the name `1x`. */
export function goReplace(pattern: RegExp, text: string, replacement: string): string {
  return text.replace(new RegExp(pattern.source, `${pattern.flags}g`), (...found: readonly unknown[]) => {
    const groups = found.findLast((one) => typeof one === 'object') as Record<string, string> | undefined
    return replacement.replaceAll(/\$(?:\$|\{(\w+)\}|(\w+))/g, (all, braced, bare) => {
      if (all === '$$') return '$'
      const name = (braced ?? bare) as string
      const value = /^\d+$/.test(name) ? found[Number(name)] : groups?.[name]
      return typeof value === 'string' ? value : ''
    })
  })
}
