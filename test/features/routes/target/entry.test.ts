/** What names a rendering is found in its bytes, and nothing that a record says can pass for it. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { renderRoutes } from '../../../../src/features/routes/target/desire.ts'
import { generatedEntry } from '../../../../src/features/routes/proxy/generated.ts'
import { generationIn } from '../../../../src/features/routes/read/read-rendering.ts'
import { routerNames } from '../../../../src/features/routes/render/entry.ts'
import { GENERATION_MARK } from '../../../../src/features/routes/render/names.ts'
import { SERVICE_TYPES } from '../../../../src/model/domain/record.ts'
import { decodeFile } from '../../../fakes/traefik/decode/decode.ts'
import { aRow } from '../../../fixtures.ts'
import { someSettings } from './settings.ts'

const entryText = (...entry: Parameters<typeof generatedEntry>): string => generatedEntry(...entry).yaml

describe('the marker', () => {
  it('of any rendering is its generation', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 20 }),
        fc.string({ maxLength: 60 }),
        (ids, tail) => {
          const path = `/${GENERATION_MARK}0123456789abcdef":\n    "${GENERATION_MARK}fedcba9876543210":\n${tail}`
          const rows = [...new Set(ids)].map((domain_id) =>
            aRow({ domain_id, domain: `d${domain_id}.example.com`, default_path: path }),
          )
          const { chunks, generation } = renderRoutes({ rows }, someSettings())
          expect(generationIn(chunks)).toBe(generation)
        },
      ),
    )
  })

  it.each(['', 'http:\n', `# ${GENERATION_MARK}0123456789abcdef\n`, `    "${GENERATION_MARK}xyz":\n`])(
    '%j has none',
    (text) => {
      expect(generationIn([Buffer.from(text)])).toBeNull()
    },
  )
})

describe('the entry of one record', () => {
  it('holds its routers and middlewares, and no marker', () => {
    const open_paths = new Map([['d1.example.com', ['/healthz']]])
    const settings = someSettings({ open_paths })
    const text = entryText(aRow({ domain: 'd1.example.com', service_type: 'spa' }), settings)
    for (const name of routerNames('d1.example.com').filter((name) => !name.includes('tcp')))
      expect(text).toContain(`"${name}":`)
    expect(text).not.toContain(GENERATION_MARK)
    expect(text).toContain('"plumbline-security-headers":')
  })

  it.each(SERVICE_TYPES.filter((type) => type !== 'manual'))('of %s is a file that Traefik takes', (type) => {
    for (const over of [{}, { ssl_enabled: false }, { protocol: 'tcp' as const }]) {
      const text = entryText(aRow({ service_type: type, ...over }), someSettings())
      expect(() => decodeFile(Buffer.from(text), {}), text).not.toThrow()
      expect(text).not.toMatch(/:\n(?! )/)
    }
  })

  it('is the same text that the whole file has', () => {
    const row = aRow()
    const whole = Buffer.concat(renderRoutes({ rows: [row] }, someSettings()).chunks).toString('latin1')
    const lines = whole.split('\n')
    const marker = lines.findIndex((line) => line.includes(GENERATION_MARK))
    expect(lines.toSpliced(marker, 4).join('\n')).toBe(entryText(row, someSettings()))
  })
})
