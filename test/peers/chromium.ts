/** Chromium without a window, driven over its DevTools protocol: what a person sees, types and presses at a page. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fetch } from 'undici'
import { type CdpSession, connectCdp } from './devtools.ts'
import { HAND_CLOCK, VIOLATIONS } from './page-scripts.ts'
import { type Peer, startPeer, until } from './peer.ts'

export interface Chromium extends Peer {
  /** A tab of its own, with nothing of the others. */
  open(url: string, options?: PageOptions): Promise<Page>
}

export interface PageOptions {
  readonly width?: number
  readonly height?: number
  readonly dark?: boolean
  /** The page's time stands still until `pass` is called. */
  readonly hand_clock?: boolean
  /** Scripts that run before those of the page. */
  readonly before?: string
}

export interface Page {
  evaluate<T>(expression: string): Promise<T>
  /** Polls until the expression is true in the page. */
  until(what: string, expression: string): Promise<void>
  press(key: Key, modifiers?: 'shift'): Promise<void>
  type(text: string): Promise<void>
  reload(): Promise<void>
  /** Lets the time of a page with a hand clock go by. */
  pass(ms: number): Promise<void>
  setHidden(is_hidden: boolean): Promise<void>
  setOffline(is_offline: boolean): Promise<void>
  /** @param height of the picture, where it is not that of the window */
  screenshot(path: string, height?: number): Promise<void>
  /** Paths that were asked for so far, with their method. */
  requests(): readonly string[]
  /** What the policy of the page refused, what a script threw, and what the browser complains of. */
  complaints(): Promise<readonly string[]>
  close(): Promise<void>
}

export type Key = 'Tab' | 'Enter' | 'Escape' | 'Space' | 'ArrowRight' | 'ArrowLeft' | '/'

export const CHROMIUM_PROGRAMS = ['chromium'] as const

export async function startChromium(): Promise<Chromium> {
  let endpoint = ''
  const { peer } = await startPeer({
    name: 'chromium',
    ports: 1,
    async prepare(directory, [port = 0]) {
      return {
        program: 'chromium',
        args: [
          '--headless=new',
          `--remote-debugging-port=${port}`,
          `--user-data-dir=${join(directory, 'profile')}`,
          // Root has no other sandbox than this machine; the only pages are those of tests.
          '--no-sandbox',
          '--disable-gpu',
          '--disable-dev-shm-usage',
          '--disable-background-networking',
          '--disable-component-update',
          '--no-first-run',
          '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
          'about:blank',
        ],
        ready: async () => {
          const answer = await fetch(`http://127.0.0.1:${port}/json/version`)
          endpoint = ((await answer.json()) as { webSocketDebuggerUrl: string }).webSocketDebuggerUrl
          return true
        },
      }
    },
  })
  const browser = await connectCdp(endpoint)
  return {
    ...peer,
    open: (url, options = {}) => openPage(browser, url, options),
    async stop() {
      // Asked to close it leaves no process that still writes into its folder.
      await browser.send('Browser.close').catch(() => undefined)
      browser.close()
      await peer.stop()
    },
  }
}

async function openPage(browser: CdpSession, url: string, options: PageOptions): Promise<Page> {
  const { width = 1280, height = 900, dark = false, hand_clock = false, before = '' } = options
  const { browserContextId } = await browser.send<{ browserContextId: string }>('Target.createBrowserContext')
  const { targetId } = await browser.send<{ targetId: string }>('Target.createTarget', {
    url: 'about:blank',
    browserContextId,
    width,
    height,
  })
  const { sessionId } = await browser.send<{ sessionId: string }>('Target.attachToTarget', {
    targetId,
    flatten: true,
  })
  const tab = browser.session(sessionId)
  const requests: string[] = []
  const complaints: string[] = []
  tab.on<Requested>('Network.requestWillBeSent', ({ request }) => {
    if (request.url.startsWith('http')) requests.push(`${request.method} ${new URL(request.url).pathname}`)
  })
  tab.on<Thrown>('Runtime.exceptionThrown', ({ exceptionDetails }) => {
    complaints.push(exceptionDetails.exception?.description ?? exceptionDetails.text)
  })
  tab.on<Logged>('Log.entryAdded', ({ entry }) => {
    if (entry.level === 'error' && entry.source !== 'network') complaints.push(entry.text)
  })
  for (const domain of ['Page', 'Runtime', 'Network', 'Log']) await tab.send(`${domain}.enable`)
  await tab.send('Emulation.setDeviceMetricsOverride', {
    width,
    height,
    deviceScaleFactor: 1,
    mobile: width < 500,
  })
  await tab.send('Emulation.setEmulatedMedia', {
    features: [{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }],
  })
  await tab.send('Emulation.setFocusEmulationEnabled', { enabled: true })
  for (const source of [VIOLATIONS, hand_clock ? HAND_CLOCK : '', before])
    if (source !== '') await tab.send('Page.addScriptToEvaluateOnNewDocument', { source })
  const page = pageOf(tab, width, { requests, complaints })
  await page.go(url)
  return {
    ...page,
    async close() {
      await browser.send('Target.disposeBrowserContext', { browserContextId })
    },
  }
}

