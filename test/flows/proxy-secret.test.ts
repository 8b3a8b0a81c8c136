/** The secret of a proxy is known to the proxy and to us: no file and no answer of ours holds it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { loadConfig } from '../../src/settings-wiring.ts'
import { routesSettings } from '../../src/wiring.ts'
import { createActive, openTestHouse } from './test-house.ts'

const SECRET = 'the-secret-of-the-proxy-0123456789'
const HEADER = `headers: { customRequestHeaders: { X-Plumbline-Proxy-Secret: ${SECRET} } }`

it.each(['PLUMBLINE_PROXY_SECRET', 'API_KEY'])(
  'a catalogue that holds %s is refused at the start, with the entry, the file and what else to do',
  (name) => {
    const folder = mkdtempSync(join(tmpdir(), 'plumbline-proxy-secret-'))
    try {
      const file = join(folder, 'middlewares.yml')
      writeFileSync(file, `plumbline-proof: { config: { ${HEADER} } }\n`)
      const { settings } = loadConfig({
        PLUMBLINE_DATA_DIR: folder,
        PLUMBLINE_MIDDLEWARES_FILE: file,
        [name]: SECRET,
      })
      const start = () => routesSettings(settings)
      expect(start).toThrow(`${file}: plumbline-proof.config.headers.customRequestHeaders`)
      expect(start).toThrow(new RegExp(`holds the value of ${name}.*"proxy-proof@file".*set another ${name}`))
      expect(start).not.toThrow(SECRET)
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
)

it('it stands in a file beside ours, which a chain names, and drift is clean', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-proxy-secret-'))
  const file = join(folder, 'middlewares.yml')
  writeFileSync(
    file,
    'plumbline-proof: { changes_path: false, config: { chain: { middlewares: [proxy-proof@file] } } }\n',
  )
  try {
    await using at = await openTestHouse({
      env: {
        PLUMBLINE_MIDDLEWARES_FILE: file,
        PLUMBLINE_TRUSTED_PROXIES: '127.0.0.9',
        PLUMBLINE_PROXY_SECRET: SECRET,
      },
    })
    const { call, house } = at
    const beside = join(dirname(house.routes_path), 'proxy-proof.yml')
    writeFileSync(beside, `http:\n  middlewares:\n    proxy-proof:\n      ${HEADER}\n`, { mode: 0o640 })
    const id = await createActive(call, { middleware_config: { extra_middlewares: ['plumbline-proof'] } })
    expect(at.routes()).toContain('"proxy-proof@file"')
    const answers = [
      await call('GET', '/api/drift'),
      await call('GET', '/api/releases/2/routes'),
      await call('GET', '/api/middlewares'),
      await call('GET', `/api/domains/${id}/effective-config`),
      await call('POST', '/api/domains/render'),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(answers[0]!.body).toMatchObject({ drift: false })
    expect(JSON.stringify([at.routes(), answers])).not.toContain(SECRET)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
