/** The routes file as JSON: the same configuration as the YAML bytes, whatever is in it, and readable as YAML too. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { Failure } from '../../../../src/kernel/failure.ts'
import { byDomain, type Intent } from '../../../../src/model/intent.ts'
import { readValues } from '../../../../src/features/routes/read/read-values.ts'
import { ReadRendering } from '../../../../src/features/routes/read/read-rendering.ts'
import { jsonOf, routesJson } from '../../../../src/features/routes/render/as-json.ts'
import { renderRoutes } from '../../../../src/features/routes/target/desire.ts'
import { block } from '../../../../src/features/routes/render/emit.ts'
import type { PlainMap } from '../../../../src/features/routes/render/settings.ts'
import { aRow } from '../../../fixtures.ts'
import { HOSTILE_STRINGS } from '../../../model/hostile.ts'
import { type Estate, estateArbitrary } from './arbitrary-estate.ts'
import { byTier, runs } from '../../../kit/tier.ts'

const intentOf = ({ records }: Estate): Intent => ({
  rows: records.map(({ fields, live }, i) => aRow({ domain_id: i + 1, live, ...fields })).sort(byDomain),
})
const readAgain = (text: string): string => jsonOf(readValues(text))

describe('any estate', () => {
  it('is the same configuration in both forms', async () => {
    await fc.assert(
      fc.asyncProperty(estateArbitrary, async (estate) => {
        const rendering = renderRoutes(intentOf(estate), estate.settings)
        const { chunks } = rendering
        const json = await routesJson(rendering.objects())
        const yaml: unknown = parse(Buffer.concat(chunks).toString('latin1'))
        expect(JSON.parse(json)).toEqual(yaml)
        expect(parse(json), 'Traefik reads JSON with its YAML reader').toEqual(yaml)
        expect(await routesJson(new ReadRendering(chunks).objects()), 'of bytes alone').toBe(json)
      }),
      { numRuns: byTier(60, 400), seed: 20_260 },
    )
  })
})

const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 12 }), fc.constantFrom(...HOSTILE_STRINGS))
const key = fc.stringMatching(/^[A-Za-z0-9]{1,8}$/)
const { plain } = fc.letrec<{ plain: PlainMap; value: PlainMap[string] }>((tie) => ({
  plain: fc.dictionary(key, tie('value'), {
    minKeys: 1,
    maxKeys: 4,
    noNullPrototype: true,
  }),
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.integer(),
    fc.boolean(),
    fc.array(tie('value'), { minLength: 1, maxLength: 3 }),
    tie('plain'),
  ),
}))

describe('any configuration that the emitter can write', () => {
  it('comes back as what it was, nested lists and hostile text included', () => {
    fc.assert(
      fc.property(plain, (map) => {
        const written = block(map, '', true)
        const json = readAgain(written)
        expect(JSON.parse(json)).toEqual(parse(written))
        expect(jsonOf(map), 'without its text').toBe(json)
        // No escape that Go's YAML reader refuses, and no raw control character.
        expect(json).not.toMatch(/\\ud[89a-f]/i)
        // eslint-disable-next-line no-control-regex
        expect(json).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\ufeff]/)
      }),
      { numRuns: runs(1500), seed: 7 },
    )
  })

  it('a name such as __proto__ is a name', () => {
    expect(readAgain('"http":\n  "__proto__":\n    "a": 1\n')).toBe('{"http":{"__proto__":{"a":1}}}')
  })
})

describe('what we did not write is refused, never guessed at', () => {
  it.each([
    ['nothing', ''],
    ['a comment alone', '# nothing\n'],
    ['a flow map', 'http: {routers: {}}\n'],
    ['a plain scalar', 'http:\n  a: b\n'],
    ['a single-quoted scalar', "http:\n  a: 'b'\n"],
    ['an anchor', 'http: &a\n  b: 1\n'],
    ['a key twice', 'http:\n  a: 1\n  a: 2\n'],
    ['an odd indentation', 'http:\n   a: 1\n'],
    ['a list that follows a map', 'http:\n  a: 1\n  - "b"\n'],
    ['an unfinished string', 'http:\n  a: "b\n'],
    ['an escape that we do not write', 'http:\n  a: "\\x41"\n'],
    ['a file that was cut', 'http:\n  a'],
    ['a second document', 'http:\n  a: 1\n---\nhttp:\n  b: 1\n'],
  ])('%s', (_what, written) => {
    expect(() => readAgain(written)).toThrow(Failure)
  })
})

describe('a release of an older version', () => {
  const written = (text: string) => routesJson(new ReadRendering([Buffer.from(text)]).objects())

  it.each([
    ['an object in another form', 'http:\n  routers:\n    "a": {rule: b}\n'],
    ['a line that belongs to nothing', 'http:\n  routers:\n    "a":\n      b: 1\n  other: 1\n'],
    ['no section', 'a: 1\n'],
  ])('is not served with %s: it might be a lock', async (_what, text) => {
    await expect(written(text)).rejects.toThrow(Failure)
  })

  it('is served in our form, whatever its comments say', async () => {
    expect(await written('# Older.\n\nhttp:\n  routers:\n    "a":\n      b: 1\n')).toBe(
      '{"http":{"routers":{"a":{"b":1}}}}',
    )
  })
})
