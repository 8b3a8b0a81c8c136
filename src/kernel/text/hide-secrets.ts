/**
 * Text of strangers without what opens something: values under names that speak of secrets, hashes, credentials in addresses and
 * headers, private keys. By lines and without parsing, so it hides too much rather than too little. Line by line it keeps its length.
 */

const HIDDEN = '(hidden)'

const SPEAKS =
  /^(\s*(?:- +)*["']?(?!plumbline-)[\w.-]*(?:pass(?:word|wd|phrase|(?!hostheader))|secret|token|authori[sz]ation|cookie|credential|api[_-]?key|private[_-]?key|users)[\w.-]*["']?\s*[:=])(.*)$/i
const IN_LINE: readonly (readonly [RegExp, string])[] = [
  // bcrypt, MD5-crypt, argon2, scrypt, SHA-crypt, LDAP's.
  [/\$(?:2[abxy]|apr1|argon2(?:id|i|d)?|scrypt|[156]|pbkdf2[\w-]*)\$[^\s"',]+/gi, HIDDEN],
  [/\{S?SHA\d*\}[^\s"',]+/gi, HIDDEN],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/-]{4,}=*/gi, `$1 ${HIDDEN}`],
  [/(:\/\/)[^\s/@"']+@/g, `$1${HIDDEN}@`],
  [/\b((?:key|token|secret|password|sig(?:nature)?)=)[^\s&"']+/gi, `$1${HIDDEN}`],
]
const KEY_BEGINS = /-----BEGIN [A-Z ]*PRIVATE KEY-----/
const KEY_ENDS = /-----END [A-Z ]*PRIVATE KEY-----/

export function hideSecrets(text: string): string {
  let in_key = false
  /** What is indented deeper belongs to a name that speaks of secrets; -1: nothing does. */
  let deeper_than = -1
  const lines = text.split('\n').map((line) => {
    const indent = line.length - line.trimStart().length
    const is_below =
      deeper_than >= 0 && (line.trim() === '' || indent > deeper_than || isItem(line, indent, deeper_than))
    if (!is_below) deeper_than = -1
    if (in_key || KEY_BEGINS.test(line)) {
      in_key = !KEY_ENDS.test(line)
      return `${' '.repeat(indent)}${HIDDEN}`
    }
    if (is_below) return line.trim() === '' ? line : `${' '.repeat(indent)}${HIDDEN}`
    const [, name, value = ''] = SPEAKS.exec(line) ?? []
    if (name === undefined) return IN_LINE.reduce((shown, [form, by]) => shown.replace(form, by), line)
    deeper_than = indent
    return value.trim() === '' ? line : `${name} ${HIDDEN}`
  })
  return lines.join('\n')
}

/** Items of a list may stand as far out as the name that they belong to. */
const isItem = (line: string, indent: number, deeper_than: number): boolean =>
  indent === deeper_than && line.trimStart().startsWith('- ')

/** The same for a unified diff, whose lines begin with a sign; heads of files and hunks stay as they are. */
export function hideInDiff(diff: string): string {
  const lines = diff.split('\n')
  const hidden = hideSecrets(lines.map((line) => (isHead(line) ? '' : line.slice(1))).join('\n')).split('\n')
  return lines.map((line, at) => (isHead(line) ? line : line.slice(0, 1) + hidden[at]!)).join('\n')
}

const isHead = (line: string): boolean => /^(?:--- |\+\+\+ |@@ |\\)/.test(line)
