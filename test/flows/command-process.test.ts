/** The command as a shell meets it: a real process, its exit code, its two streams. What verbs say is tested in-process. */
import { spawn } from 'node:child_process'
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { TIER } from '../kit/tier.ts'
import { ESTATE, run, runProcess } from './command.ts'
import { itInDepth } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

const MAIN = new URL('../../src/main.ts', import.meta.url).pathname
it('exit codes and streams are the same in a process of its own as in this one', async () => {
  const directory = newFolder('process')
  const env = { PLUMBLINE_DATA_DIR: directory, PLUMBLINE_LISTEN: '127.0.0.1:0' }
  const estate = join(directory, 'estate.yaml')
  writeFileSync(estate, ESTATE)
  const wrong = await runProcess(['drfit'], env)
  expect(wrong).toEqual(await run(['drfit'], env))
  expect(wrong).toMatchObject({ code: 64, out: '', err: expect.stringContaining('"drift"') as unknown })
  expect(await runProcess(['drift'], env)).toMatchObject({ code: 3 })
  // Each of the following is one more process.
  if (TIER === 'gate') return
  const imported = await runProcess(['import', estate], env)
  expect(imported).toMatchObject({ code: 0, err: expect.stringContaining('names 1 domain.') as unknown })
  appendFileSync(join(directory, 'traefik', 'routes.yml'), '# stranger\n')
  const dirty = await runProcess(['drift', '--json'], env)
  expect(dirty).toMatchObject({ code: 2, err: '' })
  expect(JSON.parse(dirty.out)).toMatchObject({ drift: true })
  expect((await run(['drift'], env)).code).toBe(2)
})

itInDepth('who reads no further ends it quietly, with the exit code of a closed pipe', async () => {
  const child = spawn(process.execPath, [MAIN, 'help'], { stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.destroy()
  let err = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  const code = await new Promise((resolve) => child.once('close', resolve))
  expect({ code, err }).toEqual({ code: 141, err: '' })
})
