/** Other files beside the routes file: told where they stand in its way, and never touched. */
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hurriedClock, openProxyHouse } from './proxy-house.ts'
import { create, createActive, openTestHouse, type TestHouse } from './test-house.ts'
import { itInDepth, itOneIn } from '../kit/in-depth.ts'
import { sample } from '../kit/tier.ts'

interface Part {
  readonly name: string
  readonly drift: boolean | null
  readonly cause: string | null
  readonly message: string
}
const part = async ({ call }: Pick<TestHouse, 'call'>): Promise<Part> => {
  const { body } = await call('GET', '/api/control-plane/health?probe=true')
  return (body['components'] as unknown as readonly Part[]).find(({ name }) => name === 'routes_folder')!
}

interface Told {
  readonly drift: boolean | null
  readonly differences: readonly { readonly item: string; readonly cause: string; readonly detail: string }[]
}
/** The two drifts in one form, of this part alone; and the page as it is after them, without a look of its own. */
const endpoints = async ({ call }: Pick<TestHouse, 'call'>): Promise<readonly Told[]> => {
  const all = (await call('GET', '/api/drift')).body as unknown as {
    readonly drift: boolean | null
    readonly components: readonly (Told & { readonly component: string })[]
  }
  const of_folder = all.components.find(({ component }) => component === 'routes_folder')!
  const routes = (await call('GET', '/api/domains/drift')).body as unknown as Told
  const { body } = await call('GET', '/api/control-plane/health')
  const page = (body['components'] as unknown as readonly (Told & Part)[]).find(
    ({ name }) => name === 'routes_folder',
  )!
  return [{ ...of_folder, drift: all.drift }, routes, page]
}

itInDepth(
  'a neighbour that clashes, that is no YAML, or that nobody can read is told and left as it is',
  async () => {
    await using at = await openTestHouse()
    await createActive(at.call)
    const folder = dirname(at.house.routes_path)
    await expect.poll(() => part(at)).toMatchObject({ drift: false })
    mkdirSync(join(folder, 'below'))
    const cases: readonly (readonly [string, string, number, RegExp | null])[] = [
      ['mine.yml', 'http:\n  routers:\n    mine: { rule: Host(`x`), service: y }\n', 0o644, null],
      ['copy.yml', at.routes(), 0o644, /copy\.yml: It defines names of ours/],
      ['below/copy.yaml', at.routes(), 0o644, /below\/copy\.yaml: It defines names of ours/],
      [
        'broken.yml',
        'http:\n  routers: [\n',
        0o644,
        /broken\.yml: The proxy refuses it at line 2: .*takes no change/,
      ],
      [
        'odd.yml',
        'http:\n  routers:\n    a:\n      rules: x\n',
        0o644,
        /at line 4: field not found, node: rules\./,
      ],
      ['odd.toml', '[http.routers.a]\nrules = "x"\n', 0o644, /at line 2: field not found, node: rules\./],
      ['twice.toml', '[http.routers.a]\nrule = "x"\n[http.routers.a]\n', 0o644, /at line 3: .*redefine/],
      ['good.toml', '[http.routers.a]\nrule = "Host(`x`)"\nservice = "s"\n', 0o644, null],
      [
        'anchors.yml',
        'x: &x [a]\nhttp: { routers: { a: { rule: r, service: s, middlewares: *x } } }\n',
        0o644,
        null,
      ],
      ['shut.yml', 'http:\n', 0o000, /shut\.yml: It cannot be read \(mode 0000\)/],
      ['made.yml', 'http:\n  routers: {{ range $i }}x{{ end }}\n', 0o644, null],
      [
        'copy.toml',
        '[http.routers.plumbline-site_app]\nrule = "r"\n',
        0o644,
        /copy\.toml: It defines names of ours/,
      ],
      ['COPY.YML', at.routes(), 0o644, /COPY\.YML: It defines names of ours/],
      [
        'COPY.TOML',
        '[http.routers.plumbline-site_app]\nrule = "r"\n',
        0o644,
        /COPY\.TOML: It defines names of ours/,
      ],
      ['large.yml', LARGE, 0o644, /large\.yml: It has 1048579 bytes, which is too much/],
      ['notes.txt', at.routes(), 0o644, null],
    ]
    for (const [name, text, mode, expected] of sample(cases, 3)) {
      const path = join(folder, name)
      writeFileSync(path, text)
      chmodSync(path, mode)
      for (const { drift, differences } of await endpoints(at)) {
        expect(drift, name).toBe(expected !== null)
        const texts = differences.map(({ item, detail }) => `${item}: ${detail}`)
        if (expected === null) expect(differences).toEqual([])
        else expect(texts).toEqual([expect.stringMatching(expected)])
        expect(differences.every(({ cause }) => cause === 'neighbour')).toBe(true)
      }
      const told = await part(at)
      if (expected === null) expect(told, name).toMatchObject({ drift: false })
      else {
        expect(told, name).toMatchObject({ drift: true, cause: 'neighbour' })
        expect(told.message).toMatch(expected)
      }
      expect(readFileSync(path, 'utf8')).toBe(text)
      rmSync(path)
    }
    await expect.poll(() => part(at)).toMatchObject({ drift: false })
  },
)

