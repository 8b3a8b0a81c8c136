/**
 * Records in, bytes out: `fixtures/routes/<case>/`. `UPDATE_FIXTURES=1` writes what is rendered now; read the change before
 * you keep it, since it is what every installation will write over its file.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sha256 } from '../../../../src/kernel/digest.ts'
import { checkNew } from '../../../../src/model/domain/rules.ts'
import { renderRoutes } from '../../../../src/features/routes/target/desire.ts'
import { parseOwnMiddlewares } from '../../../../src/features/routes/middlewares/own-middlewares.ts'
import type { RoutesSettings } from '../../../../src/features/routes/render/settings.ts'
import { anIntent, type RowWish } from '../../../fixtures.ts'
import { offerOf, someSettings } from './settings.ts'

const ROOT = new URL('../../../../fixtures/routes/', import.meta.url)
const CASES = readdirSync(ROOT).sort()

const json = (name: string, file: string): unknown =>
  JSON.parse(readFileSync(new URL(`${name}/${file}`, ROOT), 'utf8'))

function settingsOf(name: string): RoutesSettings {
  if (!existsSync(new URL(`${name}/settings.json`, ROOT))) return someSettings()
  const { own_middlewares, open_paths, ...over } = json(name, 'settings.json') as Partial<RoutesSettings>
  const own = parseOwnMiddlewares(own_middlewares)
  expect(own.errors).toEqual([])
  return someSettings({
    ...over,
    own_middlewares: own.entries,
    open_paths: new Map(Object.entries(open_paths ?? {})) as RoutesSettings['open_paths'],
  })
}

/** The rows of a case, each checked by the rules that a caller's record has to pass. */
function rowsOf(name: string, settings: RoutesSettings): RowWish[] {
  const records = json(name, 'records.json') as readonly Record<string, unknown>[]
  return records.map(({ status = 'active', ...input }) => {
    const checked = checkNew(input, offerOf(settings))
    if (!checked.ok) throw new Error(`${name}: ${JSON.stringify(checked.errors)}`)
    return { ...checked.fields, live: status === 'active' }
  })
}

describe('the rendering of', () => {
  it.each(CASES)('%s', (name) => {
    const settings = settingsOf(name)
    const rendered = renderRoutes(anIntent(...rowsOf(name, settings)), settings)
    const text = Buffer.concat(rendered.chunks).toString('utf8')
    const path = new URL(`${name}/routes.yml`, ROOT)
    if (process.env['UPDATE_FIXTURES'] === '1') writeFileSync(path, text)
    expect(text).toBe(readFileSync(path, 'utf8'))
    expect(rendered.checksum).toBe(sha256([text]))
    expect({ ...figuresOf(text) }).toEqual({
      http_routers: rendered.http_routers,
      tcp_routers: rendered.tcp_routers,
      domains: rendered.domains,
    })
  })
})

/** Counted by the text alone: every router has one rule, every domain one router to its backend. */
function figuresOf(text: string) {
  const [http, tcp = ''] = text.split('\ntcp:\n')
  const rules = (part: string) => part.match(/^ {6}rule: /gm)?.length ?? 0
  const routers = http!.slice(http!.indexOf('\n  routers:\n'))
  const sites = routers.split('\n  services:\n')[0]!.match(/^ {4}"plumbline-site_/gm)?.length ?? 0
  return { http_routers: rules(http!), tcp_routers: rules(tcp), domains: sites + rules(tcp) }
}
