/** A browser for a whole file of tests, and visits of the console in it: each signed in, in a window of its own. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, onTestFailed } from 'vitest'
import { readHolder } from '../../src/store/files/lock.ts'
import { complaintsOf, startBrowser, type BrowserOptions } from '../peers/browser.ts'
import type { TestHouse } from './test-house.ts'

export interface VisitOptions {
  readonly width?: number
  /** Default: all that there is. */
  readonly key?: string
  /** Before the first page of it is opened. */
  readonly prepare?: (page: Page) => Promise<unknown>
  /** Part of a complaint that is no fault there. */
  readonly may_complain_of?: string
}

export interface Visit {
  readonly page: Page
  readonly base: string
  [Symbol.asyncDispose](): Promise<void>
}

type Visits = (at: TestHouse, path: string, options?: VisitOptions) => Promise<Visit>

/** On a machine that others use, too. */
const MAX_WAIT_MS = 90_000

/** To be called once at the top of a file. No page may complain, neither of the policy nor of a script. */
export function useBrowser(options: BrowserOptions = {}): Visits {
  let browser: Browser
  beforeAll(async () => {
    browser = await startBrowser(options)
  })
  afterAll(() => browser.close())
  const complaints: (() => readonly string[])[] = []
  afterEach(() => expect(complaints.splice(0).flatMap((of) => of())).toEqual([]))
  return async (at, path, options = {}) => {
    const { width = 1280, key = at.house.key.reveal(), prepare, may_complain_of } = options
    const base = readHolder(at.directory)!.listen!
    const { name, value, secret } = await sessionOf(at, key)
    const localStorage = [{ name: 'plumbline.session-secret', value: secret }]
    const context = await browser.newContext({
      viewport: { width, height: 900 },
      storageState: { cookies: [], origins: [{ origin: base, localStorage }] },
    })
    await context.addCookies([{ name, value, url: base, sameSite: 'Strict' }])
    const page = await context.newPage()
    page.setDefaultTimeout(MAX_WAIT_MS)
    const all = complaintsOf(page)
    complaints.push(() =>
      all.filter((one) => may_complain_of === undefined || !one.includes(may_complain_of)),
    )
    const look = sayOnFailure(page)
    await prepare?.(page)
    await page.goto(base + path)
    return {
      page,
      base,
      async [Symbol.asyncDispose]() {
        await look()
        await context.close()
      },
    }
  }
}

const MAX_LINES = 40
const MAX_READ_MS = 10_000

/**
 * Prints where its test fails what stood on a page.
 * @returns to be called before the page is closed, which is before it is known whether the test fails
 */
export function sayOnFailure(page: Page): () => Promise<void> {
  let stood = 'Nothing was read of the page.'
  async function look(): Promise<void> {
    if (page.isClosed()) return
    const late = new Promise<string[]>((resolve) =>
      setTimeout(resolve, MAX_READ_MS, ['(it does not answer)']),
    )
    const texts = await Promise.race([readTexts(page), late]).catch((error: unknown) => [String(error)])
    const lines = texts.flatMap((text) => text.split('\n')).filter((line) => line.trim() !== '')
    stood = [`On ${page.url()} stood:`, ...lines.slice(0, MAX_LINES)].join('\n  ')
  }
  onTestFailed(async () => {
    await look()
    process.stderr.write(`${stood}\n`)
  })
  return look
}

/** What lies over a page comes first; of the frame around it nothing, but where there is nothing else. */
async function readTexts(page: Page): Promise<string[]> {
  const found = await page.locator('dialog[open], [role=alert], main').allInnerTexts()
  const own = found.length > 0 ? found : await page.locator('body').allInnerTexts()
  return own.toReversed()
}

/** So that a test has the line of events as `window.stream`; for `prepare`. */
export const holdStream = (page: Page): Promise<unknown> =>
  page.addInitScript(
    'const Real = EventSource; window.EventSource = class extends Real { constructor(url) { super(url); window.stream = this } }',
  )

/** All is there, and whatever the daemon does next, the page hears nothing of it; its stream is held. */
export async function hearsNoMore(page: Page): Promise<void> {
  await page.getByRole('status', { name: 'Line: live' }).waitFor()
  await page.evaluate('window.stream.close()')
  await page.waitForLoadState('networkidle')
}

interface NewSession {
  /** Of its cookie. */
  readonly name: string
  readonly value: string
  readonly secret: string
}

/** As the page of a sign-in gets it. */
async function sessionOf(at: TestHouse, key = at.house.key.reveal()): Promise<NewSession> {
  const headers = { origin: 'http://localhost' }
  const answer = await at.call('POST', '/api/session', { key: null, headers, body: { key } })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  const [name, value] = answer.headers.get('set-cookie')!.split(';')[0]!.split('=')
  return { name: name!, value: value!, secret: String(answer.body['secret']) }
}

export const NOTES = {
  domain: 'notes.home.example',
  service_type: 'http',
  environment: 'production',
  backend_host: '192.168.1.20',
  backend_port: 3000,
  auth_required: false,
  backend_scheme: 'http',
} as const

export async function deployNotes(
  at: TestHouse,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const answer = await at.call('POST', '/api/domains/expose', { body: { ...NOTES, ...fields } })
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
}
