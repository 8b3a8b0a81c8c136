/** Names as nobody would choose them: what readers of YAML take for something else, every plane, every control, every length. */
import fc from 'fast-check'
import { SEED } from '../../kit/tier.ts'

const READ_AS_ELSE = [
  ['yes', 'Yes', 'no', 'NO', 'on', 'off', 'y', 'n', 'true', 'False', 'null', 'Null', '~', ''],
  ['0x1f', '0o17', '017', '1e3', '1_000', '.inf', '-.INF', '.nan', '0b1', '+1', '1.', '.5', '190:20:30'],
  ['2026-11-23', '2026-11-23T05:00:00Z', '=', '<<', '!!str', '&a', '*a', '%YAML', '@', '`', '---', '...'],
  ['- a', '? a', ': a', 'a: b', 'a #b', '#', '{a}', '[a]', ',', '|', '>', '"', "'", '\\', '\\ud83e\\udd8a'],
  ['{{ env "PATH" }}', '}}', '$HOME', '__proto__', 'constructor', ' a', 'a ', '\t', '\n', '\r\n', '\\/'],
].flat()

/** Each C0 and C1 control, the ends of each plane, and what stands beside a surrogate. */
const EDGES = [
  Array.from({ length: 0xa1 }, (_, code) => code),
  [0x2028, 0x2029, 0xd7ff, 0xe000, 0xfdd0, 0xfeff, 0xfffd, 0xfffe, 0xffff],
  Array.from({ length: 16 }, (_, plane) => [(plane + 1) << 16, ((plane + 1) << 16) | 0xffff]).flat(),
]
  .flat()
  .map((code) => `a${String.fromCodePoint(code)}b`)

const LONGEST = 100
const LENGTHS = Array.from({ length: LONGEST }, (_, at) =>
  '🦊'
    .repeat(at + 1)
    .slice(0, at + 1)
    .toWellFormed(),
)

const anyName = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: LONGEST }),
  fc.string({
    unit: fc.constantFrom(...READ_AS_ELSE, 'a', ' ', '🦊', '\u0000'),
    minLength: 1,
    maxLength: 12,
  }),
  fc.integer({ min: 0x10000, max: 0x10ffff }).map((code) => String.fromCodePoint(code)),
)

/** So many, all different; the words and the edges first, or an even choice of them. */
export function oddNames(count: number): readonly string[] {
  const fixed = [...new Set([...READ_AS_ELSE, ...EDGES, ...LENGTHS])]
  const step = Math.max(1, Math.ceil(fixed.length / (count * 0.75)))
  const names = new Set(fixed.filter((_, at) => at % step === 0))
  for (const name of fc.sample(anyName, { numRuns: 2 * count, seed: SEED })) {
    if (names.size >= count) break
    names.add(name)
  }
  return [...names].slice(0, count)
}
