/** Identifiers use the words of the field: a refused word that comes back, in a new place, is named with what to say instead. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { identifiersOf, wordsOf } from './identifiers.ts'
import { LEFT_TYPES, LEFT_WORDS, REFUSED_TYPES, REFUSED_WORDS } from './words.ts'

const SOURCE = join(import.meta.dirname, '../../src')

/** What is generated speaks as the document does. */
const GENERATED = ['ui/api/types.ts', 'ui/api/companions/*.ts']

const files = globSync('**/*.{ts,tsx}', { cwd: SOURCE, exclude: GENERATED }).map((path) => ({
  path,
  names: identifiersOf(readFileSync(join(SOURCE, path), 'utf8')).map(({ name }) => name),
}))

/** By key, the files that have it. */
function filesBy(keysOf: (names: readonly string[]) => readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const { path, names } of files)
    for (const key of new Set(keysOf(names))) found.set(key, [...(found.get(key) ?? []), path])
  return found
}

/** One sentence for each key that stands in more files than it may, and for each row that holds nothing any more. */
function faults(
  found: ReadonlyMap<string, readonly string[]>,
  left: Readonly<Record<string, number>>,
  instead: (key: string) => string,
): string[] {
  return [...new Set([...found.keys(), ...Object.keys(left)])].flatMap((key) => {
    const where = found.get(key) ?? []
    const allowed = left[key] ?? 0
    if (where.length > allowed)
      return [
        `"${key}" stands in ${where.length} files, not ${allowed}: say ${instead(key)} (${where.join(', ')})`,
      ]
    return where.length === 0 ? [`"${key}" is gone: take its row out of words.ts`] : []
  })
}

describe('the source', () => {
  it('has no refused word in an identifier, but for what is left', () => {
    const refused = new Set(Object.keys(REFUSED_WORDS))
    const found = filesBy((names) => names.flatMap(wordsOf).filter((word) => refused.has(word)))
    expect(faults(found, LEFT_WORDS, (word) => REFUSED_WORDS[word]!)).toEqual([])
  })

  it('has no type whose whole name is a refused word, but for what is left', () => {
    const declares = new Set(['interface', 'type', 'class'])
    const refused = new Set(REFUSED_TYPES)
    const found = filesBy((names) =>
      names.filter((name, i) => refused.has(name) && declares.has(names[i - 1] ?? '')),
    )
    expect(faults(found, LEFT_TYPES, () => 'what it is')).toEqual([])
  })

  it('lets nothing be left that is not refused', () => {
    expect(Object.keys(LEFT_WORDS).filter((word) => REFUSED_WORDS[word] === undefined)).toEqual([])
    expect(Object.keys(LEFT_TYPES).filter((name) => !REFUSED_TYPES.includes(name))).toEqual([])
  })
})

describe('the reader of identifiers', () => {
  const names = (text: string) => identifiersOf(text).map(({ name }) => name)

  test.each([
    ["const a = 'desk' // desk\n/* desk */ b", ['const', 'a', 'b']],
    ['const a = "it\'s \\" desk"; b', ['const', 'a', 'b']],
    ['`desk ${mail.desk(`x ${y} desk`)} desk` + z', ['mail', 'desk', 'y', 'z']],
    ['`${{ a: { b } }} desk` + c', ['a', 'b', 'c']],
    ['a.replace(/[/\'"`]desk\\//g, b)', ['a', 'replace', 'b']],
    ['x = a / b / c; y = (a) / 2; z = `1` / d', ['x', 'a', 'b', 'c', 'y', 'a', 'z', 'd']],
    ["return /desk'/.test(a) ? b : 'desk'", ['return', 'test', 'a', 'b']],
    ['this.#desk?.[key]', ['this', 'desk', 'key']],
    ['const n = 0x1f + 1_000n', ['const', 'n']],
  ])('%s', (text, expected) => {
    expect(names(text)).toEqual(expected)
  })

  it('says where each stands', () => {
    const text = "// a\nconst it = 'b' + desk"
    const { at } = identifiersOf(text).at(-1)!
    expect(text.slice(at)).toBe('desk')
  })

  test.each([
    ['mailDesk', ['mail', 'desk']],
    ['MAX_HELD_MS', ['max', 'held', 'ms']],
    ['HTTPServer2', ['http', 'server2']],
    ['is_held', ['is', 'held']],
    ['helden', ['helden']],
  ])('reads the words of %s', (name, words) => {
    expect(wordsOf(name)).toEqual(words)
  })
})
