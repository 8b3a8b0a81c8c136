/** The dashboard of the VPN companion in Chromium: on a phone and a desk, by keyboard alone, and without a trace of a key. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fetch } from 'undici'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { CHROMIUM_PROGRAMS, type Page, type PageOptions } from '../peers/chromium.ts'
import { describePeers } from '../peers/peers.ts'
import { SSHD_PROGRAMS } from '../peers/sshd.ts'
import { copyDashboard, type DashboardWorld, HOSTILE, openDashboardWorld } from './vpn-dashboard-world.ts'
import { newKeyPair } from './vpn-keys.ts'

const MAX_BYTES = 60_000
const ROWS = "document.querySelectorAll('#rows tr').length === 2"
const CARD = `document.querySelector('[data-site="uk"]')`
const AGE = `Number.parseInt(${CARD}.querySelector('.since').textContent)`
const FOCUSED = 'document.activeElement.textContent + document.activeElement.id'
/** Everything that the page has of a text: markup, fields, address, what the browser keeps. */
const traces = (text: string) =>
  `[document.documentElement.outerHTML, document.body.innerText, location.href, JSON.stringify(history.state),
    JSON.stringify({ ...localStorage, ...sessionStorage }), ...[...document.querySelectorAll('input')].map((one) => one.value)]
    .some((one) => one?.includes(${JSON.stringify(text)}))`