it('a folder that was closed is told, and not opened', async () => {
  await using at = await openTestHouse({ env: { PLUMBLINE_MODE: 'observe' } })
  await createActive(at.call)
  const folder = dirname(at.house.routes_path)
  chmodSync(folder, 0o000)
  try {
    await expect
      .poll(() => part(at))
      .toMatchObject({
        drift: true,
        cause: 'access',
        message: expect.stringContaining('chmod u+rx') as string,
      })
    const [all, routes] = await endpoints(at)
    for (const told of [all!, routes!]) {
      expect(told.drift).toBe(true)
      expect(told.differences).toContainEqual(expect.objectContaining({ item: folder, cause: 'access' }))
    }
  } finally {
    chmodSync(folder, 0o755)
  }
  await expect.poll(() => part(at)).toMatchObject({ drift: false })
})

itInDepth('a folder with more files than are looked at is unknown, not clean', async () => {
  await using at = await openTestHouse()
  await createActive(at.call)
  const folder = join(dirname(at.house.routes_path), 'many')
  mkdirSync(folder)
  for (let i = 0; i < 203; i++) writeFileSync(join(folder, `${i}.yml`), 'http:\n')
  // A page that is asked has a second and a half: a busy machine may not be done with it.
  await expect
    .poll(() => part(at))
    .toMatchObject({
      drift: null,
      message: expect.stringContaining('3 more were not') as string,
    })
  expect((await endpoints(at)).map(({ drift }) => drift)).toEqual([null, null, null])
  rmSync(join(folder, '7.yml'))
  for (const name of ['8.yml', '9.yml']) rmSync(join(folder, name))
  await expect.poll(() => part(at)).toMatchObject({ drift: false })
})

itInDepth('the certificates file is no neighbour where it is ours, and one where it is not', async () => {
  const acme = {
    PLUMBLINE_ACME_DIRECTORY: 'https://127.0.0.1:9/directory',
    PLUMBLINE_CERTIFICATES: 'manager',
  }
  for (const env of [{}, acme]) {
    await using at = await openTestHouse({ env, wrap: {} })
    writeFileSync(join(dirname(at.house.routes_path), 'certificates.yml'), 'http: [\n')
    await expect.poll(() => part(at)).toMatchObject({ drift: env !== acme })
  }
})

describe('a router of another file that is asked before ours, with no API of the proxy set', () => {
  const OTHER = `http:
  routers:
    foo: { rule: "Host(\`app.example.com\`)", priority: 5000, service: foo }
  services:
    foo: { loadBalancer: { servers: [{ url: "http://10.0.0.9" }] } }
`
  const DETAIL =
    /foo@file \(Host\(`app\.example\.com`\), priority 5000\).*lower priority.*It is in other\.yml/

  it('is a difference of that domain wherever it is asked for, and stays as it is', async () => {
    await using at = await openTestHouse()
    const id = await createActive(at.call)
    await expect.poll(() => part(at)).toMatchObject({ drift: false })
    const path = join(dirname(at.house.routes_path), 'other.yml')
    writeFileSync(path, OTHER)
    for (const { drift, differences } of await endpoints(at)) {
      expect(drift).toBe(true)
      expect(differences[0]).toMatchObject({
        cause: 'shadowed',
        domains: ['app.example.com'],
        detail: expect.stringMatching(DETAIL) as string,
      })
    }
    expect(await part(at)).toMatchObject({
      drift: true,
      cause: 'shadowed',
      message: expect.stringMatching(
        /Another file of the folder has requests of app\.example\.com\. /,
      ) as string,
    })
    const explained = (await at.call('GET', `/api/domains/${id}/explain`)).body
    expect(explained).toMatchObject({ served: { agrees: false, cause: 'shadowed' } })
    expect(String(explained['summary'])).toMatch(DETAIL)
    const lamps = (await at.call('GET', `/api/domains/${id}/lamps`)).body['lamps']
    expect(lamps).toContainEqual(
      expect.objectContaining({ lamp: 'route', state: 'differs', cause: 'shadowed' }),
    )
    const { body } = await at.call('POST', `/api/domains/${id}/deploy`)
    expect(body['shadowed']).toContainEqual(expect.objectContaining({ domain: 'app.example.com' }))
    expect(String(body['warnings'])).toMatch(DETAIL)
    expect(readFileSync(path, 'utf8')).toBe(OTHER)
    writeFileSync(path, OTHER.replace('5000', '500'))
    await expect.poll(() => part(at)).toMatchObject({ drift: false })
    expect((await at.call('GET', `/api/domains/${id}/explain`)).body).toMatchObject({ served: null })
  })

  it('is told by the proxy itself where its API is set, and once', async () => {
    await using at = await openProxyHouse()
    await createActive(at.call)
    const folder = dirname(at.house.routes_path)
    at.traefik.follow(folder)
    writeFileSync(join(folder, 'other.yml'), OTHER)
    await at.lookAnew()
    const { components } = (await at.call('GET', '/api/drift')).body as unknown as {
      readonly components: readonly (Told & { readonly component: string })[]
    }
    const causes = components.flatMap(({ component, differences }) =>
      differences.map(({ cause }) => `${component} ${cause}`),
    )
    expect([...new Set(causes)]).toEqual(['proxy shadowed'])
  })
})

