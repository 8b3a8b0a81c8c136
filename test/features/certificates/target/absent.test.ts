/** A folder of certificates that is not there is unknown, never empty: a mount may be gone. */
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PLAIN } from '../issuing/world.ts'
import { type Estate, installed } from './estate.ts'

const ways: readonly [string, (directory: string) => void][] = [
  ['is missing', () => undefined],
  ['is empty', (directory) => mkdirSync(directory)],
]

describe.each(ways)('the folder %s while a certificate is installed', (_title, leave) => {
  const without = async (): Promise<Estate & { readonly directory: string; readonly bring: () => void }> => {
    const estate = await installed()
    expect(await estate.passFile()).toBe(1)
    const { directory } = estate.world.files
    renameSync(directory, `${directory}.away`)
    leave(directory)
    const bring = () => {
      rmSync(directory, { recursive: true, force: true })
      renameSync(`${directory}.away`, directory)
    }
    return { ...estate, directory, bring }
  }

  it('nothing is known, with the folder and the remedy, and the file of the proxy stays as it is', async () => {
    const { why, passFile, proxy_file, directory } = await without()
    const before = readFileSync(proxy_file, 'utf8')
    expect(before).toContain('certFile')
    expect(await why()).toMatch(/is missing or empty, and 1 certificate is installed there\. Mount it/)
    expect(await why()).toContain(`touch ${directory}/.plumbline`)
    expect(await passFile()).toBeNull()
    expect(readFileSync(proxy_file, 'utf8')).toBe(before)
  })

  it('is seen at a glance, so that the file of the proxy is looked at before it is back', async () => {
    const { glanceFile, directory, bring } = await without()
    const away = await glanceFile()
    bring()
    const back = await glanceFile()
    expect(away).not.toBe(back)
    renameSync(directory, `${directory}.away`)
    expect(await glanceFile()).not.toBe(back)
  })

  it('once it is back, nothing is ordered, and the proxy reads its file once more', async () => {
    const { bring, pass, passFile, proxy_file, orders } = await without()
    const [text, inode] = [readFileSync(proxy_file, 'utf8'), statSync(proxy_file).ino]
    expect(await passFile()).toBeNull()
    bring()
    expect(await pass()).toEqual({ drift: [], done: [], left: 0 })
    expect(await passFile()).toBe(1)
    expect(await passFile()).toBe(0)
    expect(readFileSync(proxy_file, 'utf8')).toBe(text)
    expect(statSync(proxy_file).ino).not.toBe(inode)
    expect(orders()).toBe(1)
  })

  it('where somebody says that the keys are lost, a new one is ordered', async () => {
    const { directory, pass, passFile, proxy_file, orders } = await without()
    const before = readFileSync(proxy_file, 'utf8')
    mkdirSync(directory, { recursive: true })
    writeFileSync(join(directory, '.plumbline'), '')
    // What the proxy holds in memory stays served until then.
    expect(await passFile()).toBe(0)
    expect(readFileSync(proxy_file, 'utf8')).toBe(before)
    expect(await pass()).toMatchObject({ drift: [expect.stringMatching(/^obtain: /)], left: 0 })
    expect(orders()).toBe(2)
    expect(await passFile()).toBe(1)
    expect(readFileSync(proxy_file, 'utf8')).not.toBe(before)
  })
})

describe('the files of one certificate', () => {
  it('that are gone leave its entry, and what comes back is read again', async () => {
    const { world, passFile, proxy_file } = await installed()
    expect(await passFile()).toBe(1)
    const text = readFileSync(proxy_file, 'utf8')
    const folder = join(world.files.directory, PLAIN.name)
    renameSync(folder, `${world.directory}/away`)
    expect(await passFile()).toBe(0)
    renameSync(`${world.directory}/away`, folder)
    expect(await passFile()).toBe(1)
    expect(await passFile()).toBe(0)
    expect(readFileSync(proxy_file, 'utf8')).toBe(text)
  })
})
