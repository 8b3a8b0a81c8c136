/** What the renderer knows of its own text is what stands there: the fast text against the plain renderer, and both against a reading. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { byDomain, type Intent } from '../../../../src/model/intent.ts'
import { Failure } from '../../../../src/kernel/failure.ts'
import { scanBlocks } from '../../../../src/features/routes/read/blocks.ts'
import { ReadRendering } from '../../../../src/features/routes/read/read-rendering.ts'
import { entry } from '../../../../src/features/routes/render/emit.ts'
import {
  domainOfItem,
  isMarker,
  nameOfItem,
  textComparer,
} from '../../../../src/features/routes/render/objects.ts'
import { textOf } from '../../../../src/features/routes/render/text.ts'
import { withoutObjects } from '../../../../src/features/routes/fast/without-objects.ts'
import { renderRoutes, type RoutesDesired } from '../../../../src/features/routes/target/desire.ts'
import { frozenRoutes, releasedRoutes } from '../../../../src/features/routes/target/released.ts'
import { aRow, anIntent } from '../../../fixtures.ts'
import { type Estate, estateArbitrary } from './arbitrary-estate.ts'
import { byTier } from '../../../kit/tier.ts'
import { someSettings } from './settings.ts'

const intentOf = ({ records }: Estate): Intent => ({
  rows: records.map(({ fields, live }, i) => aRow({ domain_id: i + 1, live, ...fields })).sort(byDomain),
})

const ofAnyEstate = (check: (rendering: RoutesDesired, estate: Estate) => void): void =>
  fc.assert(
    fc.property(estateArbitrary, (estate) => check(renderRoutes(intentOf(estate), estate.settings), estate)),
    { numRuns: byTier(120, 4000), seed: 20_260 },
  )

/** The same record, served by another port. */
const moved = (record: Estate['records'][number]): Estate['records'][number] => ({
  ...record,
  fields: { ...record.fields, backend_port: record.fields.backend_port === 1 ? 2 : 1 },
})

const blocksIn = (rendering: Pick<RoutesDesired, 'objects'>) =>
  [...rendering.objects()].map(([item, { text, start, placed }]) => [item, { text, start, placed }])

const valuesIn = (rendering: Pick<RoutesDesired, 'objects'>) =>
  [...rendering.objects()].map(([item, { value, domain }]) => [item, value, domain])

const figuresIn = ({ generation, http_routers, tcp_routers, open_routers, domains }: RoutesDesired) => ({
  generation,
  http_routers,
  tcp_routers,
  open_routers,
  domains,
})

describe('the objects of any rendering', () => {
  it('stand where they are said to stand, in the order of the text, and nothing else does', () => {
    ofAnyEstate((rendering) => {
      expect(blocksIn(rendering)).toEqual([...scanBlocks(textOf(rendering.chunks))])
    })
  })

  it('are compared with those of another as their texts are, whether written or read', () => {
    ofAnyEstate((rendering, { records, settings }) => {
      const [first, ...rest] = records
      const other = renderRoutes(
        intentOf({ records: first ? [...rest, moved(first)] : rest, settings }),
        settings,
      )
      const [isSameText, read] = [textComparer(), scanBlocks(textOf(other.chunks))]
      const objects = [...rendering.objects(), ['missing', undefined] as const]
      for (const [item, object] of objects)
        for (const there of [other.objects().get(item), read.get(item)])
          expect(isSameText(object, there), item).toBe(object?.text === there?.text)
    })
  })

  it('are told from others of the same length, and from what is not there', () => {
    const objects = renderRoutes(anIntent({ domain: 'a.io' }, { domain: 'b.io' }), someSettings()).objects()
    const [one, other] = ['a.io', 'b.io'].map((name) => objects.get(`http.routers.plumbline-site_${name}`)!)
    expect(one!.text).toHaveLength(other!.text.length)
    const isSameText = textComparer()
    expect([isSameText(one, one), isSameText(one, other)]).toEqual([true, false])
    expect([isSameText(one, undefined), isSameText(undefined, one)]).toEqual([false, false])
  })

  it('are compared without their text, where both were rendered', () => {
    const items = () => {
      const objects = renderRoutes(anIntent({ domain: 'a.io' }), someSettings()).objects()
      const untold = { get: () => expect.unreachable('nobody needs the text') }
      for (const object of objects.values()) if (object.placed) Object.defineProperty(object, 'text', untold)
      return objects
    }
    const [isSameText, these, those] = [textComparer(), items(), items()]
    for (const [item, object] of these) expect(isSameText(object, those.get(item)), item).toBe(true)
  })

  it('are, byte for byte, what the emitter makes of the plain renderer’s values', () => {
    ofAnyEstate((rendering) => {
      for (const [item, { placed, text, value, domain }] of rendering.objects()) {
        if (!placed) continue
        expect(text).toBe(entry(nameOfItem(item), value!))
        expect(domain).toBe(domainOfItem(item))
      }
    })
  })

  it('are known from the bytes alone as well, with their figures', () => {
    ofAnyEstate((rendering) => {
      const read = new ReadRendering(rendering.chunks)
      expect(JSON.stringify(valuesIn(read))).toBe(
        JSON.stringify(valuesIn(rendering), (_key, value: unknown) => sorted(value)),
      )
      expect(figuresIn(read)).toEqual(figuresIn(rendering))
      expect(read.checksum).toBe(rendering.checksum)
    })
  })

  it('make the same file when nothing is left out, and are known of what is left', () => {
    ofAnyEstate((rendering, { records }) => {
      const whole = withoutObjects(rendering, () => false)
      expect(textOf(whole.chunks)).toBe(textOf(rendering.chunks))
      const domain = records[0]?.fields.domain
      const less = withoutObjects(rendering, (_item, object) => object.domain === domain)
      expect(blocksIn(less)).toEqual([...scanBlocks(textOf(less.chunks))])
      expect(figuresIn(new ReadRendering(less.chunks))).toEqual(figuresIn(less))
    })
  })
})

