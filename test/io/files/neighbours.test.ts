/** Files that go while they are looked at are nobody's fault. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { neighbours } from '../../../src/features/routes/folder/neighbours.ts'
import { newFolder } from '../../kit/new-folder.ts'

const { signal } = new AbortController()

it('a file that goes between the listing and its own look is passed over', async () => {
  const folder = newFolder('neighbours')
  const seen = neighbours({ folder, ours: [] })
  const files = Array.from({ length: 100 }, (_, i) => join(folder, `${i}.yml`))
  for (let round = 0; round < 10; round++) {
    for (const file of files) writeFileSync(file, 'http: {}\n')
    const listed = seen.list(signal)
    // Some time between the listing and the last of the looks.
    for (let turn = 0; turn < 5 * round; turn++) await setImmediate()
    for (const file of files) rmSync(file)
    expect((await listed).beyond).toBe(0)
  }
  expect(await seen.list(signal)).toEqual({ found: [], beyond: 0 })
})

it('a link that leads nowhere is told as unreadable, and what is ours is left out before anything is counted', async () => {
  const folder = newFolder('neighbours')
  mkdirSync(join(folder, 'below'))
  const ours = join(folder, 'a.yml')
  for (let i = 0; i < 200; i++) writeFileSync(join(folder, 'below', `${i}.YAML`), 'http: {}\n')
  writeFileSync(ours, 'http: {}\n')
  expect(await neighbours({ folder, ours: [ours] }).list(signal)).toMatchObject({ beyond: 0 })
  expect(await neighbours({ folder, ours: [] }).list(signal)).toMatchObject({ beyond: 1 })
  symlinkSync('nowhere', join(folder, 'b.toml'))
  const { found } = await neighbours({ folder, ours: [ours] }).list(signal)
  expect(found[0]).toMatchObject({ file: join(folder, 'b.toml'), text: null })
})

it('a pipe with a name that the proxy reads is told, and nobody waits at it', async () => {
  const folder = newFolder('neighbours')
  const file = join(folder, 'pipe.yml')
  execFileSync('mkfifo', [file])
  const { found } = await neighbours({ folder, ours: [] }).list(signal)
  expect(found).toMatchObject([{ file, text: null }])
})
