/** What the pages of the console show while something is slow, cut, refused, stale, unknown, or ends in the middle. */
import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../kit/ports.ts'
import { deployNotes, holdStream, NOTES, useBrowser } from './console-visits.ts'
import { openTestHouse, type TestHouse } from './test-house.ts'

const visit = useBrowser()
let at: TestHouse

beforeAll(async () => {
  at = await openTestHouse()
  await deployNotes(at)
})
afterAll(() => at[Symbol.asyncDispose]())

const PROBLEM = {
  type: 'about:blank',
  title: 'Internal error',
  status: 500,
  code: 'internal',
  detail: 'The disk of <b>this</b> machine is full.',
  request_id: '0123456789abcdef',
}

/** In place of the answers of one address, until it is ended. */
async function inPlaceOf(page: Page, path: string | RegExp, answer: (route: Route) => Promise<void>) {
  const matches = (url: URL) => (typeof path === 'string' ? url.pathname === path : path.test(url.pathname))
  await page.route(matches, answer)
  return () => page.unroute(matches)
}

const json = (body: unknown, status = 200) => ({
  status,
  contentType: status < 400 ? 'application/json' : 'application/problem+json',
  body: JSON.stringify(body),
})

const changed =
  (change: (body: never) => unknown) =>
  async (route: Route): Promise<void> => {
    const response = await route.fetch()
    await route.fulfill({ response, json: change((await response.json()) as never) })
  }

it('what is unknown and not compared leads where it stands', async () => {
  const unknown = (component: string, row: object) => ({
    ...row,
    name: `${component}:one`,
    component,
    kind: 'watch',
    configured: true,
    ok: false,
    drift: null,
    reason: 'unreachable',
    message: 'It does not answer.',
    causes: {},
    stale: false,
    acts: [],
  })
  await using visited = await visit(at, '/', {
    prepare: (page) =>
      inPlaceOf(
        page,
        '/api/overview',
        changed((body: { health: { components: object[] } }) => {
          const { components } = body.health
          const added = ['proxmox', 'unifi', 'vpn'].map((one) => unknown(one, components[0]!))
          return { ...body, health: { ...body.health, components: [...components, ...added] } }
        }),
      ),
  })
  const { page } = visited
  const needs = page.getByRole('region', { name: /^Needs you/ })
  for (const [title, word, address] of [
    ['Proxmox one', 'Inventory', '/inventory'],
    ['UniFi one', 'Network', '/lan'],
    ['VPN one', 'VPN', '/vpn'],
  ] as const) {
    const row = needs.getByRole('listitem').filter({ hasText: title })
    expect(await row.getByRole('link', { name: word, exact: true }).getAttribute('href')).toBe(address)
  }
})

it('an Overview is painted after five requests, and asks for nothing a second time', async () => {
  const asked: string[] = []
  await using visited = await visit(at, '/', {
    prepare: async (page) => {
      page.on('request', (request) => {
        const { pathname } = new URL(request.url())
        asked.push(pathname.replace(/-\w+\.(\w+)$/, '.$1'))
      })
    },
  })
  const { page } = visited
  await page.locator('main h1').waitFor()
  await page.waitForLoadState('networkidle').catch(() => undefined)
  const later = ['/api/events', '/assets/icon.svg']
  const isLater = (path: string) => later.includes(path) || path.endsWith('.woff2')
  expect(asked.filter((path) => !isLater(path)).toSorted()).toEqual([
    '/',
    '/api/overview',
    '/api/session',
    '/assets/chunk.js',
    '/assets/main.css',
  ])
})

