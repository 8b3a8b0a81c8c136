/** Our judgement of a file in the proxy's folder, and the stand-in's, beside what Traefik's own decoder said (fixtures/traefik-decoder). */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readGoYaml } from '../../../../src/io/yaml/go-tree.ts'
import { evaluateDynamicFile } from '../../../../src/features/routes/opens/dynamic-file.ts'
import { type Kind, ROOT_KEYS } from '../../../../src/features/routes/opens/dynamic-keys.ts'
import { decodeFile } from '../../../fakes/traefik/decode/decode.ts'
import { ROOT } from '../../../fakes/traefik/decode/file-schema.ts'
import type { Kind as TheirKind } from '../../../fakes/traefik/decode/schema.ts'

const recorded = (name: string): unknown =>
  JSON.parse(
    readFileSync(new URL(`../../../../fixtures/traefik-decoder/${name}-3.7.9.json`, import.meta.url), 'utf8'),
  )

describe('a file', () => {
  const verdicts = recorded('verdicts') as readonly (readonly [text: string, refused: string | null])[]
  it.each(verdicts)('%j: %s', (text, refused) => {
    const read = readGoYaml(text)
    if (!read.ok && !read.refused) return
    const found = read.ok ? evaluateDynamicFile(read.root, true) : { kind: 'refused', why: read.why }
    expect(found, JSON.stringify(found)).toMatchObject({ kind: refused === null ? 'taken' : 'refused' })
    const decode = () => decodeFile(Buffer.from(text), {})
    if (refused === null) expect(decode).not.toThrow()
    else expect(decode).toThrow()
  })
})

type Types = string | readonly [Types] | { readonly [name: string]: Types }

/** Names of fields are taken in either case of letters. */
const fields = (entries: readonly (readonly [string, Types])[]): Types =>
  Object.fromEntries(
    entries.map(([name, of]) => [name.toLowerCase(), of] as const).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )

function named(types: Types): Types {
  if (typeof types === 'string') return types
  if (Array.isArray(types)) return [named((types as readonly [Types])[0])]
  return fields(Object.entries(types).map(([name, of]) => [name, named(of)]))
}

const field = (name: string, of: Kind): [string, Types] => [
  of.kind === 'keys' && of.may_be_empty ? `${name}?` : name,
  ours(of),
]

function ours(kind: Kind): Types {
  if (kind.kind === 'list') return [ours(kind.of)]
  if (kind.kind === 'named') return { '*': ours(kind.of) }
  return kind.kind === 'keys' ? fields([...kind.keys].map(([name, of]) => field(name, of))) : kind.kind
}

const theirField = (name: string, of: TheirKind): [string, Types] => [
  of.kind === 'struct' && of.may_be_empty ? `${name}?` : name,
  theirs(of),
]
const SCALARS: Readonly<Record<string, string>> = { file: 'text', duration: 'span' }

function theirs(kind: TheirKind): Types {
  if (kind.kind === 'list') return [theirs(kind.of)]
  if (kind.kind === 'map') return { '*': theirs(kind.of) }
  return kind.kind === 'struct'
    ? fields(Object.entries(kind.fields).map(([name, of]) => theirField(name, of)))
    : (SCALARS[kind.kind] ?? kind.kind)
}

describe('the keys of a file', () => {
  // A plugin's own part is of any form, and a number that may be left empty is read as one all the same.
  const types = JSON.parse(
    JSON.stringify(named(recorded('types') as Types))
      .replace('"plugin":{"*":{"*":"anything"}}', '"plugin":{"*":"anything"}')
      .replace('"rejectstatuscode?"', '"rejectstatuscode"'),
  ) as Types

  it('are those that it decodes', () =>
    expect(fields([...ROOT_KEYS].map(([name, of]) => field(name, of)))).toEqual(types))

  it('are those of the stand-in', () =>
    expect(fields(Object.entries(ROOT).map(([name, of]) => theirField(name, of)))).toEqual(types))
})