describe('a file that is not judged', () => {
  const evil = (host: string) => `http:
  routers:
    foo: { rule: "Host(\`${host}\`)", priority: 1000000, service: foo }
  services:
    foo: { loadBalancer: { servers: [{ url: "http://10.0.0.9" }] } }
`

  it('is unknown where it names a host that asks to sign in, and no API of the proxy is set', async () => {
    await using at = await openTestHouse()
    await createActive(at.call, { auth_required: true })
    await expect.poll(() => part(at)).toMatchObject({ drift: false })
    const path = join(dirname(at.house.routes_path), 'evil.yml')
    writeFileSync(path, `# {{ "" }}\n${evil('app.example.com')}`)
    const told = await part(at)
    expect(told).toMatchObject({ drift: null, reason: 'unreadable', cause: null })
    expect(told.message).toMatch(/evil\.yml holds a Go template.*app\.example\.com.*PLUMBLINE_TRAEFIK_API/)
    for (const { drift } of await endpoints(at)) expect(drift).toBe(null)
    writeFileSync(path, `# {{ "" }}\n${evil('other.example.net')}`)
    await expect
      .poll(() => part(at))
      .toMatchObject({
        drift: false,
        message: expect.stringMatching(
          /^What could be judged .* Not judged: .*evil\.yml holds a Go template/,
        ) as string,
      })
  })

  it('is one that is larger than what is read, and a YAML file of 300 kB is judged', async () => {
    await using at = await openTestHouse()
    await createActive(at.call, { auth_required: true })
    const path = join(dirname(at.house.routes_path), 'evil.yml')
    writeFileSync(path, `${evil('app.example.com')}${'#'.repeat(300 * 1024)}\n`)
    await expect.poll(() => part(at)).toMatchObject({ drift: true, cause: 'shadowed' })
  })
})

const LARGE = `# ${'x'.repeat(1024 * 1024)}\n`

