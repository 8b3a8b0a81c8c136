/** Unbound's settings as a source of a resolver's answers: the named file and what it includes. Views are not looked at. */
import { canonicalAddress } from '../../../../model/network/address.ts'
import { UNBOUND_DEFAULTS } from '../../../../model/resolver/unbound.ts'
import type { Override, ResolverZone, ZoneRule } from '../../../../model/resolver/view.ts'
import { plainName } from '../plain-name.ts'
import type { ResolverConfig, ResolverRead } from '../port.ts'
import { DEEPEST_INCLUDE, fileSource, type TextFiles, unreadable } from '../text-files.ts'

export const unboundConfig = (path: string): ResolverConfig =>
  fileSource({ source: `unbound:${path}`, path }, async (files) => {
    const read = await files.read(path)
    if (!read.ok) return unreadable(`unbound:${path}`, read.what)
    const walk = new UnboundWalk(files)
    await walk.take(directivesOf(read.text), path, 0)
    return walk.result()
  })

/** Types of `local-zone` that differ in nothing that an answer shows share a rule. */
const RULES: Readonly<Record<string, ZoneRule>> = {
  transparent: 'transparent',
  inform: 'transparent',
  noview: 'transparent',
  typetransparent: 'typetransparent',
  static: 'static',
  redirect: 'redirect',
  inform_redirect: 'redirect',
  refuse: 'refuse',
  deny: 'deny',
  inform_deny: 'deny',
  always_transparent: 'always_forward',
  always_refuse: 'always_refuse',
  always_deny: 'always_deny',
  always_nxdomain: 'always_nxdomain',
  always_nodata: 'always_nodata',
  always_null: 'always_null',
}

const NOT_READ = new Set(['auth-zone', 'rpz'])

class UnboundWalk {
  readonly #files: TextFiles
  readonly #overrides: Override[] = []
  readonly #zones = new Map<string, ResolverZone | null>()
  readonly #gaps: string[] = []
  readonly #notes = new Set<string>()
  /** The clause goes on behind an include, and into it. */
  #clause = ''

  constructor(files: TextFiles) {
    this.#files = files
  }

  async take(directives: readonly Directive[], path: string, depth: number): Promise<void> {
    for (const directive of directives) {
      const source = `${path}:${directive.line}`
      if (directive.keyword === '') this.#enter(directive.clause, source)
      else if (directive.keyword === 'include' || directive.keyword === 'include-toplevel')
        await this.#include(directive, source, depth)
      else if (this.#clause === 'server') this.#inServer(directive, source)
    }
  }

  /** Of zones with one name the first holds; what comes by default gives way to what is declared. */
  result(): ResolverRead {
    const defaults = UNBOUND_DEFAULTS.filter(({ name }) => !this.#zones.has(name))
    const declared = [...this.#zones.values()].filter((zone) => zone !== null)
    const zones = [...declared, ...defaults]
    const overrides = zones.some(({ name, rule }) => name === 'localhost' && rule === 'redirect')
      ? [...LOCALHOST, ...this.#overrides]
      : this.#overrides
    const view = { product: 'unbound' as const, overrides, zones }
    return { ok: true, view, gaps: this.#gaps, notes: [...this.#notes] }
  }

  #enter(clause: string, source: string): void {
    this.#clause = clause
    if (clause === 'view')
      this.#notes.add(`${source}: views answer some clients otherwise and are not looked at`)
    if (NOT_READ.has(clause)) this.#gaps.push(`${source}: ${clause} is not read here`)
  }

  #inServer({ keyword, values }: Directive, source: string): void {
    const [first = '', second = ''] = values
    if (keyword === 'local-zone') this.#declare(first, second, source)
    else if (keyword === 'local-data') this.#add(first, source)
    else if (keyword === 'local-zone-override')
      this.#notes.add(`${source}: ${keyword} answers some clients otherwise and is not looked at`)
  }

  #declare(name_text: string, kind: string, source: string): void {
    const name = plainName(name_text)
    const rule = RULES[kind]
    if (name === null) return
    if (rule === undefined && kind !== 'nodefault')
      return void this.#gaps.push(`${source}: the zone type ${kind} is not understood here`)
    if (!this.#zones.has(name))
      this.#zones.set(name, rule === undefined ? null : { name, scope: 'subtree', rule })
  }

  #add(text: string, source: string): void {
    const override = localData(text, source)
    if (override === null) this.#notes.add(`${source}: this local-data holds nothing for host names`)
    else this.#overrides.push(override)
  }

  async #include({ values: [pattern = ''] }: Directive, source: string, depth: number): Promise<void> {
    if (depth === DEEPEST_INCLUDE) return void this.#gaps.push(`${source}: includes too deep, not read`)
    const paths = await this.#files.matching(this.#files.resolve(pattern))
    if (paths === null) return void this.#gaps.push(`${source}: the folder of ${pattern} cannot be listed`)
    for (const path of paths) {
      const read = await this.#files.read(path)
      if (read.ok) await this.take(directivesOf(read.text, this.#clause), path, depth + 1)
      else this.#gaps.push(`${path} ${read.what}`)
    }
  }
}

const LOCALHOST: readonly Override[] = [
  { name: 'localhost', scope: 'exact', type: 'A', value: '127.0.0.1', source: 'default' },
  { name: 'localhost', scope: 'exact', type: 'AAAA', value: '::1', source: 'default' },
]

/** One record of `local-data`, as a zone file would have it. Pure. */
const CLASSES = /^(?:in|ch|hs)$/i

/** Null for what is no record with a name of the model. */
function localData(text: string, source: string): Override | null {
  const [owner = '', ...fields] = text.trim().split(/\s+/)
  while (fields.length > 0 && (/^\d+[smhdw\d]*$/i.test(fields[0]!) || CLASSES.test(fields[0]!)))
    fields.shift()
  const [type_text = '', data = ''] = fields
  const type = type_text.toUpperCase()
  const name = plainName(owner)
  if (name === null || type === '') return null
  const value = valueOf(type, data)
  return value === null ? null : { name, scope: 'exact', type, value, source }
}

function valueOf(type: string, data: string): string | null {
  if (type === 'A' || type === 'AAAA') return canonicalAddress(data)
  return type === 'CNAME' ? plainName(data) : ''
}

// Unbound's file format (unbound.conf(5)): `name: value`, blanks and line ends alike, quotes, comments. Pure.

interface Directive {
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
function directivesOf(text: string, clause = ''): Directive[] {
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