interface Requested {
  readonly request: { readonly url: string; readonly method: string }
}

interface Thrown {
  readonly exceptionDetails: { readonly text: string; readonly exception?: { readonly description?: string } }
}

interface Logged {
  readonly entry: { readonly level: string; readonly source: string; readonly text: string }
}

interface Seen {
  readonly requests: string[]
  readonly complaints: string[]
}

function pageOf(tab: CdpSession, width: number, { requests, complaints }: Seen) {
  async function evaluate<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await tab.send<Evaluated<T>>('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
      userGesture: true,
    })
    if (exceptionDetails !== undefined)
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
    return result.value
  }
  async function load(method: string, params: object = {}): Promise<void> {
    const loaded = tab.once('Page.loadEventFired')
    await tab.send(method, params)
    await loaded
  }
  return {
    evaluate,
    go: (url: string) => load('Page.navigate', { url }),
    reload: () => load('Page.reload'),
    until: async (what: string, expression: string) => {
      await until(what, () => evaluate<boolean>(`Boolean(${expression})`).catch(() => false))
    },
    press: async (key: Key, modifiers?: 'shift') => {
      const { code, keyCode, text } = KEYS[key]
      const pressed = {
        key: key === 'Space' ? ' ' : key,
        code,
        windowsVirtualKeyCode: keyCode,
        modifiers: modifiers === 'shift' ? 8 : 0,
      }
      await tab.send('Input.dispatchKeyEvent', { type: 'keyDown', ...pressed, ...(text && { text }) })
      await tab.send('Input.dispatchKeyEvent', { type: 'keyUp', ...pressed })
    },
    type: async (text: string) => void (await tab.send('Input.insertText', { text })),
    pass: (ms: number) => evaluate<void>(`window.passTime(${ms})`),
    setHidden: (is_hidden: boolean) =>
      evaluate<void>(
        `Object.defineProperty(document, 'hidden', { configurable: true, value: ${is_hidden} });
        void document.dispatchEvent(new Event('visibilitychange'))`,
      ),
    setOffline: async (offline: boolean) => {
      const conditions = { offline, latency: 0, downloadThroughput: -1, uploadThroughput: -1 }
      await tab.send('Network.emulateNetworkConditions', conditions)
    },
    screenshot: async (path: string, height?: number) => {
      const { data } = await tab.send<{ data: string }>('Page.captureScreenshot', {
        captureBeyondViewport: height !== undefined,
        ...(height !== undefined && { clip: { x: 0, y: 0, width, height, scale: 1 } }),
      })
      writeFileSync(path, Buffer.from(data, 'base64'))
    },
    requests: () => [...requests],
    complaints: async () => [...complaints, ...(await evaluate<string[]>('window.violations'))],
  }
}

interface Evaluated<T> {
  readonly result: { readonly value: T }
  readonly exceptionDetails?: Thrown['exceptionDetails']
}

const KEYS: Readonly<
  Record<Key, { readonly code: string; readonly keyCode: number; readonly text?: string }>
> = {
  Tab: { code: 'Tab', keyCode: 9 },
  Enter: { code: 'Enter', keyCode: 13, text: '\r' },
  Escape: { code: 'Escape', keyCode: 27 },
  Space: { code: 'Space', keyCode: 32, text: ' ' },
  ArrowRight: { code: 'ArrowRight', keyCode: 39 },
  ArrowLeft: { code: 'ArrowLeft', keyCode: 37 },
  '/': { code: 'Slash', keyCode: 191, text: '/' },
}