it('while an answer is awaited there is a frame of it, and an error has its words, its number and a way on', async () => {
  await using visited = await visit(at, '/system', {})
  const { page } = visited
  await page.locator('main h1').waitFor()
  const answers: ((route: Route) => Promise<void>)[] = []
  const held: Route[] = []
  const end = await inPlaceOf(page, '/api/domains', async (route) => {
    const answer = answers.shift()
    if (answer === undefined) held.push(route)
    else await answer(route)
  })
  await page.getByRole('link', { name: 'Domains' }).first().click()
  await page.getByText('Loading Domains').waitFor({ state: 'attached' })
  await expect.poll(() => page.locator('[aria-busy="true"] .bone').count()).toBeGreaterThan(2)
  await expect.poll(() => held.length).toBeGreaterThan(0)
  await held.shift()!.fulfill(json(PROBLEM, 500))
  const alert = page.getByRole('alert')
  await alert.getByText('Domains could not be loaded.').waitFor()
  expect(await alert.textContent()).toContain('The disk of <b>this</b> machine is full.')
  expect(await alert.textContent()).toContain('request 01234567')
  for (const [answer, words] of [
    [async (route: Route) => route.abort('connectionreset'), 'The daemon does not answer.'],
    [
      async (route: Route) =>
        route.fulfill({ status: 200, contentType: 'application/json', body: '[{"id": 1, "doma' }),
      'The answer cannot be read (status 200).',
    ],
    [
      async (route: Route) =>
        route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' }),
      'The answer cannot be read (status 502).',
    ],
    [async (route: Route) => route.fulfill({ status: 304 }), 'The answer cannot be read (status 304).'],
  ] as const) {
    answers.push(answer)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText(words).waitFor()
  }
  await end()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('link', { name: NOTES.domain }).first().waitFor()
  // What was seen stays where it cannot be had again.
  await inPlaceOf(page, '/api/domains', (route) => route.fulfill(json(PROBLEM, 500)))
  await at.call('PUT', '/api/domains/1', { body: { note: 'seen' } })
  await page.getByText('What you see was true then.').waitFor()
  expect(await page.getByRole('link', { name: NOTES.domain }).first().isVisible()).toBe(true)
})

it('a page that is left and come back to while its answer is on its way is filled, whatever is heard meanwhile', async () => {
  await using visited = await visit(at, '/')
  const { page } = visited
  const goes = Promise.withResolvers<void>()
  let asked = 0
  await inPlaceOf(page, '/api/drift', async (route) => {
    asked++
    await goes.promise
    await route.continue()
  })
  const to = (name: string) =>
    page.getByRole('link', { name, exact: true }).filter({ visible: true }).first().click()
  await to('Drift')
  await expect.poll(() => asked).toBe(1)
  await to('Overview')
  await page.locator('main h1').waitFor()
  const heard = page.waitForResponse((answer) => new URL(answer.url()).pathname === '/api/overview')
  await at.call('PUT', '/api/domains/1', { body: { note: 'heard meanwhile' } })
  await heard
  await to('Drift')
  await page.getByText('What is there against what was released.').waitFor()
  goes.resolve()
  await page.getByRole('heading', { level: 1, name: /Nothing differs|difference|unknown/ }).waitFor()
})

it('an answer that never comes is given up, and said', async () => {
  await using visited = await visit(at, '/', {
    prepare: (page) => inPlaceOf(page, '/api/domains', async () => undefined),
  })
  const { page } = visited
  // Only now, so that what does answer has its time on a busy machine.
  await page.locator('main h1').waitFor()
  await page.evaluate(
    'const real = AbortSignal.timeout.bind(AbortSignal); AbortSignal.timeout = (ms) => real(ms / 100)',
  )
  await page.getByRole('link', { name: 'Domains' }).first().click()
  await page.getByText('The daemon does not answer.').first().waitFor()
})

