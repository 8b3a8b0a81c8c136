/** What a source file imports and does, read from its text: the runtime would drop type imports, and they count too. */

export interface Source {
  /** Path below `src`, with slashes. */
  readonly path: string
  readonly text: string
}

/** Without comments and without the contents of texts that could look like code, but with module names. */
function code(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|(?<![:\\'"`])\/\/[^\n]*|`(?:\\[\s\S]|[^`\\])*`/g, (part) =>
    part.startsWith('`') ? '``' : ' ',
  )
}

/** Module names of every import: static, type-only, re-export, side effect, dynamic and in type position; and of what types are added to. */
export function importsOf(text: string): string[] {
  const source = code(text)
  const found = [
    ...source.matchAll(/(?:^|[\n;])\s*(?:import|export)\b[^'"`;=]*?\bfrom\s*['"]([^'"\n]+)['"]/g),
    ...source.matchAll(/(?:^|[\n;])\s*import\s*['"]([^'"\n]+)['"]/g),
    ...source.matchAll(/\bimport\s*\(\s*['"]([^'"\n]+)['"]/g),
    ...source.matchAll(/(?:^|[\n;])\s*declare\s+module\s*['"]([^'"\n]+)['"]/g),
    ...source.matchAll(/\brequire(?:\.resolve)?\s*\(\s*['"]([^'"\n]+)['"]/g),
  ]
  return [...new Set(found.map((match) => match[1]!))]
}

/** Whether Node's own fetch is called: its dispatcher and ours do not go together, and it has no deadline. */
export function usesGlobalFetch(text: string): boolean {
  const source = code(text)
  if (/\bglobalThis\s*\.\s*fetch\b/.test(source)) return true
  const imported = /import\s*\{[^}]*\bfetch\b[^}]*\}\s*from/.test(source)
  return !imported && /(?<![.\w])fetch\s*\(/.test(source)
}

/** Whether a command line is given to a shell, where a name with a blank or a semicolon becomes another command. */
export function usesShell(text: string): boolean {
  const source = code(text)
  if (!/node:child_process|['"]child_process['"]/.test(source)) return false
  const imported = /import\s*\{[^}]*\bexec(?:Sync)?\b[^}]*\}\s*from\s*['"](?:node:)?child_process['"]/
  return (
    imported.test(source) ||
    /\.exec(?:Sync)?\s*\(\s*['"`]/.test(source) ||
    /\bshell\s*:\s*(?!false)/.test(source)
  )
}

const LOOKS = new Set([
  'access',
  'constants',
  'existsSync',
  'lstat',
  'readFile',
  'readFileSync',
  'readdir',
  'stat',
  'statSync',
])

/** Whether anything of Node's file system is at hand that is not known to look only; the module as a whole is. */
export function changesFiles(text: string): boolean {
  const named = [
    ...code(text).matchAll(/\bimport\s*([^'"`;=]*?)\s*from\s*['"](?:node:)?fs(?:\/promises)?['"]/g),
  ].map((match) => /^\{([^}]*)\}$/.exec(match[1]!)?.[1] ?? 'everything')
  const at_all = importsOf(text).filter((name) => /^(?:node:)?fs(?:\/promises)?$/.test(name)).length
  const names = named.flatMap((list) => list.split(',')).map((name) => name.trim().split(/\s/)[0]!)
  return named.length < at_all || names.some((name) => name !== '' && !LOOKS.has(name))
}

/** The first comment of a file, when the file begins with one; a `#!` line may come before it. */
export function openingComment(text: string): string | null {
  const match = /^(?:#![^\n]*\n)?(?:\/\*\*?([\s\S]*?)\*\/|((?:\/\/[^\n]*\n)+))/.exec(text)
  return match === null ? null : (match[1] ?? match[2] ?? '').replaceAll(/^\s*(?:\*|\/\/) ?/gm, '').trim()
}
