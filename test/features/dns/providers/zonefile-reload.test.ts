/** The reload command of the zonefile provider: how it is run, and what is said when it fails. */
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Facts, silentLog } from '../../../../src/kernel/log.ts'
import { HEAD, never, wish, zoneFolder } from './zone-folder.ts'

const ZONE = 'example.org'
const WWW = wish('www.example.org', 'A', ['192.0.2.1'], { comment: 'plumbline:1:abc:7' })

describe('the reload command', () => {
  const said: [string, Facts | undefined][] = []
  const log = { ...silentLog, warn: (message: string, facts?: Facts) => void said.push([message, facts]) }

  it('runs after a change, word by word, with the zone in it and nothing of ours around it', async () => {
    process.env['PLUMBLINE_CANARY'] = 'secret'
    const script =
      'require("fs").writeFileSync(process.argv[1], JSON.stringify([process.argv.slice(2), process.env]))'
    const { directory } = zoneFolder()
    const out = join(directory, 'out')
    const { provider, put } = zoneFolder({
      reload: [process.execPath, '-e', script, out, 'reload', '{zone}', '$(id); {zone}'],
    })
    put(ZONE, HEAD)
    expect(existsSync(out)).toBe(false)
    expect(await provider.change(ZONE, [WWW], never)).toEqual([{ ok: true, ids: [] }])
    const [words, env] = JSON.parse(readFileSync(out, 'utf8')) as [string[], Record<string, string>]
    delete process.env['PLUMBLINE_CANARY']
    expect(words).toEqual(['reload', ZONE, `$(id); ${ZONE}`])
    expect(Object.keys(env).sort()).toEqual(['LANG', 'PATH'])
  })

  it('runs with the first look where an earlier process ended between its write and the command, and there alone', async () => {
    const fails = zoneFolder({ reload: [process.execPath, '-e', 'process.exit(3)'] })
    fails.put(ZONE, HEAD)
    fails.put('other.example', HEAD.replaceAll('example.org', 'other.example'))
    expect(await fails.provider.change(ZONE, [WWW], never)).toMatchObject([{ ok: false }])

    const out = join(fails.directory, 'out')
    const script = 'require("fs").appendFileSync(process.argv[1], process.argv[2] + "\\n")'
    const { provider } = zoneFolder({
      directory: fails.directory,
      reload: [process.execPath, '-e', script, out, '{zone}'],
    })
    expect((await provider.zones(never)).map(({ name }) => name)).toEqual([ZONE, 'other.example'])
    expect(await provider.stamp(ZONE, never)).toBeNull()
    for (const zone of [ZONE, ZONE, 'other.example']) await provider.list(zone, never)
    expect(await provider.stamp(ZONE, never)).not.toBeNull()
    expect(readFileSync(out, 'utf8')).toBe(`${ZONE}\n`)
    expect(readdirSync(fails.directory).filter((name) => name.endsWith('.unloaded'))).toEqual([])
  })

  it('that fails says that the change is in the file and not loaded, and is tried again with the next look', async () => {
    const { directory } = zoneFolder()
    const gate = join(directory, 'gate')
    const script =
      'if (!require("fs").existsSync(process.argv[1])) { console.error("no server"); process.exit(3) }'
    const { provider, put, textOf, pathOf } = zoneFolder({
      reload: [process.execPath, '-e', script, gate],
      log,
    })
    put(ZONE, HEAD)
    const [outcome] = await provider.change(ZONE, [WWW], never)
    expect(outcome).toMatchObject({ ok: false, code: 'component_unavailable' })
    expect(JSON.stringify(outcome)).toContain(
      `the change is in ${pathOf(ZONE)} but not loaded: it ended with code 3`,
    )
    expect(textOf(ZONE)).toMatch(/^www/m)
    expect(said.splice(0)).toEqual([
      ['a zone file was not loaded', expect.objectContaining({ zone: ZONE, output: 'no server' })],
    ])
    expect(await provider.stamp(ZONE, never)).toBeNull()
    expect((await provider.list(ZONE, never)).at(-1)).toMatchObject({ name: 'www.example.org' })
    mkdirSync(gate)
    await provider.list(ZONE, never)
    expect(await provider.stamp(ZONE, never)).not.toBeNull()
  })

  it.each([
    ['is not there', ['/nowhere/reload'], /no command/],
    ['has no name', [''], /did not run/],
    [
      'says too much',
      [process.execPath, '-e', 'process.stdout.write("x".repeat(1e6)); setTimeout(() => {}, 60_000)'],
      /wrote more/,
    ],
  ])('that %s is a failed one', async (_what, reload, why) => {
    const { provider, put } = zoneFolder({ reload })
    put(ZONE, HEAD)
    const [outcome] = await provider.change(ZONE, [WWW], never)
    expect(outcome).toMatchObject({ ok: false, message: expect.stringMatching(why) as unknown })
  })

  it('ends with the signal', async () => {
    const { directory } = zoneFolder()
    const started = join(directory, 'started')
    const script = 'require("fs").writeFileSync(process.argv[1], ""); setTimeout(() => {}, 60_000)'
    const { provider, put } = zoneFolder({ reload: [process.execPath, '-e', script, started] })
    put(ZONE, HEAD)
    const end = new AbortController()
    const work = provider.change(ZONE, [WWW], end.signal)
    await expect.poll(() => existsSync(started)).toBe(true)
    end.abort(new Error('over'))
    await expect(work).rejects.toThrow('over')
  })
})