describePeers([...CHROMIUM_PROGRAMS, ...SSHD_PROGRAMS], 'the dashboard of the VPN', () => {
  let world: DashboardWorld
  const opened: Page[] = []
  beforeAll(async () => {
    world = await openDashboardWorld()
  })
  afterEach(async () => {
    for (const page of opened.splice(0)) await page.close()
  })
  afterAll(async () => {
    await world?.close()
  })

  async function open(options: PageOptions = {}, url = world.base): Promise<Page> {
    const page = await world.chromium.open(url, options)
    opened.push(page)
    return page
  }

  async function openWithRows(options: PageOptions = {}, url = world.base): Promise<Page> {
    const page = await open(options, url)
    await page.until('the peers', ROWS)
    return page
  }

  /** Opens the dialog of the laptop as people without a mouse do. */
  async function openDialog(page: Page): Promise<void> {
    for (let left = 40; left > 0; left--) {
      await page.press('Tab')
      if ((await page.evaluate<string>(FOCUSED)) === 'Config of laptop') break
    }
    expect(await page.evaluate(FOCUSED)).toBe('Config of laptop')
    await page.press('Enter')
    await page.until('the dialog', "document.querySelector('#dialog').open")
  }

  const field = (page: Page, id: string) => page.evaluate(`document.getElementById('${id}').focus()`)

  it('makes the file on a phone by keyboard alone, and nothing of the key is left', async () => {
    const page = await openWithRows({ width: 360, height: 800 })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    await openDialog(page)
    expect(await page.evaluate(FOCUSED)).toBe('private-key')
    await page.type(world.laptop.private_key)
    await page.press('Enter')
    await page.until('the file', "document.querySelector('pre')")
    expect(await page.evaluate("document.querySelector('pre').textContent")).toContain(
      `PrivateKey = ${world.laptop.private_key}\n`,
    )
    expect(await page.evaluate("document.querySelectorAll('.grave').length")).toBe(0)
    expect(await page.evaluate(traces(world.laptop.private_key))).toBe(true)
    await page.press('Escape')
    await page.until('the end', "document.querySelector('#dialog').childNodes.length === 0")
    expect(await page.evaluate(traces(world.laptop.private_key))).toBe(false)
    expect(await page.evaluate(FOCUSED)).toBe('Config of laptop')
    expect(await page.complaints()).toEqual([])
  })

  it('weighs little, and is the same at both doors', async () => {
    const page = await openWithRows({}, world.mounted)
    const files = await page.evaluate<string[]>(
      "[location.href, ...performance.getEntriesByType('resource').map(({ name }) => name)].filter((name) => !name.includes('/api/'))",
    )
    let bytes = 0
    for (const file of files) bytes += (await (await fetch(file)).arrayBuffer()).byteLength
    expect(files.length).toBeGreaterThan(8)
    expect(bytes).toBeLessThanOrEqual(MAX_BYTES)
    expect(files.every((file) => file.startsWith(world.mounted))).toBe(true)
    expect(await page.complaints()).toEqual([])
  })

  it.each([
    [360, false],
    [360, true],
    [1280, false],
    [1280, true],
  ])('fits into %i px, dark: %s, and shows names as they are', async (width, dark) => {
    const page = await openWithRows({ width, dark })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(
      dark ? 'rgb(15, 19, 24)' : 'rgb(246, 246, 243)',
    )
    expect(
      await page.evaluate("[...document.querySelectorAll('.name')].map((one) => one.textContent)"),
    ).toContain(HOSTILE)
    expect(await page.evaluate("document.querySelectorAll('img').length")).toBe(0)
    await page.until('the name looked at', `${CARD}.textContent.includes('resolves')`)
    expect(await page.complaints()).toEqual([])
  })

  it('filters by site and words in its address, by keyboard', async () => {
    const page = await openWithRows()
    await page.press('/')
    await page.type('192.168.7.2')
    await page.until('one row', "document.querySelectorAll('#rows tr').length === 1")
    await page.press('Tab', 'shift')
    expect(await page.evaluate(FOCUSED)).toBe('FR')
    await page.press('Space')
    await page.until('not set up', "document.querySelector('.p-off')?.textContent.includes('not set up')")
    expect(await page.evaluate('location.search')).toBe('?site=fr&q=192.168.7.2')
    await page.reload()
    await page.until('the same', "document.querySelector('.p-off')")
    await page.press('/')
    expect(await page.evaluate("document.getElementById('search').value")).toBe('192.168.7.2')
    expect((await fetch(`${world.base}?private_key=x`)).status).toBe(422)
    expect(await page.complaints()).toEqual([])
  })

  it('lets the age tick each second, and asks again after a minute, unless nobody looks', async () => {
    const page = await openWithRows({ hand_clock: true })
    const polls = () => page.requests().filter((one) => one === 'GET /api/sites').length
    const before = await page.evaluate<number>(AGE)
    await page.pass(3_000)
    expect(await page.evaluate(AGE)).toBeGreaterThanOrEqual(before + 3)
    expect(await page.evaluate(AGE)).toBeLessThanOrEqual(before + 4)
    await page.pass(56_000)
    expect(polls()).toBe(1)
    await page.pass(1_000)
    await expect.poll(polls).toBe(2)
    await page.until('an answer', `${AGE} < 50`)
    await page.setHidden(true)
    await page.pass(600_000)
    expect(polls()).toBe(2)
    await page.setHidden(false)
    await expect.poll(polls).toBe(3)
  })

  it('says when a server that is silent was seen last, and calls nothing well meanwhile', async () => {
    const page = await openWithRows({ hand_clock: true })
    await page.until('a lamp', `${CARD}.querySelector('.state .l-ok')`)
    await page.setOffline(true)
    await page.pass(60_000)
    await page.until('the band', "document.getElementById('band').innerText.includes('Last seen')")
    await page.pass(120_000)
    await page.until('its age', "document.getElementById('line').innerText.includes('last seen 3 min ago')")
    expect(await page.evaluate("document.querySelectorAll('.state .l-ok, .who .l-ok').length")).toBe(0)
    expect(await page.evaluate(ROWS)).toBe(true)
    await page.setOffline(false)
    await page.evaluate("document.querySelector('#band button').click()")
    await page.until('the band to go', "document.getElementById('band').hidden")
  })

  it('shows a file that was edited after a reload', async () => {
    const copied = await copyDashboard(world.base)
    try {
      const page = await openWithRows({}, copied.base)
      const file = join(copied.directory, 'index.html')
      writeFileSync(file, readFileSync(file, 'utf8').replace('>Sites<', '>Places<'))
      await page.reload()
      await page.until('the peers', ROWS)
      expect(await page.evaluate("document.querySelector('h1').textContent")).toBe('Places')
      expect(await page.complaints()).toEqual([])
    } finally {
      await copied.close()
    }
  })

  it('warns in red of a key of somebody else, and gives every blob back', async () => {
    const before = `
      window.blobs = new Set()
      const { createObjectURL, revokeObjectURL } = URL
      URL.createObjectURL = (blob) => { const url = createObjectURL.call(URL, blob); blobs.add(url); return url }
      URL.revokeObjectURL = (url) => { blobs.delete(url); revokeObjectURL.call(URL, url) }`
    const page = await openWithRows({ before, hand_clock: true })
    const { private_key } = newKeyPair()
    await openDialog(page)
    await page.type(private_key)
    await page.press('Enter')
    await page.until('the warning', `document.querySelector('.grave[data-code="private_key_mismatch"]')`)
    expect(
      await page.evaluate(
        "Boolean(document.querySelector('.grave').compareDocumentPosition(document.querySelector('a[download]')) & Node.DOCUMENT_POSITION_FOLLOWING)",
      ),
    ).toBe(true)
    expect(await page.evaluate("getComputedStyle(document.querySelector('.grave')).color")).toBe(
      'rgb(183, 33, 33)',
    )
    await page.evaluate("[...document.querySelectorAll('.result button')].at(-1).click()")
    await page.until('the QR code', "document.querySelector('img.qr')?.naturalWidth > 100")
    expect(await page.evaluate('blobs.size')).toBe(2)
    await page.pass(59_000)
    expect(await page.evaluate("document.querySelectorAll('img.qr').length")).toBe(1)
    await page.pass(1_000)
    expect(await page.evaluate("document.querySelectorAll('img.qr').length")).toBe(0)
    await page.press('Escape')
    await page.until('the end', "document.querySelector('#dialog').childNodes.length === 0")
    expect(await page.evaluate('blobs.size')).toBe(0)
    expect(await page.evaluate(traces(private_key))).toBe(false)
    expect(await page.complaints()).toEqual([])
  })

  it('tells at its field what is wrong, sooner than the server for networks', async () => {
    const page = await openWithRows()
    const said = (id: string) => page.evaluate<string>(`document.getElementById('${id}-said').textContent`)
    await openDialog(page)
    await page.until('the presets', "!document.getElementById('preset-homelab').disabled")
    await field(page, 'preset-full_tunnel')
    await page.press('ArrowRight')
    expect(await page.evaluate("document.getElementById('networks').value")).toBe('192.168.7.0/24')
    await page.press('ArrowRight')
    await field(page, 'networks')
    await page.type(', PostUp = x')
    expect(await said('networks')).toContain('Entry 2 is no network')
    await page.evaluate("document.getElementById('networks').select()")
    await page.type('10.0.0.0/8, fd00::/8')
    expect(await said('networks')).toBe('2 networks')
    await page.press('Enter')
    expect(await said('private-key')).toContain('Without a private key')
    await field(page, 'private-key')
    await page.type('no-key-at-all')
    await page.press('Enter')
    await page.until('the refusal', "document.getElementById('private-key').ariaInvalid === 'true'")
    expect(await said('private-key')).toContain('44 characters')
    expect(await page.evaluate("document.querySelectorAll('pre').length")).toBe(0)
    expect(await page.complaints()).toEqual([])
  })

  it('says that a key would travel in the open where it would', async () => {
    const shown = "document.querySelectorAll('#insecure').length"
    const safe = await openWithRows()
    await openDialog(safe)
    expect(await safe.evaluate(shown)).toBe(0)
    const page = await openWithRows({
      before: "Object.defineProperty(window, 'isSecureContext', { value: false })",
    })
    await openDialog(page)
    expect(await page.evaluate(shown)).toBe(1)
  })

  it('tells in words that somebody just synchronised', async () => {
    const page = await openWithRows()
    for (const words of ['All were read', 'a moment ago']) {
      await page.evaluate("document.getElementById('sync').click()")
      await page.until(words, `document.getElementById('synced').textContent.includes('${words}')`)
    }
  })

  it('draws loading, empty and unknown as three different pictures', async () => {
    const pictures: string[] = []
    const answers = {
      loading: 'new Promise(() => {})',
      empty: "reply('[]', 200)",
      unknown: `reply('{"detail":"Nobody knows"}', 503)`,
    }
    for (const [name, answer] of Object.entries(answers)) {
      const before = `
        const real = window.fetch
        const reply = (text, status) => Promise.resolve(new Response(text, { status, headers: { 'Content-Type': 'application/json' } }))
        window.fetch = (path, options) => (path === 'api/clients' ? ${answer} : real(path, options))`
      const page = await open({ before })
      const picture = "document.querySelector('#picture > *')?.className"
      await page.until(
        name,
        name === 'loading' ? `${picture} === 'bones rowbones'` : `${picture} === 'picture p-${name}'`,
      )
      pictures.push(await page.evaluate<string>("document.getElementById('picture').innerText"))
    }
    expect(new Set(pictures).size).toBe(3)
    expect(pictures[2]).toContain('Nobody knows')
  })
})
