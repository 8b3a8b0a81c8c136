/** Entries of a routes file that are not alike: in which words each is told, and what each side has of it. */
import { describe, expect, it } from 'vitest'
import { explainRoutes } from '../../../../src/features/routes/target/explain.ts'
import { blockSides, piecesOf } from '../../../../src/features/routes/target/differing-blocks.ts'
import { renderRoutes, type RoutesDesired } from '../../../../src/features/routes/target/desire.ts'
import { GENERATION_MARK } from '../../../../src/features/routes/render/names.ts'
import { textOf } from '../../../../src/features/routes/render/text.ts'
import { anIntent, type RowWish } from '../../../fixtures.ts'
import { fileOf } from './memory-file.ts'
import { someSettings } from './settings.ts'

const A: RowWish = { domain: 'a.example.com' }
const B: RowWish = { domain: 'b.example.com' }
const SITE_A = 'http.services.plumbline-site_a.example.com'
const SITE_B = 'http.services.plumbline-site_b.example.com'
const MINE = '    "mine":\n      loadBalancer:\n'
const render = (...rows: RowWish[]): RoutesDesired => renderRoutes(anIntent(...rows), someSettings())

const released = render(A, B)
const moved = render({ ...A, backend_port: 9999 }, B)
const [text, text_moved] = [textOf(released.chunks), textOf(moved.chunks)]
const entryIn = (rendering: RoutesDesired, item: string): string => rendering.objects().get(item)!.text
const edited = (item: string): string => entryIn(released, item).replace('8080', '7')
/** The released file, and what somebody has made of an entry. */
const having = (item: string, entry: string): string => text.replace(entryIn(released, item), entry)
const lineOf = (whole: string, entry: string): number =>
  whole.slice(0, whole.indexOf(entry)).split('\n').length

interface World {
  readonly working?: RoutesDesired
  readonly released?: RoutesDesired | null
  readonly there?: string
  readonly rows_moved?: boolean
}

const sidesOf = (world: World) => ({
  working: released,
  released,
  rows_moved: false,
  ...world,
  observed: world.there === undefined ? ({ kind: 'absent' } as const) : fileOf(world.there),
})
const explain = (world: World) => explainRoutes(sidesOf(world), 'routes.yml')

describe('an entry that differs is told', () => {
  const by_hand = having(SITE_A, edited(SITE_A))
  const line = lineOf(by_hand, edited(SITE_A))
  const PENDING = { there: text, rows_moved: true }

  it.each<[what: string, World, item: string, detail: string]>([
    [
      'as added by the next deploy',
      { working: render(A, B, { domain: 'c.example.com' }), ...PENDING },
      'http.services.plumbline-site_c.example.com',
      'saved but not deployed: the next deploy adds it',
    ],
    [
      'as changed by it',
      { working: moved, ...PENDING },
      SITE_A,
      'saved but not deployed: the next deploy changes it',
    ],
    [
      'as removed by it',
      { working: render(B), ...PENDING },
      SITE_A,
      'saved but not deployed: the next deploy removes it',
    ],
    [
      'as rendered differently',
      { working: moved, there: text },
      SITE_A,
      'no record changed, but the settings or the version of Plumbline render it differently; deploy to apply',
    ],
    [
      'as added by hand, with its line',
      { there: `${text}${MINE}` },
      'http.services.mine',
      `added by hand at line ${text.split('\n').length}; it belongs to no record`,
    ],
    ['as changed by hand, with its line', { there: by_hand }, SITE_A, `changed by hand at line ${line}`],
    ['as missing', { there: having(SITE_B, '') }, SITE_B, 'missing from the file'],
    [
      'as there already',
      { working: moved, there: text_moved, rows_moved: true },
      SITE_A,
      'the file already shows the working edition, though no release says so',
    ],
    [
      'as missing and edited',
      { working: moved, there: having(SITE_A, ''), rows_moved: true },
      SITE_A,
      'missing from the file, and changed in the records since the last deploy',
    ],
    [
      'as changed by hand and edited',
      { working: moved, there: by_hand, rows_moved: true },
      SITE_A,
      `changed by hand at line ${line}, and changed in the records since the last deploy`,
    ],
  ])('%s', (_what, world, item, detail) => {
    expect(explain(world).differences.find((one) => one.item === item)).toMatchObject({ detail })
  })
})

describe('the sides of an entry', () => {
  const of = (world: World, item: string) => explain(world).sidesOf!(item)
  const mark = (rendering: RoutesDesired): string =>
    `http.middlewares.${GENERATION_MARK}${rendering.generation}`

  it('are what is saved, what is released, and what is there at which line', () => {
    const there = having(SITE_A, edited(SITE_A))
    expect(of({ working: moved, there, rows_moved: true }, SITE_A)).toEqual({
      saved: entryIn(moved, SITE_A),
      released: entryIn(released, SITE_A),
      there: edited(SITE_A),
      line: lineOf(there, edited(SITE_A)),
      noise: false,
    })
  })

  it.each<[what: string, World, item: string, sides: object]>([
    [
      'that was added by hand',
      { there: `${text}${MINE}` },
      'http.services.mine',
      { saved: null, released: null, there: MINE },
    ],
    [
      'that is missing',
      { there: having(SITE_B, '') },
      SITE_B,
      { saved: entryIn(released, SITE_B), released: entryIn(released, SITE_B), there: null, line: null },
    ],
    [
      'that is only saved',
      { released: null, rows_moved: true },
      SITE_A,
      { saved: entryIn(released, SITE_A), released: null, there: null, line: null },
    ],
    [
      'that is only released',
      { working: render(B), there: having(SITE_A, ''), rows_moved: true },
      SITE_A,
      { saved: null, released: entryIn(released, SITE_A), there: null },
    ],
    [
      'that only names the rendering say nothing new',
      { working: moved, there: text, rows_moved: true },
      mark(moved),
      { saved: entryIn(moved, mark(moved)), there: null, noise: true },
    ],
  ])('of one %s', (_what, world, item, sides) => {
    expect(of(world, item)).toMatchObject(sides)
  })

  it('are none where no side has it', () => {
    expect(of({ there: having(SITE_B, '') }, 'http.services.nobody')).toBeNull()
  })
})

it.each([
  ['the released edition', text, released],
  ['the working edition', text_moved, moved],
])('a file that is %s is not read: its entries are those of the edition', (_what, there, edition) => {
  const { observed } = blockSides(sidesOf({ working: moved, there }), 'never looked at')
  expect(observed).toBe(edition.objects())
})

it('between two of the sides are the entries that those two have not alike, each as a whole', () => {
  const there = `${having(SITE_A, '').replace(entryIn(released, SITE_B), edited(SITE_B))}${MINE}`
  const found = [SITE_A, SITE_B, 'http.services.mine'].map(
    (item) => ({ item, cause: 'edited', domains: [], detail: '' }) as const,
  )
  const between = piecesOf(found, blockSides(sidesOf({ working: moved, there }), there))
  expect(between('there', 'released')).toEqual([
    { item: SITE_A, before: null, after: entryIn(released, SITE_A) },
    { item: SITE_B, before: edited(SITE_B), after: entryIn(released, SITE_B) },
    { item: 'http.services.mine', before: MINE, after: null },
  ])
  expect(between('released', 'working')).toEqual([
    { item: SITE_A, before: entryIn(released, SITE_A), after: entryIn(moved, SITE_A) },
  ])
})