it('the marker alone names a rendering as a whole', () => {
  const rendering = renderRoutes(anIntent({ domain: 'plumbline-generation-1.io' }), someSettings())
  expect([...rendering.objects().keys()].filter(isMarker)).toEqual([
    `http.middlewares.plumbline-generation-${rendering.generation}`,
  ])
})

/** As the emitter orders keys, and without what it cannot spell. */
function sorted(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

describe('what a release froze', () => {
  const rows = anIntent({ domain: 'a.example.com' }, { domain: 'b.example.com', service_type: 'spa' })
  const settings = someSettings()
  const { checksum: digest, chunks } = renderRoutes(rows, settings)

  it('is known by its rows where they give the same bytes, so nothing is read', () => {
    const unreadable = { digest, chunks: [Buffer.from('never looked at')], rows }
    expect(valuesIn(frozenRoutes(unreadable, someSettings()))).toEqual(valuesIn(renderRoutes(rows, settings)))
  })

  it.each([
    ['other settings', someSettings({ http_entrypoint: 'eighty' }), rows],
    ['rows that are not known', settings, undefined],
    ['rows of another release', settings, anIntent({ domain: 'a.example.com' })],
    [
      'rows that are refused today',
      settings,
      { rows: [...rows.rows, aRow({ domain_id: 9, domain: 'c.example.com', backend_host: null })] },
    ],
  ])('is read from its bytes with %s', (_with, others, those) => {
    const released = frozenRoutes({ digest, chunks, rows: those }, { ...others })
    expect(released.checksum).toBe(digest)
    expect(textOf(released.chunks)).toBe(textOf(chunks))
    expect(released.domains).toBe(2)
    expect(released.objects().get('http.routers.plumbline-site_a.example.com')!.value).toMatchObject({
      entryPoints: ['websecure'],
    })
    expect(released.objects().get('http.routers.plumbline-redirect_a.example.com')!.value).toMatchObject({
      entryPoints: ['web'],
    })
  })

  it('says nothing of an object in a form that is not ours', () => {
    const other = new ReadRendering([Buffer.from('http:\n  routers:\n    "a": {rule: b}\n')])
    expect([...other.objects().values()].map(({ value }) => value)).toEqual([undefined])
    expect(other.generation).toBe('')
  })

  it('is looked up once for each release, and none before the first', async () => {
    const asked: string[] = []
    let head: { digests: Record<string, string> } | null = null
    const store = {
      latestRelease: async () => head as never,
      intent: async () => rows as never,
      artifact: async (key: string) => (asked.push(key), { digest, chunks }),
      artifactAt: async (release: number) => (release === 1 ? { digest, chunks } : null),
    }
    const released = releasedRoutes(store, { ...settings })
    expect([await released.newest(), await released.marker()]).toEqual([null, null])
    head = { digests: { routes: digest } }
    const newest = await released.newest()
    expect(await released.newest()).toBe(newest)
    expect(asked).toEqual(['routes'])
    expect(await released.marker()).toBe(`plumbline-generation-${newest!.generation}`)
    expect(await released.markerAt(1)).toBe(await released.marker())
    expect(await released.markerAt(2)).toBeNull()
  })

  it('is never guessed: a fault of the renderer that is none of the rows’ is thrown', () => {
    const broken = { ...settings, open_paths: null as never }
    expect(() => frozenRoutes({ digest, chunks, rows }, broken)).toThrow(TypeError)
    expect(() => renderRoutes({ rows: [aRow({ backend_host: null })] }, settings)).toThrow(Failure)
  })
})
