/** Debian's Chromium without a window, driven by playwright-core: what a person sees and does, and what the browser complains of. */
import { type Browser, chromium, type Page } from 'playwright-core'

export const BROWSER_PROGRAMS = ['chromium'] as const

export interface BrowserOptions {
  /** Names that lead to an address of this host: `plumbline.test` → `127.0.0.1`. Nothing else is found. */
  readonly hosts?: Readonly<Record<string, string>>
}

/** To be closed by whoever started it. */
export function startBrowser({ hosts = {} }: BrowserOptions = {}): Promise<Browser> {
  const mapped = Object.entries(hosts).map(([name, address]) => `MAP ${name} ${address}`)
  return chromium.launch({
    executablePath: '/usr/bin/chromium',
    // Root has no other sandbox than this machine; the only pages are those of tests.
    chromiumSandbox: false,
    args: [
      '--disable-gpu',
      '--disable-component-update',
      `--host-resolver-rules=${[...mapped, 'MAP * ~NOTFOUND', 'EXCLUDE 127.0.0.1', 'EXCLUDE localhost'].join(', ')}`,
    ],
  })
}

/** What the policy of a page refused, what a script threw, and what else the browser calls an error; failed loads are not in it. */
export function complaintsOf(page: Page): readonly string[] {
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    const is_load = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !is_load) complaints.push(message.text())
  })
  return complaints
}
