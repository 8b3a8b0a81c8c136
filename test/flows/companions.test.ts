/** Companions at both of their doors: below the main listener, and on a listener of their own. */
import { createServer } from 'node:net'
import { fetch } from 'undici'
import { afterEach, describe, expect, it } from 'vitest'
import { openTestHouse, type TestHouse } from './test-house.ts'
import { itInDepth, itOneIn } from '../kit/in-depth.ts'

const NAMES = ['inventory', 'network', 'ddns'] as const

const opened: TestHouse[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one[Symbol.asyncDispose]()
})

async function closed(env: Readonly<Record<string, string>>): Promise<TestHouse> {
  const at = await openTestHouse({ env, opened: false })
  opened.push(at)
  return at
}

async function open(env: Readonly<Record<string, string>>) {
  const { house } = await closed(env)
  return { house, main: await house.open() }
}

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly security: readonly object[] }>>>>
}

/** Every GET that needs no input, as its own description says. */
async function pathsAt(base: string): Promise<readonly string[]> {
  const document = (await (await fetch(`${base}/openapi.json`)).json()) as {
    readonly paths: Readonly<Record<string, { get?: { parameters?: readonly { required?: boolean }[] } }>>
  }
  return Object.entries(document.paths)
    .filter(
      ([path, { get }]) =>
        get !== undefined && !path.includes('{') && !(get.parameters ?? []).some(({ required }) => required),
    )
    .map(([path]) => path)
}

describe.each(NAMES)('%s', (name) => {
  const setting = `PLUMBLINE_${name.toUpperCase()}_LISTEN`
  /** What is alike in all of them: the gate takes the smallest. */
  const itAlike = name === 'ddns' ? it : itInDepth

  itAlike('answers the same at both doors, and leads people on with relative addresses', async () => {
    const { house, main } = await open({ [setting]: '127.0.0.1:0' })
    const own = house.companions()[name]!
    const headers = { 'X-API-Key': house.key.reveal() }
    for (const path of [...(await pathsAt(own)), '/docs', '/health']) {
      const [here, there] = await Promise.all(
        [own, `${main}/companions/${name}`].map((base) => fetch(base + path, { headers })),
      )
      expect([path, here!.status], await here!.text()).toEqual([path, there!.status])
      expect([200, 422, 503], path).toContain(here!.status)
    }
    const { info } = (await (await fetch(`${own}/openapi.json`)).json()) as { info: { title: string } }
    expect(info.title).not.toBe('Plumbline')
    expect(await (await fetch(`${own}/docs`)).text()).toContain(`<title>${info.title} API</title>`)
    const hops: (string | null)[] = []
    for (const at of [`${main}/companions/${name}`, `${main}/companions/${name}/`, `${own}/`])
      hops.push((await fetch(at, { redirect: 'manual' })).headers.get('location'))
    expect(hops[0]).toBe(`${name}/`)
    expect(hops[1]).toBe(hops[2])
  })

  itAlike('is counted and logged as one service, whichever door is used', async () => {
    const { house, main } = await open({ [setting]: '127.0.0.1:0' })
    await fetch(`${house.companions()[name]!}/health`)
    await fetch(`${main}/companions/${name}/health`)
    await expect
      .poll(async () => (await fetch(`${main}/metrics`)).text())
      .toContain(`route="/companions/${name}/health",status="200"} 2`)
  })

  it('lets in whom each operation is for, at the main listener', async () => {
    const { call } = await closed({})
    const { paths } = (await call('GET', `/companions/${name}/openapi.json`)).body as unknown as Described
    for (const [path, methods] of Object.entries(paths))
      for (const [method, { security }] of Object.entries(methods)) {
        const target = `/companions/${name}${path.replaceAll(/\{[a-z_]+\}/g, '1')}`
        const as = async (peer: string) =>
          (await call(method.toUpperCase(), target, { peer, key: null })).status
        const said = [method, path, await as('203.0.113.9'), await as('127.0.0.1')]
        if (path === '/health') expect(said).toEqual([method, path, 200, 200])
        else if (security.length > 0) expect(said).toEqual([method, path, 401, 401])
        else {
          expect(said.slice(0, 3)).toEqual([method, path, 403])
          expect([401, 403], path).not.toContain(said[3])
        }
      }
  })

  itAlike('names its setting where the port is taken, and nobody was let in', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    const { port } = other.address() as { port: number }
    const { house } = await closed({ [setting]: `127.0.0.1:${port}` })
    await expect(house.open()).rejects.toThrow(
      `${setting}: cannot listen on 127.0.0.1:${port}: the port is taken`,
    )
    other.close()
  })

  itAlike('is not there where it is turned off', async () => {
    const { call } = await closed({ PLUMBLINE_COMPANIONS: 'none' })
    const { status, body } = await call('GET', `/companions/${name}/health`)
    expect([status, body['detail']]).toEqual([404, expect.stringContaining('PLUMBLINE_COMPANIONS')])
  })
})

itOneIn(3).each([
  ['127.0.0.1:8092', '127.0.0.1:8092'],
  ['0.0.0.0:8092', '127.0.0.1:8092'],
  ['127.0.0.1:8092', '[::]:8092'],
])('two listeners at %s and %s are refused by both of their settings', async (one, other) => {
  const env = { PLUMBLINE_NETWORK_LISTEN: one, PLUMBLINE_VPN_LISTEN: other }
  await expect(closed(env)).rejects.toThrow(/PLUMBLINE_VPN_LISTEN.*PLUMBLINE_NETWORK_LISTEN/)
  await expect(closed({ ...env, PLUMBLINE_VPN_LISTEN: '127.0.0.1:8093' })).resolves.toBeDefined()
})

it('a companion that there is none of is named at the start', async () => {
  await expect(open({ PLUMBLINE_COMPANIONS: 'inventry' })).rejects.toThrow(/Did you mean "inventory"/)
})