it.each([
  ['a 401 of the proxy', { status: 401, contentType: 'text/html', body: '<h1>Sign in</h1>' }],
  ['its page with status 200', { status: 200, contentType: 'text/html', body: '<h1>Sign in</h1>' }],
  ['its redirect', { status: 302, headers: { location: 'https://sso.home.example/' } }],
] as const)(
  '%s in place of an answer is the end of a sign-in, and only a navigation mends it',
  async (_, answer) => {
    await using visited = await visit(at, `/domains/${NOTES.domain}?edit=1`)
    const { page } = visited
    const port = page.getByRole('textbox', { name: 'Port' })
    await port.fill('3055')
    const end = await inPlaceOf(page, /^\/api\//, (route) => route.fulfill(answer))
    await page.getByRole('heading', { name: 'Your sign-in has ended' }).waitFor()
    expect(await port.isVisible()).toBe(false)
    await end()
    await page.getByRole('button', { name: 'Sign in again' }).click()
    await expect.poll(() => port.inputValue()).toBe('3055')
  },
)

it('a session that ends while somebody types: the sign-in page stands over it, and what was typed is still there', async () => {
  await using visited = await visit(at, '/domains/new')
  const { page } = visited
  await page.getByLabel('Name').fill('later.home.example')
  await page.getByLabel('Target').fill('192.168.1.20:4000')
  const sessions = (await at.call('GET', '/api/sessions')).body as unknown as { readonly id: string }[]
  for (const { id } of sessions) await at.call('DELETE', `/api/sessions/${id}`)
  const key = page.getByLabel('API key')
  await key.waitFor()
  await key.fill(at.house.key.reveal())
  await page.keyboard.press('Enter')
  await key.waitFor({ state: 'detached' })
  await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('later.home.example')
  await expect.poll(() => page.getByLabel('Target').inputValue()).toBe('192.168.1.20:4000')
  // The line is there again, too: what somebody else does is seen.
  await page.getByRole('status', { name: 'Line: live' }).waitFor()
  // Who signs out by hand leaves nothing behind.
  await page.getByRole('button', { name: 'Sign out' }).click()
  await key.waitFor()
  await expect.poll(() => page.getByLabel('Name').count()).toBe(0)
  await expect.poll(() => page.getByText(NOTES.domain).count()).toBe(0)
})

it('who may only look sees every act, cannot press it, and reads why; a plan can be made', async () => {
  const { body } = await at.call('POST', '/api/keys', { body: { name: 'guest', access: 'read' } })
  await using visited = await visit(at, '/drift', { key: String(body['key']) })
  const { page, base } = visited
  const suspend = page.getByRole('button', { name: 'Suspend' })
  await suspend.waitFor()
  expect(await suspend.isDisabled()).toBe(true)
  expect(await suspend.getAttribute('title')).toContain('You may look, not change')
  await at.call('PUT', '/api/domains/1', { body: { backend_port: 3077 } })
  await page.goto(`${base}/changes`)
  const deploy = page.getByRole('button', { name: 'Deploy' })
  await deploy.waitFor()
  expect(await deploy.isDisabled()).toBe(true)
  await page.getByText('You may look, not change').first().waitFor()
  await at.call('PUT', '/api/domains/1', { body: { backend_port: NOTES.backend_port } })
  await page.goto(`${base}/domains/${NOTES.domain}?edit=1`)
  await page.getByRole('textbox', { name: 'Port' }).waitFor()
  expect(await page.getByRole('textbox', { name: 'Port' }).isDisabled()).toBe(true)
  await page.goto(`${base}/domains/new`)
  expect(await page.getByRole('button', { name: 'Save only' }).isDisabled()).toBe(true)
})

const PAST = '2020-01-01T00:00:00.000Z'

it('it is not said that nothing needs somebody while Discover, which is set up, does not answer', async () => {
  const answer = Promise.withResolvers<void>()
  await using visited = await visit(at, '/', {
    prepare: async (page) => {
      await inPlaceOf(
        page,
        '/api/overview',
        changed((body: { alerts: object; counts: object; health: { components: Configured[] } }) => ({
          ...body,
          alerts: { ...body.alerts, open: [] },
          counts: { ...body.counts, pending_deploy: 0 },
          health: {
            ...body.health,
            components: body.health.components
              .filter(({ component }) => component === 'docker')
              .map((row) => ({
                ...row,
                configured: true,
                ok: true,
                drift: false,
                reason: 'healthy',
                stale: false,
              })),
          },
        })),
      )
      await inPlaceOf(page, '/api/discover', async (route) => {
        await answer.promise
        await route.fulfill({
          status: 500,
          contentType: 'application/problem+json',
          body: JSON.stringify(PROBLEM),
        })
      })
    },
  })
  const { page } = visited
  await page.getByText('Asking Discover.').waitFor()
  answer.resolve()
  await page.getByText('Nothing else needs you; Discover did not answer.').waitFor()
  expect(await page.getByText('Nothing needs you.').count()).toBe(0)
})

interface Configured {
  readonly component: string
}

it('what was not seen again in time is unknown and not well, whatever it was', async () => {
  await using visited = await visit(at, '/', {
    prepare: (page) =>
      inPlaceOf(
        page,
        '/api/overview',
        changed((body: { health: { components: object[] } }) => ({
          ...body,
          health: {
            ...body.health,
            components: body.health.components.map((row) => ({ ...row, stale_after: PAST, stale: false })),
          },
        })),
      ),
  })
  const { page } = visited
  await page.getByRole('heading', { name: /not seen again in time/ }).waitFor()
  await page
    .getByRole('row', { name: /Routes/ })
    .getByRole('img', { name: 'unknown' })
    .first()
    .waitFor()
  expect(await page.getByRole('img', { name: 'as it should be' }).count()).toBe(0)
})

it('a world that could not be read is unknown, and never an empty list', async () => {
  await using visited = await visit(at, '/drift', {
    prepare: (page) =>
      inPlaceOf(
        page,
        '/api/drift',
        changed((body: { components: object[] }) => ({
          ...body,
          components: body.components.map((world) => ({
            ...world,
            drift: null,
            reason: 'ns2 did not answer in 2 s',
            differences: [],
          })),
        })),
      ),
  })
  const { page } = visited
  await page.getByText('Not found out').first().waitFor()
  await page.getByText('ns2 did not answer in 2 s').first().waitFor()
  expect(await page.getByText('Nothing differs.').count()).toBe(0)
})

it('without any storage everything works', async () => {
  await using visited = await visit(at, `/domains/${NOTES.domain}?edit=1`, {
    prepare: (page) =>
      page.addInitScript(
        "for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { get() { throw new DOMException('no', 'SecurityError') } })",
      ),
  })
  const { page } = visited
  // The secret of the sign-in was kept nowhere: there is a cookie, and the page signs in anew.
  await page.getByLabel('API key').fill(at.house.key.reveal())
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Port' }).fill('3066')
  const plan = page.getByRole('region', { name: 'Plan', exact: true })
  await plan.getByRole('button', { name: 'Save and deploy' }).waitFor()
  await page.getByRole('button', { name: 'Leave it' }).click()
  await page.keyboard.press('g')
  await page.keyboard.press('d')
  await page.getByRole('button', { name: 'tight' }).click()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /Find/ }).fill('dark')
  await page.getByRole('option', { name: /^Dark theme/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+k')
  await page.getByRole('option').first().waitFor()
})

it.each([-1, 1])('a clock of the browser that is %i day off changes no age and no plan', async (days) => {
  await using visited = await visit(at, `/domains/${NOTES.domain}`, {
    prepare: (page) =>
      page.addInitScript(
        `const real = Date.now; const off = ${days} * 86400000; Date.now = () => real() + off;
         window.Date = new Proxy(Date, { construct: (t, a) => a.length === 0 ? new t(real() + off) : new t(...a) })`,
      ),
  })
  const { page, base } = visited
  const plan = page.getByRole('region', { name: 'Plan', exact: true })
  await plan.getByText(/made (now|\d+ s ago) · good for 14 min/).waitFor()
  expect(await page.getByText('This plan is too old').count()).toBe(0)
  await page.goto(`${base}/`)
  await page.getByText(/Release \d+ was made/).waitFor()
  expect(await page.locator('time', { hasText: /\bd\b|h$/ }).count()).toBe(0)
  expect(await page.locator('.age.stale').count()).toBe(0)
})

const HOSTILE = [
  '<img src=x onerror=alert(1)>.home.example',
  '<script>alert(2)</script>.home.example',
  'constructor',
  '__proto__',
  '\u202egpj.exe\u202c.home.example',
  'pay\u200bpal.home.example',
  'a\u0000b\u001b[31m.home.example',
  `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`,
  `${'🏳️‍🌈'.repeat(20)}.home.example`,
]

it.each([1280, 390, 320])(
  'names, notes and tags of strangers are shown as they are, run nothing and widen nothing, at %i pixels',
  async (width) => {
    const strange = (body: { id: number; tags: unknown; note: unknown }[]) =>
      HOSTILE.map((name, index) => ({
        ...body[0]!,
        id: index + 1,
        domain: name,
        tags: [name],
        note: name,
        owner: name,
        backend_host: name,
      }))
    await using visited = await visit(at, '/domains', {
      width,
      prepare: async (page) => {
        await inPlaceOf(page, '/api/domains', changed(strange))
        await inPlaceOf(page, /^\/api\/domains\/\d+$/, async (route) => {
          const index = Number(/\d+$/.exec(route.request().url())![0]) - 1
          const response = await route.fetch({
            url: `${new URL(route.request().url()).origin}/api/domains/1`,
          })
          const [record] = strange([(await response.json()) as never]).slice(index)
          await route.fulfill({ response, json: record })
        })
      },
    })
    const { page, base } = visited
    const shown = () => page.locator('main').innerText()
    await page.getByRole('link', { name: 'constructor' }).filter({ visible: true }).waitFor()
    for (const part of [
      '<img src=x onerror=alert(1)>',
      '<script>alert(2)</script>',
      '__proto__',
      'U+202E',
      'U+200B',
      'U+0000',
    ])
      expect(await shown()).toContain(part)
    expect(/[^\n]*[\u202a-\u202e\u200b\0][^\n]*/.exec(await shown())?.[0]).toBe(undefined)
    expect(await page.locator('main img, main script').count()).toBe(0)
    const beyond = () =>
      page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    expect(await beyond()).toBe(0)
    for (const name of ['constructor', '__proto__', HOSTILE[0]!, HOSTILE[4]!]) {
      await page.goto(`${base}/domains/${encodeURIComponent(name)}`)
      await page.locator('main h1').waitFor()
      expect(await beyond()).toBe(0)
    }
    await page.unrouteAll()
    for (const name of ['constructor', '__proto__', 'toString']) {
      await page.goto(`${base}/domains/${name}`)
      await page.getByText(`There is no domain ${name}.`).waitFor()
      await page.goto(`${base}/${name}`)
      await page
        .getByText(/There is no page|not found/i)
        .first()
        .waitFor()
    }
  },
)

it('of a difference of 50,000 lines a window is drawn, and more on wish', async () => {
  const lines = Array.from({ length: 25_000 }, (_, line) => `-old ${line}\n+new ${line}`)
  const unified_diff = `--- a\n+++ b\n@@ -1,25000 +1,25000 @@\n${lines.join('\n')}\n`
  await using visited = await visit(at, `/domains/${NOTES.domain}`, {
    prepare: (page) =>
      inPlaceOf(
        page,
        '/api/plans',
        changed((body: { plan: object }) => ({ ...body, plan: { ...body.plan, unified_diff } })),
      ),
  })
  const { page } = visited
  const diff = page.getByRole('region', { name: 'What would be written' })
  await diff.waitFor()
  await expect.poll(() => diff.locator('.r').count()).toBe(400)
  await diff.getByRole('button', { name: /Show 400 of 49.600 more lines/ }).click()
  await expect.poll(() => diff.locator('.r').count()).toBe(800)
})

it('a plan that expires while it is read cannot be applied, and is made anew by one press', async () => {
  await at.call('PUT', '/api/domains/1', { body: { backend_port: 3088 } })
  await using visited = await visit(at, '/changes')
  const { page } = visited
  const plan = page.getByRole('region', { name: 'Plan of all that is saved' })
  await plan.getByRole('button', { name: 'Deploy' }).waitFor()
  const end = await inPlaceOf(
    page,
    '/api/plans',
    changed((body: object) => ({ ...body, expires_at: PAST })),
  )
  await at.call('PUT', '/api/domains/1', { body: { backend_port: 3089 } })
  await plan.getByText('This plan is too old to be applied.').waitFor()
  await page.keyboard.press('Control+Enter')
  expect(await plan.getByRole('button', { name: 'Deploy' }).count()).toBe(0)
  await end()
  await plan.getByRole('button', { name: 'Plan again' }).click()
  await plan.getByRole('button', { name: 'Deploy' }).waitFor()
  await at.call('POST', '/api/domains/1/discard')
})

/** As the daemon writes them; the line ends after the last. */
const stream = (frames: readonly (readonly [kind: string, id: number, data: object])[]) => ({
  status: 200,
  contentType: 'text/event-stream',
  body: frames
    .map(([kind, id, data]) => `event: ${kind}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`)
    .join(''),
})

it('events out of order, doubled and missed lead to one look each, and another version to an offer', async () => {
  const asked: string[] = []
  /** How often the lamps had been asked for when a line was opened, and what it asked for. */
  const lines: { readonly after: string; readonly lamps: number }[] = []
  const lamps = () => asked.filter((path) => path === '/api/domains/lamps').length
  let opened = 0
  const answers = [
    stream([
      ['hello', 5, { version: '1.0.0', release: 1, event: 5 }],
      ['saved', 7, { ids: [1] }],
      ['saved', 6, { ids: [1] }],
      ['saved', 7, { ids: [1] }],
      ['missed', 8, {}],
      ['of-another-version', 9, {}],
    ]),
    stream([['hello', 9, { version: '1.0.1', release: 1, event: 9 }]]),
  ]
  await using visited = await visit(at, '/changes', {
    prepare: async (page) => {
      page.on('request', (request) => {
        const url = new URL(request.url())
        if (url.pathname === '/api/events') lines.push({ after: url.search, lamps: lamps() })
        else asked.push(url.pathname)
      })
      await inPlaceOf(page, '/api/events', async (route) => {
        const answer = answers[opened++]
        if (answer !== undefined) await route.fulfill(answer)
      })
    },
  })
  const { page } = visited
  await page.getByRole('status').filter({ hasText: 'behind' }).first().waitFor()
  await page.getByText('What you see was true then.').waitFor()
  await page.getByRole('button', { name: 'Try now' }).click()
  await page.getByText('new version').waitFor()
  // It may have come back by itself before, and has lost its line again since.
  expect(lines.slice(0, 2).map(({ after }) => after)).toEqual(['', '?after=8'])
  expect(lines[1]!.lamps).toBeLessThanOrEqual(2)
  await page.getByRole('button', { name: 'Reload' }).click()
  await page.locator('main h1').waitFor()
})

it('a late word about the session takes away no line that somebody has opened meanwhile', async () => {
  await using visited = await visit(at, '/domains', { prepare: holdStream })
  const { page } = visited
  await page.getByRole('status', { name: 'Line: live' }).waitFor()
  await page.context().setOffline(true)
  await page.evaluate("window.stream.dispatchEvent(new Event('error'))")
  await page.getByRole('status', { name: 'Line: offline' }).waitFor()
  const [asked, answered, told] = [
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
  ]
  const open = await inPlaceOf(page, '/api/events', (route) => route.abort())
  const tell = await inPlaceOf(page, '/api/session', async (route) => {
    asked.resolve()
    await answered.promise
    await route.continue()
    told.resolve()
  })
  await page.context().setOffline(false)
  await asked.promise
  await open()
  await page.getByRole('button', { name: 'Try now' }).click()
  await page.getByRole('status', { name: 'Line: live' }).waitFor()
  let again = 0
  page.on('request', (request) => (again += Number(new URL(request.url()).pathname === '/api/events')))
  answered.resolve()
  await told.promise
  await tell()
  await page.waitForTimeout(3000)
  expect(again).toBe(0)
  expect(await page.getByRole('status', { name: 'Line: live' }).isVisible()).toBe(true)
})

it('a line that is lost, a daemon that restarts: what was seen stays, ages run on, and it comes back by itself', async () => {
  const port = await freePort()
  let own = await openTestHouse({ env: { PLUMBLINE_LISTEN: `127.0.0.1:${port}` } })
  await deployNotes(own)
  try {
    await using visited = await visit(own, '/domains', {
      prepare: holdStream,
    })
    const { page } = visited
    const cutStreams = (of: Page) => of.evaluate("window.stream.dispatchEvent(new Event('error'))")
    await page.getByRole('link', { name: NOTES.domain }).first().waitFor()
    await page.getByRole('status', { name: 'Line: live' }).waitFor()
    await page.context().setOffline(true)
    await cutStreams(page)
    await page.getByRole('status', { name: 'Line: offline' }).waitFor()
    await page.getByText('The daemon does not answer').waitFor()
    expect(await page.getByRole('link', { name: NOTES.domain }).first().isVisible()).toBe(true)
    await page.context().setOffline(false)
    // Where it has come back by itself there is nothing to press.
    await page
      .getByRole('button', { name: 'Try now' })
      .click({ timeout: 3000 })
      .catch(() => undefined)
    await page.getByRole('status', { name: 'Line: live' }).waitFor()
    await expect.poll(() => page.getByText('The daemon does not answer').count()).toBe(0)
    await own.house.close()
    await page.getByRole('status', { name: 'Line: restarting' }).waitFor()
    expect(await page.getByRole('link', { name: NOTES.domain }).first().isVisible()).toBe(true)
    own = await own.reopen()
    await page.getByRole('status', { name: 'Line: live' }).waitFor()
    await own.call('PUT', '/api/domains/1', { body: { backend_port: 3999 } })
    await page.getByText('192.168.1.20:3999').first().waitFor()
  } finally {
    await own[Symbol.asyncDispose]()
  }
})
