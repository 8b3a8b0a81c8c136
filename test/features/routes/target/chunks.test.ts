/** Where the bytes are cut: by content, so that an edit stays where it is. */
import { describe, expect, it } from 'vitest'
import { sha256 } from '../../../../src/kernel/digest.ts'
import { isCut } from '../../../../src/features/routes/fast/chunks.ts'
import { renderRoutes, renderRoutesInPieces } from '../../../../src/features/routes/target/desire.ts'
import { anIntent, type RowWish } from '../../../fixtures.ts'
import { turnsOf } from '../../../kit/turns.ts'
import { someSettings } from './settings.ts'

const ROWS: readonly RowWish[] = Array.from({ length: 2000 }, (_, i) => ({
  domain: `app-${String(i).padStart(5, '0')}.example.com`,
  backend_port: 8000 + (i % 100),
}))
const render = (rows: readonly RowWish[]) => renderRoutes(anIntent(...rows), someSettings())
const digests = (rows: readonly RowWish[]) => new Set(render(rows).chunks.map((chunk) => sha256([chunk])))

describe('the chunks of a rendering', () => {
  it('are many, and add up to the bytes that the checksum names', () => {
    const { chunks, checksum } = render(ROWS)
    expect(chunks.length).toBeGreaterThan(20)
    expect(chunks.every(({ length }) => length > 0)).toBe(true)
    expect(sha256(chunks)).toBe(checksum)
  })

  it.each<[string, (rows: RowWish[]) => RowWish[]]>([
    [
      'an edited record',
      (rows) => rows.with(1000, { ...rows[1000]!, auth_required: false, backend_port: 9 }),
    ],
    ['an added record', (rows) => [...rows, { domain: 'app-01000-b.example.com' }]],
    ['a removed record', (rows) => rows.toSpliced(1000, 1)],
  ])('stay the same but for a handful after %s', (_title, change) => {
    const before = digests(ROWS)
    const fresh = [...digests(change([...ROWS]))].filter((digest) => !before.has(digest))
    // The marker, and one chunk each of redirects, sites and services; a removed cut joins two.
    expect(fresh.length).toBeGreaterThan(0)
    expect(fresh.length).toBeLessThanOrEqual(5)
  })

  it('are cut at about every 128th name, whatever the names look like', () => {
    const names = Array.from({ length: 20_000 }, (_, i) => `n${i}.${i % 7}.example.com`)
    const share = names.filter(isCut).length / names.length
    expect(share).toBeGreaterThan(1 / 256)
    expect(share).toBeLessThan(1 / 64)
  })
})

describe('a rendering in pieces', () => {
  const SORTS: readonly RowWish[] = [
    { auth_required: true },
    { auth_required: false, ssl_enabled: false },
    { service_type: 'spa' },
    { service_type: 'internal' },
    { cors_enabled: true, cors_origin: 'https://a.example.com' },
    { protocol: 'tcp', tcp_entrypoint: 'postgres', auth_required: false },
  ]
  const rows = (count: number) =>
    anIntent(...ROWS.slice(0, count).map((row, i) => ({ ...row, ...SORTS[i % SORTS.length] })))

  it.each([0, 1, 500, 501, 2000])('is the same file, byte for byte: %i records', async (count) => {
    const whole = renderRoutes(rows(count), someSettings())
    const pieced = await renderRoutesInPieces(rows(count), someSettings())
    expect(Buffer.concat(pieced.chunks).equals(Buffer.concat(whole.chunks))).toBe(true)
    expect(pieced).toEqual({ ...whole, objects: expect.any(Function) })
    expect(pieced.objects()).toEqual(whole.objects())
  })

  it('lets others have their turn after each 500 records, and before it is laid out', async () => {
    const turns = (count: number) => turnsOf(() => renderRoutesInPieces(rows(count), someSettings()))
    expect(await turns(500)).toBe(0)
    expect(await turns(2000)).toBe((3 + 1) * 2)
  })
})
