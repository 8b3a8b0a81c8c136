/** Every way in which the file and the two editions can differ, made by hand, with the cause that a person is told. */
import { describe, expect, it } from 'vitest'
import type { Explanation } from '../../../../src/engine/target.ts'
import type { FileLook } from '../../../../src/ports/files.ts'
import { renderRoutes, type RoutesDesired } from '../../../../src/features/routes/target/desire.ts'
import { explainRoutes, MAX_LISTED } from '../../../../src/features/routes/target/explain.ts'
import { MAX_DIFF_CHARACTERS } from '../../../../src/kernel/text/diff.ts'
import { anIntent, type RowWish } from '../../../fixtures.ts'
import { fileOf } from './memory-file.ts'
import { someSettings } from './settings.ts'

const PATH = 'traefik/routes.yml'
const A: RowWish = { domain: 'a.example.com' }
const B: RowWish = { domain: 'b.example.com' }
const render = (...rows: RowWish[]): RoutesDesired => renderRoutes(anIntent(...rows), someSettings())
const textOf = ({ chunks }: RoutesDesired): string => Buffer.concat(chunks).toString('latin1')

interface World {
  readonly working: RoutesDesired
  readonly released: RoutesDesired | null
  readonly observed: FileLook | string
  readonly rows_moved?: boolean
}

const explain = ({ working, released, observed, rows_moved = false }: World): Explanation =>
  explainRoutes(
    { working, released, observed: typeof observed === 'string' ? fileOf(observed) : observed, rows_moved },
    PATH,
  )

const brief = ({ differences }: Explanation): string[] =>
  differences.map(({ item, cause }) => `${cause} ${item}`)

