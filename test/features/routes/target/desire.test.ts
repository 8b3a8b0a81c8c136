/** What a rendering promises beyond its bytes: it is never empty, never ambiguous, and fails rather than opens a door. */
import { describe, expect, it } from 'vitest'
import { Failure } from '../../../../src/kernel/failure.ts'
import { renderRoutes, type RoutesDesired } from '../../../../src/features/routes/target/desire.ts'
import { aRow, anIntent, type RowWish } from '../../../fixtures.ts'
import { someSettings, textOfRows } from './settings.ts'

const settings = someSettings()

/** With its objects in place of the way to them. */
const known = (rendering: RoutesDesired) => ({ ...rendering, objects: [...rendering.objects().keys()] })

describe('a rendering', () => {
  it.each<[string, RowWish[]]>([
    ['without any record', []],
    ['of records that are not live', [{ live: false }]],
    [
      'of records that are managed elsewhere',
      [{ service_type: 'manual', backend_host: null, backend_port: null }],
    ],
  ])('%s is a valid file that holds the marker and no route', (_title, rows) => {
    const rendered = renderRoutes(anIntent(...rows), settings)
    expect(rendered).toMatchObject({ http_routers: 0, tcp_routers: 0, domains: 0 })
    const text = Buffer.concat(rendered.chunks).toString('latin1')
    expect(text).toContain(`    "plumbline-generation-${rendered.generation}":\n`)
    expect(text).not.toContain('routers')
  })

  it('has another marker as soon as anything else differs, and only then', () => {
    const one = renderRoutes(anIntent({ backend_port: 80 }), settings)
    const other = renderRoutes(anIntent({ backend_port: 81 }), settings)
    const same = renderRoutes(
      anIntent({ backend_port: 80, note: 'told', tags: ['x'], revision: 7 }),
      settings,
    )
    expect(one.generation).not.toBe(other.generation)
    expect(known(same)).toEqual(known(one))
  })

  it('holds nothing newer than the configured Traefik', () => {
    const rows = [{ domain: '*.example.com', middleware_config: { extra_middlewares: ['strict-paths'] } }]
    expect(textOfRows(rows, someSettings({ traefik_version: [3, 6, 8] }))).not.toMatch(
      /maxResponseBodySize|Host\("\*/,
    )
    expect(textOfRows(rows, someSettings({ traefik_version: [3, 6, 9] }))).toContain(
      'maxResponseBodySize: 1048576',
    )
    const newest = textOfRows(rows, someSettings({ traefik_version: [3, 7, 0] }))
    expect(newest).toContain('Host(\\"*.example.com\\")')
    expect(newest).toContain('encodedCharacters:')
  })

  it('lists a middleware that the catalogue no longer has, so that the route closes instead of opening', () => {
    const text = textOfRows([{ middleware_config: { extra_middlewares: ['office-only'] } }])
    expect(text).toContain('        - "plumbline-extra-office-only"\n')
    expect(text).not.toContain('    "plumbline-extra-office-only":')
  })

  it.each<[string, RowWish[], RegExp]>([
    ['without a backend', [{ backend_host: null }], /app\.example\.com has no backend/],
    [
      'of tcp without an entrypoint',
      [{ service_type: 'tcp-proxy', tcp_entrypoint: null }],
      /without an entrypoint/,
    ],
    ['of a name that another row has', [{}, {}], /two records are named app\.example\.com/],
  ])('is refused for a row %s: the rules of the record were broken', (_title, rows, message) => {
    const render = () => renderRoutes(anIntent(...rows), settings)
    expect(render).toThrow(Failure)
    expect(render).toThrow(message)
  })

  it('does not depend on the order of the rows, nor change them', () => {
    const rows = Object.freeze(
      ['c', 'a', 'b'].map((name, i) => aRow({ domain: `${name}.example.com`, domain_id: i })),
    )
    const sorted = rows.toSorted((x, y) => (x.fields.domain < y.fields.domain ? -1 : 1))
    expect(known(renderRoutes({ rows }, settings))).toEqual(known(renderRoutes({ rows: sorted }, settings)))
    expect(rows[0]!.fields.domain).toBe('c.example.com')
  })
})
