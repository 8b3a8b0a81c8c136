/**
 * Go's templates, which every file goes through before it is YAML: comments and literals are evaluated, `env` too, and what
 * is no function or is not closed refuses the file. Other functions of sprig are refused here, in words that say so.
 */

export type Environment = Readonly<Record<string, string | undefined>>

const ACTION = /\{\{(-(?=\s))?([^]*?)((?<=\s)-)?\}\}/g
const LITERAL = /^(?:"((?:[^"\\\n]|\\.)*)"|`([^`]*)`)$/
const ENV = /^env\s+(?:"([^"]*)"|`([^`]*)`)$/
const KEYWORDS = new Set([
  'if',
  'range',
  'with',
  'end',
  'else',
  'define',
  'template',
  'block',
  'printf',
  'split',
])

/** @throws with the words of text/template. */
export function templated(bytes: Buffer, environment: Environment): Buffer {
  if (!bytes.includes('{{')) return bytes
  const text = bytes.toString('utf8')
  let done = ''
  let at = 0
  for (const found of text.matchAll(ACTION)) {
    const [all, trims_before, action = '', trims_after] = found
    if (found.index < at) continue
    const before = text.slice(at, found.index)
    done += trims_before === undefined ? before : before.trimEnd()
    done += evaluated(action.trim(), environment)
    at = found.index + all.length
    if (trims_after !== undefined) at += text.slice(at).length - text.slice(at).trimStart().length
  }
  const rest = text.slice(at)
  if (rest.includes('{{')) throw new Error('template: unclosed action')
  return Buffer.from(done + rest)
}

function evaluated(action: string, environment: Environment): string {
  if (/^\/\*[^]*\*\/$/.test(action)) return ''
  if (action === '') throw new Error('template: missing value for command')
  const literal = LITERAL.exec(action)
  if (literal !== null) return literal[2] ?? (JSON.parse(`"${literal[1]}"`) as string)
  const env = ENV.exec(action)
  if (env !== null) return environment[(env[1] ?? env[2])!] ?? ''
  const [name = ''] = /^[\w.$]+/.exec(action) ?? []
  if (KEYWORDS.has(name))
    throw new Error(`template: this stand-in does not evaluate ${JSON.stringify(action)}`)
  throw new Error(`template: function ${JSON.stringify(name)} not defined`)
}
