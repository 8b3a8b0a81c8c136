/** A browser for a whole file of tests, and visits of the console in it: each signed in, in a window of its own. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { readHolder } from '../../src/store/files/lock.ts'
import { complaintsOf, startBrowser, type BrowserOptions } from '../peers/browser.ts'
import type { TestHouse } from './test-house.ts'

export interface VisitOptions {
  readonly width?: number
  /** Default: all that there is. */
  readonly key?: string
  /** Before the first page of it is opened. */
  readonly prepare?: (page: Page) => Promise<unknown>
}

export interface Visit {
  readonly page: Page
  readonly base: string
  /** Of the policy and of scripts: none is right. */
  readonly complaints: readonly string[]
  [Symbol.asyncDispose](): Promise<void>
}

type Visits = (at: TestHouse, path: string, options?: VisitOptions) => Promise<Visit>

/** To be called once at the top of a file. */
export function useBrowser(options: BrowserOptions = {}): Visits {
  let browser: Browser
  beforeAll(async () => {
    browser = await startBrowser(options)
  })
  afterAll(() => browser.close())
  return async (at, path, { width = 1280, key = at.house.key.reveal(), prepare } = {}) => {
    const base = readHolder(at.directory)!.listen!
    const context = await browser.newContext({ viewport: { width, height: 900 } })
    const [name, value] = (await sessionOf(at, key)).split('=')
    await context.addCookies([{ name: name!, value: value!, url: base, sameSite: 'Strict' }])
    const page = await context.newPage()
    const complaints = complaintsOf(page)
    await prepare?.(page)
    await page.goto(base + path)
    return { page, base, complaints, [Symbol.asyncDispose]: () => context.close() }
  }
}

/** The cookie of a new session, as `name=value`. */
async function sessionOf(at: TestHouse, key = at.house.key.reveal()): Promise<string> {
  const headers = { origin: 'http://localhost' }
  const answer = await at.call('POST', '/api/session', { key: null, headers, body: { key } })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.headers.get('set-cookie')!.split(';')[0]!
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
