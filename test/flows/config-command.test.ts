/** `plumbline config`: the settings that are in effect are those of the daemon that runs, and it says whose it shows. */
import { beforeEach, expect, it } from 'vitest'
import { run } from './command.ts'
import { serve } from './command-daemon.ts'
import { newFolder } from '../kit/new-folder.ts'

interface Line {
  readonly name: string
  readonly value: string | null
  readonly source: string
}

let directory: string
/** What somebody's shell has; the daemon has more. */
let shell: Record<string, string>

beforeEach(() => {
  directory = newFolder('config')
  shell = { PLUMBLINE_DATA_DIR: directory, API_KEY: SECRET }
})

const SECRET = 'a-very-secret-key-of-thirty-two-chars'
const daemonEnv = () => ({
  ...shell,
  PLUMBLINE_LISTEN: '127.0.0.1:0',
  PLUMBLINE_PUBLIC_IP: '203.0.113.7',
  PLUMBLINE_MODE: 'observe',
})

it('shows the settings of the daemon, with where it is, and never a secret', async () => {
  const daemon = await serve(daemonEnv())
  try {
    const one = await run(['config', 'public-ip'], shell)
    expect(one, one.err).toMatchObject({ code: 0 })
    expect(one.out).toMatch(/^ {2}value +203\.0\.113\.7$/m)
    expect(one.err).toMatch(/^Settings of the daemon at http:\/\/127\.0\.0\.1:\d+\.$/m)
    const all = await run(['config', '--json'], shell)
    const lines = JSON.parse(all.out) as Line[]
    expect(lines.find(({ name }) => name === 'PLUMBLINE_MODE')).toMatchObject({
      value: 'observe',
      source: 'environment',
    })
    expect(lines.find(({ name }) => name === 'API_KEY')).toMatchObject({ value: '[hidden]' })
    expect(all.out + one.out + one.err).not.toContain(SECRET)
  } finally {
    await daemon.stop()
  }
})

it('names what this shell says otherwise, and shows its own where that is asked for', async () => {
  const daemon = await serve(daemonEnv())
  try {
    const other = { ...shell, PLUMBLINE_MODE: 'repair' }
    const shown = await run(['config', 'mode'], other)
    expect(shown.out).toMatch(/^ {2}value +observe$/m)
    expect(shown.err).toContain('This environment says otherwise of PLUMBLINE_MODE')
    const own = await run(['config', 'mode', '--own'], other)
    expect(own.out).toMatch(/^ {2}value +repair$/m)
    expect(own.err).toMatch(/^Settings of this environment/m)
    // What is wrong here is no matter of the daemon.
    const wrong = await run(['config', 'mode'], { ...shell, PLUMBLINE_MODE: 'no' })
    expect(wrong).toMatchObject({ code: 0 })
    expect(wrong.out).toMatch(/^ {2}value +observe$/m)
  } finally {
    await daemon.stop()
  }
})

it('says that they are those of this shell where no daemon runs', async () => {
  const shown = await run(['config', 'mode'], { ...shell, PLUMBLINE_MODE: 'observe' })
  expect(shown).toMatchObject({ code: 0 })
  expect(shown.out).toMatch(/^ {2}value +observe$/m)
  expect(shown.err).toContain(`No daemon holds ${directory}`)
  expect(shown.err).toContain('Settings of this environment')
  const away = await run(['config', 'mode', '--url', 'http://127.0.0.1:9'], shell)
  expect(away).toMatchObject({ code: 1, out: '' })
})

it('keeps to the width of a terminal, and breaks a long value where a list is', async () => {
  const env = { PLUMBLINE_DATA_DIR: directory, PLUMBLINE_PUBLIC_IP: '203.0.113.7' }
  for (const width of [80, 40]) {
    const { out } = await run(['config', '--own'], env, { width })
    const wide = out.split('\n').filter((line) => line.length > width)
    expect(wide, wide.join('\n')).toEqual([])
    expect(out).toMatch(/^PLUMBLINE_VMID_PURPOSES.*\n {2}0=infra,/m)
    expect(out).toContain('203.0.113.7')
  }
})