describe('a folder that the proxy would refuse at its next restart', () => {
  const REFUSED: readonly (readonly [string, string, string])[] = [
    ['keys.yml', 'http:\n  routers:\n    a:\n      rules: x\n', 'line 4: field not found, node: rules'],
    ['empty.yaml', 'http:\n  middlewares: {}\n', 'line 2: middlewares cannot be a standalone element'],
    [
      'date.yml',
      'http:\n  routers:\n    a: { rule: 2024-01-02, service: s }\n',
      'line 3: field not supported: time.Time',
    ],
    ['twice.toml', '[http.routers.a]\nrule = "x"\n[http.routers.a]\n', 'line 3: '],
    ['keys.toml', '[http.routers.a]\nservice = "s"\nrules = "x"\n', 'line 3: field not found, node: rules'],
  ]

  itInDepth.each(REFUSED)(
    '%s is found while everything is served still, with its line',
    async (name, text, words) => {
      await using at = await openProxyHouse()
      await createActive(at.call)
      const folder = dirname(at.house.routes_path)
      at.traefik.follow(folder)
      const served = () => at.traefik.running.http.routers.length
      expect(served()).toBe(2)
      writeFileSync(join(folder, name), text)
      expect(served()).toBe(2)
      const told = await part(at)
      expect(told).toMatchObject({
        drift: true,
        cause: 'neighbour',
        details: { refused: [join(folder, name)] },
      })
      expect(told.message).toContain(words)
      for (const { drift, differences } of await endpoints(at)) {
        expect(drift).toBe(true)
        expect(differences[0]!.detail).toContain(words)
      }
      const { body } = await at.call('POST', '/api/plans', { body: {} })
      expect(JSON.stringify(body)).toContain(words)
      // The stand-in is as strict: with the restart everything is gone.
      at.traefik.restart(new Date())
      expect(served()).toBe(0)
      rmSync(join(folder, name))
      await expect.poll(() => part(at)).toMatchObject({ drift: false })
    },
  )

  itInDepth('a deploy says that it is in the way, and the routes file does not go back for it', async () => {
    await using at = await openProxyHouse({ clock: hurriedClock() })
    await createActive(at.call)
    const folder = dirname(at.house.routes_path)
    at.traefik.follow(folder)
    const [[name, text, words]] = REFUSED as readonly [readonly [string, string, string]]
    writeFileSync(join(folder, name), text)
    const id = await create(at.call, { domain: 'new.example.com' })
    const answer = await at.call('POST', `/api/domains/${id}/activate`)
    expect(answer).toMatchObject({ status: 200, body: { loaded: false } })
    expect(String(answer.body['warnings'])).toContain(words)
    expect(at.routes()).toContain('new.example.com')
    rmSync(join(folder, name))
    expect((await at.call('POST', `/api/domains/${id}/deploy`)).body).toMatchObject({ loaded: true })
  })

  itOneIn(4).each<[string, (folder: string) => void]>([
    ['a link that leads nowhere', (folder) => symlinkSync('gone', join(folder, 'link.yml'))],
    ['more of it than is read', (folder) => writeFileSync(join(folder, 'large.yml'), LARGE)],
    [
      'more files than are looked at',
      (folder) => {
        for (let i = 0; i < 201; i++) writeFileSync(join(folder, `n${i}.yml`), '')
      },
    ],
    ['nobody let into it', (folder) => chmodSync(folder, 0o300)],
  ])('with %s it may be the cause, and the routes file does not go back', async (_what, make) => {
    await using at = await openProxyHouse({ clock: hurriedClock() })
    await createActive(at.call)
    make(dirname(at.house.routes_path))
    at.traefik.refuse((text) => text.includes('new.example.com'))
    const id = await create(at.call, { domain: 'new.example.com' })
    const answer = await at.call('POST', `/api/domains/${id}/activate`)
    expect(answer).toMatchObject({ status: 200, body: { loaded: false } })
    expect(at.routes()).toContain('new.example.com')
  })

  itInDepth('a file with templates is named and not judged: neither drift nor unknown', async () => {
    await using at = await openProxyHouse()
    await createActive(at.call)
    const made = join(dirname(at.house.routes_path), 'made.yml')
    writeFileSync(made, 'http:\n  routers:\n    a: { rules: {{ env "X" }} }\n')
    await expect
      .poll(() => part(at))
      .toMatchObject({
        drift: false,
        message: expect.stringContaining('made.yml holds a Go template') as string,
        details: { refused: [], not_judged: [`${made} holds a Go template ("{{")`] },
      })
  })

  itInDepth('a key of a proxy that is newer than what is known here is not judged', async () => {
    await using at = await openProxyHouse({ traefik: { version: '3.8.0' } })
    await createActive(at.call)
    const newer = join(dirname(at.house.routes_path), 'newer.yml')
    writeFileSync(newer, 'http:\n  routers:\n    a: { rule: r, service: s, later: x }\n')
    await at.lookAnew()
    await expect
      .poll(() => part(at))
      .toMatchObject({
        drift: false,
        message: expect.stringContaining('later') as string,
      })
    writeFileSync(newer, 'http:\n  routers: {}\n')
    await expect.poll(() => part(at)).toMatchObject({ drift: true })
  })

  itInDepth('bytes that are no UTF-8 refuse it, too', async () => {
    await using at = await openTestHouse()
    await createActive(at.call)
    writeFileSync(
      join(dirname(at.house.routes_path), 'latin.yml'),
      Buffer.from([0x61, 0x3a, 0x20, 0xff, 0x0a]),
    )
    expect((await part(at)).message).toContain('no UTF-8')
  })
})