describe('an explanation', () => {
  const released = render(A, B)
  const text = textOf(released)
  const moved = render({ ...A, backend_port: 9999 }, B)
  const site_a = 'http.services.plumbline-site_a.example.com'
  const site_b = 'http.services.plumbline-site_b.example.com'

  it.each<[string, World, string[]]>([
    ['nothing differs', { working: released, released, observed: text }, []],
    [
      'a record was edited and not deployed',
      { working: moved, released, observed: text, rows_moved: true },
      [`pending_deploy ${site_a}`],
    ],
    [
      'a record was added and not deployed',
      { working: render(A, B, { domain: 'c.example.com' }), released, observed: text, rows_moved: true },
      [
        'pending_deploy http.routers.plumbline-redirect_c.example.com',
        'pending_deploy http.routers.plumbline-site_c.example.com',
        'pending_deploy http.services.plumbline-site_c.example.com',
      ],
    ],
    [
      'a record was removed and not deployed',
      { working: render(B), released, observed: text, rows_moved: true },
      [
        'pending_deploy http.routers.plumbline-redirect_a.example.com',
        'pending_deploy http.routers.plumbline-site_a.example.com',
        'pending_deploy http.services.plumbline-site_a.example.com',
      ],
    ],
    [
      'settings render it differently',
      { working: moved, released, observed: text },
      [`renderer_changed ${site_a}`],
    ],
    [
      'an entry was changed by hand',
      { working: released, released, observed: text.replace('8080"\n    "plumb', '8081"\n    "plumb') },
      [`edited ${site_a}`],
    ],
    [
      'an entry was added by hand',
      { working: released, released, observed: `${text}    "mine":\n      loadBalancer:\n` },
      ['edited http.services.mine'],
    ],
    [
      'an entry was removed by hand',
      { working: released, released, observed: without(text, site_b) },
      [`lost ${site_b}`],
    ],
    [
      'one entry was changed by hand and another edited',
      { working: moved, released, observed: text.replace(/8080"\n$/, '1"\n'), rows_moved: true },
      [`pending_deploy ${site_a}`, `edited ${site_b}`],
    ],
    [
      'the same entry was changed by hand and edited',
      {
        working: moved,
        released,
        observed: text.replace('8080"\n    "plumb', '8081"\n    "plumb'),
        rows_moved: true,
      },
      [`edited_and_pending ${site_a}`],
    ],
    [
      'an entry was removed by hand and edited',
      { working: moved, released, observed: without(text, site_a), rows_moved: true },
      [`edited_and_pending ${site_a}`],
    ],
    [
      'the file was written and the release not recorded',
      { working: moved, released, observed: textOf(moved), rows_moved: true },
      [`applied_unrecorded ${site_a}`],
    ],
    [
      'only the marker was changed by hand',
      { working: released, released, observed: text.replaceAll(released.generation, '0123456789abcdef') },
      [
        `lost http.middlewares.plumbline-generation-${released.generation}`,
        'edited http.middlewares.plumbline-generation-0123456789abcdef',
      ],
    ],
    [
      'a comment was added by hand',
      { working: released, released, observed: text.replace('http:\n', '# hi\nhttp:\n') },
      ['edited line 1'],
    ],
    [
      'stray lines were added by hand',
      { working: released, released, observed: `${text}!! what\n[[[\n` },
      [`edited line ${text.split('\n').length}`],
    ],
    [
      'two entries changed places',
      { working: released, released, observed: swapped(text, site_a, site_b) },
      [`edited ${PATH}`],
    ],
    [
      'lines end as on Windows',
      { working: render(), released: render(), observed: textOf(render()).replaceAll('\n', '\r\n') },
      ['edited line 1'],
    ],
  ])('when %s', (_title, world, expected) => {
    expect(brief(explain(world))).toEqual(expected)
  })

  it.each<[what: string, other: Partial<World>, string[]]>([
    ['another release', { released: render(B) }, [`edited_and_pending ${site_a}`]],
    ['another file', { observed: fileOf(without(text, site_a)) }, [`edited_and_pending ${site_a}`]],
    ['rows that moved', { rows_moved: true }, [`pending_deploy ${site_a}`]],
  ])('of the same rendering is made anew for %s', (_what, other, expected) => {
    const world = { working: moved, released, observed: fileOf(text) }
    expect(brief(explain(world))).toEqual([`renderer_changed ${site_a}`])
    expect(brief(explain({ ...world, ...other }))).toEqual(expect.arrayContaining(expected))
    expect(brief(explain(world))).toEqual([`renderer_changed ${site_a}`])
  })

  it('before the first release lists what waits for it, and takes the missing file for granted', () => {
    const told = explain({
      working: render(A),
      released: null,
      observed: { kind: 'absent' },
      rows_moved: true,
    })
    expect(new Set(told.differences.map(({ cause }) => cause))).toEqual(new Set(['pending_deploy']))
    expect(told.differences.at(-1)).toEqual({
      item: site_a,
      cause: 'pending_deploy',
      domains: ['a.example.com'],
      detail: 'saved but not deployed: the next deploy adds it',
    })
    expect(told.unified_diff).toContain('+    "plumbline-site_a.example.com":\n')
  })

  it('names the domains that an entry belongs to, and none for what is shared', () => {
    const told = explain({
      working: released,
      released,
      observed: text.replaceAll('priority: 1000', 'priority: 1').replace('"SAMEORIGIN"', '"DENY"'),
    })
    expect(
      told.differences.map(({ item, domains }) => [item.split('.').slice(0, 2).join('.'), domains]),
    ).toEqual([
      ['http.middlewares', []],
      ['http.routers', ['a.example.com']],
      ['http.routers', ['b.example.com']],
      ['http.routers', ['a.example.com']],
      ['http.routers', ['b.example.com']],
    ])
    expect(told.differences[0]!.detail).toMatch(/^changed by hand at line \d+$/)
  })
})

describe('the unified diff', () => {
  const released = render(A, B)
  const text = textOf(released)

  it('runs from what is there to what was released, where nothing waits', () => {
    const told = explain({ working: released, released, observed: text.replace('"SAMEORIGIN"', '"DENY"') })
    expect(told.note).toBeNull()
    expect(told.unified_diff).toContain(`--- ${PATH}\ton disk\n+++ ${PATH}\treleased edition\n@@ `)
    expect(told.unified_diff).toContain(
      '-        customFrameOptionsValue: "DENY"\n+        customFrameOptionsValue: "SAMEORIGIN"\n',
    )
  })

  it('keeps a hand edit and a change that waits apart, and says truly from where to where each runs', () => {
    const working = render({ ...A, backend_port: 9999 }, B)
    const edited = text.replace('"SAMEORIGIN"', '"DENY"')
    const heads = (world: World) =>
      explain(world)
        .unified_diff!.split('\n')
        .filter((line) => /^(?:---|\+\+\+) /.test(line))
    const [disk, then, saved] = ['on disk', 'released edition', 'working edition'].map(
      (side) => `${PATH}\t${side}`,
    )
    expect(heads({ working, released, observed: text })).toEqual([`--- ${disk}`, `+++ ${saved}`])
    const both = explain({ working, released, observed: edited, rows_moved: true })
    expect(both.note).toBeNull()
    const [repair = '', deploy = ''] = both.unified_diff!.split(`\n--- ${then}`)
    expect(repair).toContain(`--- ${disk}\n+++ ${then}\n`)
    expect(repair).toContain('-        customFrameOptionsValue: "DENY"\n')
    expect(repair).not.toContain(':9999')
    expect(deploy).toContain(`+++ ${saved}\n`)
    expect(deploy).toContain(':9999')
    expect(deploy).not.toContain('DENY')
    // What a plan asks for is no edition: one diff, whatever was there.
    const world = { working, released, observed: fileOf(edited), rows_moved: true }
    const planned = explainRoutes({ ...world, wanted_as: 'with this plan' }, PATH).unified_diff!
    expect(planned.match(/^\+\+\+ .*$/gm)).toEqual([`+++ ${PATH}\twith this plan`])
  })

  it('shows what cannot be seen and lets nothing drive a terminal', () => {
    const told = explain({
      working: released,
      released,
      observed: text.replace('"SAMEORIGIN"', '"\u001b]0;x\u0007\u009b\u202e\r"'),
    })
    expect(told.unified_diff).toContain('-        customFrameOptionsValue: "␛]0;x␇\ufffd\ufffd␍"\n')
    // eslint-disable-next-line no-control-regex
    expect(told.unified_diff).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/)
  })

  it('is absent with a reason where there is no text', () => {
    const told = explain({ working: released, released, observed: { kind: 'intruder', what: 'fifo' } })
    expect(told).toMatchObject({
      unified_diff: null,
      note: 'There is no text to compare: a fifo stands in the place of the file.',
    })
  })

  it('is absent with a reason when only the release is behind', () => {
    const told = explain({ working: render(A), released, observed: textOf(render(A)), rows_moved: true })
    expect(told).toMatchObject({ unified_diff: null, note: 'The file already equals the working edition.' })
  })

  it('falls back to whole entries when the texts have too little in common, and stays bounded', () => {
    const many = render(...Array.from({ length: 2000 }, (_, i) => ({ domain: `n${i}.example.com` })))
    const other = render(
      ...Array.from({ length: 2000 }, (_, i) => ({
        domain: `n${i}.example.com`,
        backend_host: `h${i}`,
        auth_required: false,
      })),
    )
    const told = explain({ working: many, released: many, observed: textOf(other) })
    expect(told.differences).toHaveLength(MAX_LISTED)
    expect(told.note).toMatch(/further differences are not listed.*whole entries are shown/)
    expect(told.unified_diff!.length).toBeLessThanOrEqual(MAX_DIFF_CHARACTERS)
    expect(told.unified_diff).toContain('@@ http.routers.plumbline-site_n0.example.com @@\n')
  })
})

/** The text of an entry: its own line and what is indented below. */
function entry(text: string, item: string): string {
  const [root, part, ...name] = item.split('.')
  const start = text.indexOf(
    `    "${name.join('.')}":\n`,
    text.indexOf(`\n  ${part}:\n`, text.indexOf(`${root}:\n`)),
  )
  const rest = text.slice(start)
  return /^ {4}".*\n(?: {5,}.*\n)*/.exec(rest)![0]
}

const without = (text: string, item: string): string => {
  const block = entry(text, item)
  const at = text.lastIndexOf(block)
  return text.slice(0, at) + text.slice(at + block.length)
}

const swapped = (text: string, one: string, other: string): string => {
  const [a, b] = [entry(text, one), entry(text, other)]
  return text.replace(a + b, b + a)
}
