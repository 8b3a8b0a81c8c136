/** Files of the proxy's folder, mutated by hand: what we say of their YAML is what real go-yaml says. */
import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readGoYaml } from '../../../src/io/yaml/go-tree.ts'
import { runs } from '../../kit/tier.ts'
import { goYaml } from '../../peers/go-yaml/go-yaml.ts'
import { describePeers } from '../../peers/peers.ts'

const RENDERED = new URL('../../../fixtures/routes/', import.meta.url)
const STRANGERS = [
  'x-auth: &auth [a, b]\nhttp:\n  routers:\n    a: { rule: "Host(`x`)", middlewares: *auth }\n',
  "# mine\nhttp:\n  services:\n    a: &a\n      loadBalancer:\n        servers:\n          - url: 'http://a'\n    b:\n      <<: *a\n",
  '{"http": {"routers": {"a": {"rule": "x", "priority": 010}}}}\n',
  'http:\n  middlewares:\n    a:\n      headers:\n        customRequestHeaders:\n          X-A: |\n            text\n          X-B: >-\n            more\n---\nsecond: [\n',
]
const TEXTS = [
  ...readdirSync(RENDERED)
    .map((name) => readFileSync(new URL(`${name}/routes.yml`, RENDERED), 'utf8'))
    .filter(({ length }) => length < 3000),
  ...STRANGERS,
]
const WORDS =
  `x|1|1.5|[]|{}|~|[a]|{ a: b }|no|2024-01-02|"1m"|0x|*a|&a|"|'|\t|- |a:|tls: {}|<<: {}|<<: *a|1_0|: |# |? |---|...|,|]|}|\\|\u00e4|!!str|%|@|\`|>|\r\n|\n|  `.split(
    '|',
  )

const mutated = fc
  .record({
    text: fc.constantFrom(...TEXTS),
    at: fc.nat(),
    length: fc.nat(3),
    word: fc.constantFrom('', ...WORDS),
  })
  .map(({ text, at, length, word }) => {
    const parts = text.split(/(\s+|[:,[\]{}"'&*-])/)
    const start = at % parts.length
    return [...parts.slice(0, start), word, ...parts.slice(start + length)].join('')
  })

/** Of a hundred: what is left are forms that hardly anybody writes, such as texts in quotes that go on without indentation. */
const AGREED = 98

describePeers(['go'], 'real go-yaml', () => {
  it('takes what we take and refuses what we refuse, but for a few', { timeout: 600_000 }, async () => {
    await using go = goYaml()
    const counts = { taken: 0, refused: 0, agreed: 0 }
    const others: string[] = []
    for (const text of fc.sample(mutated, runs(20_000))) {
      const ours = readGoYaml(text)
      if (!ours.ok && !ours.refused) continue
      const theirs = await go.read('any', text)
      const is_taken = 'value' in theirs && isMapping(theirs.value)
      // Keys that JSON has not are the judge's trouble alone.
      const is_ours = ours.ok && (ours.root.kind === 'map' || ours.root.kind === 'null')
      counts[is_ours ? 'taken' : 'refused']++
      if (is_taken === is_ours || ('refused' in theirs && theirs.refused.startsWith('json:'))) counts.agreed++
      else
        others.push(
          `${JSON.stringify(text)}\nours: ${ours.ok ? 'taken' : ours.why}\ntheirs: ${JSON.stringify(theirs)}`,
        )
    }
    expect(Math.min(counts.taken, counts.refused)).toBeGreaterThan(100)
    const percent = (100 * counts.agreed) / (counts.taken + counts.refused)
    expect(percent, others.slice(0, 3).join('\n\n')).toBeGreaterThan(AGREED)
  })
})

/** Traefik reads into a mapping; an empty file is an empty one. */
const isMapping = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && !Array.isArray(value))
