/** What is told of a routes file that is not compared entry by entry: one difference, and what text there is to show. */
import { describe, expect, it } from 'vitest'
import type { Explanation } from '../../../../src/engine/target.ts'
import { renderRoutes, type RoutesDesired } from '../../../../src/features/routes/target/desire.ts'
import { explainRoutes, MAX_COMPARED_BYTES } from '../../../../src/features/routes/target/explain.ts'
import { textOf } from '../../../../src/features/routes/render/text.ts'
import type { FileLook } from '../../../../src/ports/files.ts'
import { anIntent, type RowWish } from '../../../fixtures.ts'
import { fileOf } from './memory-file.ts'
import { someSettings } from './settings.ts'

const PATH = 'traefik/routes.yml'
const A: RowWish = { domain: 'a.example.com' }
const B: RowWish = { domain: 'b.example.com' }
const render = (...rows: RowWish[]): RoutesDesired => renderRoutes(anIntent(...rows), someSettings())
const released = render(A, B)
const moved = render({ ...A, backend_port: 9999 }, B)
const text = textOf(released.chunks)
const ABSENT: FileLook = { kind: 'absent' }
const DIRECTORY: FileLook = { kind: 'intruder', what: 'directory' }
const EMPTY = 'the file is empty, which the proxy takes for "no routes at all"'

interface World {
  readonly working?: RoutesDesired
  readonly released?: RoutesDesired | null
  readonly observed: FileLook
  readonly rows_moved?: boolean
}
const explain = (world: World): Explanation =>
  explainRoutes({ working: released, released, rows_moved: false, ...world }, PATH)
const whole = (detail: unknown, cause = 'edited') => ({ item: PATH, cause, domains: [], detail })

describe('in place of a file', () => {
  it.each<[string, FileLook | string, RegExp]>([
    ['a missing file', { kind: 'absent' }, /^the file is missing$/],
    ['an empty file', '', /^the file is empty/],
    ['a blank file', ' \n\n', /^the file is empty/],
    ['a directory', { kind: 'intruder', what: 'directory' }, /^a directory stands in the place of the file$/],
    ['a symbolic link', { kind: 'intruder', what: 'symlink' }, /^a symlink stands/],
    ['a huge file', { kind: 'oversize', size: 500_000_000 }, /^the file has 500000000 bytes/],
    ['binary garbage', fileOf(new Uint8Array([0xff, 0xfe, 0, 1])), /^the file is not text$/],
    ['text with NUL', 'http:\0', /^the file is not text$/],
    ['other text', 'Dear diary,\n', /^nothing in the file is an entry/],
    ['a YAML bomb', `a: &a [x]\n${'b: [*a,*a]\n'.repeat(1000)}`, /^nothing in the file is an entry/],
    ['a deep nest', '['.repeat(100_000), /^nothing in the file is an entry/],
  ])('%s is one difference in plain words', (_title, observed, detail) => {
    const { differences } = explain({ observed: typeof observed === 'string' ? fileOf(observed) : observed })
    const is_missing = typeof observed !== 'string' && observed.kind === 'absent'
    expect(differences).toEqual([whole(expect.stringMatching(detail), is_missing ? 'lost' : 'edited')])
  })

  it.each<[what: string, observed: FileLook, detail: string, cause: string]>([
    ['a missing file', ABSENT, 'the file is missing', 'lost'],
    ['an empty file', fileOf(''), EMPTY, 'edited'],
  ])('%s is shown as all that is to be there', (_what, observed, detail, cause) => {
    const { differences, unified_diff, note } = explain({ observed })
    expect({ differences, note }).toEqual({ differences: [whole(detail, cause)], note: null })
    const lines = unified_diff!.split('\n').filter((line) => line.startsWith('+') && !line.startsWith('+++'))
    expect(`${lines.map((line) => line.slice(1)).join('\n')}\n`).toBe(text)
  })

  it('an empty one is shown with both editions, where one waits', () => {
    const { unified_diff } = explain({ working: moved, observed: fileOf(' '), rows_moved: true })
    expect(unified_diff!.match(/^(?:---|\+\+\+) .*$/gm)).toEqual([
      `--- ${PATH}\ton disk`,
      `+++ ${PATH}\treleased edition`,
      `--- ${PATH}\treleased edition`,
      `+++ ${PATH}\tworking edition`,
    ])
  })
})

describe('a file with another mode', () => {
  const OPEN = { what: 'may be written by others (mode 0666)', opens: true, mode: 0o644 }
  const withMode = (content: string): FileLook => ({ ...fileOf(content), access: OPEN }) as FileLook

  it('and the bytes that are wanted differs in that, and there is no text to show', () => {
    expect(explain({ observed: withMode(text) })).toEqual({
      differences: [whole('the file may be written by others (mode 0666)', 'access')],
      unified_diff: null,
      note: null,
    })
  })

  it('and other bytes differs in these', () => {
    const observed = withMode(text.replace('"SAMEORIGIN"', '"DENY"'))
    expect(explain({ observed }).differences).toEqual([
      expect.objectContaining({ item: 'http.middlewares.plumbline-security-headers', cause: 'edited' }),
    ])
    expect(explain({ working: moved, observed: withMode(text), rows_moved: true }).differences).toEqual([
      expect.objectContaining({ item: 'http.services.plumbline-site_a.example.com' }),
    ])
  })
})

describe('beyond the size up to which texts are compared', () => {
  const NOTE = `More than ${MAX_COMPARED_BYTES} bytes are not compared line by line.`
  const NOT_COMPARED = { unified_diff: null, note: NOTE }
  const AS_A_WHOLE = 'the file differs as a whole'
  const sized = (bytes: number): FileLook => fileOf(new Uint8Array(bytes))
  /** One that was rendered of very many records, in two pieces that are small enough each. */
  const large: RoutesDesired = {
    ...render(),
    checksum: 'large',
    chunks: [new Uint8Array(MAX_COMPARED_BYTES), new Uint8Array(1)],
  }

  it('a file is told as a whole, and one of just that size is looked into', () => {
    const told = (bytes: number) => explain({ observed: sized(bytes) })
    expect(told(MAX_COMPARED_BYTES).differences).toEqual([whole('the file is not text')])
    expect(told(MAX_COMPARED_BYTES + 1)).toEqual({ differences: [whole(AS_A_WHOLE)], ...NOT_COMPARED })
  })

  it.each<[what: string, World, detail: string, cause?: string]>([
    ['what is saved', { working: large, observed: fileOf(text) }, AS_A_WHOLE, 'renderer_changed'],
    ['what is released', { released: large, observed: fileOf('x') }, AS_A_WHOLE, 'edited_and_pending'],
    [
      'what is saved, of a missing file',
      { working: large, observed: ABSENT },
      'the file is missing',
      'edited_and_pending',
    ],
    [
      'what is saved, of a directory',
      { working: large, observed: DIRECTORY },
      'a directory stands in the place of the file',
      'edited_and_pending',
    ],
    ['what is saved first', { working: large, released: null, observed: sized(9) }, AS_A_WHOLE],
  ])('so is %s', (_what, world, detail, cause = 'edited_and_pending') => {
    expect(explain(world)).toEqual({ differences: [whole(detail, cause)], ...NOT_COMPARED })
  })
})
