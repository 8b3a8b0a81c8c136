/** What a hand made of a route, read back: all of it as fields of the record, or nothing and why. */
import { describe, expect, it } from 'vitest'
import { readYamlAside } from '../../../../src/io/yaml/aside.ts'
import { sha256 } from '../../../../src/kernel/digest.ts'
import { readTheirs } from '../../../../src/features/routes/theirs/read-theirs.ts'
import { lookStamp } from '../../../../src/ports/files.ts'
import { aRow, type RowWish } from '../../../fixtures.ts'
import { someSettings, textOfRows } from '../target/settings.ts'

const settings = someSettings()
const NEVER = new AbortController().signal

/** @param edit what a hand makes of the file */
async function theirsOf(row: RowWish, edit: (text: string) => string, seen?: string) {
  const clean = textOfRows([row, { domain: 'other.example.com' }], settings)
  const text = edit(clean)
  expect(text).not.toBe(clean)
  const bytes = Buffer.from(text)
  const look = { kind: 'file', bytes, digest: sha256([bytes]), size: bytes.length, mode: 0o644 } as const
  return readTheirs(
    { settings, read: readYamlAside },
    { row: aRow(row), look, seen: seen ?? lookStamp(look) },
    NEVER,
  )
}

const APP = { domain: 'app.example.com', backend_host: '10.0.0.5', backend_port: 8080 } as const
const URL = 'http://10.0.0.5:8080'
const withUrl = (url: string) => (text: string) => text.replace(URL, url)

describe('what a hand made of a route', () => {
  it.each([
    ['another host', APP, withUrl('http://10.0.0.6:8080'), { backend_host: '10.0.0.6' }],
    ['another port', APP, withUrl('http://10.0.0.5:9090'), { backend_port: 9090 }],
    ['an IPv6 address', APP, withUrl('http://[2001:db8::1]:8080'), { backend_host: '2001:db8::1' }],
    ['another scheme', APP, withUrl('h2c://10.0.0.5:8080'), { backend_scheme: 'h2c' }],
    [
      'a comment beside it',
      APP,
      (text: string) => text.replace(`"${URL}"`, `'http://10.0.0.5:81' # moved`),
      { backend_port: 81 },
    ],
    [
      'a health check less',
      { ...APP, health_check_path: '/health' },
      (text: string) => text.replace(/ {8}"?healthCheck"?:\n(?: {10}.*\n)+/, ''),
      { health_check_path: null },
    ],
    [
      'another health check',
      { ...APP, health_check_path: '/health' },
      (text: string) => text.replace('"/health"', '"/alive"'),
      { health_check_path: '/alive' },
    ],
  ])('%s', async (_what, row, edit, fields) => {
    expect(await theirsOf(row, edit)).toEqual({ ok: true, fields })
  })

  it.each([
    [
      'a second server',
      APP,
      (text: string) =>
        text.replace(`- url: "${URL}"`, `- url: "${URL}"\n          - url: "http://10.0.0.7:1"`),
      'loadBalancer.servers',
    ],
    ['a path in the address', APP, withUrl('http://10.0.0.5:8080/app'), 'loadBalancer.servers'],
    ['a port that is none', APP, withUrl('http://10.0.0.5:99999'), 'loadBalancer.servers'],
    [
      'another rule',
      APP,
      (text: string) => text.replace('Host(\\"app.', 'Host(\\"bad.'),
      'a record cannot say its rule',
    ],
    [
      'a backend moved, and a priority',
      APP,
      (text: string) => withUrl('http://10.0.0.6:8080')(text).replaceAll('priority: 1000', 'priority: 1001'),
      'priority',
    ],
    [
      'one of its routers gone',
      APP,
      (text: string) => text.replace(/ {4}"plumbline-redirect_app[^]*?(?= {4}"plumbline)/, ''),
      'is gone',
    ],
    [
      'all of it gone',
      APP,
      (text: string) => text.replaceAll('_app.example.com":', '_gone.example.com":'),
      'nothing of it stands there',
    ],
    ['a template', APP, withUrl('http://{{ env "HOST" }}:8080'), 'template'],
    [
      'lines that belong nowhere',
      APP,
      (text: string) => `${text}&anchor: more\n`,
      'in no form that can be placed',
    ],
    ['text that is no YAML', APP, withUrl('http://10.0.0.5:8080" "'), 'no YAML'],
    [
      'a backend moved, and a key without a value',
      APP,
      (text: string) =>
        withUrl('http://10.0.0.6:8080')(text).replace(/( +)loadBalancer:/, '$1mirroring:\n$&'),
      'a record cannot say its mirroring',
    ],
    ['an alias of another entry', APP, (text: string) => text.replace(`"${URL}"`, '*elsewhere'), 'no YAML'],
    [
      'an order of keys alone',
      APP,
      (text: string) => `${text}# nothing else\n`,
      'nothing that a record says',
    ],
  ])('is nothing that a record can say: %s', async (_what, row, edit, why) => {
    const read = await theirsOf(row, edit)
    expect(read).toMatchObject({ ok: false, reasons: expect.anything() as object })
    if (!read.ok) expect(read.reasons.join('; ')).toContain(why)
  })

  it.each(['__proto__', 'constructor', '<<'])('is nothing that a record can say: a key %s', async (key) => {
    const read = await theirsOf(APP, (text) =>
      withUrl('http://10.0.0.6:8080')(text).replace(
        /( +)"?loadBalancer"?:/,
        `$1${key}:\n$1  weighted:\n$1    services: []\n$&`,
      ),
    )
    expect(read).toMatchObject({ ok: false })
  })

  it('is not read from another file than the one that was judged', async () => {
    const read = await theirsOf(APP, withUrl('http://10.0.0.6:8080'), 'another')
    expect(read).toEqual({ ok: false, reasons: [expect.stringContaining('written while')] })
  })

  it('is the backend of a TCP route, and no other entry point', async () => {
    const row = { ...APP, protocol: 'tcp', tcp_entrypoint: 'mqtt', service_type: 'tcp-proxy' } as const
    const read = await theirsOf(row, (text) => text.replace('"10.0.0.5:8080"', '"10.0.0.9:1883"'))
    expect(read).toEqual({ ok: true, fields: { backend_host: '10.0.0.9', backend_port: 1883 } })
    const moved = await theirsOf(row, (text) => text.replace('- "mqtt"', '- "web"'))
    expect(moved).toMatchObject({ ok: false, reasons: [expect.stringContaining('entryPoints')] })
  })

  it('is an entry of the catalogue more', async () => {
    const read = await theirsOf(APP, (text) =>
      text.replace(
        /("plumbline-site_app[^]*?- "plumbline-no-identity"\n)/,
        '$1        - "plumbline-extra-rate-limit"\n',
      ),
    )
    expect(read).toEqual({
      ok: true,
      fields: { middleware_config: { extra_middlewares: ['rate-limit'] } },
    })
  })
})
