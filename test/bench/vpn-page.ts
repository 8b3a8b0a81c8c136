/** The dashboard of the VPN in a browser: how soon a window that has seen none of it shows the first of it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../../src/settings-wiring.ts'
import { buildDaemon } from '../../src/build-daemon.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { type Chromium, startChromium } from '../peers/chromium.ts'
import { whichProgram } from '../peers/peer.ts'
import { median, ms, type Row } from './measure.ts'

const WINDOWS = 15
const MAX_PAINT_MS = 300

const FIRST_PAINT = `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0`

/** No row where no browser is installed. */
export async function vpnPageRows(): Promise<Row[]> {
  if (whichProgram('chromium') === null) return []
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-bench-'))
  const env = { PLUMBLINE_DATA_DIR: directory, PLUMBLINE_LISTEN: '127.0.0.1:0' }
  const house = await buildDaemon(loadConfig(env), { log: silentLog })
  try {
    const origin = await house.open()
    const chromium = await startChromium()
    try {
      const figure = median(await paints(chromium, `${origin}/companions/vpn/`))
      return [
        {
          goal: 'first paint of the dashboard of the VPN',
          figure: `${ms(figure)} ms`,
          limit: `at most ${MAX_PAINT_MS} ms`,
          ok: figure <= MAX_PAINT_MS,
        },
      ]
    } finally {
      await chromium.stop()
    }
  } finally {
    await house.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Each window begins with an empty cache. The first one starts the browser's own processes, and is not counted. */
async function paints(chromium: Chromium, url: string): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n <= WINDOWS; n++) {
    const page = await chromium.open(url)
    await page.until('the first paint', `${FIRST_PAINT} > 0`)
    const time = await page.evaluate<number>(FIRST_PAINT)
    if (n > 0) times.push(time)
    await page.close()
  }
  return times
}
