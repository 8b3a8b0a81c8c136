/**
 * A finished bundle on disk: one file, named by the digest of what it was made of, that begins with a digest of itself. What does
 * not fit is none, and is made anew; where the disk cannot be written the bundle lives in memory alone.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256 } from '../../../kernel/digest.ts'
import type { Bundle } from '../bundle-port.ts'

const NAME = /^bundle-[0-9a-f]{64}\.json$/
const fileOf = (digest: string): string => `bundle-${digest}.json`

interface Stored extends Omit<Bundle, 'assets'> {
  readonly assets: readonly { readonly name: string; readonly type: string; readonly base64: string }[]
}

/** Null where there is none, or what is there was cut or changed. */
export async function readKept(folder: string, digest: string): Promise<Bundle | null> {
  try {
    const text = await readFile(join(folder, fileOf(digest)), 'utf8')
    const end = text.indexOf('\n')
    const json = text.slice(end + 1)
    if (end < 0 || sha256([json]) !== text.slice(0, end)) return null
    const { assets, ...rest } = JSON.parse(json) as Stored
    return {
      ...rest,
      assets: assets.map(({ name, type, base64 }) => ({ name, type, bytes: Buffer.from(base64, 'base64') })),
    }
  } catch {
    return null
  }
}

/** Throws where it cannot be written. Those of other sources go. */
export async function keep(folder: string, digest: string, { assets, ...rest }: Bundle): Promise<void> {
  const stored: Stored = {
    ...rest,
    assets: assets.map(({ name, type, bytes }) => ({
      name,
      type,
      base64: Buffer.from(bytes).toString('base64'),
    })),
  }
  const json = JSON.stringify(stored)
  const beside = join(folder, `${randomUUID()}.part`)
  // What lies there is run in browsers: everybody may read it, and nobody else lay anything there, whatever the umask says.
  await mkdir(folder, { recursive: true, mode: 0o755 })
  try {
    await writeFile(beside, `${sha256([json])}\n${json}`, { mode: 0o644 })
    await rename(beside, join(folder, fileOf(digest)))
  } finally {
    await rm(beside, { force: true })
  }
  const others = (await readdir(folder)).filter((name) => NAME.test(name) && name !== fileOf(digest))
  for (const name of others) await rm(join(folder, name), { force: true })
}
