/** Every sentence of the command keeps within its terminal: at 40 and 80 columns only a word that is longer runs over. */
import { appendFileSync, chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../kit/ports.ts'
import { run } from './command.ts'
import { serve, type ServedDaemon } from './command-daemon.ts'
import { describeOneIn, itOneIn } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

let directory: string
let env: Record<string, string>
let daemon: ServedDaemon

const BY_HAND = `http:
  routers:
    wiki:
      rule: HostRegexp(\`.+\\.wiki\\.example\\.com\`) && Header(\`x\`, \`y\`)
      service: wiki
  services:
    wiki:
      loadBalancer:
        servers:
          - url: http://10.0.0.9:3000
`

beforeAll(async () => {
  directory = newFolder('narrow')
  const editor = join(directory, 'editor')
  writeFileSync(editor, `#!/bin/sh\nsed -i 's/^backend_port: .*/backend_port: 81/' "$1"\n`)
  chmodSync(editor, 0o700)
  writeFileSync(join(directory, 'hand.yml'), BY_HAND)
  env = {
    PLUMBLINE_DATA_DIR: directory,
    PLUMBLINE_LISTEN: '127.0.0.1:0',
    PLUMBLINE_PUBLIC_IP: '203.0.113.7',
    PLUMBLINE_HUB_HOST: 'hub.example.net',
    PLUMBLINE_DNS_PROVIDER: 'zonefile',
    PLUMBLINE_TRAEFIK_API: `http://127.0.0.1:${await freePort()}`,
    EDITOR: editor,
  }
  daemon = await serve(env)
  for (const words of [
    ['app.example.com', 'http://10.0.0.5:80'],
    ['home.example.com', 'http://10.0.0.6:80', '--ddns-enabled'],
  ])
    expect(await run(['add', ...words, '--no-auth-required'], env)).toMatchObject({
      err: expect.any(String) as unknown,
    })
  await run(['mode', 'set', 'observe', '--reason', 'a hand works here'], env)
  appendFileSync(join(directory, 'traefik', 'routes.yml'), '# by hand\n')
})
afterAll(() => daemon.stop())

/** A diff, and what stands in a file, is shown as it is. */
const prose = (text: string): readonly string[] =>
  text.replaceAll(/^--- [^]*?(?=^\n|$(?![^]))/gm, '').split('\n')

/** An address is one word, wherever it stands; so is what stands behind a sign alone, and a command that is copied whole. */
const cutIn = (text: string, width: number): readonly string[] =>
  prose(text).filter(
    (line) =>
      line.length > width &&
      !/ \S+:\/\/\S+$|^ *plumbline \S/.test(line) &&
      line
        .trim()
        .replace(/^(?:\S{1,4} +|→ +)/, '')
        .includes(' '),
  )

describeOneIn(2).each([40, 80])('at %i columns', (width) => {
  itOneIn(27).each(
    [
      ['status'],
      ['domains'],
      ['show', 'app.example.com'],
      ['edit', 'app.example.com'],
      ['plan'],
      ['set', 'app.example.com', 'note=x', '--deploy', '--dry-run'],
      ['off', 'app.example.com', '--dry-run'],
      ['rm', 'app.example.com', '--dry-run'],
      ['detect', 'app.example.com'],
      ['drift'],
      ['doctor'],
      ['audit'],
      ['notifications'],
      ['releases'],
      ['releases', 'undo', 'app.example.com', '--dry-run'],
      ['help', 'tasks'],
      ['watch', '--since', '1h', '--for', '1s'],
      ['domains', '--drift'],
      ['mode'],
      ['dns', 'records'],
      ['ddns', 'status'],
      ['proxy', 'middlewares'],
      ['proxy', 'services'],
      ['proxy', 'figures'],
      ['import', 'traefik', 'hand.yml'],
      ['sync', 'estate.yaml', '--dry-run'],
      ['wait', '--for', '1s'],
    ].map((words) => [words.join(' '), words] as const),
  )('%s cuts no word', async (_, words) => {
    const named = words.map((word) => (/\.ya?ml$/.test(word) ? join(directory, word) : word))
    writeFileSync(join(directory, 'estate.yaml'), (await run(['export'], env)).out)
    const { out, err } = await run(named, env, { width, types: () => 'n' })
    expect(out + err).not.toBe('')
    expect(cutIn(out, width), out).toEqual([])
  })

  it('explain cuts no word of what it says', async () => {
    const { out } = await run(['explain', 'home.example.com'], env, { width })
    // Entries of a file stand as they are there.
    const said = out.replaceAll(/^ {4}(?:http|access_control):\n(?: {6,}.*\n)+/gm, '')
    expect(said).toContain('as reported for')
    expect(cutIn(said, width), out).toEqual([])
  })
})
