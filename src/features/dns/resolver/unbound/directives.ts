/** Unbound's file format (unbound.conf(5)): `name: value`, blanks and line ends alike, quotes, comments. Pure. */

export interface Directive {
  /** `server`, `view` …: the clause that it stands in; empty before the first. */
  readonly clause: string
  readonly keyword: string
  readonly values: readonly string[]
  /** Counts from 1. */
  readonly line: number
}

const CLAUSES = new Set([
  'server',
  'view',
  'stub-zone',
  'forward-zone',
  'auth-zone',
  'rpz',
  'remote-control',
  'python',
  'dynlib',
  'dnscrypt',
  'cachedb',
  'dnstap',
])
/** Directives with more than one value. */
const VALUES: Readonly<Record<string, number>> = {
  'local-zone': 2,
  'local-zone-tag': 2,
  'local-zone-override': 3,
  'access-control': 2,
  'access-control-view': 2,
  'access-control-tag': 2,
  'access-control-tag-action': 3,
  'access-control-tag-data': 3,
}

interface Token {
  readonly text: string
  readonly line: number
}

/** @param clause the one that goes on from the file that includes this one */
export function directivesOf(text: string, clause = ''): Directive[] {
  const tokens = tokensOf(text)
  const directives: Directive[] = []
  let current = clause
  for (let at = 0; at < tokens.length;) {
    const { text: word, line } = tokens[at++]!
    const [, keyword, glued = ''] = /^([a-z0-9-]+):(.*)$/s.exec(word) ?? []
    if (keyword === undefined) continue
    if (CLAUSES.has(keyword)) {
      current = keyword
      directives.push({ clause: current, keyword: '', values: [], line })
      continue
    }
    const wanted = (VALUES[keyword] ?? 1) - (glued === '' ? 0 : 1)
    const rest = tokens.slice(at, at + wanted).map((token) => token.text)
    at += wanted
    directives.push({ clause: current, keyword, values: glued === '' ? rest : [glued, ...rest], line })
  }
  return directives
}

const TOKEN = /#[^\n]*|\n|"([^"\n]*)"|'([^'\n]*)'|([a-z0-9-]+:)(?=["'])|[^\s"'#][^\s]*/g

function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  let line = 1
  for (const match of text.matchAll(TOKEN)) {
    const [whole, double, single] = match
    if (whole === '\n') line++
    else if (!whole.startsWith('#')) tokens.push({ text: double ?? single ?? whole, line })
  }
  return tokens
}
