/** Text that is filled in instead of written anew: no record may ever show a trait or a value of another. */
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { SERVICE_TYPES } from '../../../../src/model/domain/record.ts'
import { renderRoutes } from '../../../../src/features/routes/target/desire.ts'
import { anIntent, type RowWish } from '../../../fixtures.ts'
import { type Tree, treeOf } from './oracle.ts'
import { someSettings } from './settings.ts'
import { sample } from '../../../kit/tier.ts'

const BACKENDS = [
  { backend_port: 443 },
  { backend_port: 8080 },
  { backend_port: 8080, backend_scheme: 'h2c' },
  { backend_port: 8443, backend_scheme: 'https', backend_tls: { trust: 'insecure' } },
] as const

/** One record for every combination of the traits that show in a route: twins of each kind side by side. */
function everyKind(): RowWish[] {
  const flag = [true, false]
  const rows: RowWish[] = []
  for (const service_type of SERVICE_TYPES.filter((type) => type !== 'manual' && type !== 'tcp-proxy'))
    for (const ssl_enabled of flag)
      for (const auth_required of flag)
        for (const cors_enabled of flag)
          for (const default_path of ['/start', null])
            for (const health_check_path of ['/healthz', null])
              for (const backend_host of ['up.example.net', '10.0.0.7'])
                for (const extra_middlewares of [[], ['no-index']])
                  for (const backend of BACKENDS)
                    rows.push({
                      domain: `n${rows.length}.example.com`,
                      service_type,
                      ssl_enabled,
                      auth_required,
                      cors_enabled,
                      default_path,
                      health_check_path,
                      ...backend,
                      backend_host,
                      middleware_config: { extra_middlewares },
                    })
  return rows
}

describe('records that share a form', () => {
  it('differ in what differs: every combination of traits in one estate reads back as the oracle says', () => {
    const settings = someSettings()
    const intent = anIntent(...sample(everyKind(), 7))
    const { chunks, generation } = renderRoutes(intent, settings)
    const tree = parse(Buffer.concat(chunks).toString('latin1'), { uniqueKeys: false }) as {
      http: { middlewares: Tree }
    }
    delete tree.http.middlewares[`plumbline-generation-${generation}`]
    expect(tree).toEqual(treeOf(intent, settings))
  })

  it.each(['<domain>', 'x<address>y', '<health>'])(
    'keep a setting that looks like a blank, %s',
    (cert_resolver) => {
      const settings = someSettings({ cert_resolver })
      const { chunks } = renderRoutes(
        anIntent({ domain: 'a.example.com' }, { domain: 'b.example.com' }),
        settings,
      )
      const text = Buffer.concat(chunks).toString('latin1')
      expect(text.match(/certResolver: .*/g)).toEqual([
        `certResolver: ${JSON.stringify(cert_resolver)}`,
        `certResolver: ${JSON.stringify(cert_resolver)}`,
      ])
    },
  )
})
